//! OpenShift's service CA: annotations alone.
//!
//! Follows operator-controller `internal/operator-controller/rukpak/render/certproviders/openshift_serviceca.go` (v1.11.0).

/// Has the authority injected into a CRD or a webhook configuration.
pub(super) const INJECT: &str = "service.beta.openshift.io/inject-cabundle";

/// Names the secret that a service's certificate is put into.
pub(super) const SERVING: &str = "service.beta.openshift.io/serving-cert-secret-name";
