//! A Git tree, a folder, a file or stdin -> the texts of manifests.
//!
//! Promises: a revision is read through `git` without touching the checkout; both sides of a comparison give the same paths
//! for the same files; only files that could concern us are kept; the order is that of the paths. Leaves to others: what a text
//! means (`api`).

mod error;
mod git;
mod source;
mod text;

pub use error::Error;
pub use git::Repository;
pub use source::{Root, Source, SourceFile};
pub use text::{Text, texts};
