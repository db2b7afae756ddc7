//! [`Expression`] + value -> whether the rule holds.

use super::expression::{Comparison, Expression};
use serde_json::Value as Json;
use std::borrow::Cow;

/// Whether the rule holds for `this`.
pub(super) fn holds(expression: &Expression, this: &Json) -> Result<bool, String> {
    match value(expression, this)? {
        Value::Bool(flag) => Ok(flag),
        _ => Err("no such overload".to_owned()),
    }
}

enum Value<'a> {
    Text(Cow<'a, str>),
    Int(i64),
    Bool(bool),
    Json(&'a Json),
}

fn value<'a>(expression: &'a Expression, this: &'a Json) -> Result<Value<'a>, String> {
    Ok(match expression {
        Expression::Text(text) => Value::Text(Cow::Borrowed(text)),
        Expression::Int(int) => Value::Int(*int),
        Expression::Bool(flag) => Value::Bool(*flag),
        Expression::This => from_json(this),
        Expression::Old => return Err("no such attribute: oldSelf".to_owned()),
        Expression::Field(on, name) => {
            let Value::Json(json) = value(on, this)? else { return Err("no such overload".to_owned()) };
            from_json(json.get(name).ok_or_else(|| format!("no such key: {name}"))?)
        }
        Expression::Has(on, name) => {
            let Value::Json(json) = value(on, this)? else { return Err("no such overload".to_owned()) };
            Value::Bool(json.get(name).is_some())
        }
        Expression::Not(a) => Value::Bool(!holds(a, this)?),
        Expression::Compare(comparison, a, b) => Value::Bool(compare(*comparison, &value(a, this)?, &value(b, this)?)?),
        // A side that decides makes an error of the other side moot.
        Expression::And(a, b) => match (holds(a, this), holds(b, this)) {
            (Ok(false), _) | (_, Ok(false)) => Value::Bool(false),
            (a, b) => Value::Bool(a? && b?),
        },
        Expression::Or(a, b) => match (holds(a, this), holds(b, this)) {
            (Ok(true), _) | (_, Ok(true)) => Value::Bool(true),
            (a, b) => Value::Bool(a? || b?),
        },
        Expression::Choose(condition, yes, no) => value(if holds(condition, this)? { yes } else { no }, this)?,
        Expression::Matches(on, pattern) => Value::Bool(pattern.regex()?.is_match(&text(on, this)?)),
        Expression::Find(on, pattern) => {
            let text = text(on, this)?;
            let found = pattern.regex()?.find(&text).map_or_else(String::new, |m| m.as_str().to_owned());
            Value::Text(Cow::Owned(found))
        }
        Expression::Substring(on, from) => {
            let text = text(on, this)?;
            if *from > text.chars().count() {
                return Err(format!("index out of range: {from}"));
            }
            Value::Text(Cow::Owned(text.chars().skip(*from).collect()))
        }
        Expression::Size(on) => {
            Value::Int(i64::try_from(text(on, this)?.chars().count()).map_err(|_| "integer overflow".to_owned())?)
        }
    })
}

fn text<'a>(expression: &'a Expression, this: &'a Json) -> Result<Cow<'a, str>, String> {
    match value(expression, this)? {
        Value::Text(text) => Ok(text),
        _ => Err("no such overload".to_owned()),
    }
}

fn from_json(json: &Json) -> Value<'_> {
    match json {
        Json::String(text) => Value::Text(Cow::Borrowed(text)),
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => number.as_i64().map_or(Value::Json(json), Value::Int),
        _ => Value::Json(json),
    }
}

fn compare(comparison: Comparison, a: &Value<'_>, b: &Value<'_>) -> Result<bool, String> {
    match (comparison, a, b) {
        (Comparison::Equal, Value::Text(a), Value::Text(b)) => Ok(a == b),
        (Comparison::Equal, Value::Int(a), Value::Int(b)) => Ok(a == b),
        (Comparison::NotEqual, Value::Text(a), Value::Text(b)) => Ok(a != b),
        (Comparison::NotEqual, Value::Int(a), Value::Int(b)) => Ok(a != b),
        (Comparison::AtMost, Value::Int(a), Value::Int(b)) => Ok(a <= b),
        (Comparison::AtLeast, Value::Int(a), Value::Int(b)) => Ok(a >= b),
        _ => Err("no such overload".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::expression;
    use super::*;
    use serde_json::json;

    fn run(source: &str, this: &Json) -> Result<bool, String> {
        holds(&expression(source).unwrap(), this)
    }

    #[test]
    fn evaluates_as_cel_does() {
        let this = json!({"a": "x", "n": 3});
        assert_eq!(run("has(self.a) && self.a == 'x' ? !has(self.b) : has(self.b)", &this), Ok(true));
        assert_eq!(run("self.b == 'x'", &this), Err("no such key: b".to_owned()));
        assert_eq!(run("self.b == 'x' || self.a == \"x\"", &this), Ok(true));
        assert_eq!(run("self.b == 'x' && self.a == 'y'", &this), Ok(false));
        assert_eq!(run("self.n >= 3", &this), Ok(true));
    }

    #[test]
    fn counts_characters() {
        let this = json!("äb:c");
        assert_eq!(run("self.size() <= 4", &this), Ok(true));
        assert_eq!(run("self.find(':.*$').substring(1) == 'c'", &this), Ok(true));
        assert_eq!(run("self.find('z').substring(1) == ''", &this), Err("index out of range: 1".to_owned()));
    }
}
