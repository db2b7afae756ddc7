//! Objects before, objects after -> what is added, removed and changed.

use serde_json::Value;
use std::collections::BTreeMap;

/// What tells one object from another in a cluster. Ordered: by kind, namespace, name, group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectKey {
    /// The kind.
    pub kind: String,
    /// The namespace; empty for objects that have none.
    pub namespace: String,
    /// The name.
    pub name: String,
    /// The API group; empty for the core group.
    pub group: String,
}

impl ObjectKey {
    /// The key of an object.
    pub fn of(object: &Value) -> Self {
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let group = text("/apiVersion").rsplit_once('/').map_or("", |(group, _)| group);
        Self {
            kind: text("/kind").to_owned(),
            namespace: text("/metadata/namespace").to_owned(),
            name: text("/metadata/name").to_owned(),
            group: group.to_owned(),
        }
    }
}

impl std::fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.kind)?;
        if self.namespace.is_empty() { write!(f, " {}", self.name) } else { write!(f, " {}/{}", self.namespace, self.name) }
    }
}

/// How one object changes.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectChange {
    /// Which object.
    pub key: ObjectKey,
    /// The object before; `None` where it is added.
    pub before: Option<Value>,
    /// The object after; `None` where it is removed.
    pub after: Option<Value>,
}

/// What changes between two sets of objects, by key. Equal objects are left out; the order of keys in a mapping does not count.
pub fn changes(before: &[Value], after: &[Value]) -> Vec<ObjectChange> {
    let mut keys: BTreeMap<ObjectKey, (Option<&Value>, Option<&Value>)> = BTreeMap::new();
    for object in before {
        keys.entry(ObjectKey::of(object)).or_default().0 = Some(object);
    }
    for object in after {
        keys.entry(ObjectKey::of(object)).or_default().1 = Some(object);
    }
    keys.into_iter()
        .filter(|(_, (before, after))| before != after)
        .map(|(key, (before, after))| ObjectChange { key, before: before.cloned(), after: after.cloned() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn objects_are_matched_by_what_tells_them_apart() {
        let service = |name: &str, port: u32| json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": name, "namespace": "n"}, "port": port});
        let found =
            changes(&[service("a", 1), service("b", 1), service("c", 1)], &[service("b", 2), service("c", 1), service("d", 1)]);
        let shown: Vec<_> = found.iter().map(|c| (c.key.to_string(), c.before.is_some(), c.after.is_some())).collect();
        let want = [("Service n/a", true, false), ("Service n/b", true, true), ("Service n/d", false, true)];
        assert_eq!(shown, want.map(|(k, b, a)| (k.to_owned(), b, a)));
    }
}
