//! Whether the namespaces to watch fit the bundle's install modes.

use crate::bundle::{Bundle, InstallMode};
use std::collections::BTreeSet;

/// The namespaces that a bundle watches where nothing is said: all of them (`[""]`), where it can.
pub(super) fn default_for(bundle: &Bundle) -> Vec<String> {
    if bundle.csv.supports(InstallMode::AllNamespaces) { vec![String::new()] } else { Vec::new() }
}

/// Checks the namespaces against the install modes.
///
/// Follows operator-controller `internal/operator-controller/rukpak/render/render.go` (v1.11.0).
///
/// # Errors
/// In the controller's words.
pub(super) fn check(bundle: &Bundle, install_namespace: &str, namespaces: &[String]) -> Result<(), String> {
    let refused = |words: String| Err(format!("invalid target namespaces [{}]: {words}", namespaces.join(" ")));
    let supports = |mode| bundle.csv.supports(mode);
    let modes = format!("supported install modes [{}]", bundle.csv.supported_modes().join(" "));
    let set: BTreeSet<&str> = namespaces.iter().map(String::as_str).collect();
    match (set.len(), set.contains("")) {
        (0, _) if supports(InstallMode::MultiNamespace) => refused("at least one target namespace must be specified".to_owned()),
        (0, _) => refused("exactly one target namespace must be specified".to_owned()),
        (1, true) if supports(InstallMode::AllNamespaces) => Ok(()),
        (1, true) => refused(format!("{modes} do not support targeting all namespaces")),
        (1, false) if set.contains(install_namespace) => {
            if supports(InstallMode::OwnNamespace) {
                Ok(())
            } else {
                refused(format!("{modes} do not support targeting own namespace"))
            }
        }
        (1, false) if supports(InstallMode::SingleNamespace) => Ok(()),
        (1, false) => refused(format!("{modes} do not support target namespaces [{}]", namespaces.join(" "))),
        _ if !supports(InstallMode::OwnNamespace) && set.contains(install_namespace) => {
            refused(format!("{modes} do not support targeting own namespace"))
        }
        (_, false) if supports(InstallMode::MultiNamespace) => Ok(()),
        _ => refused(format!("{modes} do not support target namespaces [{}]", namespaces.join(" "))),
    }
}
