//! The generators: what a bundle's CSV and manifests stand for, a file a kind of object, in the controller's order.
//!
//! Follows operator-controller `internal/operator-controller/rukpak/render/registryv1/generators/generators.go` (v1.11.0).

mod cert_volumes;
mod certificates;
mod cluster_permissions;
mod crds;
mod deployments;
mod others;
mod permissions;
mod rbac;
mod service_accounts;
mod services;
mod webhooks;

use super::context::Context;
use super::error::RenderError;
use serde_json::Value;

type Generator = fn(&Context<'_>) -> Result<Vec<Value>, RenderError>;

/// Every generator, in the controller's order.
pub(super) const GENERATORS: [Generator; 9] = [
    |context| Ok(service_accounts::generate(context)),
    |context| Ok(permissions::generate(context)),
    |context| Ok(cluster_permissions::generate(context)),
    crds::generate,
    others::generate,
    |context| Ok(deployments::generate(context)),
    |context| Ok(webhooks::generate(context)),
    |context| Ok(services::generate(context)),
    |context| Ok(certificates::generate(context)),
];
