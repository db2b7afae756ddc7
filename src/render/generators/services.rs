//! A Service before each deployment that serves webhooks, with a port for each port that they name.

use crate::bundle::Webhook;
use crate::render::certificates::Provisioner;
use crate::render::context::Context;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(super) fn generate(context: &Context<'_>) -> Vec<Value> {
    let mut ports: BTreeMap<&str, Vec<Port<'_>>> = BTreeMap::new();
    for webhook in context.csv().webhooks() {
        ports.entry(webhook.deployment_name()).or_default().push(Port::of(webhook));
    }
    let mut services = Vec::new();
    for deployment in context.csv().deployments() {
        let Some(ports) = ports.get_mut(deployment.name()) else { continue };
        ports.sort();
        ports.dedup();
        let mut spec = Map::new();
        spec.insert("ports".to_owned(), ports.iter().map(Port::object).collect());
        let selector = deployment.spec().and_then(|spec| spec.get("selector")?.get("matchLabels"));
        if let Some(selector) = selector {
            spec.insert("selector".to_owned(), selector.clone());
        }
        let provisioner = Provisioner::new(context, deployment.name());
        let mut service = json!({
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": provisioner.service, "namespace": context.install_namespace},
            "spec": spec,
        });
        provisioner.serve(&mut service);
        services.push(service);
    }
    services
}

/// A port of a service. Ordered as the controller sorts them; what it leaves to chance, by the text of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Port<'a> {
    port: i64,
    target_number: i64,
    target_text: Option<&'a str>,
}

impl<'a> Port<'a> {
    fn of(webhook: Webhook<'a>) -> Self {
        let port = match webhook.container_port() {
            port if port > 0 => port,
            _ => 443,
        };
        match webhook.field("targetPort") {
            Some(Value::String(text)) => Self { port, target_number: text.parse().unwrap_or_default(), target_text: Some(text) },
            Some(number) => Self { port, target_number: number.as_i64().unwrap_or_default(), target_text: None },
            None => Self { port, target_number: port, target_text: None },
        }
    }

    fn object(&self) -> Value {
        let target = self.target_text.map_or_else(|| Value::from(self.target_number), Value::from);
        json!({"name": self.port.to_string(), "port": self.port, "targetPort": target})
    }
}
