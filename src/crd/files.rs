//! [`CrdFiles`]: the CRDs of files, by name, with the place of every field.

use crate::place::{FieldPath, Place};
use crate::yaml::{self, Document};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a file must hold to be read.
const KIND: &str = "CustomResourceDefinition";

/// A CRD of a file.
#[derive(Debug, Clone)]
pub struct CrdFile {
    /// The file.
    pub path: Arc<str>,
    document: Arc<Document>,
    /// Which item of the document's list it is; `None` where it is the document.
    item: Option<usize>,
}

impl CrdFile {
    /// The CRD.
    pub fn crd(&self) -> &Value {
        let document = &self.document.value;
        self.item.and_then(|n| document.get("items")?.get(n)).unwrap_or(document)
    }

    /// Where a field stands: of what is there, the key; else the nearest above it.
    pub fn place(&self, field: &FieldPath) -> Place {
        let item = self.item.map_or_else(FieldPath::root, |n| FieldPath::of("items").index(n));
        let path = FieldPath(item.0.into_iter().chain(field.0.iter().cloned()).collect());
        self.document.key_place(&path).unwrap_or_else(|| self.document.nearest_place(&path))
    }
}

/// The CRDs of files, by name.
#[derive(Debug, Clone, Default)]
pub struct CrdFiles {
    /// The CRDs; of two with one name the last.
    pub crds: BTreeMap<String, CrdFile>,
    /// The texts of the files that hold them, by path.
    pub texts: BTreeMap<Arc<str>, Arc<str>>,
    /// What stands there twice, in words.
    pub twice: Vec<String>,
}

impl CrdFiles {
    /// Reads the CRDs of a file: its documents, and the items of lists. A file without any is passed over.
    ///
    /// # Errors
    /// Where a document cannot be read; nothing of the file is taken then.
    pub fn add(&mut self, path: &str, text: &str) -> Result<(), yaml::Error> {
        if !text.contains(KIND) {
            return Ok(());
        }
        let documents: Vec<Document> = yaml::read_stream(text).into_iter().collect::<Result<_, _>>()?;
        let path: Arc<str> = path.into();
        for document in documents {
            let document = Arc::new(document);
            for item in items(&document.value) {
                self.insert(CrdFile { path: Arc::clone(&path), document: Arc::clone(&document), item });
            }
        }
        self.texts.insert(path, text.into());
        Ok(())
    }

    fn insert(&mut self, file: CrdFile) {
        let name = file.crd().pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let path = Arc::clone(&file.path);
        if let Some(other) = self.crds.insert(name.clone(), file) {
            self.twice.push(format!("{name} is in {} and in {path}", other.path));
        }
    }

    /// The CRDs alone, by name.
    pub fn documents(&self) -> impl Iterator<Item = &Value> {
        self.crds.values().map(CrdFile::crd)
    }
}

/// Where a document has CRDs: it is one, or they are items of a list.
fn items(document: &Value) -> Vec<Option<usize>> {
    let is_crd = |v: &Value| v.get("kind").and_then(Value::as_str) == Some(KIND);
    match document.get("items") {
        Some(Value::Array(items)) => items.iter().enumerate().filter(|(_, v)| is_crd(v)).map(|(n, _)| Some(n)).collect(),
        _ if is_crd(document) => vec![None],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "kind: List\nitems:\n- kind: Service\n- kind: CustomResourceDefinition\n  metadata: {name: a}\n  spec:\n    scope: Cluster\n---\nkind: CustomResourceDefinition\nmetadata: {name: b}\n";

    #[test]
    fn documents_and_items_have_their_places() {
        let mut files = CrdFiles::default();
        files.add("crds.yaml", LIST).unwrap();
        let line = |name: &str, field: &str| files.crds[name].place(&FieldPath::of(field)).line;
        assert_eq!((line("a", "spec.scope"), line("a", "spec.versions"), line("b", "metadata.name")), (7, 6, 10));
        assert_eq!(files.texts.len(), 1);
    }

    #[test]
    fn a_name_that_stands_twice_is_told() {
        let mut files = CrdFiles::default();
        files.add("a.yaml", LIST).unwrap();
        files.add("b.yaml", LIST).unwrap();
        assert_eq!(files.twice, ["a is in a.yaml and in b.yaml", "b is in a.yaml and in b.yaml"]);
    }

    #[test]
    fn of_a_broken_file_nothing_is_taken() {
        let mut files = CrdFiles::default();
        assert!(files.add("a.yaml", &format!("{LIST}---\na: [\n")).is_err());
        assert!(files.crds.is_empty() && files.texts.is_empty());
    }
}
