//! The kinds of objects that a registry+v1 bundle may hold.

/// Where objects of a kind live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// In a namespace.
    Namespaced,
    /// In the cluster.
    Cluster,
}

/// The scope of a kind that bundles may hold, as the controller sees it (it takes VerticalPodAutoscaler for
/// cluster-scoped); `None` for a kind that they may not hold.
///
/// Follows operator-registry `pkg/lib/bundle/supported_resources.go` (v1.73).
pub fn scope_of(kind: &str) -> Option<Scope> {
    match kind {
        "ClusterServiceVersion"
        | "ConfigMap"
        | "NetworkPolicy"
        | "PodDisruptionBudget"
        | "PodMonitor"
        | "PrometheusRule"
        | "Role"
        | "RoleBinding"
        | "Secret"
        | "Service"
        | "ServiceAccount"
        | "ServiceMonitor" => Some(Scope::Namespaced),
        "ClusterRole"
        | "ClusterRoleBinding"
        | "ConsoleCLIDownload"
        | "ConsoleLink"
        | "ConsolePlugin"
        | "ConsoleQuickStart"
        | "ConsoleYAMLSample"
        | "CustomResourceDefinition"
        | "PriorityClass"
        | "VerticalPodAutoscaler" => Some(Scope::Cluster),
        _ => None,
    }
}
