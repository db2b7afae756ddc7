//! What Go's standard library makes of values, where the reference's words depend on it.

mod float;
pub(crate) mod json;
mod text;

pub(crate) use crate::quote::go_quote as quote;
pub(crate) use float::{float_g, float_json};
pub(crate) use text::{is_print, is_space, list};
