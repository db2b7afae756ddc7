//! [`Expression`] + value -> whether the rule holds.

use super::expression::{Comparison, Expression};
use serde_json::Value as Json;
use std::borrow::Cow;

/// What a rule speaks of.
#[derive(Clone, Copy)]
pub(super) struct Bound<'a> {
    /// `self`.
    pub(super) this: &'a Json,
    /// `oldSelf`, where an update is looked at.
    pub(super) old: Option<&'a Json>,
}

/// Whether the rule holds.
pub(super) fn holds(expression: &Expression, bound: Bound<'_>) -> Result<bool, String> {
    match value(expression, bound)? {
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

fn value<'a>(expression: &'a Expression, bound: Bound<'a>) -> Result<Value<'a>, String> {
    Ok(match expression {
        Expression::Text(text) => Value::Text(Cow::Borrowed(text)),
        Expression::Int(int) => Value::Int(*int),
        Expression::Bool(flag) => Value::Bool(*flag),
        Expression::This => from_json(bound.this),
        Expression::Old => from_json(bound.old.ok_or_else(|| "no such attribute: oldSelf".to_owned())?),
        Expression::Field(on, name) => {
            let Value::Json(json) = value(on, bound)? else { return Err("no such overload".to_owned()) };
            from_json(json.get(name).ok_or_else(|| format!("no such key: {name}"))?)
        }
        Expression::Has(on, name) => {
            let Value::Json(json) = value(on, bound)? else { return Err("no such overload".to_owned()) };
            Value::Bool(json.get(name).is_some())
        }
        Expression::Not(a) => Value::Bool(!holds(a, bound)?),
        Expression::Compare(comparison, a, b) => Value::Bool(compare(*comparison, &value(a, bound)?, &value(b, bound)?)?),
        // A side that decides makes an error of the other side moot.
        Expression::And(a, b) => match (holds(a, bound), holds(b, bound)) {
            (Ok(false), _) | (_, Ok(false)) => Value::Bool(false),
            (a, b) => Value::Bool(a? && b?),
        },
        Expression::Or(a, b) => match (holds(a, bound), holds(b, bound)) {
            (Ok(true), _) | (_, Ok(true)) => Value::Bool(true),
            (a, b) => Value::Bool(a? || b?),
        },
        Expression::Choose(condition, yes, no) => value(if holds(condition, bound)? { yes } else { no }, bound)?,
        Expression::Matches(on, pattern) => Value::Bool(pattern.regex()?.is_match(&text(on, bound)?)),
        Expression::Find(on, pattern) => {
            let text = text(on, bound)?;
            let found = pattern.regex()?.find(&text).map_or_else(String::new, |m| m.as_str().to_owned());
            Value::Text(Cow::Owned(found))
        }
        Expression::Substring(on, from) => {
            let text = text(on, bound)?;
            if *from > text.chars().count() {
                return Err(format!("index out of range: {from}"));
            }
            Value::Text(Cow::Owned(text.chars().skip(*from).collect()))
        }
        Expression::Size(on) => {
            Value::Int(i64::try_from(text(on, bound)?.chars().count()).map_err(|_| "integer overflow".to_owned())?)
        }
    })
}

fn text<'a>(expression: &'a Expression, bound: Bound<'a>) -> Result<Cow<'a, str>, String> {
    match value(expression, bound)? {
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
        holds(&expression(source).unwrap(), Bound { this, old: None })
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
    fn compares_with_what_was_there() {
        let (this, old) = (json!({"a": "x"}), json!({"a": "y"}));
        let run = |source: &str, old| holds(&expression(source).unwrap(), Bound { this: &this, old });
        assert_eq!(run("self.a == oldSelf.a", Some(&old)), Ok(false));
        assert_eq!(run("self.a == oldSelf.a", Some(&this)), Ok(true));
        assert_eq!(run("self.a == oldSelf.a", None), Err("no such attribute: oldSelf".to_owned()));
    }

    #[test]
    fn counts_characters() {
        let this = json!("äb:c");
        assert_eq!(run("self.size() <= 4", &this), Ok(true));
        assert_eq!(run("self.find(':.*$').substring(1) == 'c'", &this), Ok(true));
        assert_eq!(run("self.find('z').substring(1) == ''", &this), Err("index out of range: 1".to_owned()));
    }
}
