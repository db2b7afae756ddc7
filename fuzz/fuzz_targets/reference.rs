//! A reference to an image, in both ways of reading it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::image::Reference;

fuzz_target!(|text: &str| {
    let _ = Reference::parse_as_controller(text);
    if let Ok(reference) = Reference::parse(text) {
        let shown = reference.to_string();
        assert_eq!(Reference::parse(&shown).map(|r| r.to_string()).ok().as_deref(), Some(shown.as_str()));
    }
});
