//! Drops what the schema does not know, and says what that was.
//!
//! Follows apiextensions-apiserver v0.36.2 `pkg/apiserver/schema/pruning/algorithm.go`.

use super::node::Node;
use super::verdict::Dropped;
use crate::place::{FieldPath, Step};
use serde_json::Value;

const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The object without the fields that the schema does not know; those are never copied.
pub(super) fn known(object: &Value, root: &Node, dropped: &mut Vec<Dropped>) -> Value {
    let Value::Object(map) = object else { return object.clone() };
    let here = &mut Vec::new();
    let is_meta = |key: &str| META_FIELDS.contains(&key);
    note(map.keys().filter(|key| !is_meta(key) && root.field(key).is_none()), here, dropped);
    let kept = map.iter().filter_map(|(key, value)| match root.field(key) {
        _ if is_meta(key) => Some((key.clone(), value.clone())),
        None => None,
        node => Some((key.clone(), below(value, node, Step::Key(key.clone()), here, dropped))),
    });
    Value::Object(kept.collect())
}

fn pruned(value: &Value, node: Option<&Node>, here: &mut Vec<Step>, dropped: &mut Vec<Dropped>) -> Value {
    match value {
        Value::Object(map) => {
            let preserve = node.is_some_and(|n| n.preserve_unknown);
            let field = |key: &str| node.and_then(|n| n.field(key));
            if !preserve {
                note(map.keys().filter(|key| field(key).is_none()), here, dropped);
            }
            let kept = map.iter().filter_map(|(key, value)| match field(key) {
                None => preserve.then(|| (key.clone(), value.clone())),
                node => Some((key.clone(), below(value, node, Step::Key(key.clone()), here, dropped))),
            });
            Value::Object(kept.collect())
        }
        Value::Array(list) if !node.is_some_and(|n| n.preserve_unknown && n.items.is_none()) => {
            let item = node.and_then(|n| n.items.as_deref());
            let items = list.iter().enumerate().map(|(at, value)| below(value, item, Step::Index(at), here, dropped));
            Value::Array(items.collect())
        }
        other => other.clone(),
    }
}

/// What is left of the value a step further.
fn below(value: &Value, node: Option<&Node>, step: Step, here: &mut Vec<Step>, dropped: &mut Vec<Dropped>) -> Value {
    here.push(step);
    let value = pruned(value, node, here, dropped);
    here.pop();
    value
}

/// Notes fields that are dropped.
fn note<'a>(keys: impl Iterator<Item = &'a String>, here: &[Step], dropped: &mut Vec<Dropped>) {
    for key in keys {
        let mut steps = here.to_vec();
        steps.push(Step::Key(key.clone()));
        dropped.push(Dropped { field: name(&steps), path: FieldPath(steps) });
    }
}

/// A field as the API server names it: a key after a point, whatever it holds.
pub(super) fn name(steps: &[Step]) -> String {
    let mut out = String::new();
    for step in steps {
        match step {
            Step::Index(index) => out.push_str(&format!("[{index}]")),
            Step::Key(key) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(key);
            }
        }
    }
    out
}
