//! A file of credentials. None of them may show.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::image::{Reference, fuzzing};

fuzz_target!(|bytes: &[u8]| {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), bytes).expect("a file");
    for reference in [
        "quay.io/a/b:v1",
        "docker.io/library/x",
        "localhost:5000/x@sha256:0000000000000000000000000000000000000000000000000000000000000000",
    ] {
        let reference = Reference::parse(reference).expect("a reference");
        let _ = fuzzing::auth(file.path().to_owned(), &reference);
    }
});
