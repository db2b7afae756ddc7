//! Texts, characters and lists as `strconv` and `fmt` write them.

use std::fmt::Write;

/// `text` in double quotes: `strconv.Quote`, which is also `%q`, and `%#v` of a string.
///
/// Not for the words of package `time`, which has quotes of its own ([`super::time`]).
pub(crate) fn quote(text: &str) -> String {
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
        '\x07' => out.push_str("\\a"),
        '\x08' => out.push_str("\\b"),
        '\x0c' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\x0b' => out.push_str("\\v"),
        _ if is_print(c) => out.push(c),
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

/// Whether `strconv.IsPrint` holds, or `unicode.IsPrint`, which is the same.
pub(crate) fn is_print(c: char) -> bool {
    // Rust escapes the same characters, where they do not stand first.
    if c.is_ascii() { (' '..='~').contains(&c) } else { format!("a{c}").escape_debug().all(|shown| shown != '\\') }
}

/// Whether `unicode.IsSpace` holds.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace()
}

/// A list of texts as `%v` writes it.
pub(crate) fn list<S: AsRef<str>>(items: &[S]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    format!("[{}]", items.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_go_does() {
        assert_eq!(quote("a \"b\"\\\t\u{1}\u{7f}"), r#""a \"b\"\\\t\x01\x7f""#);
        assert_eq!(quote("é世\u{301}\u{fffd}"), "\"é世\u{301}\u{fffd}\"");
        assert_eq!(quote("\u{85}\u{200b}\u{10ffff}'"), r#""\u0085\u200b\U0010ffff'""#);
        assert_eq!(quote("\u{a0}\u{ad}\u{2028}\u{feff}\u{e0001}"), r#""\u00a0\u00ad\u2028\ufeff\U000e0001""#);
    }

    #[test]
    fn tells_what_prints() {
        assert!(['a', ' ', 'é', '\u{301}', '世', '\u{fffd}'].into_iter().all(is_print));
        assert!(!['\n', '\u{7f}', '\u{a0}', '\u{200b}', '\u{e0001}'].into_iter().any(is_print));
        assert_eq!(list(&["a", "b"]), "[a b]");
    }
}
