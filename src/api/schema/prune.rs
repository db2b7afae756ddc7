//! Drops what the schema does not know, and says what that was.
//!
//! Follows apiextensions-apiserver v0.36.2 `pkg/apiserver/schema/pruning/algorithm.go`.

use super::node::Node;
use super::verdict::Dropped;
use crate::place::{FieldPath, Step};
use serde_json::Value;

const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Drops the fields of the whole object that the schema does not know.
pub(super) fn unknown(object: &mut Value, root: &Node, here: &mut Vec<Step>, dropped: &mut Vec<Dropped>) {
    let Value::Object(map) = object else { return };
    let known = |key: &String| META_FIELDS.contains(&key.as_str()) || root.field(key).is_some();
    drop_keys(map, known, here, dropped);
    for (key, value) in map.iter_mut().filter(|(key, _)| !META_FIELDS.contains(&key.as_str())) {
        here.push(Step::Key(key.clone()));
        prune(value, root.field(key), here, dropped);
        here.pop();
    }
}

fn prune(value: &mut Value, node: Option<&Node>, here: &mut Vec<Step>, dropped: &mut Vec<Dropped>) {
    match value {
        Value::Object(map) => {
            let preserve = node.is_some_and(|n| n.preserve_unknown);
            let field = |key: &String| node.and_then(|n| n.field(key));
            if !preserve {
                drop_keys(map, |key| field(key).is_some(), here, dropped);
            }
            for (key, value) in map.iter_mut() {
                if let Some(node) = field(key) {
                    here.push(Step::Key(key.clone()));
                    prune(value, Some(node), here, dropped);
                    here.pop();
                }
            }
        }
        Value::Array(list) => {
            if node.is_some_and(|n| n.preserve_unknown && n.items.is_none()) {
                return;
            }
            for (index, value) in list.iter_mut().enumerate() {
                here.push(Step::Index(index));
                prune(value, node.and_then(|n| n.items.as_deref()), here, dropped);
                here.pop();
            }
        }
        _ => {}
    }
}

fn drop_keys(
    map: &mut serde_json::Map<String, Value>,
    known: impl Fn(&String) -> bool,
    here: &[Step],
    dropped: &mut Vec<Dropped>,
) {
    map.retain(|key, _| {
        let keep = known(key);
        if !keep {
            let mut steps = here.to_vec();
            steps.push(Step::Key(key.clone()));
            dropped.push(Dropped { field: name(&steps), path: FieldPath(steps) });
        }
        keep
    });
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
