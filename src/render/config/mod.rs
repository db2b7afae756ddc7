//! `spec.config`: what may stand there for a bundle, and what the controller says of what may not.
//!
//! A JSON schema, narrowed by the bundle's install modes, and a validator that goes through it as the controller's library
//! does, because its words depend on the way. Releases before 1.7 have no schema; what they do is in [`early`].

mod check;
mod early;
mod failure;
mod problem;
mod schema;
mod settle;
mod watch_namespace;

pub use problem::ConfigProblem;
pub(super) use problem::words;
pub(super) use settle::{Settled, settle};
