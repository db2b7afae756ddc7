//! A pattern must stay as it is.

use super::super::keyword::Keyword;
use super::super::policy::Allowance;
use super::registry::{Comparison, Objection};
use crate::go::quote;
use serde_json::Value;

pub(crate) const NAME: &str = "pattern";
pub(crate) const HELP: &str =
    "whether one pattern accepts all that another does is not looked into: keep the pattern, or change it in a new version only";

/// Follows crdify bb9957db pkg/validations/property/pattern.go.
pub(crate) fn compare(pair: &Comparison<'_>) -> Option<Objection> {
    let (before, after) = (pair.before.text(Keyword::Pattern), pair.after.text(Keyword::Pattern));
    let (words, plain) = match (before.is_empty(), after.is_empty()) {
        _ if before == after => return None,
        (true, _) => ("pattern added", format!("a pattern appears: {after}")),
        (_, true) if pair.settings.pattern_removal == Allowance::Allow => return None,
        (_, true) => ("pattern removed", format!("the pattern {before} is gone")),
        _ => ("pattern changed", format!("the pattern changes from {before} to {after}")),
    };
    let value = |text: &str| Some(text).filter(|text| !text.is_empty()).map(|text| Value::String(text.to_owned()));
    Some(Objection {
        message: format!("{words} : {} -> {}", quote(before), quote(after)),
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
    fn a_pattern_must_stay() {
        let (a, b, none) = (json!({"pattern": "^a$"}), json!({"pattern": "b"}), json!({}));
        let of = |policy: &Policy, before: &serde_json::Value, after: &serde_json::Value| {
            message(policy, before.clone(), after.clone()).map(|(_, words)| words)
        };
        let strict = Policy::strict();
        assert_eq!(of(&strict, &none, &a).unwrap(), "pattern added : \"\" -> \"^a$\"");
        assert_eq!(of(&strict, &a, &none).unwrap(), "pattern removed : \"^a$\" -> \"\"");
        assert_eq!(of(&strict, &a, &b).unwrap(), "pattern changed : \"^a$\" -> \"b\"");
        let text = "validations: [{name: pattern, enforcement: Warn, configuration: {removalPolicy: Allow}}]";
        let allowing = Policy::from_config(text).unwrap();
        assert_eq!(of(&allowing, &a, &none), None);
        assert!(of(&allowing, &a, &b).is_some());
    }
}
