//! `metadata`: what it holds ([`Metadata`]), how it is [decoded](mod@decode), and what is [checked](mod@check).

mod check;
mod decode;
mod names;
mod reader;

pub(super) use check::check;
pub(super) use decode::decode;

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
    name: String,
    generate_name: String,
    namespace: String,
    labels: BTreeMap<String, String>,
    annotations: BTreeMap<String, String>,
    finalizers: Vec<String>,
    owner_references: Vec<OwnerReference>,
    managed_fields: Vec<ManagedFields>,
}

/// An entry of `metadata.ownerReferences`.
#[derive(Debug, Default)]
pub(super) struct OwnerReference {
    api_version: String,
    kind: String,
    name: String,
    uid: String,
    controller: bool,
}

/// An entry of `metadata.managedFields`.
#[derive(Debug, Default)]
pub(super) struct ManagedFields {
    manager: String,
    operation: String,
    fields_type: String,
    subresource: String,
}
