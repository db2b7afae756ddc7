//! The files of a bundle, to the objects that are applied.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::bundle;
use olmplan::render::{OwnerLabels, RenderOptions, render};
use olmplan::target::Target;
use olmplan_fuzz::files;
use std::collections::BTreeMap;

fuzz_target!(|bytes: &[u8]| {
    let mut files: BTreeMap<String, Vec<u8>> = files(bytes, "manifests/csv.yaml").into_iter().collect();
    let annotations = "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n  operators.operatorframework.io.bundle.package.v1: a\n";
    files.entry("metadata/annotations.yaml".to_owned()).or_insert_with(|| annotations.into());
    let config = files.remove("config").and_then(|text| olmplan::yaml::read(&String::from_utf8_lossy(&text)).ok());
    let Ok(bundle) = bundle::read(&files) else { return };
    for target in ["olm-1.2", "olm-1.5", "ocp-4.18", "ocp-4.22-preview"] {
        let target = Target::named(target).unwrap_or_default();
        let options = RenderOptions {
            extension: "e",
            install_namespace: "ns",
            config: config.as_ref(),
            watch_namespace_annotation: Some("ns"),
            target: &target,
            owner_labels: OwnerLabels::Add,
        };
        let _ = render(&bundle, &options).map(|objects| olmplan::yaml::write_documents(&objects));
    }
});
