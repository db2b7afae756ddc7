//! Rendering every bundle of the conformance folder, from its files in memory to JSON.

#![allow(missing_docs, clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stderr)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use olmplan::bundle;
use olmplan::render::{OwnerLabels, RenderOptions, render};
use olmplan::target::Target;
use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

type Files = BTreeMap<String, Vec<u8>>;

fn bundles() -> Vec<Files> {
    let root = std::env::var_os("OLMPLAN_CONFORMANCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from);
    let Ok(folders) = fs::read_dir(root.join("render")) else { return Vec::new() };
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.unwrap().path().join("bundle")).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders.iter().map(|folder| files(folder)).collect()
}

fn files(root: &Path) -> Files {
    let entries = walkdir::WalkDir::new(root).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    let file = |entry: walkdir::DirEntry| {
        (entry.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned(), fs::read(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

fn to_json(files: &Files, target: &Target) -> Vec<u8> {
    let options = RenderOptions {
        extension: "e",
        install_namespace: "ns",
        config: None,
        watch_namespace_annotation: None,
        target,
        owner_labels: OwnerLabels::Add,
    };
    match bundle::read(files).map_err(|error| error.to_string()).and_then(|b| render(&b, &options).map_err(|e| e.to_string())) {
        Ok(objects) => serde_json::to_vec(&objects).unwrap(),
        Err(error) => error.into_bytes(),
    }
}

fn render_all(c: &mut Criterion) {
    let bundles = bundles();
    if bundles.is_empty() {
        eprintln!("skipped: no conformance folder");
        return;
    }
    let target = Target::default();
    let mut group = c.benchmark_group("render");
    group.throughput(Throughput::Elements(bundles.len() as u64));
    group.bench_function("every bundle, from files to JSON", |b| {
        b.iter(|| bundles.iter().map(|files| black_box(to_json(files, &target)).len()).sum::<usize>());
    });
    group.bench_function("every bundle, reading alone", |b| {
        b.iter(|| bundles.iter().map(|files| black_box(bundle::read(files)).is_ok()).filter(|ok| *ok).count());
    });
    group.finish();
}

criterion_group!(benches, render_all);
criterion_main!(benches);
