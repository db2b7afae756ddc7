//! The names of generated objects.

use crate::bundle::go::{self, Natural, Shape};
use crate::go::utf8;
use serde_json::Value;
use sha2::{Digest, Sha224};

const MOST: usize = 63;

/// `BASE-SUFFIX`, the base cut so that the name has at most 63 bytes.
///
/// Follows operator-controller `internal/operator-controller/rukpak/util/util.go` (v1.11.0): the hyphen is not counted when it
/// decides whether to cut, so that a name of 64 bytes may come out.
pub(super) fn with_suffix(base: &str, suffix: &str) -> String {
    if base.len() + suffix.len() <= MOST {
        return format!("{base}-{suffix}");
    }
    let cut = MOST.saturating_sub(suffix.len() + 1).min(base.len());
    let bytes = base.as_bytes().get(..cut).unwrap_or_default();
    // Where the cut goes through a character, encoding/json puts U+FFFD for each byte that is left of it.
    let mut name = String::with_capacity(MOST);
    utf8::push_replaced(&mut name, bytes);
    name.push('-');
    name.push_str(suffix);
    name
}

/// A hash of what encoding/json makes of a value: SHA-224, written to the base 36.
///
/// Follows operator-controller `internal/shared/util/hash/hash.go` (v1.11.0).
pub(super) fn hash(value: &Value, shape: &Shape) -> String {
    let mut text = String::new();
    go::write_typed(&mut text, value, shape);
    text.push('\n');
    Natural::from_bytes(&Sha224::digest(text.as_bytes())).text(36)
}

/// The name of the service before the webhooks of a deployment, and of the certificate that it serves with.
///
/// Follows operator-controller `internal/operator-controller/rukpak/render/certprovider.go` (v1.11.0).
pub(super) fn webhook_service(deployment: &str) -> (String, String) {
    let service = with_suffix(&deployment.replace('.', "-"), "service");
    let certificate = with_suffix(&service, "cert");
    (service, certificate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_names_are_cut() {
        assert_eq!(with_suffix("a", "b"), "a-b");
        let base = "x".repeat(60);
        assert_eq!(with_suffix(&base, "abc"), format!("{base}-abc"));
        assert_eq!(with_suffix(&base, "abcd"), format!("{}-abcd", "x".repeat(58)));
        assert_eq!(with_suffix(&"é".repeat(31), "ab"), format!("{}-ab", "é".repeat(30)));
        assert_eq!(with_suffix(&"é".repeat(31), "abc"), format!("{}\u{fffd}-abc", "é".repeat(29)));
    }

    #[test]
    fn the_hash_is_over_the_structs_json() {
        let permission = json!({"serviceAccountName": "a", "rules": null});
        let shape = go::named("operators/v1alpha1.StrategyDeploymentPermissions");
        let digest = Sha224::digest(b"{\"serviceAccountName\":\"a\",\"rules\":null}\n");
        assert_eq!(hash(&permission, &shape), Natural::from_bytes(&digest).text(36));
    }
}
