//! The labels that say whose an object is.

use serde_json::{Map, Value};

/// Adds the labels that the controller puts on every object of an extension.
///
/// Follows operator-controller `internal/operator-controller/labels/labels.go` and `applier/helm.go` (v1.11.0).
pub(super) fn label(object: &mut Value, extension: &str) {
    let Some(object) = object.as_object_mut() else { return };
    let metadata = object.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    let Some(metadata) = metadata.as_object_mut() else { return };
    let labels = metadata.entry("labels").or_insert(Value::Null);
    if !labels.is_object() {
        *labels = Value::Object(Map::new());
    }
    if let Some(labels) = labels.as_object_mut() {
        // What Go reads as a map of texts has no nulls; one that holds anything else it reads as none.
        if labels.values().any(|value| !value.is_string() && !value.is_null()) {
            labels.clear();
        }
        labels.values_mut().filter(|value| value.is_null()).for_each(|value| *value = Value::from(""));
        labels.insert("olm.operatorframework.io/owner-kind".to_owned(), Value::from("ClusterExtension"));
        labels.insert("olm.operatorframework.io/owner-name".to_owned(), Value::from(extension));
        labels.sort_keys();
    }
    metadata.sort_keys();
    if !object.keys().is_sorted() {
        object.sort_keys();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn labels_are_added_to_what_is_there() {
        let mut object = json!({"kind": "A", "metadata": {"name": "a", "labels": {"z": null}}});
        label(&mut object, "e");
        assert_eq!(
            object.to_string(),
            r#"{"kind":"A","metadata":{"labels":{"olm.operatorframework.io/owner-kind":"ClusterExtension","olm.operatorframework.io/owner-name":"e","z":""},"name":"a"}}"#
        );
        let mut object = json!({"kind": "A"});
        label(&mut object, "e");
        assert_eq!(object["metadata"]["labels"]["olm.operatorframework.io/owner-name"], "e");
    }
}
