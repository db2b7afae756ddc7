//! The whole of a rendering: [`render`].

use super::config::{self, Settled};
use super::context::Context;
use super::error::RenderError;
use super::generators::GENERATORS;
use super::options::{OwnerLabels, RenderOptions};
use super::{owner, phase, support, target_namespaces};
use crate::bundle::{self, Bundle};
use crate::target::Gate;
use serde_json::Value;

/// The objects that the controller applies for a bundle, in the order of application ([`phases`](super::phases)).
///
/// Their keys are sorted, and they have no top-level `status`. Two objects of the same name come out where the bundle makes two.
///
/// Follows operator-controller `internal/operator-controller/{applier/provider.go,rukpak/render/render.go}` (v1.11.0).
///
/// # Errors
/// Where the controller refuses the bundle or the configuration, in its words.
pub fn render(bundle: &Bundle, options: &RenderOptions<'_>) -> Result<Vec<Value>, RenderError> {
    support::check(bundle, options)?;
    let own_single = options.target.has(Gate::SingleOwnNamespaceInstallSupport);
    let settled = if own_single || options.config.is_some() { config::settle(bundle, options)? } else { Settled::default() };
    let problems = bundle::validate(bundle);
    if !problems.is_empty() {
        return Err(RenderError::Invalid { problems });
    }
    let target_namespaces =
        settled.watch_namespace.map_or_else(|| target_namespaces::default_for(bundle), |namespace| vec![namespace]);
    target_namespaces::check(bundle, options.install_namespace, &target_namespaces)
        .map_err(|message| RenderError::TargetNamespaces { message })?;
    let context = Context {
        bundle,
        install_namespace: options.install_namespace,
        target_namespaces: &target_namespaces,
        certificates: options.target.certificate_provider(),
        deployment_config: settled.deployment_config.as_ref(),
        target: options.target,
    };
    let mut objects = Vec::new();
    for generate in GENERATORS {
        objects.extend(generate(&context)?);
    }
    if options.owner_labels == OwnerLabels::Add {
        objects.iter_mut().for_each(|object| owner::label(object, options.extension));
    }
    objects.sort_by(|a, b| phase::rank(a).cmp(&phase::rank(b)));
    Ok(objects)
}
