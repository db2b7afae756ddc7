//! Webhook rules: not of everything, not of OLM's own API, not of webhook configurations.

use super::problem::{Found, in_csv};
use crate::bundle::{Bundle, WebhookKind};
use crate::go::quote;
use serde_json::Value;

const FORBIDDEN_RESOURCES: [&str; 5] = [
    "*",
    "mutatingwebhookconfiguration",
    "mutatingwebhookconfigurations",
    "validatingwebhookconfiguration",
    "validatingwebhookconfigurations",
];

/// No rule of an admission webhook is about what it must not be about.
pub(super) fn allowed(bundle: &Bundle) -> Vec<Found> {
    let mut problems = Vec::new();
    for webhook in bundle.csv.webhooks().filter(|webhook| webhook.kind() != WebhookKind::Conversion) {
        let name = quote(webhook.generate_name());
        let start = format!("webhook {name} contains forbidden rule: admission webhook rules cannot reference");
        for rule in webhook.field("rules").and_then(Value::as_array).into_iter().flatten() {
            for group in texts(rule, "apiGroups") {
                if group == "*" || group == "olm.operatorframework.io" {
                    problems.push(in_csv(bundle, format!("{start} API group {}", quote(group))));
                }
                if group != "admissionregistration.k8s.io" {
                    continue;
                }
                let forbidden =
                    texts(rule, "resources").filter(|resource| FORBIDDEN_RESOURCES.contains(&resource.to_lowercase().as_str()));
                problems.extend(forbidden.map(|resource| {
                    in_csv(bundle, format!("{start} resource {} for API group {}", quote(resource), quote(group)))
                }));
            }
        }
    }
    problems
}

fn texts<'a>(rule: &'a Value, key: &str) -> impl Iterator<Item = &'a str> {
    rule.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::super::problem::testing::{bundle, said};
    use serde_json::json;

    #[test]
    fn forbidden_rules_are_found() {
        let rules =
            json!([{"apiGroups": ["*", "admissionregistration.k8s.io"], "resources": ["MutatingWebhookConfigurations", "pods"]}]);
        let spec = json!({
            "install": {"spec": {"deployments": [{"name": "d"}]}},
            "webhookdefinitions": [{"type": "ValidatingAdmissionWebhook", "generateName": "w", "deploymentName": "d", "rules": rules}],
        });
        let start = "webhook \"w\" contains forbidden rule: admission webhook rules cannot reference";
        assert_eq!(
            said(&bundle(spec, &[], &[])),
            [
                format!("{start} API group \"*\""),
                format!("{start} resource \"MutatingWebhookConfigurations\" for API group \"admissionregistration.k8s.io\""),
            ]
        );
    }
}
