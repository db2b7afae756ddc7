//! The comparison as a whole.

use super::super::testing::{any_schema, crd, findings, versions};
use super::*;
use crate::target::Target;
use proptest::prelude::*;
use serde_json::json;

fn version(name: &str, schema: Value) -> Value {
    json!({ "name": name, "served": true, "storage": name == "v1", "schema": { "openAPIV3Schema": schema } })
}

fn shown(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(Finding::controller_message).collect()
}

/// A schema without any `oneOf`.
fn without_one_of(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(map) => {
            map.remove("oneOf");
            map.values_mut().for_each(|value| *value = without_one_of(value.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| *value = without_one_of(value.take())),
        _ => {}
    }
    schema
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_does_not_change_is_safe(one in any_schema(), other in any_schema()) {
        prop_assert_eq!(findings(&crd(one.clone()), &crd(one.clone())), vec![]);
        // The reference never takes some schemas in oneOf for the same, and so neither do we.
        let crd = versions(json!([version("v1beta1", without_one_of(one)), version("v1", without_one_of(other))]));
        prop_assert_eq!(findings(&crd, &crd), vec![]);
        for name in ["olm-1.5", "olm-1.9", "ocp-4.20"] {
            prop_assert_eq!(check(&crd, &crd, &Policy::olm(&Target::named(name).unwrap())).unwrap(), vec![]);
        }
    }

    #[test]
    fn the_same_input_has_the_same_findings(before in any_schema(), after in any_schema()) {
        let one = versions(json!([version("v1beta1", before.clone()), version("v1", after.clone())]));
        let other = versions(json!([version("v1beta1", after), version("v1", before)]));
        let named = ["olm-1.0", "olm-1.4", "olm-1.5", "olm-1.11"].map(|name| Policy::olm(&Target::named(name).unwrap()));
        for policy in named.into_iter().chain([Policy::strict()]) {
            prop_assert_eq!(check(&one, &other, &policy), check(&one, &other, &policy));
        }
    }

    #[test]
    fn what_is_objected_to_is_a_change(before in any_schema(), after in any_schema()) {
        let (before, after) = (crd(before), crd(after));
        let both = findings(&before, &after).len() + findings(&after, &before).len();
        // Not every change is objected to, but what is objected to is a change.
        if super::super::changes(&before, &after).unwrap().is_empty() {
            prop_assert_eq!(both, 0);
        }
    }

    #[test]
    fn pointers_lead_to_what_is_there(before in any_schema(), after in any_schema()) {
        let (before, after) = (crd(before), crd(after));
        for finding in findings(&before, &after) {
            for pointer in [&finding.before_field, &finding.after_field] {
                let document = if pointer.side == Side::Before { &before } else { &after };
                let there = pointer.field().0.iter().try_fold(document, |value, step| match step {
                    Step::Key(key) => value.get(key),
                    Step::Index(n) => value.get(n),
                });
                prop_assert!(there.is_some(), "{} of {:?}", pointer.field(), pointer.side);
            }
        }
    }
}

#[test]
fn versions_served_together_are_compared() {
    let before = versions(json!([version("v1", json!({"properties": {"a": {"type": "string"}}}))]));
    let with = |other: Value| {
        versions(json!([version("v1", json!({"properties": {"a": {"type": "string"}}})), version("v1beta1", other)]))
    };
    let after = with(json!({"properties": {"a": {"type": "integer"}}}));
    assert_eq!(shown(&findings(&before, &after)), ["v1beta1 -> v1: ^.a: type: type changed : \"integer\" -> \"string\""]);
    // Both versions are of the after side.
    let found = findings(&before, &after).pop().unwrap();
    assert_eq!((found.before_field.side, found.after_field.side), (Side::After, Side::After));
    assert_eq!(found.before_field.field().to_string(), "spec.versions[1].schema.openAPIV3Schema.properties.a.type");
    // What was so already is known.
    assert_eq!(findings(&after, &after), []);
    let more = with(json!({"properties": {"a": {"type": "integer", "pattern": "x"}}}));
    assert_eq!(
        shown(&check(&after, &more, &Policy::strict()).unwrap())[0],
        "v1beta1: ^.a: pattern: pattern added : \"\" -> \"x\""
    );
    // A webhook that converts makes it safe to the controller, not to crdify.
    let mut converted = after.clone();
    converted["spec"]["conversion"] = json!({"strategy": "Webhook"});
    assert_eq!(check(&before, &converted, &Policy::olm(&Target::default())).unwrap(), []);
    assert_eq!(findings(&before, &converted).len(), 1);
}

#[test]
fn new_required_fields_across_versions_are_known_whatever_their_order() {
    let with = |required: Value| versions(json!([version("v1beta1", json!({})), version("v1", json!({"required": required}))]));
    assert_eq!(findings(&with(json!(["a", "b"])), &with(json!(["b", "a"]))), []);
}

#[test]
fn a_known_change_is_known_by_what_the_report_shows_of_it() {
    let pair = |extra: Value| {
        let mut after = json!({"format": "b"});
        for (key, value) in extra.as_object().unwrap() {
            after[key] = value.clone();
        }
        let mut before = after.clone();
        before["format"] = json!("a");
        versions(json!([version("v1beta1", before), version("v1", after)]))
    };
    let served = |before: &Value, after: &Value| {
        findings(before, after).iter().filter(|f| f.version.as_deref().is_some_and(|v| v.contains("->"))).count()
    };
    // Far from the format, and so not shown.
    assert_eq!(served(&pair(json!({})), &pair(json!({"x-kubernetes-map-type": "atomic"}))), 0);
    // Right beside it.
    assert_eq!(served(&pair(json!({})), &pair(json!({"title": "t"}))), 1);
}

#[test]
fn crds_are_matched_by_name() {
    let before = crd(json!({"type": "string"}));
    let after = crd(json!({"type": "integer"}));
    let mut other = after.clone();
    other["metadata"]["name"] = json!("others.example.com");
    let service = json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "widgets.example.com"}});
    let policy = Policy::strict();
    assert_eq!(
        check_all(&[before.clone(), service.clone()], &[other.clone(), service, after.clone()], &policy).unwrap().len(),
        1
    );
    assert_eq!(check_all(std::slice::from_ref(&before), &[other], &policy).unwrap(), []);
    let mut beta = after;
    beta["apiVersion"] = json!("apiextensions.k8s.io/v1beta1");
    assert_eq!(check_all(std::slice::from_ref(&before), std::slice::from_ref(&beta), &policy).unwrap(), []);
    assert!(matches!(check(&before, &beta, &policy), Err(Error::NotACrd { .. })));
}

#[test]
fn what_the_api_would_not_decode_is_an_error() {
    let good = crd(json!({}));
    let error = |schema: Value| check(&good, &crd(schema), &Policy::strict()).unwrap_err().to_string();
    let at = "widgets.example.com: spec.versions[0].schema.openAPIV3Schema";
    assert_eq!(
        error(json!({"properties": {"a": {"type": 1}}})),
        format!("{at}.properties.a.type: a string expected, found a number")
    );
    assert_eq!(error(json!({"maxLength": 1.5})), format!("{at}.maxLength: a whole number expected, found a number"));
    assert_eq!(
        error(json!({"additionalProperties": "yes"})),
        format!("{at}.additionalProperties: a boolean or a schema expected, found a string")
    );
    // What the API reads in a way of its own.
    for schema in [json!({"maxLength": 3.0}), json!({"items": true}), json!({"dependencies": {"a": 1}}), json!({"type": null})] {
        assert!(check(&good, &crd(schema), &Policy::strict()).is_ok());
    }
    let without = versions(json!([{"name": "v1", "served": true, "storage": true}]));
    let lacks = "widgets.example.com: version v1 has no schema to compare";
    assert_eq!(check(&good, &without, &Policy::strict()).unwrap_err().to_string(), lacks);
    // A pair of the before side is compared although the after side does not have it.
    let version = |name: &str| json!({"name": name, "served": true, "schema": {"openAPIV3Schema": {}}});
    let pair = versions(json!([{"name": "v1", "served": true}, version("v2")]));
    assert_eq!(check(&pair, &versions(json!([version("v2")])), &Policy::strict()).unwrap_err().to_string(), lacks);
}

#[test]
fn what_no_check_reads_is_decoded_all_the_same() {
    let good = crd(json!({}));
    let refused = |edit: fn(&mut Value)| {
        let mut bad = good.clone();
        edit(&mut bad);
        check_all(std::slice::from_ref(&good), &[bad], &Policy::strict()).map_err(|error| error.to_string())
    };
    assert_eq!(
        refused(|crd| crd["spec"]["names"] = json!([])).unwrap_err(),
        "widgets.example.com: spec.names: cannot restore struct from: slice"
    );
    assert!(refused(|crd| crd["metadata"]["labels"] = json!({"a": 1})).is_err());
    // Whether the CRD is there already makes no difference.
    assert!(refused(|crd| crd["metadata"]["name"] = json!(1)).is_err());
    assert!(refused(|crd| crd["metadata"]["name"] = json!("new.example.com")).is_ok());
    assert_eq!(refused(|crd| crd["unknown"] = json!(1)), Ok(Vec::new()));
}

#[test]
fn whole_numbers_that_do_not_fit_are_wrapped_or_refused() {
    let verdict = |schema: Value| check(&crd(json!({})), &crd(schema), &Policy::strict());
    let found = verdict(json!({"maxLength": 1e30})).unwrap();
    assert_eq!(found[0].message, "maximum constraint added when there was none previously : -9223372036854775808");
    assert!(verdict(json!({"items": {"maxLength": 1e30}})).is_err());
    assert!(verdict(json!({"items": {"maxLength": 5.0}})).is_ok());
}

#[test]
fn a_list_of_no_schemas_is_not_there() {
    let nested = |items: Value| crd(json!({"additionalProperties": {"items": items}}));
    assert_eq!(findings(&nested(json!([])), &nested(json!(null))), []);
    assert_eq!(findings(&nested(json!("x")), &nested(json!([]))), []);
}

#[test]
fn absurd_nesting_is_an_error() {
    for keyword in ["properties", "not", "items", "additionalProperties", "allOf", "dependencies"] {
        let mut schema = json!({"$ref": "#"});
        for _ in 0..10_000 {
            let inner = match keyword {
                "properties" | "dependencies" => Value::Object([("a".to_owned(), schema)].into_iter().collect()),
                "allOf" => Value::Array(vec![schema]),
                _ => schema,
            };
            schema = Value::Object([(keyword.to_owned(), inner)].into_iter().collect());
        }
        let mut document = crd(Value::Null);
        document["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema;
        let found = check(&document, &document, &Policy::strict());
        // Dropping it would overflow the stack.
        std::mem::forget(document);
        assert!(matches!(found, Err(Error::TooDeep { .. })), "{keyword}: {found:?}");
    }
}

#[test]
fn deep_schemas_are_compared() {
    let nested = |leaf: Value| {
        (0..120).fold(leaf, |schema, _| Value::Object([("additionalProperties".to_owned(), schema)].into_iter().collect()))
    };
    let found = findings(&crd(nested(json!({"format": "a"}))), &crd(nested(json!({"format": "b"}))));
    assert_eq!(found.len(), 121);
}

#[test]
fn releases_before_crdify_stop_at_a_field_that_is_gone() {
    let old = Policy::olm(&Target::named("olm-1.3").unwrap());
    let before = crd(json!({"properties": {"a": {}, "b": {"type": "string", "enum": ["x"]}}}));
    let after = crd(json!({"properties": {"b": {"type": "integer", "enum": ["y"], "title": "t"}}}));
    let messages: Vec<String> = check(&before, &after, &old).unwrap().into_iter().map(|f| f.message).collect();
    let gone = "crd/widgets.example.com version/v1 field/^.a may not be removed";
    assert_eq!(messages, [gone, "calculating schema diff for CRD version \"v1\""]);
    let before = crd(json!({"properties": {"b": {"type": "string", "enum": ["x"]}}}));
    let messages: Vec<String> = check(&before, &after, &old).unwrap().into_iter().map(|f| f.message).collect();
    let unknown = "has unknown change, refusing to determine that change is safe";
    let removed = "enums [\"x\"] removed from the set of previously allowed values";
    assert_eq!(messages, [removed, "type changed from \"string\" to \"integer\"", unknown]);
}

#[test]
fn a_release_that_changed_on_its_way_says_so() {
    let changed: Vec<String> =
        Target::names().into_iter().filter(|name| Policy::olm(&Target::named(name).unwrap()).approximation().is_some()).collect();
    assert_eq!(changed, ["ocp-4.18", "ocp-4.19"]);
}

#[test]
fn older_releases_crash_where_nothing_is_served() {
    let unserved = versions(json!([{"name": "v1", "served": false, "storage": true, "schema": {"openAPIV3Schema": {}}}]));
    let verdict = |name: &str, after: &Value| check(&unserved, after, &Policy::olm(&Target::named(name).unwrap()));
    let crash = Err(Error::NoneServed { crd: "widgets.example.com".to_owned() });
    for name in ["olm-1.0", "olm-1.3", "olm-1.4", "ocp-4.19"] {
        assert_eq!(verdict(name, &unserved), crash, "{name}");
        let mut converting = unserved.clone();
        converting["spec"]["conversion"] = json!({"strategy": "Webhook"});
        assert_eq!(verdict(name, &converting), Ok(Vec::new()), "{name}");
    }
    assert_eq!(verdict("olm-1.5", &unserved), Ok(Vec::new()));
}

#[test]
fn releases_differ_in_what_they_understand() {
    let understood = |name: &str, before: &Value, after: &Value| {
        let found = check(before, after, &Policy::olm(&Target::named(name).unwrap())).unwrap();
        found.iter().map(|f| format!("{} {}", f.property.clone().unwrap_or_default(), f.check)).collect::<Vec<_>>()
    };
    let (before, after) = (crd(json!({"items": {"pattern": "a"}})), crd(json!({"items": {"pattern": "b"}})));
    assert_eq!(understood("olm-1.4", &before, &after), ["^ unhandled", "^[*] unhandled"]);
    assert_eq!(understood("olm-1.5", &before, &after), ["^[*] unhandled"]);
    assert_eq!(understood("olm-1.9", &before, &after), ["^.items pattern"]);
    assert_eq!(understood("olm-1.2", &before, &after), ["^ unhandled", "^[*] unhandled"]);
    for name in ["olm-1.3", "ocp-4.18", "ocp-4.19"] {
        assert_eq!(understood(name, &before, &after), ["^[*] unhandled"], "{name}");
    }
    let (before, after) = (crd(json!({"oneOf": [{"required": ["a"]}]})), crd(json!({"oneOf": [{"required": ["b"]}]})));
    assert_eq!(understood("olm-1.9", &before, &after), ["^ unhandled", "^.oneOf[0] required"]);
    assert_eq!(understood("olm-1.10", &before, &after), ["^ oneOf", "^.oneOf[0] required"]);
    let (before, after) = (crd(json!({"enum": ["a"]})), crd(json!({"enum": ["a", "b"]})));
    assert_eq!(understood("olm-1.4", &before, &after), ["^ enum"]);
    for name in ["olm-1.3", "ocp-4.20", "olm-1.5", "olm-1.11"] {
        assert_eq!(understood(name, &before, &after), [""; 0], "{name}");
    }
    let (before, after) = (crd(json!({"description": "a"})), crd(json!({"description": "b"})));
    assert_eq!(understood("olm-1.3", &before, &after), ["^ unhandled"]);
    assert_eq!(understood("ocp-4.19", &before, &after), [""; 0]);
}
