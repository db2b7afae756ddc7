//! The first and the second opening of a catalog, with one package, beside reading and hashing the same bytes.
//!
//! The catalog is made on the spot, of `OLMPLAN_BENCH_MB` megabytes (20 where that is not set), or is the folder that
//! `OLMPLAN_BENCH_CATALOG` names.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods, clippy::print_stdout, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use olmplan::catalog::{Catalog, Files, Folder, IndexCache, KeptIndex};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

#[derive(Default)]
struct Cache(Mutex<BTreeMap<String, Vec<u8>>>);

impl IndexCache for Cache {
    fn get(&self, key: &str) -> Option<Box<dyn KeptIndex>> {
        Some(Box::new(self.0.lock().unwrap().get(key)?.clone()))
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        self.0.lock().unwrap().insert(key.to_owned(), bytes.to_vec());
    }
}

/// Writes packages of twenty bundles until there is enough.
fn make(root: &Path, megabytes: usize) {
    let text = "What the operator does, at some length, with \\\"quotes\\\" and\\nline breaks. ".repeat(120);
    let mut size = 0;
    for n in 0.. {
        let name = format!("operator-{n}");
        let mut out =
            format!("{{\n    \"schema\": \"olm.package\",\n    \"name\": \"{name}\",\n    \"defaultChannel\": \"stable\"\n}}\n");
        let entries: Vec<String> = (0..20).map(|v| format!("{{\"name\": \"{name}.v1.{v}.0\"}}")).collect();
        out += &format!(
            "{{\"schema\": \"olm.channel\", \"package\": \"{name}\", \"name\": \"stable\", \"entries\": [{}]}}\n",
            entries.join(", ")
        );
        for v in 0..20 {
            out += &format!(
                "{{\n    \"schema\": \"olm.bundle\",\n    \"name\": \"{name}.v1.{v}.0\",\n    \"package\": \"{name}\",\n    \
                 \"image\": \"quay.io/example/{name}:1.{v}.0\",\n    \"properties\": [\n        {{\n            \"type\": \
                 \"olm.package\",\n            \"value\": {{\"packageName\": \"{name}\", \"version\": \"1.{v}.0\"}}\n        }},\n        \
                 {{\n            \"type\": \"olm.csv.metadata\",\n            \"value\": {{\n                \"description\": \
                 \"{text}\",\n                \"annotations\": {{\"alm-examples\": \"{text}\"}}\n            }}\n        }}\n    ]\n}}\n"
            );
        }
        std::fs::create_dir_all(root.join(&name)).unwrap();
        std::fs::write(root.join(&name).join("catalog.json"), &out).unwrap();
        size += out.len();
        if size >= megabytes * 1_000_000 {
            return;
        }
    }
}

fn catalog(c: &mut Criterion) {
    let made = tempfile::tempdir().unwrap();
    let root = match std::env::var_os("OLMPLAN_BENCH_CATALOG") {
        Some(path) => PathBuf::from(path),
        None => {
            let size = std::env::var("OLMPLAN_BENCH_MB").ok().and_then(|v| v.parse().ok()).unwrap_or(20);
            make(made.path(), size);
            made.path().to_owned()
        }
    };
    let names: Vec<String> =
        Catalog::open(Folder::open(&root).unwrap(), None).unwrap().package_names().iter().map(|n| (*n).to_owned()).collect();
    let middle = &names[names.len() / 2];
    let cache = Cache::default();
    Catalog::open(Folder::open(&root).unwrap(), Some(&cache)).unwrap();
    println!("{} packages", names.len());

    let mut group = c.benchmark_group("catalog");
    group.sample_size(10);
    group.bench_function("reference: read and hash the bytes", |b| {
        b.iter(|| {
            let folder = Folder::open(&root).unwrap();
            let mut hash = Sha256::new();
            for file in folder.list() {
                hash.update(folder.read(&file.path).unwrap());
            }
            hash.finalize()
        });
    });
    group.bench_function("reference: read the bytes", |b| {
        b.iter(|| {
            let folder = Folder::open(&root).unwrap();
            folder.list().iter().map(|file| black_box(folder.read(&file.path).unwrap()).len()).sum::<usize>()
        });
    });
    group.bench_function("first opening, one package", |b| {
        b.iter(|| Catalog::open(Folder::open(&root).unwrap(), None).unwrap().package(middle).unwrap().unwrap());
    });
    group.bench_function("second opening, one package", |b| {
        b.iter(|| Catalog::open(Folder::open(&root).unwrap(), Some(&cache)).unwrap().package(middle).unwrap().unwrap());
    });
    group.bench_function("second opening of four, fifty packages of each", |b| {
        b.iter(|| {
            for _ in 0..4 {
                let catalog = Catalog::open(Folder::open(&root).unwrap(), Some(&cache)).unwrap();
                for name in names.iter().step_by((names.len() / 50).max(1)).take(50) {
                    black_box(catalog.package(name).unwrap());
                }
            }
        });
    });
    group.finish();
}

criterion_group!(benches, catalog);
criterion_main!(benches);
