//! `apiVersion`, `kind` and `metadata` -> [`Metadata`], as the API server decodes them into Go's types: a value of the wrong type
//! makes the whole object unreadable, an unknown field is dropped.
//!
//! Follows apiextensions-apiserver v0.36.2 `pkg/apiserver/schema/objectmeta/coerce.go` (`GetObjectMetaWithOptions`), apimachinery
//! v0.36.2 `pkg/apis/meta/v1/types.go` and the errors of sigs.k8s.io/json.

use super::gotext::{self, Num};
use super::prune;
use super::verdict::{At, Dropped, ErrorKind, SchemaError};
use crate::place::FieldPath;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The fields of `metadata`, sorted.
pub(super) const FIELDS: [&str; 15] = [
    "annotations",
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "generation",
    "labels",
    "managedFields",
    "name",
    "namespace",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// What of the metadata is checked.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub(super) name: String,
    pub(super) generate_name: String,
    pub(super) namespace: String,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) annotations: BTreeMap<String, String>,
    pub(super) finalizers: Vec<String>,
    pub(super) owner_references: Vec<OwnerReference>,
    pub(super) managed_fields: Vec<ManagedFields>,
}

/// An entry of `metadata.ownerReferences`.
#[derive(Debug, Default)]
pub(super) struct OwnerReference {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) uid: String,
    pub(super) controller: bool,
}

/// An entry of `metadata.managedFields`.
#[derive(Debug, Default)]
pub(super) struct ManagedFields {
    pub(super) manager: String,
    pub(super) operation: String,
    pub(super) fields_type: String,
    pub(super) subresource: String,
}

pub(super) fn decode(object: &Value, dropped: &mut Vec<Dropped>) -> Result<Metadata, SchemaError> {
    for key in ["apiVersion", "kind"] {
        if let Some(value) = object.get(key)
            && !matches!(value, Value::String(_) | Value::Null)
        {
            let words = format!("json: cannot unmarshal {} into Go struct field .{key} of type string", found(value));
            let message = format!("couldn't get version/kind; json parse error: {words}");
            return Err(SchemaError::at(&At::ROOT.key(key), ErrorKind::Malformed, message));
        }
    }
    let mut out = Metadata::default();
    let at = At::ROOT.key("metadata");
    let value = match object.get("metadata") {
        None | Some(Value::Null) => return Ok(out),
        Some(value) => value,
    };
    let Value::Object(map) = value else {
        let message = format!("json: cannot unmarshal {} into Go value of type v1.ObjectMeta", found(value));
        return Err(SchemaError::at(&at, ErrorKind::Malformed, message));
    };
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
            "creationTimestamp" | "deletionTimestamp" => time(value, &at)?,
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
            "time" => time(value, &at)?,
            "fieldsType" => out.fields_type = reader.text(key, value, &at, "string")?,
            "fieldsV1" => {}
            "subresource" => out.subresource = reader.text(key, value, &at, "string")?,
            _ => reader.drop(&at),
        }
    }
    Ok(out)
}

/// Go decodes from JSON that was written with sorted keys; of several errors it reports the first.
fn sorted(map: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let mut entries: Vec<_> = map.iter().map(|(key, value)| (key.as_str(), value)).collect();
    entries.sort_by_key(|(key, _)| *key);
    entries
}

/// Reads values into the fields of one Go struct. Null leaves a field as it is.
struct Reader<'a> {
    context: &'static str,
    prefix: &'static str,
    dropped: &'a mut Vec<Dropped>,
}

impl Reader<'_> {
    fn refuse(&self, field: &str, found: &str, at: &At<'_>, wanted: &str) -> SchemaError {
        let Self { context, prefix, .. } = self;
        let message = format!("json: cannot unmarshal {found} into Go struct field {context}.{prefix}{field} of type {wanted}");
        SchemaError::at(at, ErrorKind::Malformed, message)
    }

    fn text(&self, field: &str, value: &Value, at: &At<'_>, wanted: &str) -> Result<String, SchemaError> {
        match value {
            Value::Null => Ok(String::new()),
            Value::String(text) => Ok(text.clone()),
            _ => Err(self.refuse(field, found(value), at, wanted)),
        }
    }

    fn texts(&self, field: &str, value: &Value, at: &At<'_>) -> Result<BTreeMap<String, String>, SchemaError> {
        let mut out = BTreeMap::new();
        for (key, value) in self.map(field, value, at, "map[string]string")? {
            out.insert(key.to_owned(), self.text(field, value, &at.key(key), "string")?);
        }
        Ok(out)
    }

    fn flag(&self, field: &str, value: &Value, at: &At<'_>) -> Result<bool, SchemaError> {
        match value {
            Value::Null => Ok(false),
            Value::Bool(flag) => Ok(*flag),
            _ => Err(self.refuse(field, found(value), at, "bool")),
        }
    }

    fn int(&self, field: &str, value: &Value, at: &At<'_>) -> Result<(), SchemaError> {
        match value {
            Value::Null => Ok(()),
            Value::Number(number) => match gotext::num(number) {
                Num::Float(float) if float != float.trunc() || float.abs() > 9e18 => {
                    Err(self.refuse(field, &format!("number {}", gotext::float_text(float)), at, "int64"))
                }
                _ => Ok(()),
            },
            _ => Err(self.refuse(field, found(value), at, "int64")),
        }
    }

    fn list<'v>(&self, field: &str, value: &'v Value, at: &At<'_>, wanted: &str) -> Result<&'v [Value], SchemaError> {
        match value {
            Value::Null => Ok(&[]),
            Value::Array(list) => Ok(list),
            _ => Err(self.refuse(field, found(value), at, wanted)),
        }
    }

    fn map<'v>(
        &self,
        field: &str,
        value: &'v Value,
        at: &At<'_>,
        wanted: &str,
    ) -> Result<Vec<(&'v str, &'v Value)>, SchemaError> {
        match value {
            Value::Null => Ok(Vec::new()),
            Value::Object(map) => Ok(sorted(map)),
            _ => Err(self.refuse(field, found(value), at, wanted)),
        }
    }

    fn drop(&mut self, at: &At<'_>) {
        let FieldPath(steps) = at.path();
        self.dropped.push(Dropped { field: prune::name(&steps), path: FieldPath(steps) });
    }
}

/// Follows apimachinery v0.36.2 `pkg/apis/meta/v1/time.go` (`UnmarshalJSON`).
fn time(value: &Value, at: &At<'_>) -> Result<(), SchemaError> {
    let message = match value {
        Value::Null => return Ok(()),
        Value::String(text) if is_rfc3339(text) => return Ok(()),
        Value::String(text) => format!("parsing time {} as \"2006-01-02T15:04:05Z07:00\"", gotext::quote(text)),
        _ => format!("json: cannot unmarshal {} into Go value of type string", found(value)),
    };
    Err(SchemaError::at(at, ErrorKind::Malformed, message))
}

fn is_rfc3339(text: &str) -> bool {
    let Some((date, rest)) = text.split_once('T') else { return false };
    let (clock, zone) = match rest.find(['Z', '+', '-']) {
        Some(split) => rest.split_at(split),
        None => return false,
    };
    let (clock, fraction) = clock.split_once(['.', ',']).map_or((clock, None), |(clock, fraction)| (clock, Some(fraction)));
    let numbers = |text: &str, separator: char, limits: &[(usize, u32, u32)]| {
        let parts: Vec<&str> = text.split(separator).collect();
        parts.len() == limits.len()
            && parts.iter().zip(limits).all(|(part, (width, least, most))| {
                part.len() == *width
                    && part.bytes().all(|b| b.is_ascii_digit())
                    && part.parse::<u32>().is_ok_and(|n| (*least..=*most).contains(&n))
            })
    };
    numbers(date, '-', &[(4, 0, 9999), (2, 1, 12), (2, 1, 31)])
        && numbers(clock, ':', &[(2, 0, 23), (2, 0, 59), (2, 0, 59)])
        && fraction.is_none_or(|f| !f.is_empty() && f.bytes().all(|b| b.is_ascii_digit()))
        && (zone == "Z" || zone.strip_prefix(['+', '-']).is_some_and(|z| numbers(z, ':', &[(2, 0, 24), (2, 0, 60)])))
}

fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_times() {
        for good in ["2026-08-21T10:00:00Z", "2026-08-21T10:00:00.5+02:00"] {
            assert!(is_rfc3339(good), "{good}");
        }
        for bad in ["", "2026-08-21", "2026-13-21T10:00:00Z", "2026-08-21T10:00:00", "x"] {
            assert!(!is_rfc3339(bad), "{bad}");
        }
    }
}
