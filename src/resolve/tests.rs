//! Whole resolutions, and what is told of them.

use super::*;
use crate::catalog::{Bundle, Channel, ChannelEntry, DeprecatedReference, Deprecation, Package, Property};
use serde_json::{Value, json};

/// A package from lines like `stable: p.v2 > p.v1, p.v1` (an entry and what it replaces), with the bundles that they name.
fn package(channels: &[&str]) -> Package {
    let mut package = Package { name: "p".to_owned(), ..Package::default() };
    for line in channels {
        let (name, entries) = line.split_once(": ").unwrap();
        let entries = entries.split(", ").map(|entry| {
            let (name, replaces) = entry.split_once(" > ").unwrap_or((entry, ""));
            ChannelEntry { name: name.to_owned(), replaces: replaces.to_owned(), ..ChannelEntry::default() }
        });
        let channel = Channel { name: name.to_owned(), entries: entries.collect() };
        for entry in &channel.entries {
            if !package.bundles.iter().any(|bundle| bundle.name == entry.name) {
                package.bundles.push(bundle(&entry.name));
            }
        }
        package.channels.push(channel);
    }
    package
}

/// `p.v2` has version 2.0.0, `p.v2.1` 2.1.0, `p.v3.0.0-rc` 3.0.0-rc.
fn bundle(name: &str) -> Bundle {
    let version = name.strip_prefix("p.v").unwrap();
    let zeros = ["", ".0.0", ".0"].get(version.split('.').count()).copied().unwrap_or_default();
    let properties = vec![property("olm.package", &json!({"packageName": "p", "version": format!("{version}{zeros}")}))];
    Bundle { name: name.to_owned(), package: "p".to_owned(), image: format!("img:{version}"), properties }
}

fn property(kind: &str, value: &Value) -> Property {
    Property { kind: kind.to_owned(), value: serde_json::value::to_raw_value(value).unwrap() }
}

fn deprecate(package: &mut Package, bundle: &str) {
    let reference = DeprecatedReference::Bundle(bundle.to_owned());
    let deprecations = package.deprecations.get_or_insert_default();
    let message = format!("{bundle} is old");
    deprecations.entries.get_or_insert_default().push(Deprecation { reference, message });
}

#[test]
fn equal_versions_are_told_apart_by_the_file_in_the_cache() {
    let chosen = |names: [&str; 2]| {
        let bundles = names.map(|name| Bundle { name: name.to_owned(), ..bundle("p.v1") });
        let package = Package { bundles: bundles.to_vec(), ..Package::default() };
        let (request, catalog) = (request(json!({}), None), catalog("a", 0));
        let entries = [CatalogEntry { catalog: &catalog, content: Ok(Some(&package)) }];
        resolve(&request, &entries).outcome.unwrap().bundle
    };
    assert_eq!(chosen(["p.v1", "p.v1-a"]), "p.v1-a");
    assert_eq!(chosen(["p.v1", "p/v1"]), "p/v1");
    // A file that lies beside the folder of the bundles, and one that is named for the schema.
    assert_eq!(chosen(["../z", "p.v1"]), "p.v1");
    assert_eq!(chosen(["", "a"]), "a");
}

/// What a request for any version comes to on a target, in a catalog with two builds of one version, and in one without the package.
fn on(target: &str, installed: Option<(&str, &str)>) -> [String; 2] {
    let target = crate::target::Target::named(target).unwrap();
    let build = |name: &str, version: &str| Bundle {
        name: name.to_owned(),
        properties: vec![property("olm.package", &json!({"version": version}))],
        ..Bundle::default()
    };
    let package = Package { bundles: vec![build("p.a", "1.0.0+1"), build("p.b", "1.0.0+2")], ..Package::default() };
    let installed =
        installed.map(|(name, version)| InstalledBundle { name: name.to_owned(), version: version.to_owned(), release: None });
    let extension = json!({"spec": {"source": {"catalog": {"packageName": "p"}}}});
    let request = Request::from_extension(&extension, installed, &target).unwrap();
    let catalog = catalog("a", 0);
    [Some(&package), None].map(|package| {
        let entries = [CatalogEntry { catalog: &catalog, content: Ok(package) }];
        match resolve(&request, &entries).outcome {
            Ok(resolved) => format!("{} {}", resolved.bundle, resolved.version.version),
            Err(failure) => failure.to_string(),
        }
    })
}

#[test]
fn builds_of_a_version_are_equal_before_1_8() {
    assert_eq!(on("olm-1.7", None)[0], "p.a 1.0.0+1");
    assert_eq!(on("olm-1.7", Some(("x", "1.0.0+2")))[0], "p.a 1.0.0+1");
    assert_eq!(on("ocp-4.22", None)[0], "p.b 1.0.0");
    assert!(on("ocp-4.22", Some(("x", "1.0.0")))[0].contains("no bundles found"));
}

#[test]
fn only_1_0_and_1_1_look_at_what_is_installed_where_the_package_is_missing() {
    let installed = Some(("x", "v1"));
    assert!(on("olm-1.1", installed)[1].contains("error finding upgrade edges: getting successorsPredicate"));
    assert!(on("olm-1.2", installed)[1].contains("no bundles found"));
    assert!(on("ocp-4.18", installed)[1].contains("no bundles found"));
}

fn request(catalog: Value, installed: Option<&str>) -> Request {
    let installed = installed.map(|name| {
        let bundle = bundle(name);
        let version = version_release(&bundle, ReleaseSupport::Legacy).unwrap();
        InstalledBundle { name: bundle.name, version: version.to_string(), release: None }
    });
    let mut catalog = catalog;
    catalog.as_object_mut().unwrap().entry("packageName").or_insert(json!("p"));
    let extension = json!({"spec": {"source": {"sourceType": "Catalog", "catalog": catalog}}});
    Request::from_extension(&extension, installed, &crate::target::Target::default()).unwrap()
}

fn catalog(name: &str, priority: i32) -> Catalog {
    Catalog::from_object(&json!({"metadata": {"name": name}, "spec": {"priority": priority}}))
}

/// What is told of a request against catalogs: the outcome, the candidates that are not chosen, the hints.
fn told(request: &Request, catalogs: &[(Catalog, Option<&Package>)]) -> String {
    let entries: Vec<_> = catalogs.iter().map(|(catalog, package)| CatalogEntry { catalog, content: Ok(*package) }).collect();
    let resolution = resolve(request, &entries);
    let mut told = match &resolution.outcome {
        Ok(resolved) => format!("{} from {}\n", resolved.bundle, resolved.catalog),
        Err(failure) => format!("{failure}\n"),
    };
    for catalog in resolution.story().catalogs {
        told.push_str(&format!("{}: {:?}, {}\n", catalog.catalog, catalog.verdict, catalog.reason));
        for candidate in catalog.candidates.iter().filter(|c| c.outcome != Fate::Chosen) {
            told.push_str(&format!("  {}: {:?}, {}\n", candidate.bundle, candidate.outcome, candidate.reason));
        }
    }
    for hint in resolution.hints(|| vec!["pp".to_owned(), "other".to_owned()]) {
        told.push_str(&format!("hint: {hint}\n"));
    }
    told
}

fn lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(|line| line.strip_prefix("        ").unwrap_or(line)).collect();
    lines.join("\n").trim_start().to_owned()
}

#[test]
fn an_upgrade_some_hops_away() {
    let package = package(&["stable: p.v1, p.v2 > p.v1, p.v3 > p.v2, p.v4 > p.v3", "fast: p.v4 > p.v1"]);
    let got =
        told(&request(json!({"version": "4.x", "channels": ["stable"]}), Some("p.v1")), &[(catalog("c", 0), Some(&package))]);
    let want = r#"
        error upgrading from currently installed version "1.0.0": no bundles found for package "p" matching version "4.x" in channels [stable]
        c: NoCandidate, no bundle of package "p" passes
          p.v4: NoEdge, the edge from p.v1 is in channel fast alone
          p.v3: OutOfRange, 3.0.0 is not in "4.x"
          p.v2: OutOfRange, 2.0.0 is not in "4.x"
          p.v1: OutOfRange, 1.0.0 is not in "4.x"
        hint: the wanted version is 3 upgrades away: p.v2 (2.0.0), then p.v3 (3.0.0), then p.v4 (4.0.0)
        hint: the newest that can be upgraded to is p.v2 (2.0.0)
        hint: with upgradeConstraintPolicy SelfCertified, p.v4 (4.0.0) would be taken without an edge to it
        "#;
    assert_eq!(got, lines(want));
}

#[test]
fn the_edge_is_in_another_channel() {
    let package = package(&["stable: p.v1, p.v2", "fast: p.v2 > p.v1"]);
    let got =
        told(&request(json!({"version": "2.x", "channels": ["stabel"]}), Some("p.v1")), &[(catalog("c", 0), Some(&package))]);
    let want = r#"
        error upgrading from currently installed version "1.0.0": no bundles found for package "p" matching version "2.x" in channels [stabel]
        c: NoCandidate, no bundle of package "p" passes
          p.v2: NotInChannels, it is in channels fast, stable, not in stabel
          p.v1: NotInChannels, it is in channels stable, not in stabel
        hint: there is no channel stabel; there is one named stable
        hint: channel fast has p.v2 (2.0.0), which would do
        "#;
    assert_eq!(got, lines(want));
}

#[test]
fn a_range_that_nothing_is_in() {
    let package = package(&["stable: p.v1, p.v2.0.0-rc"]);
    let got = told(&request(json!({"version": "2.x"}), None), &[(catalog("c", 0), Some(&package))]);
    let want = r#"
        no bundles found for package "p" matching version "2.x"
        c: NoCandidate, no bundle of package "p" passes
          p.v2.0.0-rc: OutOfRange, 2.0.0-rc is not in "2.x"
          p.v1: OutOfRange, 1.0.0 is not in "2.x"
        hint: the newest that can be had is p.v2.0.0-rc (2.0.0-rc)
        "#;
    assert_eq!(got, lines(want));
    let got = told(&request(json!({"version": ">=1.1"}), None), &[(catalog("c", 0), Some(&package))]);
    assert!(got.contains("p.v2.0.0-rc: PrereleaseLeftOut, it is a prerelease, and \">=1.1\" names none"), "{got}");
    assert!(got.contains("hint: p.v2.0.0-rc (2.0.0-rc) is a prerelease; a range has to name one"), "{got}");
}

#[test]
fn two_catalogs_offer_a_bundle() {
    let (gold, silver) = (package(&["stable: p.v1, p.v2"]), package(&["stable: p.v1"]));
    let got = told(&request(json!({}), None), &[(catalog("silver", 0), Some(&silver)), (catalog("gold", 0), Some(&gold))]);
    let want = r#"
        found bundles for package "p" in multiple catalogs with the same priority [gold silver]
        gold: Ambiguous, catalog silver offers p.v1 with the same priority 0
          p.v2: Ambiguous, catalog silver offers p.v1 with the same priority 0
          p.v1: Older, p.v2 is newer
        silver: Ambiguous, catalog gold offers p.v2 with the same priority 0
          p.v1: Ambiguous, catalog gold offers p.v2 with the same priority 0
        hint: select one catalog by its label: olm.operatorframework.io/metadata.name: gold (p.v2) or olm.operatorframework.io/metadata.name: silver (p.v1)
        hint: give gold or silver a priority above 0
        "#;
    assert_eq!(got, lines(want));
    let got = told(&request(json!({}), None), &[(catalog("silver", 5), Some(&silver)), (catalog("gold", 0), Some(&gold))]);
    assert!(got.starts_with("p.v1 from silver\ngold: LowerPriority, catalog silver has priority 5, this one 0\n"), "{got}");
}

#[test]
fn deprecated_bundles_come_last() {
    let mut old = package(&["stable: p.v1, p.v2"]);
    deprecate(&mut old, "p.v2");
    let got = told(&request(json!({}), None), &[(catalog("c", 0), Some(&old))]);
    assert_eq!(got, "p.v1 from c\nc: Chosen, p.v1 is what the cluster gets\n  p.v2: Deprecated, it is deprecated, p.v1 is not\n");
    deprecate(&mut old, "p.v1");
    let fresh = package(&["stable: p.v1"]);
    let got = told(&request(json!({}), None), &[(catalog("c", 9), Some(&old)), (catalog("d", 0), Some(&fresh))]);
    assert!(got.starts_with("p.v1 from d\nc: Deprecated, p.v2 is deprecated, p.v1 of catalog d is not\n"), "{got}");
}

#[test]
fn the_package_is_not_where_it_is_looked_for() {
    let package = package(&["stable: p.v1"]);
    let select = json!({"selector": {"matchLabels": {"tier": "gold"}}});
    let got = told(&request(select, None), &[(catalog("c", 0), Some(&package))]);
    let want = r#"
        no bundles found for package "p"
        c: NotSelected, its labels do not meet tier=gold
        hint: catalog c has the package, but the selector asks for tier=gold
        "#;
    assert_eq!(got, lines(want));
    let got = told(&request(json!({}), None), &[(catalog("c", 0), None)]);
    let want = r#"
        no bundles found for package "p"
        c: NoPackage, it does not have package "p"
        hint: there is a package named pp
        "#;
    assert_eq!(got, lines(want));
}

#[test]
fn a_dependency_is_refused() {
    let mut package = package(&["stable: p.v1, p.v2"]);
    package.bundles[1].properties.push(property("olm.constraint", &json!({})));
    let got = told(&request(json!({}), None), &[(catalog("c", 0), Some(&package))]);
    let words = "validating bundle \"p.v2\": bundle \"p.v2\" has a dependency declared via property \"olm.constraint\" \
                 which is currently not supported";
    let want = format!(
        "{words}\nc: Refused, {words}\n  p.v2: Refused, {words}\n  p.v1: Older, p.v2 is newer\n\
         hint: version \"1.0.0\" gives p.v1, which has no such dependency\n"
    );
    assert_eq!(got, want);
}

#[test]
fn what_ends_the_walk() {
    let package = package(&["stable: p.v1"]);
    let catalogs = [catalog("a", 0), catalog("b", 0), catalog("c", 0)];
    let contents = [Ok(Some(&package)), Err(catalogs[1].not_served()), Ok(None)];
    let entries: Vec<_> = catalogs.iter().zip(contents).map(|(catalog, content)| CatalogEntry { catalog, content }).collect();
    let plain = request(json!({}), None);
    let resolution = resolve(&plain, &entries);
    let words = "error walking catalogs: error getting package \"p\" from catalog \"b\": catalog \"b\" is not being served";
    assert_eq!(resolution.outcome.as_ref().unwrap_err().to_string(), words);
    let verdicts: Vec<CatalogVerdict> = resolution.story().catalogs.iter().map(|c| c.verdict).collect();
    assert_eq!(verdicts, [CatalogVerdict::Undecided, CatalogVerdict::Failed, CatalogVerdict::NotReached]);

    let broken = InstalledBundle { name: "p.v1".to_owned(), version: "1".to_owned(), release: None };
    let broken = Request { installed: Some(broken), ..plain };
    let resolution = resolve(&broken, &entries);
    let words = "error walking catalogs: error finding upgrade edges: failed to get version and release of installed bundle: \
                 No Major.Minor.Patch elements found";
    assert_eq!(resolution.outcome.as_ref().unwrap_err().to_string(), words);
}

#[test]
fn the_cluster_keeps_what_is_installed_where_no_catalog_is_left() {
    let keeps = |request: &Request, catalogs: &[Catalog]| {
        let entries: Vec<_> = catalogs.iter().map(|catalog| CatalogEntry { catalog, content: Ok(None) }).collect();
        resolve(request, &entries).keeps_installed()
    };
    let gold = json!({"selector": {"matchLabels": {"tier": "gold"}}, "version": "1.0.0"});
    assert!(keeps(&request(gold.clone(), Some("p.v1")), &[catalog("c", 0)]));
    assert!(!keeps(&request(gold, None), &[catalog("c", 0)]));
    assert!(!keeps(&request(json!({}), Some("p.v1")), &[catalog("c", 0)]));
    assert!(keeps(&request(json!({}), Some("p.v1")), &[]));
    assert!(!keeps(&request(json!({"version": "1.x"}), Some("p.v1")), &[]));
}

#[test]
fn equal_bundles_are_told_apart_by_their_file() {
    let mut package = package(&["stable: p.v1"]);
    // `p.v1-b.json` stands before `p.v1.json` in a folder, since `-` comes before the dot.
    package.bundles.insert(0, Bundle { name: "p.v1-b".to_owned(), ..bundle("p.v1") });
    for _ in 0..2 {
        package.bundles.reverse();
        let got = told(&request(json!({}), None), &[(catalog("c", 0), Some(&package))]);
        assert!(got.starts_with("p.v1-b from c"), "{got}");
        assert!(got.contains("p.v1: SameVersion, p.v1-b has the same version and release, and comes first by name"), "{got}");
    }
}

#[test]
fn the_story_is_json() {
    let package = package(&["stable: p.v1, p.v2"]);
    let catalog = catalog("c", 0);
    let entries = [CatalogEntry { catalog: &catalog, content: Ok(Some(&package)) }];
    let request = request(json!({"version": "1.x"}), None);
    let story = resolve(&request, &entries).story();
    let candidates: Vec<&CandidateStory> = story.candidates().collect();
    assert_eq!(
        serde_json::to_value(candidates).unwrap(),
        json!([
            {"catalog": "c", "bundle": "p.v2", "version": "2.0.0", "release": null, "channels": ["stable"],
             "outcome": "out-of-range", "reason": "2.0.0 is not in \"1.x\""},
            {"catalog": "c", "bundle": "p.v1", "version": "1.0.0", "release": null, "channels": ["stable"],
             "outcome": "chosen", "reason": "p.v1 is what the cluster gets"},
        ])
    );
}

#[test]
fn explicit_releases_count_where_the_gate_is_on() {
    let release = |name: &str, release: &str| Bundle {
        name: name.to_owned(),
        properties: vec![property("olm.package", &json!({"version": "1.0.0+g", "release": release}))],
        ..bundle("p.v1")
    };
    let package = Package { bundles: vec![release("p.r2", "2"), release("p.r10", "10")], ..Package::default() };
    let catalog = catalog("c", 0);
    let entries = [CatalogEntry { catalog: &catalog, content: Ok(Some(&package)) }];
    let mut target = crate::target::Target::default();
    target.set_gate(crate::target::Gate::BundleReleaseSupport, true).unwrap();
    let request = Request { releases: ReleaseSupport::of(&target), ..request(json!({}), None) };
    let resolved = resolve(&request, &entries).outcome.unwrap();
    assert_eq!((resolved.bundle.as_str(), resolved.version.version.to_string().as_str()), ("p.r10", "1.0.0+g"));
    let installed = resolved.installed(request.releases);
    let want = InstalledBundle { name: "p.r10".to_owned(), version: "1.0.0+g".to_owned(), release: Some("10".to_owned()) };
    assert_eq!(installed, want);

    // Without an edge, what is installed stays: the same version and the same release will do, another release will not.
    let stays = Request { installed: Some(installed), ..request.clone() };
    assert_eq!(resolve(&stays, &entries).outcome.unwrap().bundle, "p.r10");
    let older = InstalledBundle { release: Some("2".to_owned()), ..want };
    let older = Request { installed: Some(older), ..request };
    assert_eq!(resolve(&older, &entries).outcome.unwrap().bundle, "p.r2");
    assert_eq!(resolved.installed(ReleaseSupport::Legacy).version, "1.0.0+10");
}

#[test]
fn conditions_speak_of_what_will_be_installed() {
    let mut package = package(&["stable: p.v1"]);
    deprecate(&mut package, "p.v1");
    let catalog = catalog("c", 0);
    let entries = [CatalogEntry { catalog: &catalog, content: Ok(Some(&package)) }];
    let plain = request(json!({}), None);
    let conditions = resolve(&plain, &entries).deprecation_conditions();
    assert_eq!((conditions.bundle.status, conditions.bundle.message.as_str()), (ConditionStatus::True, "p.v1 is old"));
    let nowhere = request(json!({"version": "2.x"}), Some("p.v1"));
    let conditions = resolve(&nowhere, &entries).deprecation_conditions();
    assert_eq!(conditions.bundle.reason, "DeprecationStatusUnknown");
}

#[test]
fn a_hint_that_would_not_work_is_not_given() {
    // Both catalogs have 2.0.0 out of reach of what is installed: without edges, the two would be one too many.
    let one = package(&["stable: p.v1, p.v2"]);
    let wanted = request(json!({"version": "2.x"}), Some("p.v1"));
    let alone = told(&wanted, &[(catalog("gold", 0), Some(&one))]);
    assert!(alone.contains("SelfCertified, p.v2 (2.0.0) would be taken"), "{alone}");
    let both = told(&wanted, &[(catalog("gold", 0), Some(&one)), (catalog("silver", 0), Some(&one))]);
    assert!(!both.contains("SelfCertified"), "{both}");
}
