//! Whether the namespaces to watch fit the bundle's install modes.

use super::release::{Release, WatchNamespace};
use crate::bundle::{Bundle, InstallMode};
use std::collections::BTreeSet;

/// The namespaces that a bundle watches where nothing is said: all of them (`[""]`), where it can. Up to 1.5, whether it can or not.
pub(super) fn default_for(bundle: &Bundle, release: Release) -> Vec<String> {
    let always = release.watch_namespace() != WatchNamespace::Config;
    if always || bundle.csv.supports(InstallMode::AllNamespaces) { vec![String::new()] } else { Vec::new() }
}

/// Checks the namespaces against the install modes.
///
/// Follows operator-controller `internal/operator-controller/rukpak/render/render.go` (v1.11.0, v1.3.0) and
/// `rukpak/convert/registryv1.go` (v1.2.0).
///
/// # Errors
/// In the controller's words.
pub(super) fn check(bundle: &Bundle, release: Release, install_namespace: &str, namespaces: &[String]) -> Result<(), String> {
    let shown = format!("[{}]", namespaces.join(" "));
    let refusal = if release.lets_single_be_own() {
        first_refusal(bundle, install_namespace, namespaces)
    } else {
        refusal(bundle, install_namespace, namespaces)
    };
    match refusal {
        None => Ok(()),
        Some(words) if release.converts() => Err(words),
        Some(words) => Err(format!("invalid option(s): invalid target namespaces {shown}: {words}")),
    }
}

fn refusal(bundle: &Bundle, install_namespace: &str, namespaces: &[String]) -> Option<String> {
    let supports = |mode| bundle.csv.supports(mode);
    let cannot = |what: &str| Some(format!("{} do not support {what}", modes(bundle)));
    let set: BTreeSet<&str> = namespaces.iter().map(String::as_str).collect();
    match (set.len(), set.contains("")) {
        (0, _) if supports(InstallMode::MultiNamespace) => Some("at least one target namespace must be specified".to_owned()),
        (0, _) => Some("exactly one target namespace must be specified".to_owned()),
        (1, true) if supports(InstallMode::AllNamespaces) => None,
        (1, true) => cannot("targeting all namespaces"),
        (1, false) if set.contains(install_namespace) && supports(InstallMode::OwnNamespace) => None,
        (1, false) if set.contains(install_namespace) => cannot("targeting own namespace"),
        (1, false) if supports(InstallMode::SingleNamespace) => None,
        (_, _) if set.len() > 1 && !supports(InstallMode::OwnNamespace) && set.contains(install_namespace) => {
            cannot("targeting own namespace")
        }
        (_, false) if set.len() > 1 && supports(InstallMode::MultiNamespace) => None,
        _ => cannot(&format!("target namespaces [{}]", namespaces.join(" "))),
    }
}

/// As releases up to 1.4 see it: SingleNamespace includes the bundle's own.
fn first_refusal(bundle: &Bundle, install_namespace: &str, namespaces: &[String]) -> Option<String> {
    let supports = |mode| bundle.csv.supports(mode);
    let fits = match namespaces {
        [only] if only.is_empty() => {
            if !supports(InstallMode::AllNamespaces) {
                return Some(format!("{} do not support targeting all namespaces", modes(bundle)));
            }
            true
        }
        [only] => supports(InstallMode::SingleNamespace) || supports(InstallMode::OwnNamespace) && only == install_namespace,
        _ => supports(InstallMode::MultiNamespace),
    };
    (!fits).then(|| format!("{} do not support target namespaces [{}]", modes(bundle), namespaces.join(" ")))
}

fn modes(bundle: &Bundle) -> String {
    format!("supported install modes [{}]", bundle.csv.supported_modes().join(" "))
}
