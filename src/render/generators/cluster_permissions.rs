//! Cluster roles and their bindings. Where all namespaces are watched, the permissions are among them, each with a rule more:
//! to see the namespaces.

use super::rbac;
use crate::render::context::Context;
use serde_json::{Value, json};

pub(super) fn generate(context: &Context<'_>) -> Vec<Value> {
    let mut objects: Vec<Value> =
        context.csv().cluster_permissions().flat_map(|permission| rbac::pair(context, permission.0, None)).collect();
    if context.all_namespaces() {
        let promoted = context.csv().permissions().map(|permission| promote(context, permission.0));
        objects.extend(promoted.flat_map(|permission| rbac::pair(context, &permission, None)));
    }
    objects
}

fn promote(context: &Context<'_>, permission: &Value) -> Value {
    let mut permission = permission.clone();
    if !context.release.lets_promoted_see_namespaces() {
        return permission;
    }
    let rule = json!({"apiGroups": [""], "resources": ["namespaces"], "verbs": ["get", "list", "watch"]});
    if let Some(permission) = permission.as_object_mut() {
        match permission.get_mut("rules") {
            Some(Value::Array(rules)) => rules.push(rule),
            _ => {
                permission.insert("rules".to_owned(), Value::Array(vec![rule]));
            }
        }
    }
    permission
}
