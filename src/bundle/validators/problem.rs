//! Running the checks: [`validate`].

use super::{conversions, crds, deployments, objects, package, rules, webhooks};
use crate::bundle::Bundle;

/// A check of a bundle, in the controller's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// No two deployments have the same name.
    DeploymentsUnique,
    /// Each deployment's name is a DNS subdomain.
    DeploymentNames,
    /// No two CRDs have the same name.
    CrdsUnique,
    /// The bundle holds each CRD that the CSV says it owns.
    OwnedCrdsExist,
    /// The annotations name a package.
    PackageNamed,
    /// A bundle with conversion webhooks supports AllNamespaces and nothing else.
    ConversionsWatchAllNamespaces,
    /// Each webhook's deployment is in the install strategy.
    WebhookDeploymentsExist,
    /// No two webhooks of a type have the same name.
    WebhooksUnique,
    /// Each webhook's name is a DNS subdomain.
    WebhookNames,
    /// No two webhooks convert the same CRD.
    OneConversionACrd,
    /// A converted CRD is one that the CSV says it owns.
    ConvertedCrdsOwned,
    /// No rule of an admission webhook is about what it must not be about.
    WebhookRulesAllowed,
    /// Each other object is of a kind that bundles may hold.
    ObjectsSupported,
}

/// Something that makes the controller refuse a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The check that found it.
    pub check: Check,
    /// The controller's words.
    pub message: String,
    /// The file that it stands in.
    pub file: String,
}

/// What a check found: its words, and the file.
pub(super) type Found = (String, String);

type Run = fn(&Bundle) -> Vec<Found>;

const CHECKS: [(Check, Run); 13] = [
    (Check::DeploymentsUnique, deployments::unique),
    (Check::DeploymentNames, deployments::names),
    (Check::CrdsUnique, crds::unique),
    (Check::OwnedCrdsExist, crds::owned_exist),
    (Check::PackageNamed, package::named),
    (Check::ConversionsWatchAllNamespaces, conversions::all_namespaces_only),
    (Check::WebhookDeploymentsExist, webhooks::deployments_exist),
    (Check::WebhooksUnique, webhooks::unique),
    (Check::WebhookNames, webhooks::names),
    (Check::OneConversionACrd, conversions::one_webhook_a_crd),
    (Check::ConvertedCrdsOwned, conversions::crds_owned),
    (Check::WebhookRulesAllowed, rules::allowed),
    (Check::ObjectsSupported, objects::supported),
];

/// Everything that the controller finds wrong with a bundle before it renders it, in its order.
pub fn validate(bundle: &Bundle) -> Vec<Problem> {
    let run = |(check, run): &(Check, Run)| {
        let check = *check;
        run(bundle).into_iter().map(move |(message, file)| Problem { check, message, file })
    };
    CHECKS.iter().flat_map(run).collect()
}

/// Something found in the bundle's CSV.
pub(super) fn in_csv(bundle: &Bundle, message: String) -> Found {
    (message, bundle.csv.file.clone())
}

#[cfg(test)]
pub(super) mod testing {
    use crate::bundle::go::{Decoder, named, normalize};
    use crate::bundle::{Bundle, Csv, Manifest};
    use serde_json::{Value, json};

    /// A bundle of a CSV's spec, CRDs and other objects.
    pub fn bundle(spec: Value, crds: &[&str], others: &[Value]) -> Bundle {
        let mut object = json!({"metadata": {"name": "c"}, "spec": spec});
        normalize(&mut object, &named("operators/v1alpha1.ClusterServiceVersion"), Decoder::Converter).unwrap();
        let manifest = |object: Value| Manifest { file: "manifests/o.yaml".into(), document: 0, object };
        Bundle {
            package_name: "p".into(),
            csv: Csv { file: "manifests/csv.yaml".into(), object, without_annotations: false },
            crds: crds.iter().map(|name| manifest(json!({"metadata": {"name": name}}))).collect(),
            others: others.iter().cloned().map(manifest).collect(),
        }
    }

    /// What the checks say.
    pub fn said(bundle: &Bundle) -> Vec<String> {
        super::validate(bundle).into_iter().map(|problem| problem.message).collect()
    }
}
