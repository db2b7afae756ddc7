//! A configuration.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = olmplan::config::parse(text) {
        assert!(text.get(error.span.start..error.span.end).is_some(), "{error:?}");
    }
});
