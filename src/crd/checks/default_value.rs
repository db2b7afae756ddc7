//! A default must stay as it is.

use super::super::keyword::Keyword;
use super::registry::{Comparison, Objection};
use crate::go::quote;
use serde_json::Value;

pub(crate) const NAME: &str = "default";
pub(crate) const HELP: &str = "keep the default of an existing field; give a new default to a new field or in a new version";

/// Follows crdify bb9957db pkg/validations/property/default.go.
pub(crate) fn compare(pair: &Comparison<'_>) -> Option<Objection> {
    let (message, plain) = match (pair.before.json(Keyword::Default), pair.after.json(Keyword::Default)) {
        (None, Some(after)) => {
            (format!("default added when there was none previously : {}", quote(after)), format!("a default appears: {after}"))
        }
        (Some(before), None) => (format!("default value removed : {}", quote(before)), format!("the default {before} is gone")),
        (Some(before), Some(after)) if before != after => (
            format!("default value changed : {} -> {}", quote(before), quote(after)),
            format!("the default changes from {before} to {after}"),
        ),
        _ => return None,
    };
    let value = |text: Option<&str>| text.and_then(|text| serde_json::from_str::<Value>(text).ok());
    Some(Objection {
        message,
        plain,
        before: value(pair.before.json(Keyword::Default)),
        after: value(pair.after.json(Keyword::Default)),
        identity: None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::policy::Policy;
    use super::super::super::testing::message;
    use serde_json::json;

    #[test]
    fn a_default_must_stay() {
        let of = |before, after| message(&Policy::strict(), before, after).map(|(_, words)| words);
        let words = "default added when there was none previously : \"{\\\"a\\\":\\\"\\\\u003c\\\"}\"";
        assert_eq!(of(json!({}), json!({"default": {"a": "<"}})).unwrap(), words);
        assert_eq!(of(json!({"default": 1.0}), json!({})).unwrap(), "default value removed : \"1\"");
        assert_eq!(
            of(json!({"default": "a"}), json!({"default": "b"})).unwrap(),
            "default value changed : \"\\\"a\\\"\" -> \"\\\"b\\\"\""
        );
        assert_eq!(of(json!({"default": {"a": 1, "b": 2}}), json!({"default": {"b": 2, "a": 1}})), None);
        assert_eq!(of(json!({"default": null}), json!({})), None);
    }
}
