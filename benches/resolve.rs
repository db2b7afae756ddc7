//! Resolution over packages of the size that large public catalogs have: 50 extensions against 4 catalogs.

#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use olmplan::catalog::{Bundle, Channel, ChannelEntry, Package, Property};
use olmplan::resolve::{Catalog, CatalogEntry, InstalledBundle, Request, resolve};
use std::hint::black_box;

/// 100 versions in 5 channels; each replaces the one before and skips its minor's, as most do.
fn package() -> Package {
    let version = |n: usize| format!("{}.{}.{}", n / 50, n / 5 % 10, n % 5);
    let bundle = |n: usize| Bundle {
        name: format!("some-operator.v{}", version(n)),
        package: "some-operator".to_owned(),
        image: format!("registry.example/some/operator@sha256:{n:064}"),
        properties: vec![Property {
            kind: "olm.package".to_owned(),
            value: serde_json::value::to_raw_value(&serde_json::json!({"packageName": "some-operator", "version": version(n)}))
                .unwrap(),
        }],
    };
    let entry = |n: usize| ChannelEntry {
        name: format!("some-operator.v{}", version(n)),
        replaces: n.checked_sub(1).map(|n| format!("some-operator.v{}", version(n))).unwrap_or_default(),
        skips: Vec::new(),
        skip_range: format!(">={}.0.0 <{}", n / 50, version(n)),
    };
    let channel = |c: usize| Channel { name: format!("stable-{c}"), entries: (0..100).map(entry).collect() };
    Package {
        name: "some-operator".to_owned(),
        channels: (0..5).map(channel).collect(),
        bundles: (0..100).map(bundle).collect(),
        ..Package::default()
    }
}

fn bench(c: &mut Criterion) {
    let package = package();
    let catalogs: Vec<Catalog> = (0..4).map(|n| Catalog { name: format!("c{n}"), priority: n, ..Catalog::default() }).collect();
    let entries: Vec<CatalogEntry<'_>> =
        catalogs.iter().map(|catalog| CatalogEntry { catalog, content: Ok(Some(&package)) }).collect();
    let installed = Some(InstalledBundle { name: "some-operator.v1.2.3".to_owned(), version: "1.2.3".to_owned(), release: None });
    let plain = Request { package: "some-operator".to_owned(), ..Request::default() };
    let requests = [
        ("install", Request { version: "1.x".to_owned(), ..plain.clone() }),
        ("upgrade", Request { installed: installed.clone(), ..plain.clone() }),
        (
            "upgrade in a channel",
            Request { installed: installed.clone(), channels: vec!["stable-2".to_owned()], ..plain.clone() },
        ),
        ("upgrade to nowhere", Request { installed, version: "<1.2".to_owned(), ..plain }),
    ];
    for (name, request) in &requests {
        c.bench_function(&format!("50 times 4 catalogs: {name}"), |b| {
            b.iter(|| (0..50).filter(|_| resolve(black_box(request), &entries).outcome.is_ok()).count());
        });
    }
    let (_, nowhere) = &requests[3];
    c.bench_function("the story and hints of one", |b| {
        let resolution = resolve(nowhere, &entries);
        b.iter(|| (resolution.story().catalogs.len(), resolution.hints(Vec::new).len()));
    });
}

criterion_group!(benches, bench);
criterion_main!(benches);
