//! The whole of a rendering: [`render`].

use super::config::{self, Settled};
use super::context::Context;
use super::error::{Missing, RenderError};
use super::generators::GENERATORS;
use super::options::{OwnerLabels, RenderOptions};
use super::release::Release;
use super::{owner, phase, support, target_namespaces};
use crate::bundle::{self, Bundle};
use crate::target::Gate;
use serde_json::Value;

/// The objects that the controller applies for a bundle, in the order of application ([`phases`](super::phases)).
///
/// Their keys are sorted, and they have no top-level `status`. Two objects of the same name come out where the bundle makes two.
///
/// Follows operator-controller `internal/operator-controller/{applier/provider.go,rukpak/render/render.go}` (v1.11.0), and what its
/// release tags before that do differently.
///
/// # Errors
/// Where the controller refuses the bundle or the configuration, in its words.
pub fn render(bundle: &Bundle, options: &RenderOptions<'_>) -> Result<Vec<Value>, RenderError> {
    let release = Release::of(options.target);
    if release.needs_annotations_for_properties() && bundle.csv.without_annotations && bundle.csv.annotations().is_some() {
        let message = "panic: assignment to entry in nil map [recovered]".to_owned();
        return Err(RenderError::Unsupported { message, missing: None });
    }
    // Up to 1.5, the namespace to watch is looked up before anything of the bundle is; later, after what it cannot change.
    let settled = if release.converts() || release.wraps_refusals() {
        let settled = config::settle(bundle, options)?;
        if release.converts() {
            validated(bundle, release)?;
            watched(bundle, options, settled.watch_namespace.as_deref())?;
        }
        support::check(bundle, options)?;
        settled
    } else {
        support::check(bundle, options)?;
        config::settle(bundle, options)?
    };
    let objects = rendered(bundle, options, settled);
    if release.wraps_refusals() { objects.map_err(|error| RenderError::Rendering(Box::new(error))) } else { objects }
}

/// Runs the release's checks of the bundle.
fn validated(bundle: &Bundle, release: Release) -> Result<(), RenderError> {
    let mut problems = bundle::validate(bundle);
    problems.retain(|problem| release.runs(problem.check));
    if problems.is_empty() { Ok(()) } else { Err(RenderError::Invalid { problems }) }
}

/// The namespaces to watch.
fn watched(bundle: &Bundle, options: &RenderOptions<'_>, given: Option<&str>) -> Result<Vec<String>, RenderError> {
    let release = Release::of(options.target);
    let namespaces =
        given.map_or_else(|| target_namespaces::default_for(bundle, release), |namespace| vec![namespace.to_owned()]);
    target_namespaces::check(bundle, release, options.install_namespace, &namespaces).map_err(|message| {
        let gate = Gate::SingleOwnNamespaceInstallSupport;
        let missing = (!options.target.has(gate)).then(|| Missing::new(options.target, gate));
        RenderError::TargetNamespaces { message, missing }
    })?;
    Ok(namespaces)
}

fn rendered(bundle: &Bundle, options: &RenderOptions<'_>, settled: Settled) -> Result<Vec<Value>, RenderError> {
    let release = Release::of(options.target);
    validated(bundle, release)?;
    let target_namespaces = watched(bundle, options, settled.watch_namespace.as_deref())?;
    let context = Context {
        bundle,
        install_namespace: options.install_namespace,
        target_namespaces: &target_namespaces,
        certificates: options.target.certificate_provider(),
        deployment_config: settled.deployment_config.as_ref(),
        target: options.target,
        release,
    };
    let mut objects = Vec::new();
    for generate in GENERATORS {
        objects.extend(generate(&context)?);
    }
    if options.install_namespace.is_empty() {
        objects.iter_mut().for_each(leave_out_namespace);
    }
    if options.owner_labels == OwnerLabels::Add {
        objects.iter_mut().for_each(|object| owner::label(object, options.extension));
    }
    objects.sort_by(|a, b| phase::rank(a).cmp(&phase::rank(b)));
    Ok(objects)
}

/// Go leaves an empty namespace out.
fn leave_out_namespace(object: &mut Value) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.retain(|key, value| key != "namespace" || value != "");
    }
}
