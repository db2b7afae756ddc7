//! The only place that knows the order of the steps: workspace -> [`Snapshot`]; before + after -> [`Plan`].
//!
//! Promises: what one extension or catalog lacks does not keep the others from being planned; a plan holds values, sorted by
//! cluster and name, and says nothing to anybody. Leaves to others: what is worth a finding (`lint`), how it looks (`report`).

mod build;
mod compared;
mod crds;
mod installed;
mod lock;
mod model;
mod objects;
mod snapshot;
mod world;

pub use build::{Before, build};
pub use compared::{CrdFinding, CrdVerdict, ExtensionPlan, Plan, Status};
pub use installed::{Installed, InstalledFrom, KnownInstalled};
pub use lock::{lock_of, misfits};
pub use model::{CatalogContent, CatalogState, Coverage, ExtensionState, Outcome, Problem, ProblemKind, Snapshot};
pub use objects::{ObjectChange, ObjectKey, changes};
pub use snapshot::{Depth, Refused, Scope, Stories, snapshot, views};
pub use world::{CatalogFiles, OpenBundle, World};
