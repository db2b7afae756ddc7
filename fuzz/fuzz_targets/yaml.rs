//! A text of YAML or JSON: as a document, as a stream, and written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use olmplan::yaml;

fuzz_target!(|text: &str| {
    let _ = yaml::read_stream(text);
    let _ = yaml::read_all_documents(text);
    let _ = yaml::values(text);
    let _ = yaml::read_document(text).map(|document| (document.strict_error(), document.whole()));
    if let Ok(value) = yaml::read(text) {
        let written = yaml::write(&value);
        assert_eq!(yaml::read(&written).as_ref(), Ok(&value), "{written}");
    }
});
