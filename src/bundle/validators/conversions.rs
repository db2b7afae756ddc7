//! Conversion webhooks: only in bundles that watch all namespaces, one a CRD, and only of CRDs that the bundle owns.

use super::problem::{Found, in_csv};
use crate::bundle::{Bundle, Webhook, WebhookKind};
use crate::go::quote;
use std::collections::{BTreeMap, BTreeSet};

/// A bundle with conversion webhooks supports AllNamespaces and nothing else.
pub(super) fn all_namespaces_only(bundle: &Bundle) -> Vec<Found> {
    let modes = bundle.csv.supported_modes();
    if modes == ["AllNamespaces"] {
        return Vec::new();
    }
    let modes = modes.join(" ");
    let say = |webhook: Webhook<'_>| {
        format!(
            "bundle contains conversion webhook {} and supports install modes [{modes}] - conversion webhooks are only supported \
             for bundles that only support AllNamespaces install mode",
            quote(webhook.generate_name())
        )
    };
    conversions(bundle).map(|webhook| in_csv(bundle, say(webhook))).collect()
}

/// No two webhooks convert the same CRD.
pub(super) fn one_webhook_a_crd(bundle: &Bundle) -> Vec<Found> {
    let mut by_crd: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for webhook in conversions(bundle) {
        for crd in webhook.conversion_crds() {
            by_crd.entry(crd).or_default().push(webhook.generate_name());
        }
    }
    by_crd.retain(|_, webhooks| webhooks.len() != 1);
    let say = |(crd, mut webhooks): (&str, Vec<&str>)| {
        webhooks.sort_unstable();
        format!("conversion webhooks [{}] reference same custom resource definition '{crd}'", webhooks.join(","))
    };
    by_crd.into_iter().map(|entry| in_csv(bundle, say(entry))).collect()
}

/// A converted CRD is one that the CSV says it owns.
pub(super) fn crds_owned(bundle: &Bundle) -> Vec<Found> {
    let owned: BTreeSet<&str> = bundle.csv.owned_crds().collect();
    let mut webhooks: Vec<Webhook<'_>> = conversions(bundle).collect();
    webhooks.sort_by_key(|webhook| webhook.generate_name());
    let mut problems = Vec::new();
    for webhook in webhooks {
        let mut crds: Vec<&str> = webhook.conversion_crds().collect();
        crds.sort_unstable();
        problems.extend(crds.into_iter().filter(|crd| !owned.contains(crd)).map(|crd| {
            let name = webhook.generate_name();
            in_csv(bundle, format!("conversion webhook '{name}' references custom resource definition '{crd}' not owned bundle"))
        }));
    }
    problems
}

fn conversions(bundle: &Bundle) -> impl Iterator<Item = Webhook<'_>> {
    bundle.csv.webhooks().filter(|webhook| webhook.kind() == WebhookKind::Conversion)
}

#[cfg(test)]
mod tests {
    use super::super::problem::testing::{bundle, said};
    use serde_json::json;

    #[test]
    fn conversion_webhooks_are_held_to_their_rules() {
        let webhook = |name: &str, crds: &[&str]| json!({"type": "ConversionWebhook", "generateName": name, "deploymentName": "d", "conversionCRDs": crds});
        let spec = json!({
            "install": {"spec": {"deployments": [{"name": "d"}]}},
            "installModes": [{"type": "OwnNamespace", "supported": true}, {"type": "AllNamespaces", "supported": true}],
            "customresourcedefinitions": {"owned": [{"name": "a"}]},
            "webhookdefinitions": [webhook("w2", &["b", "a"]), webhook("w1", &["a"])],
        });
        let said = said(&bundle(spec, &["a"], &[]));
        assert_eq!(
            said[0],
            "bundle contains conversion webhook \"w2\" and supports install modes [AllNamespaces OwnNamespace] - conversion webhooks are only supported for bundles that only support AllNamespaces install mode"
        );
        assert_eq!(
            said[2..],
            [
                "conversion webhooks [w1,w2] reference same custom resource definition 'a'",
                "conversion webhook 'w2' references custom resource definition 'b' not owned bundle",
            ]
        );
    }
}
