//! A [`Finding`] of the check: what about a CRD's change is unsafe, where, and what usually helps.

use super::document::Side;
use super::trail::Trail;
use crate::finding::Level;
use crate::place::FieldPath;
use serde::Serialize;
use serde_json::Value;

/// A field of one of the two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// Which document. Where two versions are compared that are served together, both are of the after side.
    pub side: Side,
    pub(crate) trail: Trail,
}

impl Pointer {
    /// The field, or the nearest one above it that there is.
    pub fn field(&self) -> FieldPath {
        self.trail.field()
    }
}

/// Something about the change of a CRD that the check objects to.
///
/// Serialised with the names that the reference's findings have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The CRD's name.
    pub crd: String,
    /// The version, or a pair as in `v1beta1 -> v1`; `None` for the whole CRD.
    pub version: Option<String>,
    /// The property's path, as in `^.spec.replicas`; `None` for the whole CRD.
    pub property: Option<String>,
    /// The check's name.
    pub check: &'static str,
    /// How much it matters under the policy.
    pub level: Level,
    /// The controller's words.
    pub message: String,
    /// The same in plain words, in one line.
    pub plain: String,
    /// What was there; `None` where there was nothing, or nothing that could be shown.
    pub before: Option<Value>,
    /// What is there now.
    pub after: Option<Value>,
    /// What usually helps.
    pub help: &'static str,
    /// Where it was.
    #[serde(skip)]
    pub before_field: Pointer,
    /// Where it is.
    #[serde(skip)]
    pub after_field: Pointer,
}

impl Finding {
    /// The canonical order: by CRD, version, property, check, then words. Findings on whole CRDs come first.
    pub fn sort(findings: &mut [Self]) {
        findings.sort_by(|a, b| a.key().cmp(&b.key()));
    }

    fn key(&self) -> (&str, &Option<String>, &Option<String>, &str, &str) {
        (&self.crd, &self.version, &self.property, self.check, &self.message)
    }

    /// `weirs.water.example v1beta1 ^.spec.maxFlow: the field is gone`: what it is about, and what is wrong.
    pub fn words(&self) -> String {
        let version = self.version.as_ref().map(|v| format!(" {v}")).unwrap_or_default();
        let property = self.property.as_ref().map(|p| format!(" {p}")).unwrap_or_default();
        format!("{}{version}{property}: {}", self.crd, self.plain)
    }

    /// What to call the places of [`Finding::before_field`] and [`Finding::after_field`].
    pub fn sides(&self) -> (String, String) {
        match (self.before_field.side, self.version.as_deref().and_then(|pair| pair.split_once(' '))) {
            (Side::After, Some((older, rest))) => {
                let newer = rest.rsplit(' ').next().unwrap_or_default();
                (format!("{older}, after"), format!("{newer}, after"))
            }
            _ => ("before".to_owned(), "after".to_owned()),
        }
    }

    /// What the controller says on the ClusterExtension for this finding: its part of the message.
    pub fn controller_message(&self) -> String {
        match (&self.version, &self.property) {
            (Some(version), Some(property)) => format!("{version}: {property}: {}: {}", self.check, self.message),
            _ => format!("{}: {}", self.check, self.message),
        }
    }
}
