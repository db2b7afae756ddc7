//! `apiVersion`, `kind` and `metadata` -> [`Metadata`], as the API server decodes them into Go's types: a value of the wrong type
//! makes the whole object unreadable, an unknown field is dropped.
//!
//! Follows apiextensions-apiserver v0.36.2 `pkg/apiserver/schema/objectmeta/coerce.go` (`GetObjectMetaWithOptions`) and
//! apimachinery v0.36.2 `pkg/apis/meta/v1/types.go`.

use super::super::verdict::{At, Dropped, ErrorKind, SchemaError};
use super::reader::{Reader, sorted, time};
use super::{ManagedFields, Metadata, OwnerReference};
use crate::go::json;
use serde_json::{Map, Value};

pub(in super::super) fn decode(object: &Value, dropped: &mut Vec<Dropped>) -> Result<Metadata, SchemaError> {
    for key in ["apiVersion", "kind"] {
        let message = match object.get(key) {
            None | Some(Value::String(_)) => continue,
            Some(Value::Null) => format!(".{key} accessor error: <nil> is of the type <nil>, expected string"),
            Some(value) => {
                let found = json::kind(value);
                format!(
                    "couldn't get version/kind; json parse error: json: cannot unmarshal {found} into Go struct field .{key} of type string"
                )
            }
        };
        return Err(SchemaError::at(&At::ROOT.key(key), ErrorKind::Malformed, message));
    }
    let mut out = Metadata::default();
    let at = At::ROOT.key("metadata");
    let value = match object.get("metadata") {
        None | Some(Value::Null) => return Ok(out),
        Some(value) => value,
    };
    let Value::Object(map) = value else {
        let message = format!("json: cannot unmarshal {} into Go value of type v1.ObjectMeta", json::kind(value));
        return Err(SchemaError::at(&at, ErrorKind::Malformed, message));
    };
    times(map, &at)?;
    let mut reader = Reader { context: "ObjectMeta", prefix: "", dropped };

    for (key, value) in sorted(map) {
        let at = at.key(key);
        match key {
            "name" => out.name = reader.text(key, value, &at, "string")?,
            "generateName" => out.generate_name = reader.text(key, value, &at, "string")?,
            "namespace" => out.namespace = reader.text(key, value, &at, "string")?,
            "selfLink" | "resourceVersion" => drop(reader.text(key, value, &at, "string")?),
            "uid" => drop(reader.text(key, value, &at, "types.UID")?),
            "generation" | "deletionGracePeriodSeconds" => reader.int(key, value, &at)?,
            "creationTimestamp" | "deletionTimestamp" => {}
            "labels" => out.labels = reader.texts(key, value, &at)?,
            "annotations" => out.annotations = reader.texts(key, value, &at)?,
            "finalizers" => {
                for (index, item) in reader.list(key, value, &at, "[]string")?.iter().enumerate() {
                    out.finalizers.push(reader.text(key, item, &at.index(index), "string")?);
                }
            }
            "ownerReferences" => {
                for (index, item) in reader.list(key, value, &at, "[]v1.OwnerReference")?.iter().enumerate() {
                    out.owner_references.push(owner_reference(&mut reader, item, &at.index(index))?);
                }
            }
            "managedFields" => {
                for (index, item) in reader.list(key, value, &at, "[]v1.ManagedFieldsEntry")?.iter().enumerate() {
                    out.managed_fields.push(managed_fields(&mut reader, item, &at.index(index))?);
                }
            }
            _ => reader.drop(&at),
        }
    }
    Ok(out)
}

/// The times. They decode themselves: where one fails, Go stops at once and forgets what was wrong before.
fn times(map: &Map<String, Value>, at: &At<'_>) -> Result<(), SchemaError> {
    for key in ["creationTimestamp", "deletionTimestamp"] {
        if let Some(value) = map.get(key) {
            time(&format!("ObjectMeta.{key}"), value, &at.key(key))?;
        }
    }
    let at = at.key("managedFields");
    for (index, entry) in map.get("managedFields").and_then(Value::as_array).into_iter().flatten().enumerate() {
        if let Some(value) = entry.get("time") {
            time("ManagedFieldsEntry.managedFields.time", value, &at.index(index).key("time"))?;
        }
    }
    Ok(())
}

fn owner_reference(reader: &mut Reader<'_>, value: &Value, at: &At<'_>) -> Result<OwnerReference, SchemaError> {
    let mut out = OwnerReference::default();
    let map = reader.map("ownerReferences", value, at, "v1.OwnerReference")?;
    let mut reader = Reader { context: "OwnerReference", prefix: "ownerReferences.", dropped: reader.dropped };
    for (key, value) in map {
        let at = at.key(key);
        match key {
            "apiVersion" => out.api_version = reader.text(key, value, &at, "string")?,
            "kind" => out.kind = reader.text(key, value, &at, "string")?,
            "name" => out.name = reader.text(key, value, &at, "string")?,
            "uid" => out.uid = reader.text(key, value, &at, "types.UID")?,
            "controller" => out.controller = reader.flag(key, value, &at)?,
            "blockOwnerDeletion" => drop(reader.flag(key, value, &at)?),
            _ => reader.drop(&at),
        }
    }
    Ok(out)
}

fn managed_fields(reader: &mut Reader<'_>, value: &Value, at: &At<'_>) -> Result<ManagedFields, SchemaError> {
    let mut out = ManagedFields::default();
    let map = reader.map("managedFields", value, at, "v1.ManagedFieldsEntry")?;
    let mut reader = Reader { context: "ManagedFieldsEntry", prefix: "managedFields.", dropped: reader.dropped };
    for (key, value) in map {
        let at = at.key(key);
        match key {
            "manager" => out.manager = reader.text(key, value, &at, "string")?,
            "operation" => out.operation = reader.text(key, value, &at, "v1.ManagedFieldsOperationType")?,
            "apiVersion" => drop(reader.text(key, value, &at, "string")?),
            "time" => {}
            "fieldsType" => out.fields_type = reader.text(key, value, &at, "string")?,
            "fieldsV1" => {}
            "subresource" => out.subresource = reader.text(key, value, &at, "string")?,
            _ => reader.drop(&at),
        }
    }
    Ok(out)
}
