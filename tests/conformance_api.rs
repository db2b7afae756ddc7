//! What kube-apiserver answers to ClusterExtensions and ClusterCatalogs, case by case.

#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::disallowed_methods)]

use olmplan::api::schema::{ErrorKind, Schema, Set};
use olmplan::api::{Kind, Manifest};
use olmplan::lint::{self, Input};
use olmplan::target::Target;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// The conformance folder; `None`, and a word about it, where it is missing.
fn conformance() -> Option<PathBuf> {
    let named = std::env::var_os("OLMPLAN_CONFORMANCE").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"));
    if folder.is_dir() {
        return Some(folder);
    }
    let ci = std::env::var("CI").is_ok_and(|v| v == "true");
    assert!(!ci, "{} is missing", folder.display());
    eprintln!("skipped: {} is missing", folder.display());
    None
}

/// The schema that a file of `crds` holds.
fn schema(file: &str) -> &'static Schema {
    let (plural, rest) = file.trim_end_matches(".yaml").split_once("-v1.").unwrap();
    let (minor, set) = rest.split_once('-').unwrap();
    let kind = if plural == "clusterextensions" { Kind::ClusterExtension } else { Kind::ClusterCatalog };
    let set = if set == "standard" { Set::Standard } else { Set::Experimental };
    Schema::served(kind, minor.parse().unwrap(), set)
}

fn answer(file: &str, object: &Value) -> Value {
    let verdict = schema(file).validate(object);
    if let [error] = verdict.errors.as_slice()
        && error.kind == ErrorKind::Malformed
    {
        return serde_json::json!({"error": error.message});
    }
    let errors: BTreeSet<_> = verdict.errors.iter().map(|e| (e.field.clone(), e.kind.name())).collect();
    let dropped: Vec<_> = verdict.dropped.iter().map(|d| d.field.clone()).collect();
    serde_json::json!({"errors": errors, "dropped": dropped})
}

#[test]
fn answers_as_the_api_server_does() {
    let Some(folder) = conformance() else { return };
    let text = std::fs::read_to_string(folder.join("api/cases.jsonl")).unwrap();
    let (mut agree, mut differ) = (0, Vec::new());
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        for (file, want) in case["want"].as_object().unwrap() {
            let found = answer(file, &case["object"]);
            if &found == want {
                agree += 1;
            } else {
                differ.push(format!("{} [{file}]\n  want  {want}\n  found {found}", case["edit"]));
            }
        }
    }
    println!("api: {agree} of {} agree", agree + differ.len());
    differ.iter().take(10).for_each(|d| println!("{d}"));
    assert!(agree > 0 && differ.is_empty(), "{} answers differ", differ.len());
}

/// The fields that the rules name, for the newest release, are those of the API server's answer.
#[test]
fn lint_names_the_same_fields() {
    let Some(folder) = conformance() else { return };
    let text = std::fs::read_to_string(folder.join("api/cases.jsonl")).unwrap();
    let mut differ = Vec::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let newest = ["clusterextensions-v1.11-standard.yaml", "clustercatalogs-v1.8-standard.yaml"];
        let want = newest.iter().find_map(|file| case["want"].get(file)).unwrap();
        let file: Arc<str> = Arc::from(case["object"].to_string());
        let (manifests, errors) = Manifest::read("a.json", &file);
        assert!(errors.is_empty());
        let findings = lint::run(&Input::new(&manifests, &[], &Target::default()));
        let fields = |rule: &str| -> BTreeSet<String> {
            findings.iter().filter(|f| f.rule == rule).map(|f| f.field.as_ref().unwrap().to_string()).collect()
        };
        let agrees = match want.get("errors") {
            None => !fields("invalid-object").is_empty(),
            Some(errors) => {
                let errors = errors.as_array().unwrap().iter().map(|e| e[0].as_str().unwrap().to_owned()).collect();
                let dropped = want["dropped"].as_array().unwrap().iter().map(|d| d.as_str().unwrap().to_owned()).collect();
                fields("invalid-object") == errors && fields("dropped-field") == dropped
            }
        };
        if !agrees {
            differ.push(format!("{}\n  want  {want}\n  found {findings:?}", case["edit"]));
        }
    }
    differ.iter().take(10).for_each(|d| println!("{d}"));
    assert!(differ.is_empty(), "{} answers differ", differ.len());
}
