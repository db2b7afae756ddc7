//! Image content -> packages, by an index over the bytes.
//!
//! [`Catalog::open`] reads what a cluster reads from the files of a file-based catalog and refuses what it refuses;
//! [`Catalog::package`] gives one package of it. [`validate()`] is the author's check, and [`list`], [`show`] and [`graph()`] are
//! views for people. Where the files come from is somebody else's business: see [`Files`].

mod decode;
mod document;
mod error;
mod essence;
mod files;
mod graph;
mod ignore;
mod index;
mod json;
mod load;
mod meta;
mod model;
mod open;
mod plain;
mod stream;
mod validate;
mod view;

pub use error::Error;
pub use files::{FileInfo, Files, Folder, Memory};
pub use graph::{ChannelGraph, Edge, EdgeKind, Graph, Node, graph};
pub use index::KeptIndex;
pub use load::{Document, load};
pub use model::{Bundle, Channel, ChannelEntry, DeprecatedReference, Deprecation, Deprecations, Package, Property};
pub use open::{Catalog, IndexCache};
pub use validate::{Counts, Problem, Verdict, validate};
pub use view::{
    ListedChannel, ListedPackage, ListedVersion, Listing, ShownBundle, ShownChannel, ShownEntry, ShownPackage, ShownProperty,
    list, list_package, show,
};
