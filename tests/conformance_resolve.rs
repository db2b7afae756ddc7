//! The reference's own answers for whole resolutions.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods
)]

use olmplan::catalog::{Catalog as Contents, Memory, Package};
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

/// What the catalogs have of a package, read but once.
#[derive(Default)]
struct Shelf {
    catalogs: BTreeMap<String, Contents>,
    packages: BTreeMap<(String, String), Option<Package>>,
}

impl Shelf {
    fn open(folder: &Path) -> Self {
        let folders = std::fs::read_dir(folder.join("catalogs")).unwrap().map(|entry| entry.unwrap().path());
        let open = |path: PathBuf| {
            let files = Memory::from_iter([("catalog.yaml", std::fs::read(path.join("catalog.yaml")).unwrap())]);
            (path.file_name().unwrap().to_string_lossy().into_owned(), Contents::open(files, None).unwrap())
        };
        Self { catalogs: folders.map(open).collect(), packages: BTreeMap::new() }
    }

    fn read(&mut self, catalog: &str, package: &str) {
        let key = (catalog.to_owned(), package.to_owned());
        self.packages.entry(key).or_insert_with(|| self.catalogs[catalog].package(package).unwrap());
    }

    fn package(&self, catalog: &str, package: &str) -> Option<&Package> {
        self.packages[&(catalog.to_owned(), package.to_owned())].as_ref()
    }
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
    let mut shelf = Shelf::open(&folder);
    let target = Target::default();
    let (mut total, mut faults, mut exact) = (0, Vec::new(), 0);
    for line in std::fs::read_to_string(folder.join("cases.jsonl")).unwrap().lines() {
        total += 1;
        let case: Value = serde_json::from_str(line).unwrap();
        let installed = InstalledBundle::from_value(&case["installed"]);
        let request = Request::from_extension(&case["extension"], installed, &target).unwrap();
        let catalogs: Vec<Catalog> = case["catalogs"].as_array().unwrap().iter().map(Catalog::from_object).collect();
        for catalog in &catalogs {
            shelf.read(&catalog.name, &request.package);
        }
        let entries: Vec<CatalogEntry<'_>> = catalogs
            .iter()
            .map(|catalog| CatalogEntry { catalog, content: Ok(shelf.package(&catalog.name, &request.package)) })
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
