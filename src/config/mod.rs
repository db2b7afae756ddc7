//! `olmplan.toml` -> settings of a tree.
//!
//! Promises: every key is optional, an unknown key is an error with its place and the nearest known name, and nothing is read
//! but the text itself. Paths stay as they were written: relative to the file's folder, which the caller knows. Leaves to
//! others: finding the file (`cli`), what a target or a rule is (`target`, `lint`).

mod model;
mod parse;
mod table;

pub use model::{Cluster, Config, Date, FailOn, Ignore, ImageMapping, Registry, RuleLevel, Waiver};
pub use parse::parse;
pub use table::Error;

/// The name of the file.
pub const FILE_NAME: &str = "olmplan.toml";
