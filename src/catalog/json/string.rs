//! Strings: from JSON text to text, and the folding of keys.

use crate::go::utf8;
use std::borrow::Cow;

/// The text of a JSON string (with its quotes, checked by the scanner), as encoding/json's `unquote` reads it: what is no UTF-8
/// becomes U+FFFD, one for each byte, and so does a surrogate without its other half.
pub(in crate::catalog) fn unquote(quoted: &[u8]) -> Cow<'_, str> {
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    if memchr::memchr(b'\\', inner).is_none() {
        return match std::str::from_utf8(inner) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(utf8::replace_invalid(inner)),
        };
    }
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (plain, escape) = rest.split_at(at);
        utf8::push_replaced(&mut out, plain);
        let code = escape.get(1).copied().unwrap_or(b'\\');
        rest = escape.get(2..).unwrap_or_default();
        match code {
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{c}'),
            b'n' => out.push('\n'),
            b'r' => out.push('\r'),
            b't' => out.push('\t'),
            b'u' => {
                let unit = hex(rest);
                rest = rest.get(4..).unwrap_or_default();
                match char::from_u32(unit) {
                    Some(c) => out.push(c),
                    None => {
                        let low = rest.strip_prefix(b"\\u").map_or(0, hex);
                        if (0xd800..0xdc00).contains(&unit) && (0xdc00..0xe000).contains(&low) {
                            let c = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                            out.push(char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER));
                            rest = rest.get(6..).unwrap_or_default();
                        } else {
                            out.push(char::REPLACEMENT_CHARACTER);
                        }
                    }
                }
            }
            other => out.push(char::from(other)),
        }
    }
    utf8::push_replaced(&mut out, rest);
    Cow::Owned(out)
}

fn hex(bytes: &[u8]) -> u32 {
    let digits = bytes.get(..4).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or_default();
    u32::from_str_radix(digits, 16).unwrap_or(0)
}

/// A key with its case folded away, as operator-registry folds the keys of a document (golang.org/x/text/cases `Fold`, full).
///
/// Two keys fold to the same text here exactly when they do there; the text itself may differ for scripts whose folding goes to
/// upper case (Cherokee).
pub(in crate::catalog) fn fold_key(key: &str) -> Cow<'_, str> {
    if key.is_ascii() {
        if key.bytes().any(|b| b.is_ascii_uppercase()) {
            return Cow::Owned(key.to_ascii_lowercase());
        }
        return Cow::Borrowed(key);
    }
    let mut out = String::with_capacity(key.len());
    for c in key.chars() {
        // Dotless i folds to itself, though its upper case is I.
        if c == '\u{131}' {
            out.push(c);
            continue;
        }
        for upper in c.to_lowercase().flat_map(char::to_uppercase) {
            out.extend(upper.to_lowercase());
        }
    }
    Cow::Owned(out)
}

/// Whether a key names the field `field` (lower camel case, ASCII) to encoding/json: by the case folding of single characters.
pub(in crate::catalog) fn names_field(key: &str, field: &str) -> bool {
    if key.is_ascii() {
        return key.eq_ignore_ascii_case(field);
    }
    // Two characters beyond ASCII fold to ASCII letters: the long s and the Kelvin sign.
    let plain = |c: char| match c {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        c => c.to_ascii_lowercase(),
    };
    key.chars().map(plain).eq(field.chars().map(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_strings_as_go_does() {
        assert_eq!(unquote(br#""a\u00e9\n\/\"""#), "aé\n/\"");
        assert_eq!(unquote(br#""\ud83d\ude00""#), "😀");
        assert_eq!(unquote(br#""\ud83dx""#), "\u{fffd}x");
        assert_eq!(unquote(br#""\ud83d\u0041""#), "\u{fffd}A");
        assert_eq!(unquote(br#""\ude00\ud83d\ude00""#), "\u{fffd}😀");
        assert_eq!(unquote(b"\"\xe2\x82!\""), "\u{fffd}\u{fffd}!");
        assert_eq!(unquote(b"\"\xed\xa0\x80\\n\""), "\u{fffd}\u{fffd}\u{fffd}\n");
    }

    #[test]
    fn folds_keys() {
        assert_eq!(fold_key("SchemA"), "schema");
        assert_eq!(fold_key("\u{17f}chema"), "schema");
        assert_eq!(fold_key("\u{1e9e}"), fold_key("ss"));
        assert_eq!(fold_key("ß"), fold_key("SS"));
        assert_ne!(fold_key("\u{131}"), fold_key("i"));
        assert_eq!(fold_key("Σ"), fold_key("ς"));
        assert!(names_field("\u{17f}KIPRANGE", "skipRange"));
        assert!(names_field("s\u{212a}ips", "skips"));
        assert!(!names_field("skipß", "skips"));
    }
}
