//! The certificate of one deployment's webhooks: [`Provisioner`].

use super::{cert_manager, service_ca};
use crate::render::context::Context;
use crate::render::names;
use crate::render::release::Release;
use crate::target::CertificateProvider;
use serde_json::{Map, Value};

/// Provides the certificate that a deployment serves its webhooks with.
#[derive(Debug)]
pub(in crate::render) struct Provisioner {
    provider: Option<CertificateProvider>,
    /// The service before the deployment.
    pub service: String,
    /// The certificate, and the secret that holds it.
    pub certificate: String,
    namespace: String,
    release: Release,
}

impl Provisioner {
    /// The provisioner for a deployment.
    ///
    /// Follows operator-controller `internal/operator-controller/rukpak/render/certprovider.go` (v1.11.0).
    pub fn new(context: &Context<'_>, deployment: &str) -> Self {
        let (service, certificate) = names::webhook_service(deployment);
        Self {
            provider: context.certificates,
            service,
            certificate,
            namespace: context.install_namespace.to_owned(),
            release: context.release,
        }
    }

    /// The secret that holds the certificate; `None` without a provider.
    pub fn secret(&self) -> Option<&str> {
        self.provider.map(|_| self.certificate.as_str())
    }

    /// Has the certificate authority put into a CRD or a webhook configuration.
    pub fn inject_authority(&self, object: &mut Value) {
        match self.provider {
            Some(CertificateProvider::CertManager) => {
                let (key, value) = cert_manager::inject(&self.namespace, &self.certificate);
                annotate(object, key, value);
            }
            Some(CertificateProvider::OpenShiftServiceCa) => annotate(object, service_ca::INJECT, "true".to_owned()),
            None => {}
        }
    }

    /// Has the certificate made for a service.
    pub fn serve(&self, service: &mut Value) {
        if self.provider == Some(CertificateProvider::OpenShiftServiceCa) {
            annotate(service, service_ca::SERVING, self.certificate.clone());
        }
    }

    /// The objects that the provider needs.
    pub fn objects(&self) -> Vec<Value> {
        match self.provider {
            Some(CertificateProvider::CertManager) => {
                cert_manager::objects(&self.namespace, &self.service, &self.certificate, self.release).into()
            }
            Some(CertificateProvider::OpenShiftServiceCa) | None => Vec::new(),
        }
    }
}

fn annotate(object: &mut Value, key: &str, value: String) {
    let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    let annotations = metadata.entry("annotations").or_insert_with(|| Value::Object(Map::new()));
    if let Some(annotations) = annotations.as_object_mut() {
        annotations.insert(key.to_owned(), Value::String(value));
        annotations.sort_keys();
    }
    metadata.sort_keys();
}
