//! Whether a target installs bundles of that kind at all.

use super::error::RenderError;
use super::options::RenderOptions;
use crate::bundle::{Bundle, InstallMode};
use crate::target::Gate;

/// Refuses what the target does not install, whatever the configuration.
///
/// Follows operator-controller `internal/operator-controller/applier/provider.go` (v1.11.0).
///
/// # Errors
/// In the controller's words, with the gate that stands for what is missing.
pub(super) fn check(bundle: &Bundle, options: &RenderOptions<'_>) -> Result<(), RenderError> {
    let refused = |message: &str, gate: Option<Gate>| RenderError::Unsupported {
        message: message.to_owned(),
        gate,
        since: gate.and_then(|gate| options.target.first_with(gate)),
    };
    let csv = &bundle.csv;
    if csv.owned_api_services() > 0 {
        return Err(refused("apiServiceDefintions are not supported", None));
    }
    if csv.webhooks().next().is_some() && options.target.certificate_provider().is_none() {
        return Err(refused("webhookDefinitions are not supported", Some(webhook_gate(options))));
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
        crate::target::Distribution::Upstream => Gate::WebhookProviderCertManager,
        crate::target::Distribution::OpenShift => Gate::WebhookProviderOpenshiftServiceCA,
    }
}
