//! A Git tree, a folder, a file or stdin -> documents with places.
//!
//! Promises: a revision is read through `git` without touching the checkout; only files that could concern us are parsed; a
//! file that names the API group and does not parse is kept as broken, and the rest goes on; the order of files is that of
//! their paths. Leaves to others: what a document means (`api`).

mod error;
mod git;
mod manifest;
mod source;

pub use error::Error;
pub use git::Repository;
pub use manifest::{Broken, Manifest, Manifests, read_manifests};
pub use source::{Source, SourceFile};
