//! A CRD before and after.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::crd::{Policy, changes, check};
use olmplan::target::Target;
use olmplan_fuzz::files;

fuzz_target!(|bytes: &[u8]| {
    let values: Vec<_> = files(bytes, "before.yaml")
        .into_iter()
        .filter_map(|(_, text)| olmplan::yaml::read(&String::from_utf8_lossy(&text)).ok())
        .collect();
    let Some((before, after)) = values.first().zip(values.last()) else { return };
    for policy in [Policy::olm(&Target::default()), Policy::strict()] {
        let _ = check(before, after, &policy);
    }
    let _ = changes(before, after);
});
