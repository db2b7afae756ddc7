//! Holds what `--format json` prints to the schemas of `schemas/`, and to being sorted.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout)]

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use support::{copy, olmplan, parts};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn schema(name: &str) -> jsonschema::Validator {
    let text = std::fs::read_to_string(root().join(format!("schemas/{name}.json"))).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

fn run(home: &Path, folder: &Path, arguments: &[&str]) -> Value {
    let (_, stdout, stderr) = parts(&olmplan(home, folder).args(arguments).args(["--format", "json"]).output().unwrap());
    serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{arguments:?}: {e}\n{stdout}{stderr}"))
}

/// The demo, and every case with a tree of its own.
fn trees() -> Vec<PathBuf> {
    let cases = std::fs::read_dir(root().join("testdata/cases")).unwrap().map(|e| e.unwrap().path().join("tree"));
    // A configuration that is refused gives no answer to hold to anything.
    let mut trees: Vec<PathBuf> = cases.filter(|t| t.is_dir() && !t.ends_with("unknown-key/tree")).collect();
    trees.push(root().join("testdata/demo"));
    trees.sort();
    trees
}

#[test]
fn what_is_printed_fits_its_schema() {
    let home = tempfile::tempdir().unwrap();
    let mut printed = 0;
    for name in ["check", "lint", "resolve", "render", "diff"] {
        let schema = schema(name);
        for (n, tree) in trees().iter().enumerate() {
            let work = home.path().join(format!("{name}-{n}"));
            copy(tree, &work);
            let value = run(home.path(), &work, &[name, ".", "--offline"]);
            let errors: Vec<String> = schema.iter_errors(&value).map(|e| format!("{} at {}", e, e.instance_path())).collect();
            assert!(errors.is_empty(), "{name} {}: {errors:#?}", tree.display());
            printed += 1;
        }
    }
    assert!(printed > 50, "{printed}");
    let images = root().join("testdata/demo/images");
    let value = run(home.path(), &images, &["crd-diff", "weir-0.4.0/manifests", "weir-0.5.0/manifests"]);
    assert!(value.as_array().is_some_and(|f| !f.is_empty()));
    assert!(schema("crd-diff").is_valid(&value), "{value}");
}

#[test]
fn the_schemas_refuse_what_is_not_printed() {
    let home = tempfile::tempdir().unwrap();
    let mut value = run(home.path(), &root(), &["lint", "testdata/demo"]);
    assert!(schema("lint").is_valid(&value));
    value["surprise"] = Value::Null;
    assert!(!schema("lint").is_valid(&value));
}

#[test]
fn lists_are_sorted() {
    let home = tempfile::tempdir().unwrap();
    let value = run(home.path(), &root(), &["check", "testdata/demo"]);
    let keys = |list: &str, key: &str| -> Vec<String> {
        value[list].as_array().unwrap().iter().map(|v| v[key].as_str().unwrap_or_default().to_owned()).collect()
    };
    for (list, key) in [("extensions", "extension"), ("catalogs", "catalog"), ("findings", "path")] {
        let found = keys(list, key);
        let mut sorted = found.clone();
        sorted.sort();
        assert!(found == sorted && !found.is_empty(), "{list}: {found:?}");
    }
}
