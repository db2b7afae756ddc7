//! A view of a ClusterServiceVersion: what rendering and validation read of it.

use super::model::text;
use serde_json::{Map, Value};

/// A ClusterServiceVersion as Go's struct holds it.
#[derive(Debug, Clone)]
pub struct Csv {
    /// The file that it came from.
    pub file: String,
    /// The object, normalized: the fields of Go's struct and no others.
    pub object: Value,
    /// Whether it was written without annotations: then the properties of `metadata/properties.yaml` found no place.
    pub without_annotations: bool,
}

/// An install mode that a bundle supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InstallMode {
    /// `AllNamespaces`: watches the whole cluster.
    AllNamespaces,
    /// `OwnNamespace`: watches the namespace that it is installed in.
    OwnNamespace,
    /// `SingleNamespace`: watches one other namespace.
    SingleNamespace,
    /// `MultiNamespace`: watches several namespaces; nothing that OLM v1 installs.
    MultiNamespace,
}

/// A deployment of the install strategy.
#[derive(Debug, Clone, Copy)]
pub struct Deployment<'a>(pub &'a Value);

/// A permission of the install strategy: a service account and what it may do.
#[derive(Debug, Clone, Copy)]
pub struct Permission<'a>(pub &'a Value);

/// A webhook definition.
#[derive(Debug, Clone, Copy)]
pub struct Webhook<'a>(pub &'a Value);

/// What a webhook definition defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookKind {
    /// A ValidatingWebhookConfiguration.
    Validating,
    /// A MutatingWebhookConfiguration.
    Mutating,
    /// The conversion of CRDs.
    Conversion,
    /// Nothing that OLM knows.
    Unknown,
}

impl Csv {
    /// The CSV's name.
    pub fn name(&self) -> &str {
        self.object.get("metadata").map(|metadata| text(metadata, "name")).unwrap_or_default()
    }

    /// The CSV's annotations.
    pub fn annotations(&self) -> Option<&Map<String, Value>> {
        self.object.get("metadata")?.get("annotations")?.as_object()
    }

    pub(super) fn annotate(&mut self, key: &str, value: String) {
        let Some(metadata) = self.object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
        let annotations = metadata.entry("annotations").or_insert_with(|| Value::Object(Map::new()));
        if let Some(annotations) = annotations.as_object_mut() {
            annotations.insert(key.to_owned(), Value::String(value));
            annotations.sort_keys();
        }
        metadata.sort_keys();
    }

    /// The names of the install modes that are supported as they are written, sorted, each once.
    pub fn supported_modes(&self) -> Vec<&str> {
        let mut modes: Vec<&str> = self
            .list(&["spec", "installModes"])
            .filter(|mode| mode.get("supported").and_then(Value::as_bool) == Some(true))
            .map(|mode| text(mode, "type"))
            .collect();
        modes.sort_unstable();
        modes.dedup();
        modes
    }

    /// Whether an install mode is supported.
    pub fn supports(&self, mode: InstallMode) -> bool {
        self.supported_modes().contains(&mode.name())
    }

    /// The names of the CRDs that the CSV says it owns, in its order.
    pub fn owned_crds(&self) -> impl Iterator<Item = &str> {
        self.list(&["spec", "customresourcedefinitions", "owned"]).map(|crd| text(crd, "name"))
    }

    /// How many API services the CSV says it owns.
    pub fn owned_api_services(&self) -> usize {
        self.list(&["spec", "apiservicedefinitions", "owned"]).count()
    }

    /// The webhook definitions, in the CSV's order.
    pub fn webhooks(&self) -> impl Iterator<Item = Webhook<'_>> {
        self.list(&["spec", "webhookdefinitions"]).map(Webhook)
    }

    /// The install strategy's deployments, in the CSV's order.
    pub fn deployments(&self) -> impl Iterator<Item = Deployment<'_>> {
        self.list(&["spec", "install", "spec", "deployments"]).map(Deployment)
    }

    /// The install strategy's permissions.
    pub fn permissions(&self) -> impl Iterator<Item = Permission<'_>> {
        self.list(&["spec", "install", "spec", "permissions"]).map(Permission)
    }

    /// The install strategy's cluster permissions.
    pub fn cluster_permissions(&self) -> impl Iterator<Item = Permission<'_>> {
        self.list(&["spec", "install", "spec", "clusterPermissions"]).map(Permission)
    }

    fn list(&self, path: &[&str]) -> std::slice::Iter<'_, Value> {
        let value = path.iter().try_fold(&self.object, |value, key| value.get(key));
        value.and_then(Value::as_array).map(|items| items.iter()).unwrap_or_default()
    }
}

impl InstallMode {
    /// The mode's name in a CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::AllNamespaces => "AllNamespaces",
            Self::OwnNamespace => "OwnNamespace",
            Self::SingleNamespace => "SingleNamespace",
            Self::MultiNamespace => "MultiNamespace",
        }
    }
}

impl<'a> Deployment<'a> {
    /// The deployment's name.
    pub fn name(self) -> &'a str {
        text(self.0, "name")
    }

    /// The labels of the Deployment object.
    pub fn labels(self) -> Option<&'a Value> {
        self.0.get("label")
    }

    /// The deployment's spec.
    pub fn spec(self) -> Option<&'a Value> {
        self.0.get("spec")
    }
}

impl<'a> Permission<'a> {
    /// The service account's name; `default` where none is named.
    pub fn service_account(self) -> &'a str {
        match text(self.0, "serviceAccountName") {
            "" => "default",
            name => name,
        }
    }

    /// The rules: a list, or null.
    pub fn rules(self) -> Option<&'a Value> {
        self.0.get("rules")
    }
}

impl<'a> Webhook<'a> {
    /// What it defines.
    pub fn kind(self) -> WebhookKind {
        match self.kind_name() {
            "ValidatingAdmissionWebhook" => WebhookKind::Validating,
            "MutatingAdmissionWebhook" => WebhookKind::Mutating,
            "ConversionWebhook" => WebhookKind::Conversion,
            _ => WebhookKind::Unknown,
        }
    }

    /// The type as it is written.
    pub fn kind_name(self) -> &'a str {
        text(self.0, "type")
    }

    /// The name that its objects are named for.
    pub fn generate_name(self) -> &'a str {
        text(self.0, "generateName")
    }

    /// The deployment that serves it.
    pub fn deployment_name(self) -> &'a str {
        text(self.0, "deploymentName")
    }

    /// The port that the service listens on; 0 where none is given.
    pub fn container_port(self) -> i64 {
        self.0.get("containerPort").and_then(Value::as_i64).unwrap_or_default()
    }

    /// The names of the CRDs that it converts.
    pub fn conversion_crds(self) -> impl Iterator<Item = &'a str> {
        let crds = self.0.get("conversionCRDs").and_then(Value::as_array).map(|items| items.iter()).unwrap_or_default();
        crds.filter_map(Value::as_str)
    }

    /// A field of the definition as it is.
    pub fn field(self, name: &str) -> Option<&'a Value> {
        self.0.get(name)
    }
}
