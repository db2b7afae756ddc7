//! A layer, packed in whatever way, as that of a catalog and of a bundle.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::image::{Kind, fuzzing};

fuzz_target!(|bytes: &[u8]| {
    for kind in [Kind::Catalog, Kind::Bundle] {
        let kept = fuzzing::layer(bytes, kind).unwrap_or_default();
        assert!(kept <= 1 << 20);
    }
});
