//! JSON as Go's `encoding/json` decodes a stream of it.

mod check;
mod value;

pub(crate) use check::{Broken, next_value, only_value};
pub(super) use value::load;
