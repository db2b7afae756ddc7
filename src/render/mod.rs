//! A bundle, a configuration and a target in, the objects that the controller applies out. Pure.
//!
//! [`render`] does what operator-controller does between a loaded bundle and the cluster, and refuses what it refuses in its
//! words. Top-level `status` is left out of the objects: the API server ignores it on apply. What to do with the objects is
//! left to others.

mod certificates;
mod config;
mod context;
mod error;
mod generators;
mod names;
mod options;
mod overrides;
mod owner;
mod phase;
mod produce;
mod release;
mod support;
mod target_namespaces;
mod templates;

pub use config::ConfigProblem;
pub use error::{Missing, RenderError};
pub use options::{OwnerLabels, RenderOptions};
pub use phase::{Phase, phases};
pub use produce::render;
pub use templates::approximation;
