//! Whether `null` is accepted must stay.

use super::super::keyword::Keyword;
use super::super::policy::Allowance;
use super::registry::{Comparison, Objection};
use serde_json::Value;

pub(crate) const NAME: &str = "nullable";
pub(crate) const HELP: &str = "readers may not expect null, and writers may send it: change it in a new version only";

/// Follows crdify bb9957db pkg/validations/property/nullable.go.
pub(crate) fn compare(pair: &Comparison<'_>) -> Option<Objection> {
    let (before, after) = (pair.before.flag(Keyword::Nullable), pair.after.flag(Keyword::Nullable));
    let (words, plain) = match (before, after) {
        (false, true) if pair.settings.nullable_addition == Allowance::Disallow => {
            ("nullable added", "null is accepted from now on")
        }
        (true, false) if pair.settings.nullable_removal == Allowance::Disallow => {
            ("nullable removed", "null is no longer accepted")
        }
        _ => return None,
    };
    Some(Objection {
        message: format!("{words} : {before} -> {after}"),
        plain: plain.to_owned(),
        before: Some(Value::Bool(before)),
        after: Some(Value::Bool(after)),
        identity: None,
    })
}
