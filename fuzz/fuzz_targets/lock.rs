//! A lock: read, written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::lock::Lock;

fuzz_target!(|text: &str| {
    if let Ok(lock) = Lock::parse(text) {
        let written = lock.to_text();
        let again = Lock::parse(&written).expect("what was written can be read");
        assert_eq!(again.to_text(), written);
    }
});
