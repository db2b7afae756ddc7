//! What a field accepts must not shrink, nor (where that is not allowed) grow.

use super::super::keyword::Keyword;
use super::super::policy::Allowance;
use super::registry::{Comparison, Objection};
use crate::go::list;
use serde_json::Value;
use std::collections::BTreeSet;

pub(crate) const NAME: &str = "enum";
pub(crate) const HELP: &str = "keep accepting every value that was accepted; narrow the list in a new version only";

/// Follows crdify bb9957db pkg/validations/property/enum.go.
pub(crate) fn compare(pair: &Comparison<'_>) -> Option<Objection> {
    let set = |texts: &'_ [String]| texts.iter().cloned().collect::<BTreeSet<String>>();
    let (before, after) = (set(pair.before.texts(Keyword::Enum)), set(pair.after.texts(Keyword::Enum)));
    let removed: Vec<&String> = before.difference(&after).collect();
    let added: Vec<&String> = after.difference(&before).collect();
    let words = |values: &[&String]| values.iter().map(|v| v.as_str()).collect::<Vec<_>>().join(", ");
    let (message, plain) = if before.is_empty() && !after.is_empty() {
        (
            format!("enum constraint added when there was none previously : {}", list(&added)),
            format!("only {} are accepted from now on", words(&added)),
        )
    } else if !removed.is_empty() {
        (format!("allowed enum values removed : {}", list(&removed)), format!("no longer accepted: {}", words(&removed)))
    } else if !added.is_empty() && pair.settings.enum_addition == Allowance::Disallow {
        (format!("allowed enum values added : {}", list(&added)), format!("accepted from now on: {}", words(&added)))
    } else {
        return None;
    };
    let values = |texts: &BTreeSet<String>| {
        Some(texts)
            .filter(|texts| !texts.is_empty())
            .map(|texts| texts.iter().map(|t| serde_json::from_str(t).unwrap_or(Value::Null)).collect::<Value>())
    };
    Some(Objection { message, plain, before: values(&before), after: values(&after), identity: None })
}

#[cfg(test)]
mod tests {
    use super::super::super::policy::Policy;
    use super::super::super::testing::message;
    use serde_json::json;

    #[test]
    fn what_is_accepted_must_not_shrink() {
        let of = |before, after| message(&Policy::strict(), before, after).map(|(_, words)| words);
        let (none, one, two) = (json!({}), json!({"enum": ["a"]}), json!({"enum": ["b", "a"]}));
        let words = "enum constraint added when there was none previously : [\"a\" \"b\"]";
        assert_eq!(of(none.clone(), two.clone()).unwrap(), words);
        assert_eq!(of(two.clone(), one.clone()).unwrap(), "allowed enum values removed : [\"b\"]");
        assert_eq!(of(two.clone(), json!({"enum": ["a", "c"]})).unwrap(), "allowed enum values removed : [\"b\"]");
        assert_eq!(of(one.clone(), two.clone()).unwrap(), "allowed enum values added : [\"b\"]");
        assert_eq!(of(one.clone(), none).unwrap(), "allowed enum values removed : [\"a\"]");
        assert_eq!(of(two.clone(), json!({"enum": ["a", "b", "a"]})), None);
        assert_eq!(message(&Policy::olm(&crate::target::Target::default()), one, two), None);
    }

    #[test]
    fn null_is_an_empty_value() {
        let words = message(&Policy::strict(), json!({"enum": ["a", null]}), json!({"enum": ["a"]})).unwrap().1;
        assert_eq!(words, "allowed enum values removed : []");
    }
}
