//! The type of a scalar: what `010`, `yes`, `1_000` and `!!str 1` are to go-yaml v2.4.4 (`resolve.go`).

use std::borrow::Cow;

use super::gonumber::{parse_dot_float, parse_float, parse_int};
use super::timestamp::is_timestamp;
use crate::go::{base64, utf8};

/// A scalar as the reference holds it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scalar<'a> {
    Null,
    Bool(bool),
    Int(i64),
    /// A whole number too large for the one before.
    Uint(u64),
    Float(f64),
    Text(Cow<'a, str>),
}

const PREFIX: &str = "tag:yaml.org,2002:";

/// The scalar that `value` is, with its tag in full and whether its text may decide its type.
pub(super) fn resolve<'a>(value: &'a str, tag: Option<&str>, implicit: bool) -> Result<Scalar<'a>, String> {
    let Some(tag) = tag else {
        return Ok(if implicit { by_text(value).1 } else { Scalar::Text(Cow::Borrowed(value)) });
    };
    let text = || Ok(Scalar::Text(Cow::Borrowed(value)));
    match tag.strip_prefix(PREFIX) {
        Some("binary") => return binary(value).map(|text| Scalar::Text(Cow::Owned(text))),
        Some("bool" | "int" | "float" | "null" | "timestamp") => {}
        _ => return text(),
    }
    let short = format!("!!{}", tag.strip_prefix(PREFIX).unwrap_or_default());
    if short == "!!timestamp" && is_timestamp(value) {
        return text();
    }
    let (found, scalar) = by_text(value);
    match scalar {
        scalar if short == found => Ok(scalar),
        #[allow(clippy::cast_precision_loss, reason = "the reference rounds too")]
        Scalar::Int(whole) if short == "!!float" => Ok(Scalar::Float(whole as f64)),
        _ => Err(format!("yaml: cannot decode {found} `{value}` as a {short}")),
    }
}

/// What a text without a tag is, and the tag it amounts to.
fn by_text(text: &str) -> (&'static str, Scalar<'_>) {
    let as_text = || ("!!str", Scalar::Text(Cow::Borrowed(text)));
    let Some(&first) = text.as_bytes().first() else { return ("!!null", Scalar::Null) };
    match first {
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => match text {
            "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => ("!!bool", Scalar::Bool(true)),
            "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
                ("!!bool", Scalar::Bool(false))
            }
            "~" | "null" | "Null" | "NULL" => ("!!null", Scalar::Null),
            _ => as_text(),
        },
        b'.' => match text {
            ".nan" | ".NaN" | ".NAN" => ("!!float", Scalar::Float(f64::NAN)),
            ".inf" | ".Inf" | ".INF" => ("!!float", Scalar::Float(f64::INFINITY)),
            _ => parse_dot_float(text).map_or_else(as_text, |float| ("!!float", Scalar::Float(float))),
        },
        b'+' | b'-' | b'0'..=b'9' => match text {
            "+.inf" | "+.Inf" | "+.INF" => ("!!float", Scalar::Float(f64::INFINITY)),
            "-.inf" | "-.Inf" | "-.INF" => ("!!float", Scalar::Float(f64::NEG_INFINITY)),
            _ => number(text).unwrap_or_else(as_text),
        },
        _ => as_text(),
    }
}

fn number(text: &str) -> Option<(&'static str, Scalar<'static>)> {
    let plain = if text.contains('_') { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) };
    if let Some(whole) = parse_int(&plain) {
        return Some(("!!int", whole));
    }
    parse_float(&plain).map(|float| ("!!float", Scalar::Float(float)))
}

/// The text of base64, each byte that is no UTF-8 replaced, as JSON needs it.
fn binary(value: &str) -> Result<String, String> {
    let bytes = base64::decode(value).map_err(|_| "yaml: !!binary value contains invalid base64 data".to_owned())?;
    Ok(utf8::replace_invalid(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Scalar<'_> {
        by_text(text).1
    }

    #[test]
    fn reads_numbers_as_go_does() {
        let whole = [
            ("010", 8),
            ("0o10", 8),
            ("0X1f", 31),
            ("-0b11", -3),
            ("0b-101", -5),
            ("0b+1", 1),
            ("1_000", 1000),
            ("+1", 1),
            ("-0", 0),
        ];
        for (text, value) in whole {
            assert_eq!(plain(text), Scalar::Int(value), "{text}");
        }
        for (text, value) in
            [("08", 8.0), ("1e3", 1000.0), (".5", 0.5), (".5_0", 0.5), ("5.", 5.0), ("1_0.5", 10.5), ("0e1234", 0.0)]
        {
            assert_eq!(plain(text), Scalar::Float(value), "{text}");
        }
        for text in ["0x", "0b12", "1e", "._5", ".5_", "1:20", "1e400", ".", "-", "+_", "_1", "0x1p3", "inf", "1.2.3", ".e1"] {
            assert_eq!(plain(text), Scalar::Text(text.into()), "{text}");
        }
        assert_eq!(plain("18446744073709551615"), Scalar::Uint(u64::MAX));
        assert_eq!(plain("+9223372036854775808"), Scalar::Float(9_223_372_036_854_775_808.0));
    }

    #[test]
    fn reads_words_as_yaml_1_1_does() {
        for text in ["y", "Yes", "ON", "true"] {
            assert_eq!(plain(text), Scalar::Bool(true), "{text}");
        }
        for text in ["yEs", "nil", "none", "tRUE", "=", "<<"] {
            assert_eq!(plain(text), Scalar::Text(text.into()), "{text}");
        }
        for text in ["", "~", "Null"] {
            assert_eq!(plain(text), Scalar::Null, "{text}");
        }
    }

    #[test]
    fn holds_tags_to_their_types() {
        let tagged = |value, tag: &str| resolve(value, Some(&format!("{PREFIX}{tag}")), false);
        assert_eq!(tagged("1", "float"), Ok(Scalar::Float(1.0)));
        assert_eq!(tagged("1", "str"), Ok(Scalar::Text("1".into())));
        assert_eq!(tagged("yes", "int"), Err("yaml: cannot decode !!bool `yes` as a !!int".to_owned()));
        assert!(tagged("2001-2-28 1:2:3.5", "timestamp").is_ok());
        assert!(tagged("2001-2-29", "timestamp").is_err());
        assert!(tagged("2001-12-14t21:59:43.10-05:00", "timestamp").is_ok());
        assert_eq!(tagged("aGVs\nbG8=", "binary"), Ok(Scalar::Text("hello".into())));
        assert_eq!(tagged("nul=", "binary").ok(), Some(Scalar::Text("\u{fffd}\u{fffd}".into())));
        assert!(tagged("aGVsbG8", "binary").is_err());
    }
}
