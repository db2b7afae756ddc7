//! Views of a catalog for people and programs: what there is ([`list()`]), and one package in full ([`show()`]).

mod list;
mod show;
mod text;
mod versions;

pub use list::{ListedChannel, ListedPackage, ListedVersion, Listing, list, list_package};
pub use show::{ShownBundle, ShownChannel, ShownEntry, ShownPackage, ShownProperty, show};
pub(super) use text::printable;
pub(super) use versions::{Deprecations, by_name, newest_first};
