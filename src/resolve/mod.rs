//! extension + catalogs + installed bundle -> the bundle, or why not.
//!
//! [`resolve`] gives the controller's answer in its words. The [`Resolution`] it returns can tell the whole story on demand:
//! [`Resolution::story`] has each catalog's and each bundle's fate, [`Resolution::hints`] the nearest thing that would work.
//!
//! The answer does not depend on the order of catalogs, channels or bundles. Where the controller's own does, this is fixed:
//! - Catalogs are walked in the order of their names (a cluster lists them in any order). It decides which catalog's error is
//!   reported, and whose deprecations are returned where several catalogs have the package.
//! - Of two bundles with the same version and release in one catalog, the first is taken whose file a cluster's cache lists
//!   first: the cache has a file a bundle, named `NAME.json`, folder by folder where the name holds slashes.
//!
//! Reading catalogs is left to `catalog`, showing any of this to `report` and `cli`.

mod bundle_property;
mod catalog;
mod deprecation;
mod failure;
mod hint;
mod installed;
mod path;
mod predicates;
mod request;
mod resolver;
mod seeker;
mod story;
#[cfg(test)]
mod tests;
mod verify;

pub use bundle_property::{BundleVersionError, unsupported_dependency, version_release};
pub use catalog::{Availability, Catalog, CatalogEntry};
pub use deprecation::{Condition, ConditionStatus, DeprecationConditions, deprecation_conditions, deprecation_document};
pub use failure::{Failure, Sought};
pub use hint::{Choice, Hint};
pub use path::{Hop, upgrade_path};
pub use request::{InstalledBundle, ReleaseSupport, Request, RequestError, UpgradeConstraintPolicy};
pub use resolver::{Resolution, Resolved, resolve};
pub use story::{CandidateStory, CatalogStory, CatalogVerdict, Fate, Story};
