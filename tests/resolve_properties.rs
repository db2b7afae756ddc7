//! Resolution against slow, obvious versions of the same thing, and against shuffled inputs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods
)]

use olmplan::catalog::{Bundle, Channel, ChannelEntry, DeprecatedReference, Deprecation, Deprecations, Package, Property};
use olmplan::resolve::{
    Availability, Catalog, CatalogEntry, CatalogVerdict, Fate, Hop, InstalledBundle, ReleaseSupport, Request,
    UpgradeConstraintPolicy, resolve, upgrade_path,
};
use olmplan::version::{BlangRange, MastermindsRange, Version, VersionRelease};
use proptest::prelude::*;
use std::collections::BTreeMap;

const VERSIONS: [&str; 8] = ["1.0.0", "1.0.1", "1.1.0-rc.1", "1.1.0", "1.1.0+2", "1.1.0+041", "2.0.0", "x"];
const RANGES: [&str; 7] = ["", "1.x", ">=1.0.1", "<2.0.0", "=2.0.0", ">=1.1.0-0", "1.1.0"];
const SKIP_RANGES: [&str; 5] = ["", "<1.1.0", ">=1.0.1 <2.0.0", "no range", "1.1.0"];
const CHANNELS: [&str; 3] = ["a", "b", "c"];

fn name(n: usize) -> String {
    format!("p.v{n}")
}

fn bundle(n: usize, dependency: bool) -> Bundle {
    let property = |kind: &str, value: &str| Property {
        kind: kind.to_owned(),
        value: serde_json::value::RawValue::from_string(value.to_owned()).unwrap(),
    };
    let mut properties = vec![property("olm.package", &format!("{{\"packageName\": \"p\", \"version\": \"{}\"}}", VERSIONS[n]))];
    if dependency {
        properties.push(property("olm.gvk.required", "{}"));
    }
    Bundle { name: name(n), package: "p".to_owned(), image: format!("img/{n}"), properties }
}

prop_compose! {
    fn entry()(n in 0..8usize, replaces in prop::option::of(0..8usize), skips in prop::collection::vec(0..8usize, 0..2), range in 0..5usize) -> ChannelEntry {
        ChannelEntry {
            name: name(n),
            replaces: replaces.map(name).unwrap_or_default(),
            skips: skips.into_iter().map(name).collect(),
            skip_range: SKIP_RANGES[range].to_owned(),
        }
    }
}

fn deprecation(n: usize) -> Deprecation {
    Deprecation { reference: DeprecatedReference::Bundle(name(n)), message: "old".to_owned() }
}

prop_compose! {
    fn package()(
        bundles in prop::collection::btree_map(0..8usize, prop::bool::weighted(0.1), 0..8),
        channels in prop::collection::vec(prop::collection::vec(entry(), 0..6), 3),
        deprecated in prop::collection::vec(0..8usize, 0..3),
    ) -> Package {
        Package {
            name: "p".to_owned(),
            channels: channels.into_iter().zip(CHANNELS).map(|(entries, name)| Channel { name: name.to_owned(), entries }).collect(),
            bundles: bundles.into_iter().map(|(n, dependency)| bundle(n, dependency)).collect(),
            deprecations: Some(Deprecations { entries: Some(deprecated.into_iter().map(deprecation).collect()) }),
            ..Package::default()
        }
    }
}

prop_compose! {
    fn request()(
        range in 0..7usize,
        channels in prop::sample::subsequence(CHANNELS.to_vec(), 0..3),
        installed in prop::option::of(0..7usize),
        certified in prop::bool::weighted(0.2),
    ) -> Request {
        Request {
            package: "p".to_owned(),
            version: RANGES[range].to_owned(),
            channels: channels.into_iter().map(str::to_owned).collect(),
            policy: if certified { UpgradeConstraintPolicy::SelfCertified } else { UpgradeConstraintPolicy::CatalogProvided },
            installed: installed.map(installed_bundle),
            ..Request::default()
        }
    }
}

fn installed_bundle(n: usize) -> InstalledBundle {
    InstalledBundle { name: name(n), version: VERSIONS[n].to_owned(), release: None }
}

#[derive(Debug, Clone)]
struct Served {
    catalog: Catalog,
    package: Option<Package>,
}

fn served() -> impl Strategy<Value = Vec<Served>> {
    let one = (prop::option::weighted(0.9, package()), 0..2i32, prop::bool::weighted(0.1));
    prop::collection::vec(one, 0..4).prop_map(|list| {
        let one = |(n, (package, priority, off)): (usize, (Option<Package>, i32, bool))| Served {
            catalog: Catalog {
                name: format!("c{n}"),
                priority,
                availability: if off { Availability::Unavailable } else { Availability::Available },
                labels: BTreeMap::new(),
            },
            package,
        };
        list.into_iter().enumerate().map(one).collect()
    })
}

fn entries(served: &[Served]) -> Vec<CatalogEntry<'_>> {
    served.iter().map(|s| CatalogEntry { catalog: &s.catalog, content: Ok(s.package.as_ref()) }).collect()
}

fn version(bundle: &Bundle) -> Option<VersionRelease> {
    let n = VERSIONS.iter().enumerate().find(|(n, _)| name(*n) == bundle.name).unwrap().0;
    VersionRelease::legacy(VERSIONS[n]).ok()
}

/// Whether an edge leads from what is installed to the bundle, read off the entries one by one.
fn is_successor(package: &Package, channels: &[String], installed: &InstalledBundle, bundle: &Bundle) -> bool {
    let at = Version::parse(&installed.version).unwrap();
    for channel in &package.channels {
        if !channels.is_empty() && !channels.contains(&channel.name) {
            continue;
        }
        for entry in &channel.entries {
            let skipped = BlangRange::parse(&entry.skip_range).is_ok_and(|range| range.contains(&at));
            if entry.name == bundle.name && (entry.replaces == installed.name || entry.skips.contains(&installed.name) || skipped)
            {
                return true;
            }
        }
    }
    let same = VersionRelease::legacy(&installed.version).unwrap();
    version(bundle).is_some_and(|version| version.precedence(&same).is_eq())
}

fn is_in_channels(package: &Package, channels: &[String], bundle: &Bundle) -> bool {
    let in_channel =
        |channel: &Channel| channels.contains(&channel.name) && channel.entries.iter().any(|e| e.name == bundle.name);
    channels.is_empty() || package.channels.iter().any(in_channel)
}

/// Step by step as the controller does it; the outcome as `catalog bundle`, or a word for the failure.
fn slow_resolve(request: &Request, served: &[Served]) -> String {
    let mut found: Vec<(&Catalog, &Bundle, bool)> = Vec::new();
    for s in served {
        let (Some(package), Availability::Available) = (&s.package, s.catalog.availability) else { continue };
        let mut bundles: Vec<&Bundle> = package.bundles.iter().collect();
        bundles.retain(|b| is_in_channels(package, &request.channels, b));
        if !request.version.is_empty() {
            let range = MastermindsRange::parse(&request.version).unwrap();
            bundles.retain(|b| version(b).is_some_and(|v| range.contains(&v.version)));
        }
        if let (Some(installed), UpgradeConstraintPolicy::CatalogProvided) = (&request.installed, request.policy) {
            bundles.retain(|b| is_successor(package, &request.channels, installed, b));
        }
        let deprecated =
            |b: &Bundle| package.deprecations().iter().any(|d| d.reference == DeprecatedReference::Bundle(b.name.clone()));
        bundles.sort_by(|a, b| a.name.cmp(&b.name));
        bundles.sort_by(|a, b| match (version(a), version(b)) {
            (Some(a), Some(b)) => b.precedence(&a),
            (a, b) => b.is_some().cmp(&a.is_some()),
        });
        bundles.sort_by_key(|b| deprecated(b));
        let Some(first) = bundles.first() else { continue };
        let is_deprecated = deprecated(first);
        match found.last() {
            Some((_, _, false)) if is_deprecated => continue,
            Some((_, _, true)) if !is_deprecated => found.clear(),
            _ => {}
        }
        found.push((&s.catalog, first, is_deprecated));
    }
    found.sort_by_key(|(catalog, ..)| -catalog.priority);
    if found.len() > 1 && found[0].0.priority != found[1].0.priority {
        found.truncate(1);
    }
    match found.as_slice() {
        [] => "none".to_owned(),
        [(_, bundle, _)] if version(bundle).is_none() => "version".to_owned(),
        [(_, bundle, _)] if bundle.properties.len() > 1 => "dependency".to_owned(),
        [(catalog, bundle, _)] => format!("{} {}", catalog.name, bundle.name),
        _ => "ambiguous".to_owned(),
    }
}

fn quick_resolve(request: &Request, entries: &[CatalogEntry<'_>]) -> String {
    use olmplan::resolve::Failure;
    match resolve(request, entries).outcome {
        Ok(resolved) => format!("{} {}", resolved.catalog, resolved.bundle),
        Err(Failure::NotFound(_)) => "none".to_owned(),
        Err(Failure::Ambiguous { .. }) => "ambiguous".to_owned(),
        Err(Failure::Version { .. }) => "version".to_owned(),
        Err(Failure::Dependency { .. }) => "dependency".to_owned(),
        Err(other) => other.to_string(),
    }
}

/// How many upgrades away each bundle is, by trying every pair again and again.
fn slow_distances(package: &Package, channels: &[String], installed: &InstalledBundle) -> BTreeMap<String, usize> {
    let mut distances: BTreeMap<String, usize> = BTreeMap::new();
    let stops: Vec<&Bundle> = package
        .bundles
        .iter()
        .filter(|b| version(b).is_some() && b.properties.len() == 1 && is_in_channels(package, channels, b))
        .collect();
    for hop in 1..=stops.len() {
        let mut reached = Vec::new();
        for to in &stops {
            let from_installed = hop == 1 && is_successor(package, channels, installed, to);
            let from_stop = |from: &&&Bundle| {
                let at = VERSIONS[(0..8).find(|n| name(*n) == from.name).unwrap()];
                let at = InstalledBundle { name: from.name.clone(), version: at.to_owned(), release: None };
                distances.get(&from.name) == Some(&(hop - 1)) && is_successor(package, channels, &at, to)
            };
            if from_installed || stops.iter().find(from_stop).is_some() {
                reached.push(to.name.clone());
            }
        }
        for bundle in reached {
            distances.entry(bundle).or_insert(hop);
        }
    }
    distances
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn resolves_as_the_slow_version_does(request in request(), served in served()) {
        prop_assert_eq!(quick_resolve(&request, &entries(&served)), slow_resolve(&request, &served));
    }

    #[test]
    fn order_never_matters(request in request(), served in served(), seed in any::<u64>()) {
        let mut shuffled = served.clone();
        let mut seed = seed | 1;
        let mut next = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % n.max(1)
        };
        for n in 0..shuffled.len() {
            let m = next(n + 1);
            shuffled.swap(n, m);
        }
        for package in shuffled.iter_mut().filter_map(|s| s.package.as_mut()) {
            for n in 0..package.bundles.len() {
                let m = next(n + 1);
                package.bundles.swap(n, m);
            }
            package.channels.reverse();
            for channel in &mut package.channels {
                channel.entries.reverse();
            }
        }
        let (before, after) = (entries(&served), entries(&shuffled));
        let (before, after) = (resolve(&request, &before), resolve(&request, &after));
        prop_assert_eq!(&before.outcome, &after.outcome);
        prop_assert_eq!(before.story(), after.story());
        prop_assert_eq!(before.hints(Vec::new), after.hints(Vec::new));
    }

    #[test]
    fn the_story_fits_the_outcome(request in request(), served in served()) {
        let entries = entries(&served);
        let resolution = resolve(&request, &entries);
        let story = resolution.story();
        let chosen: Vec<_> = story.candidates().filter(|c| c.outcome == Fate::Chosen).collect();
        match &resolution.outcome {
            Ok(resolved) => {
                prop_assert_eq!(chosen.len(), 1);
                prop_assert_eq!((&chosen[0].catalog, &chosen[0].bundle), (&resolved.catalog, &resolved.bundle));
                prop_assert!(resolution.hints(Vec::new).is_empty());
            }
            Err(_) => prop_assert!(chosen.is_empty()),
        }
        for catalog in &story.catalogs {
            prop_assert!(!catalog.reason.is_empty());
            prop_assert!(catalog.candidates.iter().all(|c| !c.reason.is_empty()));
            let passed = catalog.candidates.iter().filter(|c| !matches!(
                c.outcome,
                Fate::NotInChannels | Fate::NoVersion | Fate::OutOfRange | Fate::PrereleaseLeftOut | Fate::NoEdge
            )).count();
            if catalog.verdict == CatalogVerdict::NoCandidate {
                prop_assert_eq!(passed, 0);
            }
        }
    }

    #[test]
    fn paths_are_shortest(
        package in package(),
        channels in prop::sample::subsequence(CHANNELS.to_vec(), 0..3),
        from in 0..7usize,
        goal in 0..7usize,
    ) {
        let channels: Vec<String> = channels.into_iter().map(str::to_owned).collect();
        let installed = installed_bundle(from);
        let wanted = |bundle: &Bundle, _: &VersionRelease| bundle.name == name(goal);
        let path = upgrade_path(&[("c", &package)], &channels, &installed, ReleaseSupport::Legacy, wanted);
        let distances = slow_distances(&package, &channels, &installed);
        prop_assert_eq!(path.as_ref().map(Vec::len), distances.get(&name(goal)).copied());
        let mut at = installed;
        for Hop { bundle, version, .. } in path.unwrap_or_default() {
            let to = package.bundles.iter().find(|b| b.name == bundle).unwrap();
            prop_assert!(is_successor(&package, &channels, &at, to), "{} to {}", at.name, bundle);
            at = InstalledBundle { name: bundle, version, release: None };
        }
    }
}
