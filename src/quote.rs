//! Quoting as Go's `%q` does, for words that must equal the controller's.

use std::fmt::Write;

/// `text` in double quotes, as Go's `strconv.Quote` writes it.
pub fn go_quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        push_escaped(&mut out, c);
    }
    out.push('"');
    out
}

fn push_escaped(out: &mut String, c: char) {
    match c {
        '"' | '\\' => {
            out.push('\\');
            out.push(c);
        }
        ' '..='~' => out.push(c),
        '\x07' => out.push_str("\\a"),
        '\x08' => out.push_str("\\b"),
        '\x0c' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\x0b' => out.push_str("\\v"),
        _ if is_printable(c) => out.push(c),
        // Writing to a String cannot fail.
        _ => {
            let code = u32::from(c);
            let _ = match code {
                0..0x80 => write!(out, "\\x{code:02x}"),
                0x80..0x10000 => write!(out, "\\u{code:04x}"),
                _ => write!(out, "\\U{code:08x}"),
            };
        }
    }
}

/// Whether Go's `strconv.IsPrint` holds: Rust escapes all but the same characters, where they do not stand first.
fn is_printable(c: char) -> bool {
    format!("a{c}").escape_debug().all(|shown| shown != '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_go_does() {
        assert_eq!(go_quote("a \"b\"\\\t\u{1}\u{7f}"), r#""a \"b\"\\\t\x01\x7f""#);
        assert_eq!(go_quote("é世\u{301}"), "\"é世\u{301}\"");
        assert_eq!(go_quote("\u{85}\u{200b}\u{10ffff}'"), r#""\u0085\u200b\U0010ffff'""#);
    }
}
