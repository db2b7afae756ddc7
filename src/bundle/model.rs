//! What a bundle holds: [`Bundle`].

use super::csv::Csv;
use serde_json::Value;

/// A registry+v1 bundle, loaded but not yet validated.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The package's name, from `metadata/annotations.yaml`; may be empty.
    pub package_name: String,
    /// The ClusterServiceVersion: the last one, where there are several.
    pub csv: Csv,
    /// The CustomResourceDefinitions, as Go's struct holds them.
    pub crds: Vec<Manifest>,
    /// All other objects, as they were written.
    pub others: Vec<Manifest>,
}

/// An object and where it came from.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// The file: `manifests/a.yaml`.
    pub file: String,
    /// Which of the file's documents, from 0.
    pub document: usize,
    /// The object.
    pub object: Value,
}

impl Manifest {
    /// The object's kind; empty where it is no text.
    pub fn kind(&self) -> &str {
        text(&self.object, "kind")
    }

    /// The object's name; empty where it has none.
    pub fn name(&self) -> &str {
        self.object.get("metadata").map(|metadata| text(metadata, "name")).unwrap_or_default()
    }
}

/// The text at a key; empty where there is none.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
