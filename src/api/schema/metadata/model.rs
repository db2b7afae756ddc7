//! What of the metadata is known and checked.

use std::collections::BTreeMap;

/// The fields of `metadata`, sorted.
pub(in super::super) const FIELDS: [&str; 15] = [
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
pub(in super::super) struct Metadata {
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
pub(in super::super) struct OwnerReference {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) uid: String,
    pub(super) controller: bool,
}

/// An entry of `metadata.managedFields`.
#[derive(Debug, Default)]
pub(in super::super) struct ManagedFields {
    pub(super) manager: String,
    pub(super) operation: String,
    pub(super) fields_type: String,
    pub(super) subresource: String,
}
