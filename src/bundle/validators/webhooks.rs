//! Webhook definitions: deployments that exist, names that are unique and well formed.

use super::dns;
use super::problem::{Found, in_csv};
use crate::bundle::Bundle;
use std::collections::{BTreeMap, BTreeSet};

/// Each webhook's deployment is in the install strategy.
pub(super) fn deployments_exist(bundle: &Bundle) -> Vec<Found> {
    let deployments: BTreeSet<&str> = bundle.csv.deployments().map(|d| d.name()).collect();
    let mut lost: Vec<(&str, &str, &str)> = bundle
        .csv
        .webhooks()
        .map(|webhook| (webhook.deployment_name(), webhook.kind_name(), webhook.generate_name()))
        .filter(|(deployment, _, _)| !deployments.contains(deployment))
        .collect();
    lost.sort_unstable();
    let say = |(deployment, kind, name)| {
        format!("webhook of type '{kind}' with name '{name}' references non-existent deployment '{deployment}'")
    };
    lost.into_iter().map(|webhook| in_csv(bundle, say(webhook))).collect()
}

/// No two webhooks of a type have the same name.
pub(super) fn unique(bundle: &Bundle) -> Vec<Found> {
    let mut names = BTreeSet::new();
    let all = bundle.csv.webhooks().map(|webhook| (webhook.kind_name(), webhook.generate_name()));
    let twice: BTreeSet<(&str, &str)> = all.filter(|webhook| !names.insert(*webhook)).collect();
    let say = |(kind, name)| format!("duplicate webhook '{name}' of type '{kind}'");
    twice.into_iter().map(|webhook| in_csv(bundle, say(webhook))).collect()
}

/// Each name is a DNS subdomain.
pub(super) fn names(bundle: &Bundle) -> Vec<Found> {
    let mut bad: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for webhook in bundle.csv.webhooks() {
        let errors = dns::subdomain(webhook.generate_name());
        if !errors.is_empty() {
            bad.insert((webhook.kind_name(), webhook.generate_name()), errors);
        }
    }
    let say = |((kind, name), errors): ((&str, &str), Vec<String>)| {
        format!("webhook of type '{kind}' has invalid name '{name}': {}", errors.join(","))
    };
    bad.into_iter().map(|webhook| in_csv(bundle, say(webhook))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::problem::testing::{bundle, said};
    use serde_json::json;

    #[test]
    fn lost_double_and_badly_named_webhooks_are_found() {
        let webhook = |kind: &str, name: &str| json!({"type": kind, "generateName": name, "deploymentName": "gone"});
        let spec = json!({"webhookdefinitions": [webhook("V", "b"), webhook("V", "b"), webhook("M", "A")]});
        let said = said(&bundle(spec, &[], &[]));
        assert_eq!(
            said[..4],
            [
                "webhook of type 'M' with name 'A' references non-existent deployment 'gone'",
                "webhook of type 'V' with name 'b' references non-existent deployment 'gone'",
                "webhook of type 'V' with name 'b' references non-existent deployment 'gone'",
                "duplicate webhook 'b' of type 'V'",
            ]
        );
        assert!(said[4].starts_with("webhook of type 'M' has invalid name 'A': a lowercase"));
    }
}
