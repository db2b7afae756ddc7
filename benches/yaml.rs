//! Reading catalogs and bundles as they are published, from text in memory.

#![allow(missing_docs, clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stderr)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use olmplan::yaml;
use std::ffi::OsStr;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// The YAML below a folder that lies beside the conformance folder, or in it.
fn texts(folder: &str) -> Vec<String> {
    let root = std::env::var_os("OLMPLAN_CONFORMANCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from);
    let files = walkdir::WalkDir::new(root.join(folder)).sort_by_file_name().into_iter().filter_map(Result::ok);
    let files = files.filter(|entry| entry.path().extension() == Some(OsStr::new("yaml")));
    files.map(|entry| fs::read_to_string(entry.path()).unwrap()).collect()
}

fn read(c: &mut Criterion) {
    for (name, folder) in [("catalogs", "../bench/catalog"), ("bundles", "render")] {
        let texts = texts(folder);
        if texts.is_empty() {
            eprintln!("skipped: no {name}");
            continue;
        }
        let mut group = c.benchmark_group(format!("yaml {name}"));
        group.sample_size(10).throughput(Throughput::Bytes(texts.iter().map(|text| text.len() as u64).sum()));
        group.bench_function("values", |b| {
            b.iter(|| texts.iter().map(|text| yaml::values(black_box(text)).unwrap().len()).sum::<usize>())
        });
        group.bench_function("documents", |b| {
            b.iter(|| texts.iter().map(|text| yaml::read_stream(black_box(text)).len()).sum::<usize>())
        });
        let values: Vec<_> = texts.iter().flat_map(|text| yaml::values(text).unwrap()).collect();
        group.bench_function("write", |b| {
            b.iter(|| values.iter().map(|value| yaml::write(black_box(value)).len()).sum::<usize>())
        });
    }
}

criterion_group!(benches, read);
criterion_main!(benches);
