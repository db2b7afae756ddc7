//! The check of a catalog that has been put together.

use super::model::{Bundle, Channel, Package};
use super::tree::Faults;
use crate::go::quote;
use crate::version::BlangRange;
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong; `None` where nothing is.
///
/// Follows `Model.Validate` of operator-registry v1.73.0 alpha/model/model.go.
pub(super) fn check(packages: &BTreeMap<String, Package>) -> Option<Faults> {
    let mut faults = Faults::of("invalid index".to_owned(), None);
    for package in packages.values() {
        faults.within(check_package(package));
    }
    faults.any()
}

fn check_package(package: &Package) -> Option<Faults> {
    let mut faults = Faults::of(format!("invalid package {}", quote(&package.name)), Some(&package.origin));
    if package.default_channel.is_empty() {
        faults.note("default channel must be set");
    }
    if package.channels.is_empty() {
        faults.note("package must contain at least one channel");
    }
    for (name, channel) in &package.channels {
        faults.within(check_channel(package, name, channel));
    }
    let twice = same_versions(package);
    if !twice.is_empty() {
        faults.note(format!("duplicate versions found in bundles: [{}]", twice.join(" ")));
    }
    check_deprecation(&mut faults, package.deprecation.as_deref());
    faults.any()
}

fn same_versions(package: &Package) -> Vec<String> {
    let mut versions: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (name, bundle) in package.channels.values().flat_map(|c| &c.bundles) {
        versions.entry(bundle.version_text()).or_default().insert(name);
    }
    let twice = versions.into_iter().filter(|(_, names)| names.len() > 1);
    twice.map(|(version, names)| format!("{{{version}: [{}]}}", names.into_iter().collect::<Vec<_>>().join(", "))).collect()
}

fn check_channel(package: &Package, name: &str, channel: &Channel) -> Option<Faults> {
    let mut faults = Faults::of(format!("invalid channel {}", quote(name)), channel.origin.as_ref());
    if channel.bundles.is_empty() {
        faults.note("channel must contain at least one bundle");
    } else if let Err(fault) = check_chain(channel) {
        faults.note(fault);
    }
    for (name, bundle) in &channel.bundles {
        faults.within(check_bundle(package, name, bundle));
    }
    check_deprecation(&mut faults, channel.deprecation.as_deref());
    faults.any()
}

/// The only bundle of a channel that no other replaces or skips.
fn head(channel: &Channel) -> Result<&str, String> {
    let mut passed: BTreeSet<&str> = BTreeSet::new();
    for bundle in channel.bundles.values() {
        passed.extend(bundle.skips.iter().map(String::as_str));
        if !bundle.replaces.is_empty() {
            passed.insert(&bundle.replaces);
        }
    }
    let heads: Vec<&str> = channel.bundles.keys().map(String::as_str).filter(|name| !passed.contains(name)).collect();
    match heads.as_slice() {
        [] => Err("no channel head found in graph".to_owned()),
        [head] => Ok(head),
        many => Err(format!("multiple channel heads found in graph: {}", many.join(", "))),
    }
}

/// From the head, `replaces` must lead to every bundle that is not skipped, and never in a circle.
fn check_chain(channel: &Channel) -> Result<(), String> {
    let head = head(channel)?;
    let skipped: BTreeSet<&str> = channel.bundles.values().flat_map(|b| &b.skips).map(String::as_str).collect();
    let mut chain = vec![head];
    let mut reached = BTreeSet::from([head]);
    while let Some(bundle) = chain.last().and_then(|name| channel.bundles.get(*name)) {
        let next = bundle.replaces.as_str();
        if skipped.contains(next) {
            break;
        }
        chain.push(next);
        if !reached.insert(next) {
            let circle = chain.iter().position(|name| *name == next).and_then(|at| chain.get(at..)).unwrap_or_default();
            return Err(format!("detected cycle in replaces chain of upgrade graph: {}", circle.join(" -> ")));
        }
    }
    let stranded: Vec<&str> =
        channel.bundles.keys().map(String::as_str).filter(|name| !reached.contains(name) && !skipped.contains(name)).collect();
    match stranded.as_slice() {
        [] => Ok(()),
        names => Err(format!("channel contains one or more stranded bundles: {}", names.join(", "))),
    }
}

fn check_bundle(package: &Package, name: &str, bundle: &Bundle) -> Option<Faults> {
    let detail = bundle.detail.as_ref();
    let mut faults = Faults::of(format!("invalid bundle {}", quote(name)), detail.map(|d| &d.origin));
    if name.is_empty() {
        faults.note("name must be set");
    }
    if detail.is_some_and(|d| d.release.is_some()) {
        let normal = format!("{}-v{}", package.name, bundle.version_text());
        if name != normal {
            faults.note(format!("name {} does not match normalized name {}", quote(name), quote(&normal)));
        }
    }
    for n in bundle.skips.iter().enumerate().filter(|(_, skip)| skip.is_empty()).map(|(n, _)| n) {
        faults.note(format!("skip[{n}] is empty"));
    }
    if !bundle.skip_range.is_empty()
        && let Err(fault) = BlangRange::parse(&bundle.skip_range)
    {
        faults.note(format!("invalid skipRange {}: {fault}", quote(&bundle.skip_range)));
    }
    if detail.is_none_or(|d| d.properties.len() != 1) {
        faults.note("must be exactly one property with type \"olm.package\"");
    }
    if detail.is_none_or(|d| d.image.is_empty() && d.objects == 0) {
        faults.note("bundle image must be set");
    }
    check_deprecation(&mut faults, bundle.deprecation.as_deref());
    if detail.is_some_and(|d| d.release.is_some() && !d.version.build().is_empty()) {
        faults.note("cannot use build metadata in version with a release version");
    }
    faults.any()
}

fn check_deprecation(faults: &mut Faults, message: Option<&str>) {
    if message.is_some_and(str::is_empty) {
        faults.note("invalid deprecation: message must be set");
    }
}
