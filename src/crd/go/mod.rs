//! What Go's standard library makes of values, where the reference's words depend on it.

pub(crate) mod float;
pub(crate) mod json;
pub(crate) mod quote;

pub(crate) use float::{float_g, float_json};
pub(crate) use quote::{is_print, is_space, list, quote};
