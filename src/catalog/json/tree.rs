//! Values: what encoding/json makes of a text when it reads it into `interface{}`, and how it writes that again.
//!
//! A catalog's documents go through this on their way into a cluster, twice: keys come out sorted, numbers as 64-bit floats.

use super::scan::Scanner;
use super::string::unquote;
use super::syntax::{Fault, Syntax};
use crate::catalog::meta::Field;
use crate::go::float;
use crate::go::json::{self, Html};
use crate::go::utf8::replace_invalid;
use std::collections::BTreeMap;
use std::ops::Range;

/// How deep values are taken apart; what lies deeper is kept as it was written.
const MAX_DEPTH: usize = 256;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::catalog) enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number: always a 64-bit float.
    Number(f64),
    /// A string.
    String(String),
    /// A list.
    Array(Vec<Json>),
    /// An object: sorted, of equal keys the last one.
    Object(BTreeMap<String, Json>),
    /// A list or an object that lies too deep to be taken apart, as it was written.
    Deep(String),
}

/// Reads a text that the scanner has accepted.
pub(in crate::catalog) fn parse(bytes: &[u8]) -> Result<Json, Syntax> {
    read(bytes, &mut Scanner::at(bytes, 0), 0)
}

fn read(bytes: &[u8], scanner: &mut Scanner<'_>, depth: usize) -> Result<Json, Syntax> {
    scanner.space();
    let start = scanner.pos();
    let at = |range: Range<usize>| bytes.get(range).unwrap_or_default();
    match scanner.peek() {
        Some(b'{' | b'[') if depth >= MAX_DEPTH => {
            scanner.value(depth)?;
            Ok(Json::Deep(replace_invalid(at(start..scanner.pos()))))
        }
        Some(b'{') => {
            scanner.enter_object()?;
            let mut entries = BTreeMap::new();
            let mut first = true;
            while let Some(key) = scanner.next_key(first)? {
                first = false;
                let value = read(bytes, scanner, depth + 1)?;
                entries.insert(unquote(at(key)).into_owned(), value);
            }
            Ok(Json::Object(entries))
        }
        Some(b'[') => {
            scanner.enter_array()?;
            let mut elements = Vec::new();
            while scanner.next_element(elements.is_empty())? {
                elements.push(read(bytes, scanner, depth + 1)?);
            }
            Ok(Json::Array(elements))
        }
        first => {
            scanner.value(depth)?;
            let text = at(start..scanner.pos());
            Ok(match first {
                Some(b'"') => Json::String(unquote(text).into_owned()),
                Some(b't') => Json::Bool(true),
                Some(b'f') => Json::Bool(false),
                Some(b'n') => Json::Null,
                _ => {
                    let number = std::str::from_utf8(text).ok().and_then(|t| t.parse().ok());
                    Json::Number(number.ok_or(Syntax { at: start, fault: Fault::UnexpectedEnd })?)
                }
            })
        }
    }
}

/// Go's verbs for bools and for anything.
#[derive(Debug, Clone, Copy)]
enum Verb {
    T,
    V,
}

impl Json {
    /// What sigs.k8s.io/yaml hands on as JSON, read as above.
    pub fn of_yaml(value: serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Null,
            Value::Bool(b) => Self::Bool(b),
            Value::Number(n) => Self::Number(n.as_f64().unwrap_or(0.0)),
            Value::String(s) => Self::String(s),
            Value::Array(a) => Self::Array(a.into_iter().map(Self::of_yaml).collect()),
            Value::Object(o) => Self::Object(o.into_iter().map(|(k, v)| (k, Self::of_yaml(v))).collect()),
        }
    }

    /// The value as a field of a header.
    pub fn field(&self) -> Field<'_> {
        match self {
            Self::String(text) => Field::Text(text.into()),
            other => Field::Other(other.shown()),
        }
    }

    /// What encoding/json calls the value in an error.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
            Self::Deep(text) if text.starts_with('[') => "array",
            Self::Deep(_) => "object",
        }
    }

    /// The value as the error about a header that is no string shows it: Go's `%t: %v`.
    pub fn shown(&self) -> String {
        match self {
            Self::Null => "%!t(<nil>): <nil>".to_owned(),
            _ => format!("{}: {}", self.formatted(Verb::T), self.formatted(Verb::V)),
        }
    }

    fn formatted(&self, verb: Verb) -> String {
        let odd = |go_type: &str, text: String| match verb {
            Verb::T => format!("%!t({go_type}={text})"),
            Verb::V => text,
        };
        match self {
            Self::Null => "<nil>".to_owned(),
            Self::Bool(b) => b.to_string(),
            Self::Number(n) => odd("float64", float::general(*n)),
            Self::String(text) => odd("string", text.clone()),
            Self::Array(elements) => {
                format!("[{}]", elements.iter().map(|e| e.formatted(verb)).collect::<Vec<_>>().join(" "))
            }
            Self::Object(entries) => {
                let entry = |(key, value): (&String, &Self)| format!("{}:{}", odd("string", key.clone()), value.formatted(verb));
                format!("map[{}]", entries.iter().map(entry).collect::<Vec<_>>().join(" "))
            }
            Self::Deep(text) => text.clone(),
        }
    }

    /// The value as encoding/json writes it, without HTML escapes.
    pub fn write(&self) -> String {
        let mut out = String::new();
        self.write_to(&mut out);
        out
    }

    fn write_to(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(true) => out.push_str("true"),
            Self::Bool(false) => out.push_str("false"),
            Self::Number(n) => out.push_str(&float::json(*n)),
            Self::String(text) => json::write_string(out, text, Html::Plain),
            Self::Array(elements) => json::write_list(out, elements, |out, element| element.write_to(out)),
            Self::Object(entries) => {
                let entries = entries.iter().map(|(key, value)| (key.as_str(), value));
                json::write_object(out, entries, Html::Plain, |out, value| value.write_to(out));
            }
            Self::Deep(text) => out.push_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(text: &str) -> String {
        parse(text.as_bytes()).unwrap().write()
    }

    #[test]
    fn writes_as_go_does() {
        assert_eq!(again(r#"{"b": 1.0, "a": [true, null, "x"]}"#), r#"{"a":[true,null,"x"],"b":1}"#);
        assert_eq!(
            again("[12345678901234567890, 1e300, 1e21, 1e20, 0.000001, 0.0000001, -0.0]"),
            "[12345678901234567000,1e+300,1e+21,100000000000000000000,0.000001,1e-7,-0]"
        );
        assert_eq!(again(r#""<b> & \u2028 \u0001 \b""#), r#""<b> & \u2028 \u0001 \b""#);
        assert_eq!(again(r#"{"x": 1, "x": {"y": 2}}"#), r#"{"x":{"y":2}}"#);
    }

    #[test]
    fn keeps_what_lies_deep() {
        let text = format!("{}{}", "[".repeat(9_000), "]".repeat(9_000));
        assert_eq!(again(&text), text);
        assert!(parse("[".repeat(100_000).as_bytes()).is_err());
    }
}
