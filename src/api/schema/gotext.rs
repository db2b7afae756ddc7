//! Values as Go's `fmt` and `encoding/json` show them, which is how they stand in the API server's answers.

use crate::go::number::{self, GoNumber};
use crate::go::{json, quote};
use serde_json::Value;

/// A value as a field error shows it: `%q` for a string, `%v` for a number or bool, JSON for the rest.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quote(text),
        Value::Number(number) => match number::read(number) {
            GoNumber::Int(int) => int.to_string(),
            GoNumber::Float(float) => float_text(float),
        },
        Value::Bool(flag) => flag.to_string(),
        _ => json::text(value),
    }
}

/// `%v` of a float64: the shortest text that reads back, with an exponent below 1e-4 and from 1e21.
pub(super) fn float_text(float: f64) -> String {
    let size = float.abs();
    if size != 0.0 && !(1e-4..1e21).contains(&size) {
        let text = format!("{float:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    format!("{float}")
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
        assert_eq!(shown(&json!({"b": 1, "a": "<"})), r#"{"a":"\u003c","b":1}"#);
    }
}
