//! A document of a manifest file as the objects that it stands for: itself, or the items of a list.
//!
//! Follows k8s.io/cli-runtime `pkg/resource` (v0.36) as the controller uses it: local, unstructured, flattening lists.

use super::go::{self, Decoder, Mismatch};
use super::model::text;
use crate::go::{json, quote};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The objects of a document.
pub(super) enum Objects {
    /// The document is null.
    None,
    /// The document is one object.
    One(Value),
    /// The document is a list. Its items are gone through to the end, whatever is wrong with one; errors come together.
    List(Vec<Result<Value, String>>),
}

/// Takes a document apart. `written` gives the document as it is written, where it is JSON.
///
/// # Errors
/// In cli-runtime's words.
pub(super) fn objects<'t>(file: &str, document: Value, written: impl Fn() -> Option<&'t str>) -> Result<Objects, Mismatch> {
    if document.is_null() {
        return Ok(Objects::None);
    }
    let quoted = quote(file);
    decode(document, written).map_err(|mismatch| prefixed(&format!("unable to decode {quoted}: "), &mismatch))
}

/// The kind that Go's GroupVersionKind gives: empty where the API version is malformed.
pub(super) fn effective_kind(object: &Value) -> &str {
    if text(object, "apiVersion").matches('/').count() > 1 { "" } else { text(object, "kind") }
}

/// Errors that came together, as apimachinery's aggregate says them; `None` where there are none.
pub(super) fn aggregate(errors: Vec<String>) -> Option<String> {
    let mut seen = BTreeSet::new();
    let mut distinct: Vec<String> = errors.into_iter().filter(|error| seen.insert(error.clone())).collect();
    if distinct.len() > 1 { Some(format!("[{}]", distinct.join(", "))) } else { distinct.pop() }
}

fn prefixed(prefix: &str, mismatch: &Mismatch) -> Mismatch {
    let plain = Mismatch::plain(format!("{prefix}{mismatch}"));
    mismatch.path().0.into_iter().rev().fold(plain, Mismatch::below)
}

fn decode<'t>(mut document: Value, written: impl Fn() -> Option<&'t str>) -> Result<Objects, Mismatch> {
    if !document.is_object() {
        return Err(Mismatch::json(json::kind(&document), "unstructured.detector"));
    }
    let Some(items) = document.get("items") else {
        known(&document, written)?;
        drop_empty_namespace(&mut document);
        return Ok(Objects::One(document));
    };
    let items = list_items(items, text(&document, "kind"), text(&document, "apiVersion"))?;
    known(&document, written)?;
    Ok(Objects::List(flatten(items)))
}

/// The items of a list; one without kind and API version gets those that the list's suggest.
fn list_items(items: &Value, kind: &str, version: &str) -> Result<Vec<Value>, Mismatch> {
    let items = match items {
        Value::Null => return Ok(Vec::new()),
        Value::Array(items) => items,
        other => {
            return Err(Mismatch::json(json::kind(other), "[]json.RawMessage").below_field("decodeList", "items"));
        }
    };
    let mut out = Vec::with_capacity(items.len());
    for item in items {
        let mut item = match item {
            Value::Null => Value::Object(Map::new()),
            item if item.is_object() => item.clone(),
            other => return Err(Mismatch::json(json::kind(other), "map[string]interface {}")),
        };
        if text(&item, "kind").is_empty()
            && text(&item, "apiVersion").is_empty()
            && let Some(map) = item.as_object_mut()
        {
            map.insert("kind".to_owned(), Value::from(kind.strip_suffix("List").unwrap_or(kind)));
            map.insert("apiVersion".to_owned(), Value::from(version));
        }
        out.push(item);
    }
    Ok(out)
}

/// The items, each an object; a list among them is none that could be taken apart.
fn flatten(items: Vec<Value>) -> Vec<Result<Value, String>> {
    if items.iter().any(|item| item.get("items").is_some_and(Value::is_array)) {
        return vec![Err("*unstructured.Unstructured is not a list: no Items field in this object".to_owned())];
    }
    items.into_iter().map(typed).collect()
}

fn typed(mut item: Value) -> Result<Value, String> {
    let missing = if effective_kind(&item).is_empty() {
        "Object 'Kind' is missing in 'object has no kind field '"
    } else if version_of(&item).is_empty() {
        "Object 'apiVersion' is missing in 'object has no apiVersion field'"
    } else {
        drop_empty_namespace(&mut item);
        return Ok(item);
    };
    Err(format!("unable to get type info from the object \"*unstructured.Unstructured\": {missing}"))
}

fn version_of(item: &Value) -> &str {
    let version = text(item, "apiVersion");
    version.split_once('/').map_or(version, |(_, version)| version)
}

/// An object must have a kind, and metadata that Go can read.
fn known<'t>(object: &Value, written: impl Fn() -> Option<&'t str>) -> Result<(), Mismatch> {
    if effective_kind(object).is_empty() {
        let written = written().map_or_else(|| json::text(object), str::to_owned);
        return Err(Mismatch::plain(format!("Object 'Kind' is missing in '{written}'")));
    }
    let metadata = object.get("metadata").filter(|metadata| !plain(metadata)).and_then(|metadata| {
        let check = go::check(metadata, &go::named("meta/v1.ObjectMeta"), Decoder::Json);
        check.map_err(|mismatch| mismatch.below_field("metadataOnlyObject", "metadata")).err()
    });
    if let Some(version) = object.get("apiVersion")
        && !version.is_string()
        && !version.is_null()
    {
        // The field stands in a struct within the struct.
        let mismatch = Mismatch::json(json::kind(version), "string").below_field("metadataOnlyObject", "apiVersion");
        return metadata.filter(Mismatch::stops).map_or_else(|| Err(mismatch.within("TypeMeta")), Err);
    }
    metadata.map_or(Ok(()), Err)
}

/// Whether metadata needs no closer look: texts, maps of texts, nulls.
fn plain(metadata: &Value) -> bool {
    let Some(metadata) = metadata.as_object() else { return metadata.is_null() };
    metadata.iter().all(|(key, value)| match (key.as_str(), value) {
        (_, Value::Null) | ("name" | "namespace" | "generateName" | "selfLink" | "uid" | "resourceVersion", Value::String(_)) => {
            true
        }
        ("labels" | "annotations", Value::Object(map)) => map.values().all(Value::is_string),
        _ => false,
    })
}

/// cli-runtime takes an empty namespace out.
fn drop_empty_namespace(object: &mut Value) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut)
        && metadata.get("namespace").is_some_and(|namespace| namespace.as_str().is_none_or(str::is_empty))
    {
        metadata.shift_remove("namespace");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refusal(document: Value) -> String {
        match objects("manifests/a.yaml", document, || None) {
            Err(mismatch) => mismatch.to_string(),
            Ok(_) => panic!("taken"),
        }
    }

    #[test]
    fn refuses_in_cli_runtimes_words() {
        assert_eq!(
            refusal(json!({"metadata": {"name": "x"}})),
            r#"unable to decode "manifests/a.yaml": Object 'Kind' is missing in '{"metadata":{"name":"x"}}'"#
        );
        assert_eq!(
            refusal(json!("text")),
            r#"unable to decode "manifests/a.yaml": json: cannot unmarshal string into Go value of type unstructured.detector"#
        );
        assert_eq!(
            refusal(json!({"kind": "A", "metadata": {"labels": {"a": 1}}})),
            r#"unable to decode "manifests/a.yaml": json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string"#
        );
    }

    #[test]
    fn a_wrong_api_version_is_said_unless_metadata_stop_the_decoder() {
        let words = "unable to decode \"manifests/a.yaml\": ";
        assert_eq!(
            refusal(json!({"kind": "A", "apiVersion": 1, "metadata": {"labels": 1}})),
            format!(
                "{words}json: cannot unmarshal number into Go struct field metadataOnlyObject.TypeMeta.apiVersion of type string"
            )
        );
        let refused = refusal(json!({"kind": "A", "apiVersion": 1, "metadata": {"creationTimestamp": "x"}}));
        assert!(refused.starts_with(&format!("{words}parsing time")), "{refused}");
    }

    #[test]
    fn lists_are_taken_apart() {
        let list = json!({"kind": "SecretList", "apiVersion": "v1", "items": [
            {"metadata": {"name": "a", "namespace": ""}},
            {"kind": "C", "apiVersion": "v1"},
            {"kind": "B"},
        ]});
        let Ok(Objects::List(items)) = objects("f", list, || None) else { panic!("no list") };
        assert_eq!(items.len(), 3);
        assert_eq!(items[0], Ok(json!({"metadata": {"name": "a"}, "kind": "Secret", "apiVersion": "v1"})));
        assert_eq!(items[1], Ok(json!({"kind": "C", "apiVersion": "v1"})));
        assert!(items[2].as_ref().unwrap_err().ends_with("Object 'apiVersion' is missing in 'object has no apiVersion field'"));
        let nested = json!({"kind": "List", "apiVersion": "v1", "items": [{"kind": "B"}, {"kind": "List", "items": []}]});
        let Ok(Objects::List(items)) = objects("f", nested, || None) else { panic!("no list") };
        assert_eq!(items, [Err("*unstructured.Unstructured is not a list: no Items field in this object".to_owned())]);
        assert_eq!(aggregate(vec!["a".into(), "b".into(), "a".into()]).as_deref(), Some("[a, b]"));
        assert_eq!(aggregate(Vec::new()), None);
    }

    #[test]
    fn an_object_without_api_version_is_taken() {
        assert!(matches!(objects("f", json!({"kind": "A"}), || None), Ok(Objects::One(_))));
        assert!(matches!(objects("f", Value::Null, || None), Ok(Objects::None)));
    }
}
