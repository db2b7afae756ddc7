//! Lists that are merged: by name, or by being the same.

use serde_json::{Map, Value};

/// Puts each item in the place of the one of the same name (the last, where there are several), or else at the end.
pub(super) fn replace_by_name(owner: &mut Map<String, Value>, key: &str, items: &[Value]) {
    edit(owner, key, |list| {
        let before = list.len();
        for item in items {
            let there = list.iter_mut().take(before).rev().find(|own| own.get("name") == item.get("name"));
            match there {
                Some(own) => *own = item.clone(),
                None => list.push(item.clone()),
            }
        }
    });
}

/// Puts each item at the end, whatever is there.
pub(super) fn add(owner: &mut Map<String, Value>, key: &str, items: &[Value]) {
    edit(owner, key, |list| list.extend_from_slice(items));
}

/// Puts each item at the end that is not there yet.
pub(super) fn add_missing(owner: &mut Map<String, Value>, key: &str, items: &[Value]) {
    edit(owner, key, |list| {
        for item in items {
            if !list.contains(item) {
                list.push(item.clone());
            }
        }
    });
}

fn edit(owner: &mut Map<String, Value>, key: &str, change: impl FnOnce(&mut Vec<Value>)) {
    let value = owner.entry(key).or_insert(Value::Null);
    let mut list = match value.take() {
        Value::Array(list) => list,
        _ => Vec::new(),
    };
    change(&mut list);
    *value = Value::Array(list);
}
