//! The value of one document, from the bytes that a [`Found`](super::stream::Found) points at.

use super::json::{Json, parse};
use super::stream::{Form, yaml_value};

/// The value of a document that the stream has accepted, as the cluster stores it.
///
/// `Err` where the bytes are no such document: they are not the ones that were accepted.
pub(super) fn value(bytes: &[u8], form: Form) -> Result<Json, String> {
    match form {
        Form::Json => parse(bytes).map_err(|syntax| syntax.fault.to_string()),
        Form::Yaml => yaml_value(bytes),
    }
}
