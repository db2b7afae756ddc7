//! Go's `%q`.

use std::fmt::Write;

/// The text in double quotes, as Go's `%q` writes it.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            c if u32::from(c) < 0x20 || u32::from(c) == 0x7f => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c if unprintable(c) && u32::from(c) > 0xffff => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
            c if unprintable(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// What Go does not print as it is. Rust's own escaping for people draws the line at the same classes of characters.
fn unprintable(c: char) -> bool {
    !c.is_ascii() && (c.is_whitespace() || c.escape_debug().count() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_go_does() {
        assert_eq!(quote("a\"b\\c\n\u{1}é\u{a0}\u{feff}"), "\"a\\\"b\\\\c\\n\\x01é\\u00a0\\ufeff\"");
    }
}
