//! What rules look at: [`Input`].

use crate::api::schema::{Schema, Verdict};
use crate::api::{Concern, Kind, Manifest};
use crate::finding::Finding;
use crate::place::FieldPath;
use crate::target::Target;
use crate::yaml;
use std::sync::Arc;

/// A file that cannot be read as manifests, or not to its end.
#[derive(Debug, Clone)]
pub struct Broken {
    /// The file, relative to the checked folder, with `/` between its parts.
    pub path: String,
    /// The text of the file.
    pub text: Arc<str>,
    /// What is wrong with it, and where.
    pub error: yaml::Error,
}

/// An object of a kind of the API, with the API server's answer to it.
#[derive(Debug)]
pub struct Checked<'a> {
    /// The object.
    pub manifest: &'a Manifest,
    /// Its kind.
    pub kind: Kind,
    /// The schema that it is held to.
    pub schema: &'static Schema,
    /// The API server's answer.
    pub verdict: Verdict,
}

/// The manifests of one cluster, and the release that they are for.
#[derive(Debug)]
pub struct Input<'a> {
    /// The objects that concern us, file by file.
    pub manifests: &'a [Manifest],
    /// The files that were to hold some and cannot be read.
    pub broken: &'a [Broken],
    /// The release.
    pub target: &'a Target,
    checked: Vec<Checked<'a>>,
}

impl<'a> Input<'a> {
    /// Asks for the API server's answer to each object, once for all rules.
    pub fn new(manifests: &'a [Manifest], broken: &'a [Broken], target: &'a Target) -> Self {
        let check = |manifest: &'a Manifest| {
            let kind = manifest.kind()?;
            let schema = Schema::of(kind, target);
            Some(Checked { manifest, kind, schema, verdict: schema.validate(manifest.object()) })
        };
        Self { manifests, broken, target, checked: manifests.iter().filter_map(check).collect() }
    }

    /// The objects of a kind of the API, with the API server's answers.
    pub fn checked(&self) -> &[Checked<'a>] {
        &self.checked
    }
}

/// Fills in where a finding stands: the file, the field, its place, and the extension that it is in.
pub(super) fn locate(finding: Finding, manifest: &Manifest, field: &FieldPath) -> Finding {
    let is_extension = manifest.concern == Concern::Known(Kind::ClusterExtension);
    Finding {
        path: Some(manifest.path.clone()),
        place: Some(manifest.place(field)),
        extension: (is_extension && !manifest.name().is_empty()).then(|| manifest.name().to_owned()),
        field: Some(manifest.field(field)),
        ..finding
    }
}
