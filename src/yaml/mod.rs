//! Text -> values as Kubernetes reads them (sigs.k8s.io/yaml), with the place of every node; and values -> text.

use serde_json::Value;

/// A text that is no YAML to Kubernetes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// What is wrong, as the reader that Kubernetes uses would say it where that is known.
    pub message: String,
}

/// The first document of `text`, as `sigs.k8s.io/yaml` reads it. An empty text is `null`.
///
/// # Errors
/// Where Kubernetes refuses the text.
pub fn read(text: &str) -> Result<Value, Error> {
    serde_saphyr::from_str(text).map_err(|e| Error { message: e.to_string() })
}
