//! The checks of `metadata`. `generation` is not among them: the API server sets it on creation.
//!
//! Follows apimachinery v0.36.2 `pkg/api/validation/objectmeta.go` (`ValidateObjectMetaAccessor`), `pkg/api/validation/generic.go`
//! (`NameIsDNSSubdomain`) and `pkg/apis/meta/v1/validation/validation.go` (`ValidateLabels`, `ValidateManagedFields`).

use super::super::verdict::{At, ErrorKind, SchemaError};
use super::{ManagedFields, Metadata, OwnerReference, names};
use crate::go::{json, quote};

const ANNOTATIONS_LIMIT: usize = 256 * 1024;

pub(in super::super) fn check(metadata: &Metadata, errors: &mut Vec<SchemaError>) {
    let at = At::ROOT.key("metadata");
    check_names(metadata, &at, errors);
    if !metadata.namespace.is_empty() {
        let message = "Forbidden: not allowed on this type".to_owned();
        errors.push(SchemaError::at(&at.key("namespace"), ErrorKind::Forbidden, message));
    }
    let labels = at.key("labels");
    for (key, value) in &metadata.labels {
        refuse(errors, &labels, key, key, names::label_key(key));
        refuse(errors, &labels, key, value, names::label_value(value));
    }
    let annotations = at.key("annotations");
    for key in metadata.annotations.keys() {
        refuse(errors, &annotations, key, key, names::label_key(&key.to_lowercase()));
    }
    if metadata.annotations.iter().map(|(key, value)| key.len() + value.len()).sum::<usize>() > ANNOTATIONS_LIMIT {
        let message = format!("Too long: may not be more than {ANNOTATIONS_LIMIT} bytes");
        errors.push(SchemaError::at(&annotations, ErrorKind::TooLong, message));
    }
    check_owners(&metadata.owner_references, &at.key("ownerReferences"), errors);
    check_finalizers(&metadata.finalizers, &at.key("finalizers"), errors);
    for (index, fields) in metadata.managed_fields.iter().enumerate() {
        check_managed_fields(fields, &at.key("managedFields").index(index), errors);
    }
}

fn check_names(metadata: &Metadata, at: &At<'_>, errors: &mut Vec<SchemaError>) {
    let Metadata { name, generate_name, .. } = metadata;
    if !generate_name.is_empty() {
        // What is generated goes where the dash ends; the dash alone is no fault.
        let masked = match generate_name.strip_suffix('-') {
            Some(stem) if !stem.is_empty() => {
                // A byte, not a character: half of one stays where it took two, and is refused as the whole of it would be.
                match stem.strip_suffix(|last: char| last.is_ascii()) {
                    Some(stem) => format!("{stem}a"),
                    None => stem.to_owned(),
                }
            }
            _ => generate_name.clone(),
        };
        for complaint in names::object_name(&masked) {
            errors.push(SchemaError::invalid(&at.key("generateName"), &quote(generate_name), &complaint));
        }
    }
    if name.is_empty() {
        let message = "Required value: name or generateName is required".to_owned();
        errors.push(SchemaError::at(&at.key("name"), ErrorKind::Required, message));
        return;
    }
    for complaint in names::object_name(name) {
        errors.push(SchemaError::invalid(&at.key("name"), &quote(name), &complaint));
    }
}

/// Complaints that the API server places at the whole map; the path goes on to the entry.
fn refuse(errors: &mut Vec<SchemaError>, map: &At<'_>, key: &str, shown: &str, complaints: Vec<String>) {
    for complaint in complaints {
        let error = SchemaError::invalid(&map.key(key), &quote(shown), &complaint);
        errors.push(SchemaError { field: map.field(), ..error });
    }
}

fn check_owners(owners: &[OwnerReference], at: &At<'_>, errors: &mut Vec<SchemaError>) {
    let mut controller: Option<String> = None;
    for (index, owner) in owners.iter().enumerate() {
        let mut invalid = |key: &str, value: &str, complaint: &str| {
            let error = SchemaError::invalid(&at.index(index).key(key), &quote(value), complaint);
            errors.push(SchemaError { field: at.key(key).field(), ..error });
        };
        let version = match owner.api_version.split_once('/') {
            Some((_, version)) if !version.contains('/') => version,
            Some(_) => "",
            None => &owner.api_version,
        };
        if version.is_empty() {
            invalid("apiVersion", &owner.api_version, "version must not be empty");
        }
        for (key, value) in [("kind", &owner.kind), ("name", &owner.name), ("uid", &owner.uid)] {
            if value.is_empty() {
                invalid(key, value, "must not be empty");
            }
        }
        let here = at.index(index);
        if matches!(owner.api_version.as_str(), "v1" | "/v1") && owner.kind == "Event" {
            let message = "Invalid value: /v1, Kind=Event is disallowed from being an owner".to_owned();
            errors.push(SchemaError { field: at.field(), ..SchemaError::at(&here, ErrorKind::Invalid, message) });
        }
        if owner.controller {
            let name = format!("{}/{}", owner.kind, owner.name);
            match &controller {
                None => controller = Some(name),
                Some(first) => {
                    let message = format!(
                        "Invalid value: Only one reference can have Controller set to true. Found \"true\" in references for {first} and {name}"
                    );
                    errors.push(SchemaError { field: at.field(), ..SchemaError::at(&here, ErrorKind::Invalid, message) });
                }
            }
        }
    }
}

fn check_finalizers(finalizers: &[String], at: &At<'_>, errors: &mut Vec<SchemaError>) {
    for (index, finalizer) in finalizers.iter().enumerate() {
        for complaint in names::label_key(finalizer) {
            let error = SchemaError::invalid(&at.index(index), &quote(finalizer), &complaint);
            errors.push(SchemaError { field: at.field(), ..error });
        }
    }
    let has = |name: &str| finalizers.iter().any(|f| f == name);
    if has("orphan") && has("foregroundDeletion") {
        let shown = json::text(&finalizers.into());
        errors.push(SchemaError::invalid(at, &shown, "finalizer orphan and foregroundDeletion cannot be both set"));
    }
}

fn check_managed_fields(fields: &ManagedFields, at: &At<'_>, errors: &mut Vec<SchemaError>) {
    if !matches!(fields.operation.as_str(), "Apply" | "Update") {
        errors.push(SchemaError::invalid(&at.key("operation"), &quote(&fields.operation), "must be `Apply` or `Update`"));
    }
    if !fields.fields_type.is_empty() && fields.fields_type != "FieldsV1" {
        errors.push(SchemaError::invalid(&at.key("fieldsType"), &quote(&fields.fields_type), "must be `FieldsV1`"));
    }
    for (key, value, most) in [("manager", &fields.manager, 128), ("subresource", &fields.subresource, 256)] {
        if value.len() > most {
            let message = format!("Too long: may not be more than {most} bytes");
            errors.push(SchemaError::at(&at.key(key), ErrorKind::TooLong, message));
        }
    }
}
