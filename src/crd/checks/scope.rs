//! The scope must stay.

use super::super::go::quote;
use super::registry::{CrdComparison, CrdObjection, Objection};
use serde_json::Value;

pub(crate) const NAME: &str = "scope";
pub(crate) const HELP: &str =
    "the scope of a CRD cannot be changed in place: keep it, or publish the kind under another name and migrate";

/// Follows crdify bb9957db pkg/validations/crd/scope/scope.go.
pub(crate) fn compare(crds: &CrdComparison<'_>) -> Vec<CrdObjection> {
    let (before, after) = (&crds.before.scope, &crds.after.scope);
    if before == after {
        return Vec::new();
    }
    let objection = Objection {
        message: format!("scope changed : {} -> {}", quote(before), quote(after)),
        plain: format!("the scope changes from {before:?} to {after:?}"),
        before: Some(Value::String(before.clone())),
        after: Some(Value::String(after.clone())),
        identity: None,
    };
    vec![CrdObjection { objection, property: None }]
}
