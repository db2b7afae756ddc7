//! A configuration of crdify.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::crd::Policy;

fuzz_target!(|text: &str| {
    let _ = Policy::from_config(text).map(|policy| policy.approximation());
});
