//! Types, bounds, enums, required fields: what of a schema is not a rule.
//!
//! Follows kube-openapi aa012df4 `pkg/validation/validate` (schema.go, type.go, validator.go, object_validator.go) and the words of
//! `pkg/validation/errors/schema.go`, turned into field errors as apiextensions-apiserver v0.36.2
//! `pkg/apiserver/validation/validation.go` does.

use super::gotext;
use super::node::{Format, Node, Type};
use super::verdict::{At, ErrorKind, SchemaError, Verdict};
use crate::go::number::{GoNumber, read};
use crate::go::{float, quote};
use serde_json::Value;

pub(super) fn check(node: &Node, value: &Value, at: &At<'_>, verdict: &mut Verdict) {
    let errors = &mut verdict.errors;
    if let Some((wanted, found)) = type_mismatch(node, value) {
        let words = format!("{} in body must be of type {wanted}: {}", at.field(), quote(found));
        let message = format!("Invalid value: {}: {words}", quote(found));
        errors.push(SchemaError::at(at, ErrorKind::TypeInvalid, message));
    }
    match value {
        Value::String(text) => string(node, text, at, errors),
        Value::Number(number) => integer(node, read(number), at, verdict),
        Value::Array(list) => array(node, list, at, verdict),
        _ => {}
    }
    if !node.one_of.is_empty() && !value.as_str().is_some_and(|text| node.one_of.iter().any(|v| v == text)) {
        let allowed: Vec<_> = node.one_of.iter().map(|v| quote(v)).collect();
        let message = format!("Unsupported value: {}: supported values: {}", gotext::shown(value), allowed.join(", "));
        verdict.errors.push(SchemaError::at(at, ErrorKind::NotSupported, message));
    }
    if let Value::Object(map) = value {
        object(node, map, at, verdict);
    }
}

/// What type the schema wants and the value has, where they do not go together.
fn type_mismatch(node: &Node, value: &Value) -> Option<(&'static str, &'static str)> {
    let (found, found_format) = match value {
        Value::Null => return Some((node.kind.name(), "null")),
        Value::Bool(_) => ("boolean", ""),
        Value::String(_) => ("string", ""),
        Value::Array(_) => ("array", ""),
        Value::Object(_) => ("object", ""),
        Value::Number(number) => match read(number) {
            GoNumber::Int(_) => ("integer", "int64"),
            GoNumber::Float(_) => ("number", "float64"),
        },
    };
    let whole = matches!(value, Value::Number(n) if matches!(read(n), GoNumber::Float(f) if is_whole(f)));
    if found == node.kind.name() || (whole && node.kind == Type::Integer) {
        return None;
    }
    match node.format {
        // A format stands in for the type, but for strings and lists.
        Some(format) if !matches!(value, Value::String(_) | Value::Array(_)) => Some((format.name(), found_format)),
        _ => Some((node.kind.name(), found)),
    }
}

/// Whether a float passes for an integer: go-openapi/swag `IsFloat64AJSONInteger`.
fn is_whole(float: f64) -> bool {
    const MAX: f64 = 9_007_199_254_740_991.0;
    if !(-MAX..=MAX).contains(&float) {
        return false;
    }
    let (whole, size) = (float.trunc(), float.abs());
    if float == whole {
        return true;
    }
    // Go's conversion of a negative float to uint64 does not round towards zero; such values never come near their float.
    float > 0.0 && (float - whole) / (size + whole) < 1e-9
}

fn string(node: &Node, text: &str, at: &At<'_>, errors: &mut Vec<SchemaError>) {
    let length = || u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    if let Some(most) = node.max_length
        && length() > most
    {
        let unit = if most == 1 { "byte" } else { "bytes" };
        errors.push(SchemaError::at(at, ErrorKind::TooLong, format!("Too long: may not be more than {most} {unit}")));
    } else if let Some(least) = node.min_length
        && length() < least
    {
        let words = format!("{} in body should be at least {least} chars long", at.field());
        errors.push(SchemaError::invalid(at, &quote(text), &words));
    }
}

fn integer(node: &Node, number: GoNumber, at: &At<'_>, verdict: &mut Verdict) {
    let shown = |number| match number {
        GoNumber::Int(int) => int.to_string(),
        GoNumber::Float(float) => float::general(float),
    };
    let (below, above) = match number {
        GoNumber::Int(int) => (node.minimum.is_some_and(|min| int < min), node.maximum.is_some_and(|max| int > max)),
        #[allow(clippy::cast_precision_loss)]
        GoNumber::Float(float) => {
            (node.minimum.is_some_and(|min| float < min as f64), node.maximum.is_some_and(|max| float > max as f64))
        }
    };
    let fits = match number {
        GoNumber::Int(int) => i32::try_from(int).is_ok(),
        GoNumber::Float(float) => is_whole(float) && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&float),
    };
    if node.format == Some(Format::Int32) && !fits {
        let words = format!("Checked value must be of type integer with format int32 in {}", at.field());
        verdict.unplaced.push(format!("Invalid value: \"\": {words}"));
    }
    let mut refuse = |bound: Option<i64>, words: &str| {
        if let Some(bound) = bound {
            #[allow(clippy::cast_precision_loss, reason = "Kubernetes holds the bound as it holds the number")]
            let bound = match number {
                GoNumber::Int(_) => GoNumber::Int(bound),
                GoNumber::Float(_) => GoNumber::Float(bound as f64),
            };
            let words = format!("{} in body should be {words} than or equal to {}", at.field(), shown(bound));
            verdict.errors.push(SchemaError::invalid(at, &shown(number), &words));
        }
    };
    if below {
        refuse(node.minimum, "greater");
    }
    if above {
        refuse(node.maximum, "less");
    }
}

fn array(node: &Node, list: &[Value], at: &At<'_>, verdict: &mut Verdict) {
    if let Some(items) = &node.items {
        for (index, value) in list.iter().enumerate() {
            check(items, value, &at.index(index), verdict);
        }
    }
    let size = u64::try_from(list.len()).unwrap_or(u64::MAX);
    if let Some(most) = node.max_items
        && size > most
    {
        let unit = if most == 1 { "item" } else { "items" };
        let message = format!("Too many: {size}: must have at most {most} {unit}");
        verdict.errors.push(SchemaError::at(at, ErrorKind::TooMany, message));
    }
}

fn object(node: &Node, map: &serde_json::Map<String, Value>, at: &At<'_>, verdict: &mut Verdict) {
    let size = u64::try_from(map.len()).unwrap_or(u64::MAX);
    if let Some(least) = node.min_properties
        && size < least
    {
        let words = format!("{} in body should have at least {least} properties", at.field());
        verdict.errors.push(SchemaError::invalid(at, &size.to_string(), &words));
    }
    if let Some(additional) = &node.additional {
        for (key, value) in map.iter().filter(|(key, _)| !node.properties.contains_key(*key)) {
            check(additional, value, &at.key(key), verdict);
        }
    }
    for (key, property) in &node.properties {
        if let Some(value) = map.get(key) {
            check(property, value, &at.key(key), verdict);
        }
    }
    for key in node.required.iter().filter(|key| !map.contains_key(*key)) {
        verdict.errors.push(SchemaError::at(&at.key(key), ErrorKind::Required, "Required value".to_owned()));
    }
}
