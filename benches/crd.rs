//! The check of CRD upgrades: the pairs of the conformance suite, both policies, in one process; and one large CRD.

#![allow(missing_docs, clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stderr, clippy::indexing_slicing)]

use criterion::{Criterion, criterion_group, criterion_main};
use olmplan::crd::{CrdFiles, Finding, Pointer, Policy, check, check_all};
use olmplan::target::Target;
use serde_json::{Value, json};
use std::hint::black_box;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    std::env::var_os("OLMPLAN_CONFORMANCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from)
        .join("crd")
}

fn pairs(folder: &Path) -> Vec<(Vec<Value>, Vec<Value>)> {
    let read = |path: PathBuf| olmplan::yaml::values(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names.iter().map(|pair| (read(pair.join("before.yaml")), read(pair.join("after.yaml")))).collect()
}

/// A CRD of about 5 MB, 30 levels deep; every third field of the changed one differs.
fn large(changed: bool) -> Value {
    let mut count = 0;
    let mut schema = json!({ "type": "object" });
    for level in 0..30 {
        let mut properties = serde_json::Map::new();
        for field in 0..1250 {
            count += 1;
            let differs = changed && count % 3 == 0;
            let words = format!("Says in some words what the field {field} on level {level} is for, and what it does.");
            let format = if differs { "b" } else { "a" };
            let most = if differs { 10 } else { 20 };
            properties.insert(
                format!("field{field}"),
                json!({ "type": "string", "description": words, "format": format, "maxLength": most }),
            );
        }
        properties.insert("nested".to_owned(), schema);
        schema = json!({ "type": "object", "properties": properties });
    }
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "large.example.com" },
        "spec": {
            "scope": "Namespaced",
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        },
    })
}

/// Reads two texts, compares their CRDs and looks up both places of each finding; gives the sum of the columns.
fn placed((before, after): &(String, String), policy: &Policy) -> u64 {
    let read = |text: &str| {
        let mut files = CrdFiles::default();
        files.add("crds.json", text).unwrap();
        files
    };
    let (before, after) = (read(before), read(after));
    let findings = check_all(before.documents(), after.documents(), policy).unwrap();
    let column = |files: &CrdFiles, name: &str, field: &Pointer| u64::from(files.crds[name].place(&field.field()).column);
    let both = |f: &Finding| column(&before, &f.crd, &f.before_field) + column(&after, &f.crd, &f.after_field);
    findings.iter().map(both).sum()
}

fn crd(c: &mut Criterion) {
    let folder = folder();
    if folder.is_dir() {
        let pairs = pairs(&folder);
        for (name, policy) in [("olm", Policy::olm(&Target::default())), ("strict", Policy::strict())] {
            c.bench_function(&format!("crd/{} pairs, {name}", pairs.len()), |b| {
                b.iter(|| {
                    pairs.iter().map(|(before, after)| check_all(before, black_box(after), &policy).unwrap().len()).sum::<usize>()
                });
            });
        }
    } else {
        eprintln!("skipped: {} is missing", folder.display());
    }
    let (before, after) = (large(false), large(true));
    let policy = Policy::olm(&Target::default());
    c.bench_function("crd/5 MB against itself", |b| b.iter(|| check(&before, black_box(&before), &policy).unwrap().len()));
    c.bench_function("crd/5 MB against a changed one", |b| b.iter(|| check(&before, black_box(&after), &policy).unwrap().len()));
    // One line each, as a minified dump has it.
    let texts = (before.to_string(), after.to_string());
    c.bench_function("crd/the same from their texts, each finding placed on both sides", |b| b.iter(|| placed(&texts, &policy)));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = crd
}
criterion_main!(benches);
