//! JSON as Go's encoding/json (version 1) reads and writes it, where that differs from what serde_json does.
//!
//! Differences that a catalog can show: nesting up to 10,000; invalid UTF-8 and lone surrogates read as U+FFFD, one a byte;
//! numbers read as 64-bit floats, and refused where they do not fit; of equal keys the last one counts.

mod eight;
mod pretty;
mod scan;
mod string;
mod syntax;
mod tree;

pub(super) use scan::Scanner;
pub(super) use string::{fold_key, names_field, unquote};
pub(super) use syntax::Fault;
pub(super) use tree::{Json, parse};
