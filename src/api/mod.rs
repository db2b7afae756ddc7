//! documents -> ClusterExtension, ClusterCatalog: typed views that keep unknown fields and places, and the API server's answer
//! to an object ([`schema`]).

mod crds;
mod kind;
pub mod schema;

pub use kind::{GROUP, Kind, VERSION};
