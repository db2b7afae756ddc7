//! The ways to read a text.

use std::sync::Arc;

use serde_json::Value;

use super::document::Document;
use super::error::{Error, Fault};
use super::json;
use super::load::load;
use super::source::Source;
use super::spot::{Everywhere, Nowhere};
use super::stream::{AfterError, Stream};

/// The first document of `text`, as `YAMLToJSON` of sigs.k8s.io/yaml v1.6.0 reads it. An empty text is `null`.
///
/// # Errors
/// Where Kubernetes refuses the text.
pub fn read(text: &str) -> Result<Value, Error> {
    match load::<Nowhere>(text) {
        Ok(loaded) => Ok(loaded.value),
        Err(fault) => Err(placed(&Source::new(text), fault, 0)),
    }
}

/// What a text holds that is one value of JSON, as Go's encoding/json reads it; `None` where it nests too deep.
pub(crate) fn read_json(text: &str) -> Option<Value> {
    json::load::<Nowhere>(text).ok().map(|loaded| loaded.value)
}

/// The first document of `text`, as [`read`], with places.
///
/// # Errors
/// Where Kubernetes refuses the text.
pub fn read_document(text: &str) -> Result<Document, Error> {
    let source = Arc::new(Source::new(text));
    match load::<Everywhere>(text) {
        Ok(loaded) => Ok(Document::new(&source, 0, text.len(), loaded)),
        Err(fault) => Err(placed(&source, fault, 0)),
    }
}

/// The documents of `text` as `kubectl` reads a file of manifests, JSON or YAML. It stops at the first error, which is then the last
/// item. A document that says nothing is `null`.
pub fn read_stream(text: &str) -> Vec<Result<Document, Error>> {
    documents(&text.into(), AfterError::Stop)
}

/// The documents of `text` as [`read_stream`], but going on with the next document after an error, as far as there is a way on.
pub fn read_all_documents(text: impl Into<Arc<str>>) -> Vec<Result<Document, Error>> {
    documents(&text.into(), AfterError::GoOn)
}

/// The values of the documents of `text`, as [`read_stream`], without places: for large texts.
///
/// # Errors
/// The first error.
pub fn values(text: &str) -> Result<Vec<Value>, Error> {
    let mut stream = Stream::new(text, AfterError::Stop);
    let mut values = Vec::new();
    while let Some(part) = stream.next::<Nowhere>() {
        match part {
            Ok(part) => values.push(part.loaded.value),
            Err((fault, base)) => return Err(placed(&Source::new(text), fault, base)),
        }
    }
    Ok(values)
}

fn documents(text: &Arc<str>, after_error: AfterError) -> Vec<Result<Document, Error>> {
    let source = Arc::new(Source::new(Arc::clone(text)));
    let mut stream = Stream::new(text, after_error);
    let mut documents = Vec::new();
    while let Some(part) = stream.next::<Everywhere>() {
        documents.push(match part {
            Ok(part) => Ok(Document::new(&source, part.start, part.end, part.loaded)),
            Err((fault, base)) => Err(placed(&source, fault, base)),
        });
    }
    documents
}

fn placed(source: &Source, fault: Fault, base: usize) -> Error {
    let place = fault.offset.map(|offset| source.place(base, (offset, offset)));
    Error { message: fault.message, place, kind: fault.kind, strict: fault.strict }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::yaml::ErrorKind;

    fn message(text: &str) -> String {
        read(text).unwrap_err().message
    }

    #[test]
    fn takes_the_last_of_equal_keys_and_merges_where_it_stands() {
        assert_eq!(read("a: 1\nb: 2\na: 3\n"), Ok(json!({"a": 3, "b": 2})));
        assert_eq!(read("x: &x {a: 1}\nc:\n  a: 9\n  <<: *x\n"), Ok(json!({"x": {"a": 1}, "c": {"a": 1}})));
        assert_eq!(read("x: &x {a: 1}\nc:\n  <<: *x\n  a: 9\n"), Ok(json!({"x": {"a": 1}, "c": {"a": 9}})));
        assert_eq!(read("<<: [{a: 1, b: 1}, {a: 2, c: 2}]\n"), Ok(json!({"a": 1, "b": 1, "c": 2})));
    }

    #[test]
    fn turns_keys_into_text() {
        assert_eq!(
            read("{yes: 1, 010: 2, 1e3: 3, 0.5: 4, \"~\": 5}"),
            Ok(json!({"true": 1, "8": 2, "1000": 3, "0.5": 4, "~": 5}))
        );
        assert_eq!(message("? [a, 1, ~]\n: b\n"), r#"yaml: invalid map key: []interface {}{"a", 1, interface {}(nil)}"#);
        assert_eq!(message("9223372036854775808: {a: b}\n").split(" of ").next(), Some("unsupported map key"));
    }

    #[test]
    fn forgives_what_a_later_key_overwrites() {
        assert_eq!(message("a: .inf\n"), "json: unsupported value: +Inf");
        assert_eq!(read("a: .inf\na: 1\n"), Ok(json!({"a": 1})));
    }

    #[test]
    fn knows_an_empty_list_for_no_key() {
        assert_eq!(read("[]: x\n"), Ok(json!([])));
    }

    #[test]
    fn refuses_control_characters_as_far_as_the_reference_reads() {
        assert_eq!(message("a: \u{7}\n"), "yaml: control characters are not allowed");
        let far = format!("a: 1\n...\n{}\u{7}", "#".repeat(600));
        assert_eq!(read(&far), Ok(json!({"a": 1})));
        let beside_a_key_too_long_for_one = format!("a: 1\n{}\u{7}", "b".repeat(2000));
        assert_eq!(message(&beside_a_key_too_long_for_one), "yaml: control characters are not allowed");
    }

    #[test]
    fn bounds_depth() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let value = read(&nested(500)).unwrap();
        assert_eq!(value.clone().to_string(), nested(500));
        assert_eq!(read(&nested(501)).unwrap_err().kind, ErrorKind::Limit);
        assert_eq!(read(&nested(100_000)).unwrap_err().kind, ErrorKind::Limit);
        assert_eq!(read(&"- ".repeat(100_000)).unwrap_err().kind, ErrorKind::Limit);
        assert_eq!(read(&"? ".repeat(100_000)).unwrap_err().kind, ErrorKind::Limit);
        let objects = |levels: usize| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
        assert_eq!(values(&objects(500)).unwrap()[0].to_string(), objects(500));
        assert_eq!(values(&objects(501)).unwrap_err().kind, ErrorKind::Limit);
        let mut chain = "a0: &a0 [x]\n".to_owned();
        for level in 1..2000 {
            chain += &format!("a{level}: &a{level} [*a{}]\n", level - 1);
        }
        assert!(read(&chain).is_err());
    }

    #[test]
    fn bounds_aliases() {
        let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n".to_owned();
        for level in 1..9 {
            let parts = vec![format!("*a{}", level - 1); 9].join(",");
            bomb += &format!("a{level}: &a{level} [{parts}]\n");
        }
        assert_eq!(message(&bomb), "yaml: document contains excessive aliasing");
        let long = format!("a: &a \"{}\"\nb: [{}]\n", "x".repeat(1 << 20), vec!["*a"; 1000].join(","));
        assert_eq!(read(&long).unwrap_err().kind, ErrorKind::Limit);
        assert_eq!(message("a: &a [*a]\n"), "yaml: anchor 'a' value contains itself");
        assert_eq!(message("? &a [*a]\n: b\n"), "yaml: anchor 'a' value contains itself");
    }

    #[test]
    fn says_where() {
        let error = read("a:\n  b: 1\n  ü: @x\n").unwrap_err();
        let place = error.place.unwrap();
        assert_eq!((place.line, place.column, error.kind), (3, 6, ErrorKind::Syntax));
    }

    #[test]
    fn goes_on_after_a_broken_document() {
        let text = "a: 1\n---\nb: [\n---\nc: 3\n--- d: 4\n---\ne: 5";
        let stream = read_stream(text);
        assert_eq!(stream.len(), 2);
        let places: Vec<_> = read_all_documents(text)
            .into_iter()
            .map(|document| match document {
                Ok(document) => (document.value.clone(), document.whole().line),
                Err(error) => (json!(error.message), error.place.unwrap().line),
            })
            .collect();
        let expected = [
            (json!({"a": 1}), 1),
            (json!("error converting YAML to JSON: yaml: line 1: did not find expected node content"), 4),
            (json!({"c": 3}), 5),
            (json!("invalid Yaml document separator: d: 4"), 6),
            (json!({"e": 5}), 7),
        ];
        assert_eq!(places, expected);
    }
}
