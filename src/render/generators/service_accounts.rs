//! A ServiceAccount for each name that a permission gives, but for `default`, which every namespace has.

use crate::bundle::Deployment;
use crate::render::context::Context;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) fn generate(context: &Context<'_>) -> Vec<Value> {
    let permissions = context.csv().permissions().chain(context.csv().cluster_permissions());
    let mut names: BTreeSet<&str> = permissions.map(|permission| permission.service_account()).collect();
    if context.release.takes_accounts_of_deployments() {
        names.extend(context.csv().deployments().filter_map(account_of));
    }
    let account = |name: &str| {
        json!({
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {"name": name, "namespace": context.install_namespace},
        })
    };
    names.into_iter().filter(|name| *name != "default").map(account).collect()
}

/// The service account that a deployment's pods run as.
fn account_of(deployment: Deployment<'_>) -> Option<&str> {
    deployment.spec()?.get("template")?.get("spec")?.get("serviceAccountName")?.as_str()
}
