//! JSON text as encoding/json writes it: no spaces, keys sorted, floats in Go's way, some characters escaped that need not be.

use super::number;
use serde_json::Value;
use std::fmt::Write as _;

/// Whether `<`, `>` and `&` are escaped: they are, but by an encoder with `SetEscapeHTML(false)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Html {
    Escaped,
    Plain,
}

/// The text of a value.
pub(crate) fn text(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value);
    out
}

/// Writes a value, its numbers being what apimachinery's decoding makes of them: 64-bit integers, and floats beyond those.
pub(crate) fn write(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number::text(number)),
        Value::String(text) => write_string(out, text, Html::Escaped),
        Value::Array(items) => write_list(out, items, write),
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().map(|(key, value)| (key.as_str(), value)).collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            write_object(out, entries, Html::Escaped, write);
        }
    }
}

/// Writes a list, its items by `write`.
pub(crate) fn write_list<T>(out: &mut String, items: impl IntoIterator<Item = T>, write: impl Fn(&mut String, T)) {
    out.push('[');
    for (n, item) in items.into_iter().enumerate() {
        if n > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(']');
}

/// Writes an object in the order of its entries: Go sorts those of a map, and keeps those of a struct in the struct's order.
pub(crate) fn write_object<'a, T>(
    out: &mut String,
    entries: impl IntoIterator<Item = (&'a str, T)>,
    html: Html,
    write: impl Fn(&mut String, T),
) {
    out.push('{');
    for (n, (key, value)) in entries.into_iter().enumerate() {
        if n > 0 {
            out.push(',');
        }
        write_string(out, key, html);
        out.push(':');
        write(out, value);
    }
    out.push('}');
}

/// Writes a string with its quotes.
pub(crate) fn write_string(out: &mut String, text: &str, html: Html) {
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
            '<' | '>' | '&' if html == Html::Plain => out.push(c),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..' ' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// What encoding/json calls a value in its refusals.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_as_go_does() {
        let value: Value =
            serde_json::from_str(r#"{"b":[1.0,1e21,0.0000001,18446744073709551615,1.5,-0.0],"a":"<x>&\u0001\u2028\u007f"}"#)
                .unwrap();
        let want = "{\"a\":\"\\u003cx\\u003e\\u0026\\u0001\\u2028\u{7f}\",\"b\":[1,1e+21,1e-7,18446744073709552000,1.5,0]}";
        assert_eq!(text(&value), want);
    }

    #[test]
    fn leaves_html_alone_where_told() {
        let mut out = String::new();
        write_string(&mut out, "<b> & \u{2028} \u{1} \u{8}", Html::Plain);
        assert_eq!(out, r#""<b> & \u2028 \u0001 \b""#);
    }
}
