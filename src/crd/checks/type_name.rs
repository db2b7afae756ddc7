//! A type must stay.

use super::super::keyword::Keyword;
use super::registry::{Comparison, Objection};
use crate::go::quote;
use serde_json::Value;

pub(crate) const NAME: &str = "type";
pub(crate) const HELP: &str =
    "keep the field as it was and add a new one of the new type, or change it in a new version with a conversion webhook";

/// Follows crdify bb9957db pkg/validations/property/type.go.
pub(crate) fn compare(pair: &Comparison<'_>) -> Option<Objection> {
    let (before, after) = (pair.before.text(Keyword::Type), pair.after.text(Keyword::Type));
    if before == after {
        return None;
    }
    let plain = match (before.is_empty(), after.is_empty()) {
        (true, _) => format!("the type {after} appears where there was none"),
        (_, true) => format!("the type {before} is gone"),
        _ => format!("the type changes from {before} to {after}"),
    };
    let value = |text: &str| Some(text).filter(|text| !text.is_empty()).map(|text| Value::String(text.to_owned()));
    Some(Objection {
        message: format!("type changed : {} -> {}", quote(before), quote(after)),
        plain,
        before: value(before),
        after: value(after),
        identity: None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::policy::Policy;
    use super::super::super::testing::message;
    use serde_json::json;

    #[test]
    fn a_type_must_stay() {
        let of = |before, after| message(&Policy::strict(), before, after).map(|(_, words)| words);
        assert_eq!(
            of(json!({"type": "string"}), json!({"type": "integer"})).unwrap(),
            "type changed : \"string\" -> \"integer\""
        );
        assert_eq!(of(json!({}), json!({"type": "integer"})).unwrap(), "type changed : \"\" -> \"integer\"");
        assert_eq!(of(json!({"type": ""}), json!({})), None);
    }
}
