//! Image content -> packages, by an index over the bytes.

mod model;

pub use model::{Bundle, Channel, ChannelEntry, DeprecatedReference, Deprecation, Package, Property};
