//! JSON text of a CRD's schema -> [`Schema`]. A keyword that this module does not know is a failure, so that no constraint is
//! passed over in silence.
//!
//! Below `status` only the shape is read: the API server removes `status` from what is created before it checks anything.

use super::Schema;
use super::node::{Format, Node, Type};
use super::rule::Rule;
use crate::api::Kind;
use serde_json::Value;

/// What of a schema is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Everything,
    Shape,
}

pub(super) fn schema(kind: Kind, text: &str) -> Schema {
    let read = serde_json::from_str(text).map_err(|e| e.to_string()).and_then(|json| node(&json, Depth::Everything));
    match read {
        Ok(root) => Schema { kind, root, unread: None },
        Err(unread) => Schema { kind, root: Node::new(Type::Object), unread: Some(unread) },
    }
}

fn node(json: &Value, depth: Depth) -> Result<Node, String> {
    let map = json.as_object().ok_or("a schema must be an object")?;
    let kind = match map.get("type").and_then(Value::as_str) {
        Some("object") => Type::Object,
        Some("array") => Type::Array,
        Some("string") => Type::String,
        Some("integer") => Type::Integer,
        other => return Err(format!("unknown type {other:?}")),
    };
    let mut out = Node::new(kind);
    for (key, value) in map {
        shape(&mut out, key, value, depth)?;
        if depth == Depth::Everything {
            constraint(&mut out, key, value)?;
        }
    }
    Ok(out)
}

/// The keywords that pruning and defaulting look at.
fn shape(out: &mut Node, key: &str, value: &Value, depth: Depth) -> Result<(), String> {
    match key {
        "properties" => {
            for (name, property) in value.as_object().into_iter().flatten() {
                let depth = if name == "status" { Depth::Shape } else { depth };
                out.properties.insert(name.clone(), node(property, depth).map_err(|e| format!("{name}: {e}"))?);
            }
        }
        "items" => out.items = Some(Box::new(node(value, depth)?)),
        "additionalProperties" => {
            let values = node(value, depth)?;
            if !values.rules.is_empty() {
                return Err("rules below additionalProperties are not run".to_owned());
            }
            out.additional = Some(Box::new(values));
        }
        "default" => out.default = Some(value.clone()),
        "x-kubernetes-preserve-unknown-fields" => out.preserve_unknown = value == &Value::Bool(true),
        _ => {}
    }
    Ok(())
}

fn constraint(out: &mut Node, key: &str, value: &Value) -> Result<(), String> {
    let number = || value.as_u64().ok_or_else(|| format!("{key} must be a number"));
    let signed = || value.as_i64().ok_or_else(|| format!("{key} must be an integer"));
    match key {
        "type" | "properties" | "items" | "additionalProperties" | "default" | "x-kubernetes-preserve-unknown-fields" => {}
        "x-kubernetes-map-type" => {}
        "x-kubernetes-list-type" if value == "atomic" => {}
        "required" => out.required = strings(value)?,
        "enum" => out.one_of = strings(value)?,
        "format" => {
            out.format = match value.as_str() {
                Some("int32") => Some(Format::Int32),
                Some("int64") => Some(Format::Int64),
                _ => return Err(format!("unknown format {value}")),
            }
        }
        "minimum" => out.minimum = Some(signed()?),
        "maximum" => out.maximum = Some(signed()?),
        "minLength" => out.min_length = Some(number()?),
        "maxLength" => out.max_length = Some(number()?),
        "maxItems" => out.max_items = Some(number()?),
        "minProperties" => out.min_properties = Some(number()?),
        "x-kubernetes-validations" => {
            for rule in value.as_array().ok_or("rules must be a list")? {
                out.rules.push(Rule::read(rule)?);
            }
        }
        _ => return Err(format!("unknown keyword {key}: {value}")),
    }
    Ok(())
}

fn strings(value: &Value) -> Result<Vec<String>, String> {
    let strings = value.as_array().and_then(|list| list.iter().map(|v| v.as_str().map(str::to_owned)).collect());
    strings.ok_or_else(|| format!("not a list of strings: {value}"))
}
