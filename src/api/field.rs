//! A [`Field`]: what stands in an object, and where.

use super::Manifest;
use crate::place::{FieldPath, Place, Step};
use serde_json::Value;

/// A value in an object, with its path from the object's root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field<T> {
    /// What stands there.
    pub value: T,
    /// Its path from the object's root; [`Manifest::field`] makes it one from the document's.
    pub path: FieldPath,
}

impl<T> Field<T> {
    /// Where it stands in the file; for a default, where it would.
    pub fn place(&self, manifest: &Manifest) -> Place {
        manifest.place(&self.path)
    }
}

/// The value at a path of keys.
pub(super) fn at<'a>(object: &'a Value, dotted: &str) -> Option<Field<&'a Value>> {
    let path = FieldPath::of(dotted);
    let value = path.0.iter().try_fold(object, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
    });
    value.map(|value| Field { value, path })
}

/// The text at a path of keys; none where something else stands there.
pub(super) fn text<'a>(object: &'a Value, dotted: &str) -> Option<Field<&'a str>> {
    at(object, dotted).and_then(|field| field.value.as_str().map(|value| Field { value, path: field.path }))
}

/// The integer at a path of keys; none where something else stands there.
pub(super) fn integer(object: &Value, dotted: &str) -> Option<Field<i64>> {
    at(object, dotted).and_then(|field| field.value.as_i64().map(|value| Field { value, path: field.path }))
}
