//! A role and its binding to the service account that a permission names.

use crate::bundle::Permission;
use crate::bundle::go::{self, Shape};
use crate::render::context::Context;
use crate::render::names;
use serde_json::{Value, json};

/// The struct that a permission is.
pub(super) fn shape() -> Shape {
    go::named("operators/v1alpha1.StrategyDeploymentPermissions")
}

/// The role and the binding: of a namespace, or of the cluster where there is none. Both are named for the CSV, the service
/// account and a hash of the permission.
pub(super) fn pair(context: &Context<'_>, permission: &Value, namespace: Option<&str>) -> [Value; 2] {
    let account = Permission(permission).service_account();
    let name = names::with_suffix(&format!("{}-{account}", context.csv().name()), &names::hash(permission, &shape()));
    let rules = permission.get("rules").cloned().unwrap_or(Value::Null);
    let (role, binding) = if namespace.is_some() { ("Role", "RoleBinding") } else { ("ClusterRole", "ClusterRoleBinding") };
    // Go leaves an empty namespace out.
    let metadata = match namespace {
        Some(namespace) if !namespace.is_empty() => json!({"name": name, "namespace": namespace}),
        _ => json!({"name": name}),
    };
    let subject = match context.install_namespace {
        "" => json!({"kind": "ServiceAccount", "name": account}),
        namespace => json!({"kind": "ServiceAccount", "name": account, "namespace": namespace}),
    };
    [
        json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": role, "metadata": metadata, "rules": rules}),
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": binding,
            "metadata": metadata,
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": role, "name": name},
            "subjects": [subject],
        }),
    ]
}
