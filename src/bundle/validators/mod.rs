//! The controller's checks of a bundle, a file a subject, in its order and its words.
//!
//! Follows operator-controller `internal/operator-controller/rukpak/render/registryv1/{registryv1.go,validators}` (v1.11.0).

mod conversions;
mod crds;
mod deployments;
mod dns;
mod objects;
mod package;
mod problem;
mod rules;
mod webhooks;

pub use dns::subdomain as subdomain_errors;
pub use problem::{Check, Problem, validate};
