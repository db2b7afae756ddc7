//! The range language of `spec.source.catalog.version`: Masterminds/semver 3.5, and what its older releases do differently.

mod comparison;
mod hyphen;
mod range;
mod release;
mod syntax;

pub use range::{MastermindsRange, MastermindsRangeError};
pub use release::MastermindsRelease;
