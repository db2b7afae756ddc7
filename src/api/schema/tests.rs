//! Objects -> the answer of the API server.

use super::*;
use crate::api::Kind;
use crate::place::FieldPath;
use proptest::prelude::*;
use serde_json::Value;
use serde_json::json;

fn extension() -> Value {
    json!({
        "apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension", "metadata": {"name": "argocd"},
        "spec": {
            "namespace": "argocd", "serviceAccount": {"name": "installer"},
            "source": {"sourceType": "Catalog", "catalog": {"packageName": "argocd-operator"}},
        },
    })
}

fn newest(kind: Kind) -> &'static Schema {
    Schema::served(kind, 11, Set::Experimental)
}

fn said(object: &Value) -> Vec<String> {
    let verdict = newest(Kind::ClusterExtension).validate(object);
    verdict.errors.iter().map(|e| format!("{}: {}", e.field, e.message)).collect()
}

#[test]
fn every_schema_is_understood() {
    for kind in Kind::ALL {
        for minor in 0..12 {
            for set in [Set::Standard, Set::Experimental] {
                let schema = Schema::served(kind, minor, set);
                assert_eq!(schema.unread, None, "{kind} 1.{minor} {set:?}");
                assert_eq!(rule::broken(&schema.root), Vec::<String>::new(), "{kind} 1.{minor} {set:?}");
            }
        }
    }
}

#[test]
fn a_release_after_the_newest_serves_the_newest() {
    let schema = Schema::served(Kind::ClusterExtension, 99, Set::Standard);
    assert!(std::ptr::eq(schema, Schema::served(Kind::ClusterExtension, 11, Set::Standard)));
}

#[test]
fn speaks_as_the_api_server_does() {
    assert_eq!(said(&extension()), Vec::<String>::new());
    let mut object = extension();
    object["spec"]["namespace"] = json!("A");
    assert_eq!(said(&object), ["spec.namespace: Invalid value: \"A\": namespace must be a valid DNS1123 label"]);
    object["spec"]["namespace"] = json!(5);
    assert_eq!(
        said(&object),
        ["spec.namespace: Invalid value: \"integer\": spec.namespace in body must be of type string: \"integer\""]
    );
    object["spec"]["namespace"] = json!("a".repeat(64));
    assert_eq!(said(&object), ["spec.namespace: Too long: may not be more than 63 bytes"]);
    let mut object = extension();
    object["spec"]["source"] = json!({"sourceType": "Catalog"});
    assert_eq!(
        said(&object),
        ["spec.source: Invalid value: catalog is required when sourceType is Catalog, and forbidden otherwise"]
    );
    object["spec"]["source"] = json!({"sourceType": "Bundle"});
    assert_eq!(said(&object), ["spec.source.sourceType: Unsupported value: \"Bundle\": supported values: \"Catalog\""]);
    let mut object = extension();
    object["spec"]["progressDeadlineMinutes"] = json!(9);
    assert_eq!(
        said(&object),
        [
            "spec.progressDeadlineMinutes: Invalid value: 9: spec.progressDeadlineMinutes in body should be greater than or equal to 10"
        ]
    );
    object["spec"]["progressDeadlineMinutes"] = json!(12.5);
    assert_eq!(
        said(&object),
        [
            "spec.progressDeadlineMinutes: Invalid value: \"float64\": spec.progressDeadlineMinutes in body must be of type int32: \"float64\""
        ]
    );
    object["spec"]["progressDeadlineMinutes"] = json!(12.0);
    assert_eq!(said(&object), Vec::<String>::new());
}

#[test]
fn a_value_of_the_wrong_type_is_no_enum_value_either() {
    let mut object = extension();
    object["spec"]["source"]["catalog"]["upgradeConstraintPolicy"] = json!({"a": 1});
    let verdict = newest(Kind::ClusterExtension).validate(&object);
    let kinds: Vec<_> = verdict.errors.iter().map(|e| e.kind).collect();
    assert_eq!(kinds, [ErrorKind::TypeInvalid, ErrorKind::NotSupported]);
    assert_eq!(verdict.dropped[0].field, "spec.source.catalog.upgradeConstraintPolicy.a");
}

#[test]
fn errors_hide_rules() {
    let mut object = extension();
    object["spec"]["namespace"] = json!("A");
    object["spec"]["source"]["sourceType"] = json!("Bundle");
    let verdict = newest(Kind::ClusterExtension).validate(&object);
    let fields: Vec<_> = verdict.errors.iter().map(|e| e.field.as_str()).collect();
    assert_eq!(fields, ["spec.source.sourceType"]);
    assert_eq!(verdict.unplaced.len(), 1);
}

#[test]
fn fills_in_defaults_and_keeps_the_status() {
    let mut object = extension();
    object["spec"]["unknown"] = json!(1);
    object["spec"]["install"] = json!(null);
    object["status"] = json!({"install": {"bundle": {"name": "x", "version": "1.0.0"}}});
    let stored = newest(Kind::ClusterExtension).default(&object);
    let mut want = extension();
    want["spec"]["source"]["catalog"]["upgradeConstraintPolicy"] = json!("CatalogProvided");
    want["status"] = object["status"].clone();
    assert_eq!(stored, want);
    let catalog = json!({"spec": {"priority": null, "source": {"type": "Image"}}});
    let stored = newest(Kind::ClusterCatalog).default(&catalog);
    assert_eq!(stored["spec"], json!({"priority": 0, "availabilityMode": "Available", "source": {"type": "Image"}}));
}

#[test]
fn places_go_further_than_names() {
    let mut object = extension();
    object["metadata"]["labels"] = json!({"a.b/c": "not ok"});
    let verdict = newest(Kind::ClusterExtension).validate(&object);
    assert_eq!(verdict.errors[0].field, "metadata.labels");
    assert_eq!(verdict.errors[0].path, FieldPath::of("metadata.labels").key("a.b/c"));
}

#[test]
fn metadata_is_decoded_as_go_does() {
    let mut object = extension();
    object["metadata"]["ownerReferences"] = json!([{"name": 5}]);
    let verdict = newest(Kind::ClusterExtension).validate(&object);
    assert_eq!(
        verdict.errors[0].message,
        "json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.name of type string"
    );
    assert_eq!(verdict.errors[0].path, FieldPath::of("metadata.ownerReferences").index(0).key("name"));
    let mut object = extension();
    object["metadata"]["annotations"] = json!(5);
    object["metadata"]["managedFields"] = json!([{"time": 5}]);
    let verdict = newest(Kind::ClusterExtension).validate(&object);
    assert_eq!(
        verdict.errors[0].message,
        "json: cannot unmarshal number into Go struct field ManagedFieldsEntry.managedFields.time of type string"
    );
    let mut object = extension();
    object["metadata"]["generateName"] = json!("é-");
    assert_eq!(newest(Kind::ClusterExtension).validate(&object).errors[0].field, "metadata.generateName");
    let mut object = extension();
    object["apiVersion"] = json!(null);
    let told = &newest(Kind::ClusterExtension).validate(&object).errors[0];
    assert_eq!(told.kind, ErrorKind::Malformed);
    assert_eq!(told.message, ".apiVersion accessor error: <nil> is of the type <nil>, expected string");
    let mut object = extension();
    object["metadata"]["label"] = json!({});
    let verdict = newest(Kind::ClusterExtension).validate(&object);
    assert_eq!(verdict.dropped[0].field, "metadata.label");
    assert!(verdict.errors.is_empty());
}

#[test]
fn knows_its_fields() {
    let schema = newest(Kind::ClusterExtension);
    assert_eq!(schema.fields(&FieldPath::of("spec.serviceAccount")), ["name"]);
    assert!(schema.fields(&FieldPath::of("spec.config.inline.x")).is_empty());
    assert!(schema.fields(&FieldPath::of("metadata")).contains(&"labels"));
    assert!(schema.has(&FieldPath::of("spec.config")) && !schema.has(&FieldPath::of("spec.conf")));
    assert_eq!(schema.allowed(&FieldPath::of("spec.source.sourceType")), ["Catalog"]);
    assert!(schema.is_text(&FieldPath::of("spec.source.catalog.channels").index(0)));
    assert!(!schema.is_text(&FieldPath::of("spec.source.catalog.channels")));
    assert_eq!(schema.elsewhere("packageName"), [FieldPath::of("spec.source.catalog.packageName")]);
}

#[test]
fn odd_objects_are_answered() {
    for object in
        [json!(null), json!([]), json!("x"), json!({}), json!({"spec": []}), json!({"metadata": []}), json!({"kind": 1})]
    {
        assert!(!newest(Kind::ClusterExtension).validate(&object).errors.is_empty(), "{object}");
    }
}

/// Any JSON, small.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-zA-Z.:/@*<>= 0-9-]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,8}", inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Where an edit may go.
const PLACES: [&str; 14] = [
    "/metadata",
    "/metadata/labels",
    "/metadata/name",
    "/metadata/ownerReferences",
    "/spec",
    "/spec/namespace",
    "/spec/config",
    "/spec/source",
    "/spec/source/image",
    "/spec/source/catalog",
    "/spec/source/catalog/channels",
    "/spec/source/catalog/version",
    "/spec/source/catalog/selector",
    "/status",
];

proptest! {
    /// Whatever stands in an object: it is answered, what is stored no longer holds what was dropped, and storing what is stored
    /// changes nothing.
    #[test]
    fn any_object_is_answered(edit in json(), place in 0..PLACES.len(), key in "[a-z]{1,8}", minor in 0u32..12) {
        for kind in Kind::ALL {
            let mut object = extension();
            object["kind"] = json!(kind.name());
            object["spec"]["source"]["image"] = json!({"ref": "quay.io/o/c:v1"});
            match object.pointer_mut(PLACES[place]) {
                Some(Value::Object(map)) if !edit.is_object() => drop(map.insert(key.clone(), edit.clone())),
                Some(value) => *value = edit.clone(),
                None => object["spec"]["source"]["catalog"]["channels"] = edit.clone(),
            }
            let schema = Schema::served(kind, minor, Set::Experimental);
            let verdict = schema.validate(&object);
            let stored = schema.default(&object);
            prop_assert_eq!(&schema.default(&stored), &stored);
            let again = schema.validate(&stored);
            let ours = |d: &Dropped| !d.field.starts_with("metadata");
            prop_assert!(!again.dropped.iter().any(ours));
            if again.errors.iter().all(|e| e.kind != ErrorKind::Malformed) {
                prop_assert_eq!(&again.errors, &verdict.errors);
            }
        }
    }
}
