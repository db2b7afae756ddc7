//! JSON as Go's encoding/json writes it: sorted keys, no spaces, `<`, `>` and `&` escaped.

use super::float_json;
use serde_json::{Number, Value};
use std::fmt::Write as _;

/// The text of a value. Numbers are what apimachinery's decoding makes of them: 64-bit integers, and floats beyond those.
pub(crate) fn text(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number_text(number)),
        Value::String(text) => string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (n, item) in items.iter().enumerate() {
                if n > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (n, (key, item)) in entries.into_iter().enumerate() {
                if n > 0 {
                    out.push(',');
                }
                string(key, out);
                out.push(':');
                write(item, out);
            }
            out.push('}');
        }
    }
}

fn number_text(number: &Number) -> String {
    match (number.as_i64(), number.as_f64()) {
        (Some(n), _) => n.to_string(),
        (None, Some(n)) => float_json(n),
        (None, None) => number.to_string(),
    }
}

/// A string, as encoding/json escapes it.
pub(crate) fn string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_as_go_does() {
        let value: Value =
            serde_json::from_str(r#"{"b":[1.0,1e21,0.0000001,18446744073709551615,1.5],"a":"<x>&\u0001"}"#).unwrap();
        assert_eq!(text(&value), r#"{"a":"\u003cx\u003e\u0026\u0001","b":[1,1e+21,1e-7,18446744073709552000,1.5]}"#);
    }
}
