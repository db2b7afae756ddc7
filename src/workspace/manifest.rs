//! Files -> documents: those that could concern us, and those that should have and do not parse.

use super::SourceFile;
use crate::yaml;
use rayon::prelude::*;
use std::sync::Arc;

/// What a file must hold for us to parse it: the API group, or a kind of image mirror.
const MARKS: [&[u8]; 4] =
    [b"olm.operatorframework.io", b"ImageDigestMirrorSet", b"ImageTagMirrorSet", b"ImageContentSourcePolicy"];

/// A document of the workspace.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// The file, relative to the workspace's root.
    pub path: String,
    /// The file's text.
    pub text: Arc<str>,
    /// The document, with its places in that text.
    pub document: yaml::Document,
}

/// A file that names the API group, and that Kubernetes would not read.
#[derive(Debug, Clone)]
pub struct Broken {
    /// The file, relative to the workspace's root.
    pub path: String,
    /// The file's text, so far as it is text.
    pub text: Arc<str>,
    /// What is wrong.
    pub error: yaml::Error,
}

/// The documents of a workspace, in the order of their files.
#[derive(Debug, Clone, Default)]
pub struct Manifests {
    /// What could be read.
    pub documents: Vec<Manifest>,
    /// What could not.
    pub broken: Vec<Broken>,
}

/// Whether a file of that name is read when its folder is.
pub(crate) fn is_manifest_name(path: &str) -> bool {
    let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, e)| e.to_ascii_lowercase());
    matches!(extension.as_deref(), Some("yaml" | "yml" | "json"))
}

/// Reads the documents of `files`, in parallel.
pub fn read_manifests(files: &[SourceFile]) -> Manifests {
    let each: Vec<Manifests> = files.par_iter().map(read_file).collect();
    let mut all = Manifests::default();
    for one in each {
        all.documents.extend(one.documents);
        all.broken.extend(one.broken);
    }
    all
}

fn read_file(file: &SourceFile) -> Manifests {
    let mut manifests = Manifests::default();
    if !MARKS.iter().any(|mark| memchr::memmem::find(&file.bytes, mark).is_some()) {
        return manifests;
    }
    let text: Arc<str> = String::from_utf8_lossy(&file.bytes).into();
    for document in yaml::read_all_documents(&text) {
        match document {
            Ok(document) => {
                manifests.documents.push(Manifest { path: file.path.clone(), text: Arc::clone(&text), document });
            }
            Err(error) => manifests.broken.push(Broken { path: file.path.clone(), text: Arc::clone(&text), error }),
        }
    }
    manifests
}
