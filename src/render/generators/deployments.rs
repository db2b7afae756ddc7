//! The Deployments of the install strategy: the CSV's annotations on their pods, a revision history of one, the volumes with
//! the webhooks' certificate, and what `deploymentConfig` overrides.

use super::cert_volumes;
use crate::bundle::Deployment;
use crate::render::certificates::Provisioner;
use crate::render::context::Context;
use crate::render::overrides;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

pub(super) fn generate(context: &Context<'_>) -> Vec<Value> {
    let serving: BTreeSet<&str> = context.csv().webhooks().map(|webhook| webhook.deployment_name()).collect();
    let deployment = |deployment: Deployment<'_>| {
        let mut spec = deployment.spec().and_then(Value::as_object).cloned().unwrap_or_default();
        annotate_pods(context, &mut spec);
        if context.release.limits_revisions() && spec.insert("revisionHistoryLimit".to_owned(), Value::from(1)).is_none() {
            spec.sort_keys();
        }
        let mut metadata = Map::new();
        if let Some(labels) = deployment.labels() {
            metadata.insert("labels".to_owned(), labels.clone());
        }
        metadata.insert("name".to_owned(), Value::from(deployment.name()));
        metadata.insert("namespace".to_owned(), Value::from(context.install_namespace));
        if serving.contains(deployment.name())
            && let Some(secret) = Provisioner::new(context, deployment.name()).secret()
        {
            cert_volumes::mount(&mut spec, secret, context.release);
        }
        if let Some(config) = context.deployment_config {
            overrides::apply(config, context.release, &mut metadata, &mut spec);
        }
        json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec})
    };
    context.csv().deployments().map(deployment).collect()
}

/// Puts the CSV's annotations below the pods' own, and says on them what is watched and, from 1.11 on, where the operator is.
fn annotate_pods(context: &Context<'_>, spec: &mut Map<String, Value>) {
    let Some(metadata) =
        spec.get_mut("template").and_then(|template| template.get_mut("metadata")).and_then(Value::as_object_mut)
    else {
        return;
    };
    let mut annotations = context.csv().annotations().cloned().unwrap_or_default();
    if let Some(Value::Object(own)) = metadata.remove("annotations") {
        annotations.extend(own);
    }
    annotations.insert("olm.targetNamespaces".to_owned(), Value::from(context.target_namespaces.join(",")));
    if context.target.annotates_operator_namespace() {
        annotations.insert("olm.operatorNamespace".to_owned(), Value::from(context.install_namespace));
    }
    annotations.sort_keys();
    metadata.insert("annotations".to_owned(), Value::Object(annotations));
    metadata.sort_keys();
}
