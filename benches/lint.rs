//! `lint` of a thousand files, from their text to the findings.

use criterion::{Criterion, criterion_group, criterion_main};
use olmplan::api::Manifest;
use olmplan::lint::{self, Input};
use olmplan::target::Target;
use std::hint::black_box;
use std::sync::Arc;

fn text(number: usize) -> String {
    format!(
        "apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: extension-{number}
  labels:
    team: storage
spec:
  namespace: ns-{number}
  serviceAccount:
    name: installer
  source:
    sourceType: Catalog
    catalog:
      packageName: argocd-operator
      version: \">=0.6.0 <0.7.0\"
      channels: [alpha, stable]
      channel: wrong
      upgradeConstraintPolicy: CatalogProvided
      selector:
        matchLabels:
          olm.operatorframework.io/metadata.name: operatorhubio
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  name: catalog-{number}
spec:
  priority: {number}
  source:
    type: Image
    image:
      ref: quay.io/operatorhubio/catalog:latest
      pollIntervalMinutes: 10
"
    )
}

fn thousand_files(c: &mut Criterion) {
    let texts: Vec<Arc<str>> = (0..1000).map(|number| Arc::from(text(number))).collect();
    let target = Target::default();
    c.bench_function("lint 1000 files", |b| {
        b.iter(|| {
            let read = |(number, text)| Manifest::read(&format!("{number}.yaml"), text).0;
            let manifests: Vec<Manifest> = texts.iter().enumerate().flat_map(read).collect();
            let findings = lint::run(&Input::new(&manifests, &[], &target));
            assert_eq!(findings.len(), 1000);
            black_box(findings)
        });
    });
}

criterion_group!(benches, thousand_files);
criterion_main!(benches);
