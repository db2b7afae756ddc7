//! Running the checks: [`validate`].

use super::{conversions, crds, deployments, objects, package, rules, webhooks};
use crate::bundle::Bundle;

/// Something that makes the controller refuse a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The controller's words.
    pub message: String,
    /// The file that it stands in.
    pub file: String,
}

type Check = fn(&Bundle) -> Vec<Problem>;

const CHECKS: [Check; 13] = [
    deployments::unique,
    deployments::names,
    crds::unique,
    crds::owned_exist,
    package::named,
    conversions::all_namespaces_only,
    webhooks::deployments_exist,
    webhooks::unique,
    webhooks::names,
    conversions::one_webhook_a_crd,
    conversions::crds_owned,
    rules::allowed,
    objects::supported,
];

/// Everything that the controller finds wrong with a bundle before it renders it, in its order.
pub fn validate(bundle: &Bundle) -> Vec<Problem> {
    CHECKS.iter().flat_map(|check| check(bundle)).collect()
}

/// A problem of the bundle's CSV.
pub(super) fn in_csv(bundle: &Bundle, message: String) -> Problem {
    Problem { message, file: bundle.csv.file.clone() }
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
            csv: Csv { file: "manifests/csv.yaml".into(), object },
            crds: crds.iter().map(|name| manifest(json!({"metadata": {"name": name}}))).collect(),
            others: others.iter().cloned().map(manifest).collect(),
        }
    }

    /// What the checks say.
    pub fn said(bundle: &Bundle) -> Vec<String> {
        super::validate(bundle).into_iter().map(|problem| problem.message).collect()
    }
}
