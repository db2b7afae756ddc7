//! [`validate`]: the files of a catalog -> a [`Verdict`].

use super::{check, convert, load, tree};
use crate::catalog::files::Files;
use serde::Serialize;
use std::fmt;

/// What the check says. As JSON: `ok`, `errors`, `counts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Whether the catalog is good.
    pub ok: bool,
    /// What is wrong with it. The reading of documents stops at the first fault of a file and the putting together at the
    /// first fault; the last step reports all there are.
    pub errors: Vec<Problem>,
    /// What `opm validate` prints; `None` where it prints nothing.
    #[serde(skip)]
    pub text: Option<String>,
    /// How much there is of everything, where the documents can be read.
    pub counts: Counts,
}

/// Something that is wrong with a catalog.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// The file, where the problem has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Which document of the file; the first is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<usize>,
    /// What is wrong, in the words of operator-registry.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{path}: ")?;
        }
        if let Some(document) = self.document {
            write!(f, "document {document}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// How much there is in a catalog: documents by schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// `olm.package`
    pub packages: usize,
    /// `olm.channel`
    pub channels: usize,
    /// `olm.bundle`
    pub bundles: usize,
    /// `olm.deprecations`
    pub deprecations: usize,
    /// Any other schema.
    pub others: usize,
}

/// Checks a catalog as its author does.
///
/// Follows `Validate` of operator-registry v1.73.0 pkg/lib/config/validate.go. Where upstream's outcome hangs on the order in which
/// it reads files side by side or walks a map, files come in the order of a walk and maps sorted.
pub fn validate(files: &dyn Files) -> Verdict {
    let config = match load::load(files) {
        Ok(config) => config,
        Err(errors) => {
            let text = errors.first().map(|problem| problem.message.clone());
            return Verdict { ok: false, errors, text, counts: Counts::default() };
        }
    };
    let counts = config.counts();
    match convert::convert(config) {
        Err(problem) => Verdict { ok: false, text: Some(problem.message.clone()), errors: vec![problem], counts },
        Ok(packages) => {
            let faults = check::check(&packages);
            let text = faults.as_ref().map(tree::Faults::to_string);
            let errors = faults.map(tree::Faults::into_problems).unwrap_or_default();
            Verdict { ok: errors.is_empty(), errors, text, counts }
        }
    }
}
