//! cert-manager: an annotation, a self-signed issuer and a certificate a deployment.
//!
//! Follows operator-controller `internal/operator-controller/rukpak/render/certproviders/certmanager.go` (v1.11.0).

use crate::render::names;
use crate::render::release::Release;
use serde_json::{Value, json};

/// The annotation that has the authority injected.
pub(super) fn inject(namespace: &str, certificate: &str) -> (&'static str, String) {
    ("cert-manager.io/inject-ca-from", format!("{namespace}/{certificate}"))
}

/// The issuer and the certificate: valid for two years, renewed a day before.
pub(super) fn objects(namespace: &str, service: &str, certificate: &str, release: Release) -> [Value; 2] {
    let issuer = names::with_suffix(certificate, "selfsigned-issuer");
    let host = format!("{service}.{namespace}");
    let mut spec = json!({
        "commonName": host,
        "dnsNames": [host, format!("{host}.svc"), format!("{host}.svc.cluster.local")],
        "duration": "17520h0m0s",
        "issuerRef": {"name": issuer},
        "renewBefore": "24h0m0s",
        "secretName": certificate,
        "usages": ["server auth"],
    });
    if let Some(spec) = spec.as_object_mut().filter(|_| !release.is_thorough_with_webhooks()) {
        spec.shift_remove("renewBefore");
    }
    [
        json!({
            "apiVersion": "cert-manager.io/v1",
            "kind": "Issuer",
            "metadata": {"name": issuer, "namespace": namespace},
            "spec": {"selfSigned": {}},
        }),
        json!({
            "apiVersion": "cert-manager.io/v1",
            "kind": "Certificate",
            "metadata": {"name": certificate, "namespace": namespace},
            "spec": spec,
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_issuers_name_is_cut() {
        let service = "gitwebhook-operator-controller-manager-service";
        let [issuer, certificate] =
            objects("ns", service, &format!("{service}-cert"), Release::of(&crate::target::Target::default()));
        assert_eq!(issuer["metadata"]["name"], "gitwebhook-operator-controller-manager-servic-selfsigned-issuer");
        assert_eq!(certificate["spec"]["issuerRef"]["name"], issuer["metadata"]["name"]);
        assert_eq!(certificate["spec"]["dnsNames"][1], format!("{service}.ns.svc"));
    }
}
