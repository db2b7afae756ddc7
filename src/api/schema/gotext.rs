//! Values as Go's `fmt` and `encoding/json` show them, which is how they stand in the API server's answers.

use crate::go::number::{self, GoNumber};
use crate::go::{float, json, quote};
use serde_json::Value;

/// A value as a field error shows it: `%q` for a string, `%v` for a number or bool, JSON for the rest.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quote(text),
        Value::Number(number) => match number::read(number) {
            GoNumber::Int(int) => int.to_string(),
            GoNumber::Float(float) => float::general(float),
        },
        Value::Bool(flag) => flag.to_string(),
        _ => json::text(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn shows_as_go_does() {
        assert_eq!(shown(&json!("a\"b\n\u{1}")), r#""a\"b\n\x01""#);
        assert_eq!(shown(&json!(1.5)), "1.5");
        assert_eq!(shown(&json!(1e30)), "1e+30");
        assert_eq!(shown(&json!(0.00001)), "1e-05");
        assert_eq!(shown(&json!(1_234_567.5)), "1.2345675e+06");
        assert_eq!(shown(&json!({"b": 1e21, "a": "<\u{2028}"})), r#"{"a":"\u003c\u2028","b":1e+21}"#);
    }
}
