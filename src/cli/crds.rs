//! The CustomResourceDefinitions of a file, a folder, or `REV:PATH`, with their places.

use super::failure::{Failure, bad};
use crate::place::{FieldPath, Place, Step};
use crate::report::Sources;
use crate::workspace::{Repository, Root, Source, SourceFile};
use crate::yaml::{self, Document};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a file must hold to be read.
const KIND: &str = "CustomResourceDefinition";

/// A CRD, and where it stands.
pub(super) struct FoundCrd {
    /// The file.
    pub(super) path: String,
    /// The whole document; `value` is the CRD itself.
    pub(super) document: Document,
    /// Where in the document the CRD stands.
    item: FieldPath,
}

/// The CRDs of one side, by name; the last of a name counts.
#[derive(Default)]
pub(super) struct CrdSide {
    pub(super) crds: BTreeMap<String, FoundCrd>,
    pub(super) sources: Sources,
}

impl CrdSide {
    /// Reads the CRDs of a file, a folder, or `REV:PATH`. Files of both sides may have the same name, so they are called by
    /// `prefix` where the argument does not tell them apart.
    pub(super) fn open(argument: &str, prefix: &str) -> Result<Self, Failure> {
        let files = files(argument, prefix)?;
        let side = Self::read(files)?;
        if side.crds.is_empty() {
            return Err(bad(argument, format!("there is no {KIND} in it")));
        }
        Ok(side)
    }

    /// Reads the CRDs among files.
    pub(super) fn read(files: Vec<SourceFile>) -> Result<Self, Failure> {
        let mut side = Self::default();
        for file in files {
            let text = String::from_utf8_lossy(&file.bytes);
            if !text.contains(KIND) {
                continue;
            }
            for document in yaml::read_stream(&text) {
                let document = document.map_err(|e| bad(&file.path, e))?;
                side.add(&file.path, document);
            }
            side.sources.insert(file.path, Arc::from(text.as_ref()));
        }
        Ok(side)
    }

    fn add(&mut self, path: &str, document: Document) {
        let is_crd = |v: &Value| v.get("kind").and_then(Value::as_str) == Some(KIND);
        let items = document.value.get("items").and_then(Value::as_array).cloned();
        let each: Vec<(FieldPath, Value)> = match items {
            Some(items) => items.into_iter().enumerate().map(|(n, item)| (FieldPath::of("items").index(n), item)).collect(),
            None => vec![(FieldPath::root(), document.value.clone())],
        };
        for (item, value) in each.into_iter().filter(|(_, v)| is_crd(v)) {
            let name = value.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default().to_owned();
            let mut document = document.clone();
            document.value = value;
            self.crds.insert(name, FoundCrd { path: path.to_owned(), document, item });
        }
    }

    /// The CRDs alone.
    pub(super) fn documents(&self) -> Vec<Value> {
        self.crds.values().map(|c| c.document.value.clone()).collect()
    }

    /// Where a field of a CRD stands: of what is there, the key; else the nearest above it.
    pub(super) fn place(&self, name: &str, field: &FieldPath) -> Option<(String, Place)> {
        let found = self.crds.get(name)?;
        let steps: Vec<Step> = found.item.0.iter().chain(&field.0).cloned().collect();
        let path = FieldPath(steps);
        let place = found.document.key_place(&path).unwrap_or_else(|| found.document.nearest_place(&path));
        Some((found.path.clone(), place))
    }
}

fn files(argument: &str, prefix: &str) -> Result<Vec<SourceFile>, Failure> {
    let wanted = |path: &str| [".yaml", ".yml", ".json"].iter().any(|e| path.to_ascii_lowercase().ends_with(e));
    let at = PathBuf::from(argument);
    if at.exists() {
        let absolute = at.is_absolute() || argument.starts_with("..");
        let shown = match at.file_name() {
            // Nothing absolute is shown.
            Some(name) if absolute => format!("{prefix}/{}", name.to_string_lossy()),
            _ => argument.trim_start_matches("./").trim_end_matches('/').to_owned(),
        };
        return Ok(Source::Disk(vec![Root { at, shown }]).files(&wanted)?);
    }
    let Some((revision, path)) = argument.split_once(':') else {
        return Err(bad(argument, "no such file or folder; a revision is written REV:PATH"));
    };
    let repository = Repository::of(Path::new("."))?.ok_or_else(|| bad(argument, "this is no Git repository"))?;
    let commit = repository.commit(revision)?;
    let roots = vec![Root { at: PathBuf::from(path), shown: argument.to_owned() }];
    Ok(Source::Revision { repository, commit, roots }.files(&wanted)?)
}
