//! The objects that the certificate provider needs, for each deployment that a webhook names.

use crate::render::certificates::Provisioner;
use crate::render::context::Context;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn generate(context: &Context<'_>) -> Vec<Value> {
    let deployments: BTreeSet<&str> = context.csv().webhooks().map(|webhook| webhook.deployment_name()).collect();
    deployments.into_iter().flat_map(|deployment| Provisioner::new(context, deployment).objects()).collect()
}
