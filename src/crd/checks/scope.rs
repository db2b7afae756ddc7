//! The scope must stay.

use super::registry::{CrdComparison, CrdObjection, Objection};
use crate::go::quote;
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

#[cfg(test)]
mod tests {
    use super::super::super::testing::{crd, findings};
    use serde_json::json;

    #[test]
    fn the_scope_must_stay() {
        let before = crd(json!({}));
        let mut after = before.clone();
        after["spec"]["scope"] = json!("Cluster");
        let found = findings(&before, &after);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].check, found[0].message.as_str()), ("scope", "scope changed : \"Namespaced\" -> \"Cluster\""));
        assert_eq!((&found[0].version, found[0].after_field.field().to_string()), (&None, "spec.scope".to_owned()));
    }
}
