//! The author's check of a catalog: what `opm validate` says.
//!
//! Three steps, each only where the one before finds nothing: the documents are read ([`load`]), put together ([`convert`]),
//! and the result is checked ([`check`]). A cluster does none of the last two.

mod check;
mod convert;
mod image;
mod load;
mod model;
mod property;
mod tree;
mod verdict;

pub use verdict::{Counts, Problem, Verdict, validate};
