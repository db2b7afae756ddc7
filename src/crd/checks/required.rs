//! A field must not become required.

use super::super::keyword::Keyword;
use super::registry::{Comparison, Objection};
use crate::go::list;
use serde_json::Value;
use std::collections::BTreeSet;

pub(crate) const NAME: &str = "required";
pub(crate) const HELP: &str = "objects that exist may lack the field: leave it optional, or require it in a new version only";

/// Follows crdify bb9957db pkg/validations/property/required.go; the names are sorted, where crdify's come in random order.
pub(crate) fn compare(pair: &Comparison<'_>) -> Option<Objection> {
    let before: BTreeSet<&String> = pair.before.texts(Keyword::Required).iter().collect();
    let after: BTreeSet<&String> = pair.after.texts(Keyword::Required).iter().collect();
    let added: Vec<&String> = after.difference(&before).copied().collect();
    if added.is_empty() {
        return None;
    }
    let names = added.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
    let value = |set: &BTreeSet<&String>| {
        Some(set)
            .filter(|set| !set.is_empty())
            .map(|set| set.iter().map(|name| Value::String((*name).clone())).collect::<Value>())
    };
    Some(Objection {
        message: format!("new required fields: {}", list(&added)),
        plain: format!("required from now on: {names}"),
        before: value(&before),
        after: value(&after),
        identity: None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::policy::Policy;
    use super::super::super::testing::message;
    use serde_json::json;

    #[test]
    fn fields_must_not_become_required() {
        let of = |before, after| message(&Policy::strict(), before, after).map(|(_, words)| words);
        assert_eq!(of(json!({"required": ["b"]}), json!({"required": ["c", "b", "a"]})).unwrap(), "new required fields: [a c]");
        assert_eq!(of(json!({"required": ["b", "a"]}), json!({"required": ["a"]})), None);
        assert_eq!(of(json!({"required": ["b", "a"]}), json!({"required": ["a", "b", "b"]})), None);
    }
}
