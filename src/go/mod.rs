//! What Go's standard library makes of values, where the controller's answers depend on it.
//!
//! One file a package of Go, or a part of one. Promised: the same text and the same refusals as Go's, in its words. How values fare
//! in Go's structs is `bundle`'s, how go-yaml reads them is `yaml`'s.

pub(crate) mod base64;
pub(crate) mod float;
pub(crate) mod json;
pub(crate) mod number;
mod quote;
pub(crate) mod time;
pub(crate) mod utf8;

pub(crate) use quote::{is_print, is_space, list, quote};
