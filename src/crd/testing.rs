//! Small CRDs for tests.

use super::compare::check;
use super::finding::Finding;
use super::policy::Policy;
use serde_json::{Value, json};

/// A CRD with one version, `v1`, of that schema.
pub(crate) fn crd(schema: Value) -> Value {
    versions(json!([{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }]))
}

/// A CRD with those versions.
pub(crate) fn versions(versions: Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "widgets.example.com" },
        "spec": { "scope": "Namespaced", "versions": versions },
    })
}

/// What crdify's own policy has against a change.
pub(crate) fn findings(before: &Value, after: &Value) -> Vec<Finding> {
    check(before, after, &Policy::strict()).unwrap()
}

/// The message of the one finding of a change of schemas; `None` where there is none.
pub(crate) fn message(policy: &Policy, before: Value, after: Value) -> Option<(&'static str, String)> {
    let mut found = check(&crd(before), &crd(after), policy).unwrap();
    assert!(found.len() <= 1, "{found:#?}");
    found.pop().map(|finding| (finding.check, finding.message))
}
