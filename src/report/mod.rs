//! Plan + findings -> text, JSON, Markdown.
//!
//! Promises: the same plan gives the same bytes; foreign text stays text, whatever it holds. Leaves to others: where it goes.

mod crd_changes;
pub mod diff;
pub mod json;
pub mod markdown;
mod printable;
mod snippet;
mod summary;
mod table;
pub mod text;

pub use printable::printable;
pub use snippet::{Sources, Style, draw, level_name};
pub use summary::{Ignored, Report, approximations};
pub use table::plain;
