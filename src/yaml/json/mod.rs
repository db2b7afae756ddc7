//! JSON as Go's `encoding/json` decodes a stream of it.

mod check;
mod value;

pub(super) use check::{Broken, next_value};
pub(super) use value::load;
