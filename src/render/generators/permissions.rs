//! Roles and their bindings in each watched namespace. Where all are watched, permissions become cluster permissions instead.

use super::rbac;
use crate::render::context::Context;
use serde_json::Value;

pub(super) fn generate(context: &Context<'_>) -> Vec<Value> {
    if context.all_namespaces() {
        return Vec::new();
    }
    let namespaces = context.target_namespaces.iter();
    let pairs =
        |namespace| context.csv().permissions().flat_map(move |permission| rbac::pair(context, permission.0, Some(namespace)));
    namespaces.flat_map(|namespace| pairs(namespace.as_str())).collect()
}
