//! documents -> ClusterExtension, ClusterCatalog: typed views that keep unknown fields and places, and the API server's answer
//! to an object ([`schema`]).

mod catalog;
mod crds;
mod extension;
mod field;
mod kind;
mod manifest;
pub mod schema;
mod selector;

pub use catalog::{AvailabilityMode, ClusterCatalog, METADATA_NAME_LABEL};
pub use extension::{ClusterExtension, CrdUpgradeSafety, InstalledBundle};
pub use field::Field;
pub use kind::{GROUP, Kind, VERSION};
pub use manifest::{Concern, Manifest};
pub use selector::{
    LabelSelector, MalformedSelector, Requirement, Selector, SelectorError, SelectorOperator, SelectorRequirement,
};
