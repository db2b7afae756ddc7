//! Text -> versions, and the two range languages.
//!
//! One [`Version`] type, read as a bundle's version is read; a [`VersionRelease`] is what bundles are ordered by. Two range
//! languages that look alike and differ: [`MastermindsRange`] is what `spec.source.catalog.version` is written in,
//! [`BlangRange`] what a channel entry's `skipRange` is written in. Both answer as the libraries that operator-controller
//! uses do, limits and oddities included; what a range is used for is left to `resolve`.

mod blang;
mod bundle_version;
mod masterminds;
mod release;

pub use blang::{BlangRange, BlangRangeError};
pub(crate) use bundle_version::prerelease_identifier;
pub use bundle_version::{Version, VersionError};
pub use masterminds::{MastermindsRange, MastermindsRangeError, MastermindsRelease};
pub use release::{Release, ReleaseError, VersionRelease};
