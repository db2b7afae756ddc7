//! What a value becomes on its way through Go: decoded into a struct, and encoded from it again.
//!
//! The controller decodes a bundle's CSV and CRDs into Go structs and makes objects from them. That drops unknown
//! fields, drops or adds empty values, rewrites quantities and times, and refuses wrong types. Here the same is done to a
//! JSON value in place, by interpreting a table of the types (`types.txt`). What the fields mean is left to others.

mod bignum;
mod custom;
mod encode;
mod mismatch;
mod normalize;
mod quantity;
mod scalar;
mod semver;
mod types;

pub use bignum::Natural;
pub use encode::write_typed;
pub use mismatch::Mismatch;
pub use normalize::{Decoder, check, normalize};
pub use types::{Shape, Type, named};
