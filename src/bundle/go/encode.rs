//! JSON text as Go's encoding/json writes it: no spaces, fields in the struct's order, map keys sorted, and `<`, `>`, `&`,
//! U+2028 and U+2029 escaped. Hashed names are taken over it.

use super::number;
use super::types::Shape;
use serde_json::Value;
use std::fmt::Write;

/// Writes a value of a type, already [normalized](super::normalize), with the struct's order of fields.
pub fn write_typed(out: &mut String, value: &Value, shape: &Shape) {
    match (value, shape) {
        (Value::Object(map), Shape::Struct(id)) => {
            let fields = id.get().fields.iter().filter_map(|field| Some((field.name, &field.shape, map.get(field.name)?)));
            write_entries(out, fields, |out, (shape, value)| write_typed(out, value, shape));
        }
        (Value::Array(items), Shape::List(item)) => write_items(out, items, |out, value| write_typed(out, value, item)),
        (Value::Object(map), Shape::Map(item)) => {
            let mut entries: Vec<_> = map.iter().map(|(key, value)| (key.as_str(), &**item, value)).collect();
            entries.sort_unstable_by_key(|(key, _, _)| *key);
            write_entries(out, entries.into_iter(), |out, (shape, value)| write_typed(out, value, shape));
        }
        _ => write_value(out, value),
    }
}

/// Writes an untyped value.
pub fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(yes) => out.push_str(if *yes { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number::text(number)),
        Value::String(text) => write_string(out, text),
        Value::Array(items) => write_items(out, items, write_value),
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().map(|(key, value)| (key.as_str(), (), value)).collect();
            entries.sort_unstable_by_key(|(key, (), _)| *key);
            write_entries(out, entries.into_iter(), |out, ((), value)| write_value(out, value));
        }
    }
}

/// The text of an untyped value.
pub fn json_text(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

fn write_items(out: &mut String, items: &[Value], write: impl Fn(&mut String, &Value)) {
    out.push('[');
    for (n, item) in items.iter().enumerate() {
        if n > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(']');
}

fn write_entries<'a, S>(
    out: &mut String,
    entries: impl Iterator<Item = (&'a str, S, &'a Value)>,
    write: impl Fn(&mut String, (S, &'a Value)),
) {
    out.push('{');
    for (n, (key, shape, value)) in entries.enumerate() {
        if n > 0 {
            out.push(',');
        }
        write_string(out, key);
        out.push(':');
        write(out, (shape, value));
    }
    out.push('}');
}

/// Writes a string with its quotes.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..'\u{20}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::super::named;
    use super::*;
    use serde_json::json;

    #[test]
    fn structs_keep_their_order_and_maps_are_sorted() {
        let value = json!({"resources": ["a<b"], "verbs": null, "apiGroups": [""]});
        let mut out = String::new();
        write_typed(&mut out, &value, &named("rbac/v1.PolicyRule"));
        assert_eq!(out, r#"{"verbs":null,"apiGroups":[""],"resources":["a\u003cb"]}"#);
        assert_eq!(
            json_text(&json!({"b": 1e21, "a": "\u{2028}&\u{7f}\u{1}"})),
            "{\"a\":\"\\u2028\\u0026\u{7f}\\u0001\",\"b\":1e+21}"
        );
    }
}
