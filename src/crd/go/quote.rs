//! Strings as Go's `%q` writes them.

use regex::Regex;
use std::fmt::Write as _;
use std::sync::LazyLock;

static PRINTABLE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S}]$").ok());

/// Whether Go's `unicode.IsPrint` holds.
pub(crate) fn is_print(c: char) -> bool {
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    let mut buffer = [0u8; 4];
    PRINTABLE.as_ref().is_some_and(|regex| regex.is_match(c.encode_utf8(&mut buffer)))
}

/// Whether Go's `unicode.IsSpace` holds.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace()
}

/// As `strconv.Quote` writes it.
pub(crate) fn quote(text: &str) -> String {
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
            c if is_print(c) => out.push(c),
            c if c < ' ' || c == '\u{7f}' => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c if u32::from(c) < 0x10000 => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}

/// A list as `%v` writes it.
pub(crate) fn list<S: AsRef<str>>(items: &[S]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    format!("[{}]", items.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_go_does() {
        assert_eq!(quote("a\"b\\c\n\t\u{1}\u{7f}"), r#""a\"b\\c\n\t\x01\x7f""#);
        assert_eq!(quote("é\u{a0}\u{200b}\u{1f600}\u{e0001}"), "\"é\\u00a0\\u200b\u{1f600}\\U000e0001\"");
        assert_eq!(list(&["a", "b"]), "[a b]");
    }
}
