//! A description must stay as it is: for those who hold a description to be part of the contract.

use super::super::keyword::Keyword;
use super::registry::{Comparison, Objection};
use crate::go::quote;
use serde_json::Value;

pub(crate) const NAME: &str = "description";
pub(crate) const HELP: &str =
    "read whether the new words promise something else; operator-controller itself lets descriptions change";

/// Follows crdify bb9957db pkg/validations/property/description.go.
pub(crate) fn compare(pair: &Comparison<'_>) -> Option<Objection> {
    let (before, after) = (pair.before.text(Keyword::Description), pair.after.text(Keyword::Description));
    if before == after {
        return None;
    }
    let plain = match (before.is_empty(), after.is_empty()) {
        (true, _) => "a description appears",
        (_, true) => "the description is gone",
        _ => "the description changes",
    };
    let value = |text: &str| Some(text).filter(|text| !text.is_empty()).map(|text| Value::String(text.to_owned()));
    Some(Objection {
        message: format!("description changed : {} -> {}", quote(before), quote(after)),
        plain: plain.to_owned(),
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
    fn a_description_must_stay_where_it_counts() {
        let (before, after) = (json!({"description": "a"}), json!({"description": "b"}));
        let words = Some(("description", "description changed : \"a\" -> \"b\"".to_owned()));
        assert_eq!(message(&Policy::strict(), before.clone(), after.clone()), words);
        assert_eq!(message(&Policy::olm(&crate::target::Target::default()), before, after), None);
    }
}
