//! A [`Finding`]: something about the user's input, at a rule and a place.
//!
//! Findings are values; `report` shows them, and only `cli` turns them into an exit code.

use crate::place::{FieldPath, Place};
use serde::Serialize;
use std::fmt;

/// How much a finding matters. Ordered: `Note < Warning < Error`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Good to know; nothing to do.
    Note,
    /// Likely a mistake, or a risk.
    Warning,
    /// The change will not do what it says.
    Error,
}

/// A second place that a finding speaks of, with a word on what stands there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// The image that the file is in; `None` for a file that stands on its own.
    pub image: Option<String>,
    /// The file, relative to the checked folder or the image, with `/` between its parts.
    pub path: String,
    /// Where in the file.
    pub place: Place,
    /// What stands there: "declared first here".
    pub text: String,
}

impl Label {
    /// What the file is called where all files are called by one name: `IMAGE/PATH`, or the path alone.
    pub fn name(&self) -> String {
        match &self.image {
            Some(image) => format!("{image}/{}", self.path),
            None => self.path.clone(),
        }
    }
}

/// `before: crds/weirs.yaml:12:5`.
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}:{}:{}", self.text, self.name(), self.place.line, self.place.column)
    }
}

/// Something about the user's input, at a rule and a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's name: kebab-case, named for the bad pattern.
    pub rule: &'static str,
    /// How much it matters.
    pub level: Level,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The file, relative to the checked folder, with `/` between its parts; `None` where the finding has no file.
    pub path: Option<String>,
    /// Where in the file.
    pub place: Option<Place>,
    /// The cluster that it concerns, where `olmplan.toml` names several.
    pub cluster: Option<String>,
    /// The ClusterExtension that it concerns.
    pub extension: Option<String>,
    /// The field that it concerns.
    pub field: Option<FieldPath>,
    /// What to do about it.
    pub help: Option<String>,
    /// Other places that it speaks of.
    pub labels: Vec<Label>,
}

impl Finding {
    /// A finding with neither place nor help; fill in what is known.
    pub fn new(rule: &'static str, level: Level, message: impl Into<String>) -> Self {
        Self {
            rule,
            level,
            message: message.into(),
            path: None,
            place: None,
            cluster: None,
            extension: None,
            field: None,
            help: None,
            labels: Vec::new(),
        }
    }

    /// The canonical order of findings: by file, place, rule, then what they say, of a whole before its parts.
    pub fn sort(findings: &mut [Self]) {
        findings.sort_by(|a, b| a.key().cmp(&b.key()));
    }

    #[allow(clippy::type_complexity)]
    fn key(&self) -> (&Option<String>, &Option<String>, &Option<Place>, &str, &Option<String>, &Option<FieldPath>, (&str, &str)) {
        let subject = self.message.split_once(": ").map_or("", |(subject, _)| subject);
        (&self.cluster, &self.path, &self.place, self.rule, &self.extension, &self.field, (subject, &self.message))
    }
}
