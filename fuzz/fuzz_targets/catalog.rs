//! The files of a catalog: read, opened twice with an index between, and validated.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::catalog::{Catalog, IndexCache, KeptIndex, Memory, graph, list, load, validate};
use olmplan_fuzz::files;
use std::sync::Mutex;

#[derive(Default)]
struct Cache(Mutex<Option<Vec<u8>>>);

impl IndexCache for Cache {
    fn get(&self, _: &str) -> Option<Box<dyn KeptIndex>> {
        let kept = self.0.lock().expect("one thread").clone();
        kept.map(|bytes| Box::new(bytes) as Box<dyn KeptIndex>)
    }

    fn put(&self, _: &str, bytes: &[u8]) {
        *self.0.lock().expect("one thread") = Some(bytes.to_vec());
    }
}

fuzz_target!(|bytes: &[u8]| {
    let files: Memory = files(bytes, "catalog.yaml").into_iter().collect();
    let loaded = load(&files).is_ok();
    let _ = validate(&files);
    let cache = Cache::default();
    let Ok(first) = Catalog::open(files.clone(), Some(&cache)) else { return };
    assert!(loaded);
    let second = Catalog::open(files, Some(&cache)).expect("it could be opened before");
    let _ = list(&first);
    assert_eq!(first.package_names(), second.package_names());
    for name in first.package_names().into_iter().take(20) {
        let package = first.package(name);
        assert_eq!(format!("{package:?}"), format!("{:?}", second.package(name)));
        let _ = package.map(|package| package.map(|package| graph(&package, None)));
    }
});
