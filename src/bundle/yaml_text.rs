//! A file's bytes as the documents that Kubernetes' decoder yields from them.

use crate::yaml;
use serde_json::Value;

/// The documents of a file up to the first that does not parse, and what is wrong with that one.
pub(super) fn documents(content: &[u8]) -> (Vec<Value>, Option<String>) {
    let text = match std::str::from_utf8(content) {
        Ok(text) => text,
        Err(_) => return (Vec::new(), Some("error converting YAML to JSON: yaml: invalid leading UTF-8 octet".to_owned())),
    };
    let mut documents = Vec::new();
    let mut buffer = String::new();
    let mut chunks = Vec::new();
    for line in text.lines() {
        if line.starts_with("---") {
            chunks.push(std::mem::take(&mut buffer));
        } else {
            buffer.push_str(line);
            buffer.push('\n');
        }
    }
    chunks.push(buffer);
    for chunk in chunks.iter().filter(|chunk| !chunk.is_empty()) {
        match yaml::read(chunk) {
            Ok(value) => documents.push(value),
            Err(error) => return (documents, Some(error.to_string())),
        }
    }
    (documents, None)
}

/// The first document of a file.
pub(super) fn document(content: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(content)
        .map_err(|_| "error converting YAML to JSON: yaml: invalid leading UTF-8 octet".to_owned())?;
    yaml::read(text).map_err(|error| error.to_string())
}
