//! Numbers as Go's unstructured objects hold them: an int64, or else a float64.

use serde_json::{Number, Value};

/// A number as Go holds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum GoNumber {
    /// An int64.
    Int(i64),
    /// A float64.
    Float(f64),
}

/// What Go makes of a number. YAML goes through JSON text, where a whole float has no point: it is an int64 too.
pub(crate) fn read(number: &Number) -> GoNumber {
    if let Some(int) = number.as_i64() {
        return GoNumber::Int(int);
    }
    let float = number.as_f64().unwrap_or_default();
    from_float(float).as_i64().map_or(GoNumber::Float(float), GoNumber::Int)
}

/// A finite float64 that went through JSON text: encoding/json writes a whole one without a point, so that it is read back as a
/// whole number, where one can hold the shortest digits that name it; a negative zero comes back as zero.
pub(crate) fn from_float(float: f64) -> Value {
    if float.fract() == 0.0 && float.abs() < 1e21 {
        let digits = format!("{float}");
        if let Ok(int) = digits.parse::<i64>() {
            return Value::from(int);
        }
        if let Ok(int) = digits.parse::<u64>() {
            return Value::from(int);
        }
    }
    Number::from_f64(float).map_or(Value::Null, Value::Number)
}

/// The text of a number as encoding/json writes it.
pub(crate) fn text(number: &Number) -> String {
    match read(number) {
        GoNumber::Int(int) => int.to_string(),
        GoNumber::Float(float) => super::float::json(float),
    }
}

/// Makes an untyped value what it is once Go has read and written it: its numbers, and the order of its keys.
pub(crate) fn tidy(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if number.as_i64().is_none() {
                *value = from_float(number.as_f64().unwrap_or_default());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(map) => {
            map.values_mut().for_each(tidy);
            if !map.keys().is_sorted() {
                map.sort_keys();
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whole_floats_lose_their_point() {
        let mut value = json!({"b": 1.0, "a": [2.5, 9223372036854775807_u64 + 1, 1e21], "c": -0.0});
        tidy(&mut value);
        assert_eq!(value.to_string(), r#"{"a":[2.5,9223372036854776000,1e+21],"b":1,"c":0}"#);
        assert_eq!(from_float(1e3), Value::from(1000));
        assert_eq!(from_float(-9_223_372_036_854_775_808.0).to_string(), "-9.223372036854776e+18");
        assert_eq!(from_float(1.234_567_890_123_456_7e18), Value::from(1_234_567_890_123_456_800_i64));
    }

    #[test]
    fn text_is_encoding_jsons() {
        for (number, want) in
            [(json!(1e21), "1e+21"), (json!(1e-7), "1e-7"), (json!(0.5), "0.5"), (json!(3.0), "3"), (json!(-4), "-4")]
        {
            let Value::Number(number) = number else { panic!("no number") };
            assert_eq!(text(&number), want);
        }
    }
}
