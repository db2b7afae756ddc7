//! A file's bytes as the documents that Kubernetes' decoder yields from them.

use crate::yaml;
use serde_json::Value;

const PREFIX: &str = "error converting YAML to JSON: ";

/// The documents of a file up to the first that does not parse, and what is wrong with that one.
pub(super) fn documents(content: &[u8]) -> (Vec<Value>, Option<String>) {
    let error = match std::str::from_utf8(content) {
        Ok(text) => return of_text(text),
        Err(error) => error,
    };
    // The documents before the one with the bad byte are read; they end at a separator.
    let good = content.get(..error.valid_up_to()).and_then(|good| std::str::from_utf8(good).ok()).unwrap_or_default();
    let (values, broken) = good.rfind("\n---").and_then(|end| good.get(..=end)).map(of_text).unwrap_or_default();
    (values, broken.or_else(|| Some(encoding(content, error.valid_up_to()))))
}

/// The first document of a file.
pub(super) fn document(content: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(content).map_err(|error| encoding(content, error.valid_up_to()))?;
    yaml::read(text).map_err(|error| format!("{PREFIX}{error}"))
}

/// A document of a file as it is written, where the file is a stream of JSON up to there; `number` counts from 0.
pub(super) fn written_json(content: &[u8], number: usize) -> Option<&str> {
    let text = std::str::from_utf8(content).ok().filter(|text| text.trim_start().starts_with('{'))?;
    let mut at = 0;
    for _ in 0..number {
        at = yaml::next_json(text, at).ok()??.1;
    }
    let (start, end) = yaml::next_json(text, at).ok()??;
    text.get(start..end)
}

fn of_text(text: &str) -> (Vec<Value>, Option<String>) {
    if let Ok(values) = yaml::values(text) {
        return (values, None);
    }
    let mut values = Vec::new();
    for document in yaml::read_stream(text) {
        match document {
            Ok(document) => values.push(document.value),
            Err(error) => return (values, Some(error.to_string())),
        }
    }
    (values, None)
}

/// What go-yaml (`readerc.go`) says of bytes that are no UTF-8, which begin at `at`.
fn encoding(content: &[u8], at: usize) -> String {
    let rest = content.get(at..).unwrap_or_default();
    let width = match rest.first() {
        Some(0xc0..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf7) => 4,
        _ => return format!("{PREFIX}yaml: invalid leading UTF-8 octet"),
    };
    // The reader that cuts documents ends the last line with a line break.
    let trailing = rest.iter().chain(b"\n").skip(1).take(width - 1);
    let words = if trailing.clone().any(|byte| byte & 0xc0 != 0x80) {
        "invalid trailing UTF-8 octet"
    } else if trailing.count() < width - 1 {
        "incomplete UTF-8 octet sequence"
    } else if matches!(rest, [0xc0 | 0xc1, ..] | [0xe0, ..=0x9f, ..] | [0xf0, ..=0x8f, ..]) {
        "invalid length of a UTF-8 sequence"
    } else {
        "invalid Unicode character"
    };
    format!("{PREFIX}yaml: {words}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn bytes_that_are_no_utf8_are_refused_in_go_yamls_words() {
        let said = |bytes: &[u8]| documents(bytes).1.unwrap().rsplit(": ").next().unwrap().to_owned();
        assert_eq!(said(b"a: \x96 b\n"), "invalid leading UTF-8 octet");
        assert_eq!(said(b"a: caf\xe9\n"), "invalid trailing UTF-8 octet");
        assert_eq!(said(b"a: caf\xe9"), "invalid trailing UTF-8 octet");
        assert_eq!(said(b"a: \xc0\x80\n"), "invalid length of a UTF-8 sequence");
        assert_eq!(said(b"a: \xed\xa0\x80\n"), "invalid Unicode character");
    }

    #[test]
    fn documents_before_a_bad_byte_are_read() {
        let (values, error) = documents(b"a: 1\n---\nb: \xff\n");
        assert_eq!(values, [json!({"a": 1})]);
        assert!(error.is_some());
    }
}
