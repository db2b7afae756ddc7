//! Deployments of the install strategy: names that are unique and well formed.

use super::dns;
use super::problem::{Found, in_csv};
use crate::bundle::Bundle;
use std::collections::BTreeSet;

/// No two deployments have the same name.
pub(super) fn unique(bundle: &Bundle) -> Vec<Found> {
    let mut names = BTreeSet::new();
    let twice: BTreeSet<&str> = bundle.csv.deployments().map(|d| d.name()).filter(|name| !names.insert(*name)).collect();
    let say = |name| format!("cluster service version contains duplicate strategy deployment spec '{name}'");
    twice.into_iter().map(|name| in_csv(bundle, say(name))).collect()
}

/// Each name is a DNS subdomain.
pub(super) fn names(bundle: &Bundle) -> Vec<Found> {
    let names: BTreeSet<&str> = bundle.csv.deployments().map(|d| d.name()).collect();
    let say = |name: &str| {
        let errors = dns::subdomain(name);
        let message = format!("invalid cluster service version strategy deployment name '{name}': {}", errors.join(", "));
        (!errors.is_empty()).then(|| in_csv(bundle, message))
    };
    names.into_iter().filter_map(say).collect()
}

#[cfg(test)]
mod tests {
    use super::super::problem::testing::{bundle, said};
    use serde_json::json;

    #[test]
    fn duplicates_and_bad_names_are_found() {
        let deployments = json!([{"name": "b"}, {"name": "b"}, {"name": "b"}, {"name": "A"}]);
        let said = said(&bundle(json!({"install": {"spec": {"deployments": deployments}}}), &[], &[]));
        assert_eq!(said.len(), 2);
        assert_eq!(said[0], "cluster service version contains duplicate strategy deployment spec 'b'");
        assert!(said[1].starts_with("invalid cluster service version strategy deployment name 'A': a lowercase RFC 1123"));
    }
}
