//! A file's bytes as the documents that Kubernetes' decoder yields from them.

use crate::yaml;
use serde_json::Value;

const PREFIX: &str = "error converting YAML to JSON: ";

/// The documents of a file up to the first that does not parse, and what is wrong with that one.
pub(super) fn documents(content: &[u8]) -> (Vec<Value>, Option<String>) {
    let text = match text(content) {
        Ok(text) => text,
        Err(message) => return (Vec::new(), Some(message)),
    };
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

/// The first document of a file.
pub(super) fn document(content: &[u8]) -> Result<Value, String> {
    yaml::read(text(content)?).map_err(|error| format!("{PREFIX}{error}"))
}

/// The text of a file. What go-yaml says of other encodings depends on the bytes; this is what it says of most.
fn text(content: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(content).map_err(|_| format!("{PREFIX}yaml: invalid leading UTF-8 octet"))
}
