//! What a registry sends: a manifest, an index, a configuration.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::image::fuzzing;

fuzz_target!(|bytes: &[u8]| fuzzing::manifest(bytes));
