//! A file of a tree: its ClusterExtensions and ClusterCatalogs, and what there is to say of them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::api::Manifest;
use olmplan::lint;
use olmplan::target::Target;
use std::sync::Arc;

fuzz_target!(|text: &str| {
    let text: Arc<str> = text.into();
    let (manifests, errors) = Manifest::read("a.yaml", &text);
    let broken: Vec<_> =
        errors.into_iter().map(|error| lint::Broken { path: "a.yaml".to_owned(), text: text.clone(), error }).collect();
    for target in [Target::default(), Target::named("olm-1.2").unwrap_or_default()] {
        let _ = lint::run(&lint::Input::new(&manifests, &broken, &target));
    }
});
