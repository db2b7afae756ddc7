//! Drops nulls and fills in defaults.
//!
//! Follows apiextensions-apiserver v0.36.2 `pkg/apiserver/schema/defaulting/prunenulls.go` and `algorithm.go`. No field of these
//! schemas is nullable.

use super::node::Node;
use serde_json::Value;

/// Drops the nulls of fields that the schema knows and has no default for.
pub(super) fn drop_nulls(value: &mut Value, node: &Node) {
    match value {
        Value::Object(map) => {
            map.retain(|key, value| !(value.is_null() && node.field(key).is_some_and(|n| n.default.is_none())));
            for (key, value) in map.iter_mut() {
                if let Some(node) = node.field(key) {
                    drop_nulls(value, node);
                }
            }
        }
        Value::Array(list) => {
            if let Some(items) = &node.items {
                list.iter_mut().for_each(|value| drop_nulls(value, items));
            }
        }
        _ => {}
    }
}

/// Fills in what is missing or null and has a default.
pub(super) fn defaults(value: &mut Value, node: &Node) {
    match value {
        Value::Object(map) => {
            for (key, property) in &node.properties {
                if let Some(default) = &property.default
                    && map.get(key).is_none_or(Value::is_null)
                {
                    map.insert(key.clone(), default.clone());
                }
            }
            for (key, value) in map.iter_mut() {
                if let Some(node) = node.field(key) {
                    defaults(value, node);
                }
            }
        }
        Value::Array(list) => {
            if let Some(items) = &node.items {
                list.iter_mut().for_each(|value| defaults(value, items));
            }
        }
        _ => {}
    }
}
