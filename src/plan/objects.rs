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
    /// Which object; after, where it is replaced by one of another name.
    pub key: ObjectKey,
    /// Which object it takes the place of. Roles and bindings are named for the bundle and a hash, so a new version replaces them.
    pub replaces: Option<ObjectKey>,
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
    let mut changes: Vec<ObjectChange> = keys
        .into_iter()
        .filter(|(_, (before, after))| before != after)
        .map(|(key, (before, after))| ObjectChange { key, replaces: None, before: before.cloned(), after: after.cloned() })
        .collect();
    pair(&mut changes);
    changes.sort_by(|a, b| a.key.cmp(&b.key));
    changes
}

/// The kinds whose names the controller makes up.
const NAMED_BY_HASH: [&str; 4] = ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"];

/// Takes a removed and an added object of such a kind for one that changes: those that say the same first, then what is left
/// over on both sides where it is one each.
fn pair(changes: &mut Vec<ObjectChange>) {
    let same_place = |a: &ObjectKey, b: &ObjectKey| (&a.kind, &a.namespace, &a.group) == (&b.kind, &b.namespace, &b.group);
    let candidate = |c: &ObjectChange, removed: bool| {
        NAMED_BY_HASH.contains(&c.key.kind.as_str()) && c.after.is_none() == removed && c.before.is_some() == removed
    };
    for rule in [PairBy::Content, PairBy::BeingAlone] {
        let mut at = 0;
        while let Some(change) = changes.get(at) {
            at += 1;
            if !candidate(change, false) {
                continue;
            }
            let key = change.key.clone();
            let there: Vec<usize> = changes
                .iter()
                .enumerate()
                .filter(|(_, c)| candidate(c, true) && same_place(&c.key, &key))
                .map(|(n, _)| n)
                .collect();
            let added = changes.iter().filter(|c| candidate(c, false) && same_place(&c.key, &key)).count();
            let found = match rule {
                PairBy::BeingAlone => there.first().copied().filter(|_| there.len() == 1 && added == 1),
                PairBy::Content => there.into_iter().find(|n| {
                    let removed = changes.get(*n).and_then(|c| c.before.as_ref());
                    removed.map(nameless) == change.after.as_ref().map(nameless)
                }),
            };
            if let Some(found) = found {
                let removed = changes.remove(found);
                at -= usize::from(found < at);
                if let Some(change) = changes.iter_mut().find(|c| c.key == key) {
                    change.replaces = Some(removed.key);
                    change.before = removed.before;
                }
            }
        }
    }
}

/// What makes two objects of different names one.
#[derive(Clone, Copy)]
enum PairBy {
    Content,
    BeingAlone,
}

/// The object without its name, and without the name of the role that it refers to.
fn nameless(object: &Value) -> Value {
    let mut object = object.clone();
    for pointer in ["/metadata", "/roleRef"] {
        if let Some(map) = object.pointer_mut(pointer).and_then(Value::as_object_mut) {
            map.shift_remove("name");
        }
    }
    object
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

    #[test]
    fn roles_that_are_named_by_a_hash_replace_each_other() {
        let role =
            |name: &str, verb: &str| json!({"kind": "ClusterRole", "metadata": {"name": name}, "rules": [{"verbs": [verb]}]});
        let before = [role("v1-a", "get"), role("v1-b", "list"), role("v1-c", "watch")];
        let after = [role("v2-b", "list"), role("v2-x", "delete"), role("v2-a", "get")];
        let found = changes(&before, &after);
        let shown: Vec<_> = found.iter().map(|c| (c.key.name.as_str(), c.replaces.as_ref().map(|k| k.name.as_str()))).collect();
        assert_eq!(shown, [("v2-a", Some("v1-a")), ("v2-b", Some("v1-b")), ("v2-x", Some("v1-c"))]);
        let found = changes(&before, &[role("v2-x", "delete"), role("v2-y", "patch")]);
        assert!(found.iter().all(|c| c.replaces.is_none()) && found.len() == 5, "{found:?}");
    }
}
