//! A webhook configuration for each admission webhook: the validating ones, then the mutating ones.

use crate::bundle::{Webhook, WebhookKind};
use crate::render::certificates::Provisioner;
use crate::render::context::Context;
use serde_json::{Map, Value, json};

pub(super) fn generate(context: &Context<'_>) -> Vec<Value> {
    let of = |kind, object_kind| {
        let webhooks = context.csv().webhooks().filter(move |webhook| webhook.kind() == kind);
        webhooks.map(move |webhook| configuration(context, webhook, object_kind))
    };
    let validating = of(WebhookKind::Validating, "ValidatingWebhookConfiguration");
    validating.chain(of(WebhookKind::Mutating, "MutatingWebhookConfiguration")).collect()
}

fn configuration(context: &Context<'_>, webhook: Webhook<'_>, kind: &str) -> Value {
    let provisioner = Provisioner::new(context, webhook.deployment_name());
    let name = webhook.generate_name();
    let name = name.strip_suffix('-').unwrap_or(name);
    let mut service = Map::new();
    service.insert("name".to_owned(), Value::from(provisioner.service.as_str()));
    service.insert("namespace".to_owned(), Value::from(context.install_namespace));
    if let Some(path) = webhook.field("webhookPath") {
        service.insert("path".to_owned(), path.clone());
    }
    service.insert("port".to_owned(), Value::from(webhook.container_port()));
    let mut entry = Map::new();
    let mut copy = |fields: &[&str]| {
        for field in fields {
            if let Some(value) = webhook.field(field) {
                entry.insert((*field).to_owned(), value.clone());
            }
        }
    };
    copy(&["admissionReviewVersions", "failurePolicy", "matchPolicy", "objectSelector"]);
    if kind == "MutatingWebhookConfiguration" {
        copy(&["reinvocationPolicy"]);
    }
    copy(&["rules", "sideEffects", "timeoutSeconds"]);
    entry.insert("clientConfig".to_owned(), json!({"service": service}));
    entry.insert("name".to_owned(), Value::from(name));
    if context.release.is_thorough_with_webhooks()
        && let Some(selector) = namespace_selector(context.target_namespaces)
    {
        entry.insert("namespaceSelector".to_owned(), selector);
    }
    entry.sort_keys();
    let mut configuration = json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": context.install_namespace},
        "webhooks": [entry],
    });
    provisioner.inject_authority(&mut configuration);
    configuration
}

/// Selects the watched namespaces; nothing where all are.
fn namespace_selector(namespaces: &[String]) -> Option<Value> {
    if namespaces.is_empty() || namespaces.iter().any(String::is_empty) {
        return None;
    }
    let expression = json!({"key": "kubernetes.io/metadata.name", "operator": "In", "values": namespaces});
    Some(json!({"matchExpressions": [expression]}))
}
