//! Small CRDs for tests.

use super::compare::check;
use super::finding::Finding;
use super::policy::Policy;
use proptest::prelude::*;
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

/// Schemas of all kinds, structural or not.
pub(crate) fn any_schema() -> impl Strategy<Value = Value> {
    let name = || prop_oneof![Just("a"), Just("b"), Just("items"), Just("not"), Just("a.b")].prop_map(str::to_owned);
    let scalar = prop_oneof![
        prop_oneof![Just("string"), Just("integer"), Just("object")].prop_map(|t| ("type", json!(t))),
        "[a-c]{0,2}".prop_map(|t| ("description", json!(t))),
        (0..3).prop_map(|n| ("maxLength", json!(n))),
        (0..3).prop_map(|n| ("minimum", json!(f64::from(n) / 2.0))),
        any::<bool>().prop_map(|f| ("nullable", json!(f))),
        any::<bool>().prop_map(|f| ("x-kubernetes-preserve-unknown-fields", json!(f))),
        proptest::collection::vec("[a-c]", 0..3).prop_map(|e| ("enum", json!(e))),
        proptest::collection::vec("[a-c]", 0..3).prop_map(|r| ("required", json!(r))),
        "[a-c]".prop_map(|d| ("default", json!(d))),
        "[a-c]".prop_map(|d| ("format", json!(d))),
        "[a-c]{0,2}".prop_map(|rule| ("x-kubernetes-validations", json!([{ "rule": rule }]))),
    ];
    let leaf = proptest::collection::vec(scalar, 0..5).prop_map(|members| members.into_iter().collect::<Value>());
    leaf.prop_recursive(4, 24, 3, move |inner| {
        let list = proptest::collection::vec(inner.clone(), 1..3).prop_map(Value::from);
        let map = proptest::collection::btree_map(name(), inner.clone(), 1..3).prop_map(|m| m.into_iter().collect::<Value>());
        let nested = prop_oneof![
            4 => map.clone().prop_map(|v| ("properties", v)),
            2 => inner.clone().prop_map(|v| ("items", v)),
            1 => list.clone().prop_map(|v| ("items", v)),
            1 => list.clone().prop_map(|v| ("allOf", v)),
            1 => list.clone().prop_map(|v| ("anyOf", v)),
            1 => list.prop_map(|v| ("oneOf", v)),
            1 => inner.clone().prop_map(|v| ("not", v)),
            2 => inner.clone().prop_map(|v| ("additionalProperties", v)),
            1 => map.clone().prop_map(|v| ("patternProperties", v)),
            1 => inner.clone().prop_map(|v| ("additionalItems", v)),
            1 => map.clone().prop_map(|v| ("definitions", v)),
            1 => map.prop_map(|v| ("dependencies", v)),
        ];
        (inner, proptest::collection::vec(nested, 1..3)).prop_map(|(mut schema, members)| {
            for (keyword, value) in members {
                schema[keyword] = value;
            }
            schema
        })
    })
}
