//! Versions that are served together: which are compared, and what was so already.

use super::compare::Found;
use super::document::Crd;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// The pairs of served versions, older first, by the name that crdify gives them: `v1beta1 -> v1`.
///
/// Follows crdify bb9957db pkg/validators/version/served/served.go: makeVersionPairs.
pub(crate) fn pairs(crd: &Crd, arrow: &str) -> BTreeMap<String, (usize, usize)> {
    let mut served: Vec<(usize, &str)> =
        crd.versions.iter().enumerate().filter(|(_, v)| v.served).map(|(n, v)| (n, v.name.as_str())).collect();
    served.sort_by(|(_, a), (_, b)| order(a, b));
    let mut pairs = BTreeMap::new();
    for (n, (older, older_name)) in served.iter().enumerate() {
        for (newer, newer_name) in served.iter().skip(n + 1) {
            pairs.insert(format!("{older_name} {arrow} {newer_name}"), (*older, *newer));
        }
    }
    pairs
}

/// Drops what the versions of the before side already had against each other.
///
/// Follows crdify bb9957db pkg/validators/version/served/served.go: subtractExistingIssues.
pub(crate) fn drop_known(found: &mut Vec<Found<'_>>, known: &[Found<'_>]) {
    let by_check: HashMap<(&str, &str), &Found<'_>> = known.iter().map(|found| ((found.path, found.check), found)).collect();
    found.retain(|found| !by_check.get(&(found.path, found.check)).is_some_and(|known| known.objection.same(&found.objection)));
}

/// What a version's name says: how mature, major, minor.
fn parse(name: &str) -> Option<(u8, i64, i64)> {
    let rest = name.strip_prefix('v')?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (major, rest) = rest.split_at_checked(end)?;
    let number = |text: &str| Some(text).filter(|t| t.bytes().all(|b| b.is_ascii_digit())).and_then(|t| t.parse::<i64>().ok());
    let major = number(major)?;
    if rest.is_empty() {
        return Some((2, major, 0));
    }
    if let Some(minor) = rest.strip_prefix("alpha") {
        return Some((0, major, number(minor)?));
    }
    Some((1, major, number(rest.strip_prefix("beta")?)?))
}

/// Older versions first.
///
/// Follows apimachinery v0.36 pkg/version/helpers.go: CompareKubeAwareVersionStrings.
fn order(a: &str, b: &str) -> Ordering {
    match (parse(a), parse(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (None, None) => b.cmp(a),
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_as_kubernetes_does() {
        let mut names = ["v1", "v10", "v2", "foo1", "v1beta2", "v1alpha1", "v3beta1", "bar", "v1beta", "v"];
        names.sort_by(|a, b| order(a, b));
        assert_eq!(names, ["v1beta", "v", "foo1", "bar", "v1alpha1", "v1beta2", "v3beta1", "v1", "v2", "v10"]);
    }
}
