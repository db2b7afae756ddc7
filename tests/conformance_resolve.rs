//! The reference's own answers for whole resolutions.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods
)]

use olmplan::catalog::{Bundle, Channel, ChannelEntry, DeprecatedReference, Deprecation, Package, Property};
use olmplan::resolve::{Catalog, CatalogEntry, InstalledBundle, Request, Resolved, deprecation_document, resolve};
use olmplan::target::Target;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("OLMPLAN_CONFORMANCE")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from);
    let folder = root.join("resolve").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(!std::env::var("CI").is_ok_and(|v| v == "true"), "{} is missing", folder.display());
    println!("skipped: no conformance cases at {}", folder.display());
    None
}

/// The packages of the catalogs, as far as resolution reads them.
fn read_catalog(path: &Path) -> BTreeMap<String, Package> {
    let mut packages: BTreeMap<String, Package> = BTreeMap::new();
    let text = std::fs::read_to_string(path).unwrap();
    for document in text.split("\n---\n").map(|d| d.trim_start_matches("---\n")).filter(|d| !d.trim().is_empty()) {
        let document = olmplan::yaml::read(document).unwrap();
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
        let schema = text(&document, "schema");
        let owner = text(&document, if schema == "olm.package" { "name" } else { "package" });
        let package = packages.entry(owner.clone()).or_default();
        match schema.as_str() {
            "olm.package" => package.default_channel = text(&document, "defaultChannel"),
            "olm.channel" => package.channels.push(Channel {
                name: text(&document, "name"),
                entries: list(&document, "entries")
                    .iter()
                    .map(|entry| ChannelEntry {
                        name: text(entry, "name"),
                        replaces: text(entry, "replaces"),
                        skips: list(entry, "skips").iter().map(|s| s.as_str().unwrap().to_owned()).collect(),
                        skip_range: text(entry, "skipRange"),
                    })
                    .collect(),
            }),
            "olm.bundle" => package.bundles.push(Bundle {
                name: text(&document, "name"),
                package: owner,
                image: text(&document, "image"),
                properties: list(&document, "properties")
                    .iter()
                    .map(|property| Property {
                        kind: text(property, "type"),
                        value: serde_json::value::to_raw_value(&property["value"]).unwrap(),
                    })
                    .collect(),
            }),
            "olm.deprecations" => {
                package.has_deprecations = true;
                package.deprecations = list(&document, "entries")
                    .iter()
                    .map(|entry| Deprecation {
                        reference: match text(&entry["reference"], "schema").as_str() {
                            "olm.package" => DeprecatedReference::Package,
                            "olm.channel" => DeprecatedReference::Channel(text(&entry["reference"], "name")),
                            "olm.bundle" => DeprecatedReference::Bundle(text(&entry["reference"], "name")),
                            other => panic!("{other}"),
                        },
                        message: text(entry, "message"),
                    })
                    .collect();
            }
            other => panic!("{other}"),
        }
    }
    packages
}

fn as_want(resolved: &Resolved) -> Value {
    let deprecation = resolved.deprecations.as_ref().map(|entries| deprecation_document(&resolved.package, entries));
    json!({
        "bundle": resolved.bundle,
        "image": resolved.image,
        "version": resolved.version.version.to_string(),
        "release": resolved.version.release.as_ref().map(|r| r.to_string()),
        "catalog": resolved.catalog,
        "deprecation": deprecation,
    })
}

/// The text without what stands behind "is invalid:".
fn comparable(error: &str) -> &str {
    error.find("is invalid:").map_or(error, |at| &error[..at])
}

fn compare(name: &str) {
    let Some(folder) = folder(name) else { return };
    let contents: BTreeMap<String, BTreeMap<String, Package>> = std::fs::read_dir(folder.join("catalogs"))
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            (path.file_name().unwrap().to_string_lossy().into_owned(), read_catalog(&path.join("catalog.yaml")))
        })
        .collect();
    let target = Target::default();
    let (mut total, mut faults, mut exact) = (0, Vec::new(), 0);
    for line in std::fs::read_to_string(folder.join("cases.jsonl")).unwrap().lines() {
        total += 1;
        let case: Value = serde_json::from_str(line).unwrap();
        let installed = InstalledBundle::from_value(&case["installed"]);
        let request = Request::from_extension(&case["extension"], installed, &target).unwrap();
        let catalogs: Vec<Catalog> = case["catalogs"].as_array().unwrap().iter().map(Catalog::from_object).collect();
        let entries: Vec<CatalogEntry<'_>> = catalogs
            .iter()
            .map(|catalog| CatalogEntry { catalog, content: Ok(contents[&catalog.name].get(&request.package)) })
            .collect();
        let resolution = resolve(&request, &entries);
        let want = &case["want"];
        let agrees = match (&resolution.outcome, want["error"].as_str()) {
            (Ok(resolved), None) => as_want(resolved) == *want,
            (Err(failure), Some(want)) => {
                exact += usize::from(failure.to_string() == want);
                comparable(&failure.to_string()) == comparable(want)
            }
            _ => false,
        };
        if !agrees {
            let got = resolution.outcome.as_ref().map_or_else(|e| json!({"error": e.to_string()}), as_want);
            faults.push(format!(
                "{} {}\n    got  {got}\n    want {want}",
                case["extension"]["metadata"]["name"], case["installed"]
            ));
        }
    }
    println!("{name}: {} of {total} agree ({exact} errors word for word)", total - faults.len());
    for fault in faults.iter().take(5) {
        println!("  {fault}");
    }
    assert!(total > 0 && faults.is_empty(), "{name}: {} of {total} disagree", faults.len());
}

#[test]
fn real_catalogs() {
    compare("real");
}

#[test]
fn synthetic_catalogs() {
    compare("synthetic");
}
