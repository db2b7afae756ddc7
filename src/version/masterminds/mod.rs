//! The range language of `spec.source.catalog.version`: Masterminds/semver 3.5.

mod comparison;
mod hyphen;
mod range;
mod syntax;

pub use range::{MastermindsRange, MastermindsRangeError};
