//! `deploymentConfig`: what the user changes in every deployment of a bundle.
//!
//! Follows operator-controller `internal/operator-controller/rukpak/render/registryv1/generators/generators.go` (v1.11.0); its
//! `selector` is read and used for nothing.

mod affinity;
mod apply;
mod lists;

pub(super) use apply::apply;
