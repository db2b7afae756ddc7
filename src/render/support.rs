//! Whether a target installs bundles of that kind at all.

use super::error::{Missing, RenderError};
use super::options::RenderOptions;
use super::release::Release;
use crate::bundle::{Bundle, InstallMode};
use crate::target::{Distribution, Gate};

/// Refuses what the target does not install, whatever the configuration.
///
/// Follows operator-controller `internal/operator-controller/applier/provider.go` (v1.11.0), `rukpak/convert/helm.go` (v1.3.0) and
/// `rukpak/convert/registryv1.go` (v1.2.0).
///
/// # Errors
/// In the controller's words, with the gate that stands for what is missing.
pub(super) fn check(bundle: &Bundle, options: &RenderOptions<'_>) -> Result<(), RenderError> {
    let release = Release::of(options.target);
    let start = if release.converts() { "" } else { "unsupported bundle: " };
    let refused = |message: &str, gate: Option<Gate>| RenderError::Unsupported {
        message: format!("{start}{message}"),
        missing: gate.map(|gate| Missing::new(options.target, gate)),
    };
    let csv = &bundle.csv;
    if csv.owned_api_services() > 0 {
        return Err(refused("apiServiceDefintions are not supported", None));
    }
    let webhooks = !release.converts() && options.target.certificate_provider().is_some();
    if csv.webhooks().next().is_some() && !webhooks {
        return Err(refused("webhookDefinitions are not supported", Some(webhook_gate(options))));
    }
    if release.converts() || release.wraps_refusals() {
        return Ok(());
    }
    let all = csv.supports(InstallMode::AllNamespaces);
    if !all && !options.target.has(Gate::SingleOwnNamespaceInstallSupport) {
        let gate = Gate::SingleOwnNamespaceInstallSupport;
        return Err(refused("bundle does not support AllNamespaces install mode", Some(gate)));
    }
    if !all && !csv.supports(InstallMode::OwnNamespace) && !csv.supports(InstallMode::SingleNamespace) {
        return Err(refused(
            "bundle must support at least one of [AllNamespaces SingleNamespace OwnNamespace] install modes",
            None,
        ));
    }
    Ok(())
}

/// The gate that turns webhooks on where they are off.
fn webhook_gate(options: &RenderOptions<'_>) -> Gate {
    match options.target.distribution() {
        Distribution::Upstream => Gate::WebhookProviderCertManager,
        Distribution::OpenShift => Gate::WebhookProviderOpenshiftServiceCA,
    }
}
