//! The order in which the controller applies objects: [`phases`].

use serde_json::Value;

/// A step of a rollout; the objects of one are applied together. In the order of application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Namespaces.
    Namespaces,
    /// Network policies, disruption budgets, priority classes.
    Policies,
    /// Service accounts.
    Identity,
    /// Secrets and config maps.
    Configuration,
    /// Volumes, claims, storage classes.
    Storage,
    /// Custom resource definitions.
    Crds,
    /// Roles.
    Roles,
    /// Role bindings.
    Bindings,
    /// Services, issuers, certificates.
    Infrastructure,
    /// Deployments, and whatever has no phase of its own.
    Deploy,
    /// Autoscalers.
    Scaling,
    /// Monitoring, routes, console extensions.
    Publish,
    /// Webhook configurations.
    Admission,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Self; 13] = [
        Self::Namespaces,
        Self::Policies,
        Self::Identity,
        Self::Configuration,
        Self::Storage,
        Self::Crds,
        Self::Roles,
        Self::Bindings,
        Self::Infrastructure,
        Self::Deploy,
        Self::Scaling,
        Self::Publish,
        Self::Admission,
    ];

    /// The controller's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Namespaces => "namespaces",
            Self::Policies => "policies",
            Self::Identity => "identity",
            Self::Configuration => "configuration",
            Self::Storage => "storage",
            Self::Crds => "crds",
            Self::Roles => "roles",
            Self::Bindings => "bindings",
            Self::Infrastructure => "infrastructure",
            Self::Deploy => "deploy",
            Self::Scaling => "scaling",
            Self::Publish => "publish",
            Self::Admission => "admission",
        }
    }

    /// The phase of an object.
    ///
    /// Follows operator-controller `internal/operator-controller/applier/phase.go` (v1.11.0).
    pub fn of(object: &Value) -> Self {
        let key = Key::of(object);
        match (key.group, key.kind) {
            ("", "Namespace") => Self::Namespaces,
            ("networking.k8s.io", "NetworkPolicy")
            | ("policy", "PodDisruptionBudget")
            | ("scheduling.k8s.io", "PriorityClass") => Self::Policies,
            ("", "ServiceAccount") => Self::Identity,
            ("", "Secret" | "ConfigMap") => Self::Configuration,
            ("", "PersistentVolume" | "PersistentVolumeClaim") | ("storage.k8s.io", "StorageClass") => Self::Storage,
            ("apiextensions.k8s.io", "CustomResourceDefinition") => Self::Crds,
            ("rbac.authorization.k8s.io", "ClusterRole" | "Role") => Self::Roles,
            ("rbac.authorization.k8s.io", "ClusterRoleBinding" | "RoleBinding") => Self::Bindings,
            ("", "Service") | ("cert-manager.io", "Issuer" | "Certificate") => Self::Infrastructure,
            ("autoscaling.k8s.io", "VerticalPodAutoscaler") => Self::Scaling,
            ("monitoring.coreos.com", "PrometheusRule" | "ServiceMonitor" | "PodMonitor")
            | ("networking.k8s.io", "Ingress")
            | ("route.openshift.io", "Route")
            | (
                "console.openshift.io",
                "ConsoleYAMLSample" | "ConsoleQuickStart" | "ConsoleCLIDownload" | "ConsoleLink" | "ConsolePlugin",
            ) => Self::Publish,
            ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration") => {
                Self::Admission
            }
            _ => Self::Deploy,
        }
    }
}

/// The objects by phase, in the order in which the controller applies them; phases without objects are left out. Within a
/// phase they are sorted by group, version, kind, namespace and name.
pub fn phases(objects: &[Value]) -> Vec<(Phase, Vec<&Value>)> {
    let mut sorted: Vec<&Value> = objects.iter().collect();
    sorted.sort_by(|a, b| rank(a).cmp(&rank(b)));
    let mut out: Vec<(Phase, Vec<&Value>)> = Vec::new();
    for object in sorted {
        let phase = Phase::of(object);
        match out.last_mut() {
            Some((last, objects)) if *last == phase => objects.push(object),
            _ => out.push((phase, vec![object])),
        }
    }
    out
}

/// Where an object stands in the order of application.
pub(super) fn rank(object: &Value) -> (Phase, Key<'_>) {
    (Phase::of(object), Key::of(object))
}

/// An object's identity, in the order that the controller sorts by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key<'a> {
    group: &'a str,
    version: &'a str,
    kind: &'a str,
    namespace: &'a str,
    name: &'a str,
}

impl<'a> Key<'a> {
    fn of(object: &'a Value) -> Self {
        let text = |value: Option<&'a Value>| value.and_then(Value::as_str).unwrap_or_default();
        let metadata = object.get("metadata");
        let api_version = text(object.get("apiVersion"));
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        Self {
            group,
            version,
            kind: text(object.get("kind")),
            namespace: text(metadata.and_then(|metadata| metadata.get("namespace"))),
            name: text(metadata.and_then(|metadata| metadata.get("name"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn objects_are_applied_phase_by_phase() {
        let object =
            |version: &str, kind: &str, name: &str| json!({"apiVersion": version, "kind": kind, "metadata": {"name": name}});
        let objects = [
            object("apps/v1", "Deployment", "d"),
            object("example.com/v1", "Secret", "not-a-core-secret"),
            object("v1", "Secret", "b"),
            object("v1", "Secret", "a"),
            object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "c"),
        ];
        let order: Vec<(&str, Vec<&str>)> = phases(&objects)
            .into_iter()
            .map(|(phase, objects)| (phase.name(), objects.iter().map(|o| o["metadata"]["name"].as_str().unwrap()).collect()))
            .collect();
        assert_eq!(order, [("configuration", vec!["a", "b"]), ("crds", vec!["c"]), ("deploy", vec!["d", "not-a-core-secret"])]);
    }
}
