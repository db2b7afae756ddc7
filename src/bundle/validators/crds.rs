//! CRDs: each name once, and each owned one there.

use super::problem::{Found, in_csv};
use crate::bundle::Bundle;
use std::collections::{BTreeMap, BTreeSet};

/// No two CRDs have the same name.
pub(super) fn unique(bundle: &Bundle) -> Vec<Found> {
    let mut names = BTreeSet::new();
    let twice: BTreeMap<&str, &str> =
        bundle.crds.iter().filter(|crd| !names.insert(crd.name())).map(|crd| (crd.name(), crd.file.as_str())).collect();
    let say =
        |(name, file): (&str, &str)| (format!("bundle contains duplicate custom resource definition '{name}'"), file.to_owned());
    twice.into_iter().map(say).collect()
}

/// The bundle holds each CRD that the CSV says it owns.
pub(super) fn owned_exist(bundle: &Bundle) -> Vec<Found> {
    let names: BTreeSet<&str> = bundle.crds.iter().map(|crd| crd.name()).collect();
    let missing: BTreeSet<&str> = bundle.csv.owned_crds().filter(|name| !names.contains(name)).collect();
    let say =
        |name| format!("cluster service definition references owned custom resource definition '{name}' not found in bundle");
    missing.into_iter().map(|name| in_csv(bundle, say(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::problem::testing::{bundle, said};
    use serde_json::json;

    #[test]
    fn duplicate_and_missing_crds_are_found() {
        let spec = json!({"customresourcedefinitions": {"owned": [{"name": "z"}, {"name": "a"}, {"name": "y"}]}});
        let said = said(&bundle(spec, &["a", "a"], &[]));
        assert_eq!(
            said,
            [
                "bundle contains duplicate custom resource definition 'a'",
                "cluster service definition references owned custom resource definition 'y' not found in bundle",
                "cluster service definition references owned custom resource definition 'z' not found in bundle",
            ]
        );
    }
}
