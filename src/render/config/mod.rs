//! `spec.config`: what may stand there for a bundle, and what the controller says of what may not.
//!
//! A JSON schema, narrowed by the bundle's install modes, and a validator that goes through it as the controller's library
//! does, because its words depend on the way.

mod check;
mod failure;
mod problem;
mod schema;
mod settle;
mod watch_namespace;

pub(super) use problem::words;
pub use problem::{ConfigProblem, Marking};
pub(super) use settle::{Settled, settle};
