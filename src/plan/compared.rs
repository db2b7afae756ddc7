//! What a plan says of a change: [`Plan`].

use super::installed::Installed;
use super::model::{CatalogContent, CatalogState, ExtensionState, Outcome, Problem, ProblemKind};
use super::objects::ObjectChange;
use crate::crd;
use crate::finding::{Label, Level};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Before and after, for one tree.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// What the tree is compared with, in words: `olmplan.lock`, `origin/main`; `None` where there is nothing.
    pub compared_with: Option<String>,
    /// The targets, each once.
    pub targets: Vec<String>,
    /// The catalogs after.
    pub catalogs: Vec<CatalogState>,
    /// The extensions, those that are gone included, by cluster and name.
    pub extensions: Vec<ExtensionPlan>,
    /// The waivers of the configuration, in its order.
    pub waivers: Vec<crd::Waiver>,
    /// The positions of waivers that match no finding.
    pub unused_waivers: Vec<usize>,
    /// The positions of waivers whose day has passed.
    pub expired_waivers: Vec<usize>,
}

/// One extension, before and after.
#[derive(Debug, Clone)]
pub struct ExtensionPlan {
    /// The cluster, where there are several.
    pub cluster: Option<String>,
    /// The extension's name.
    pub name: String,
    /// What is installed before.
    pub installed: Option<Installed>,
    /// The extension after; `None` where it is gone.
    pub after: Option<ExtensionState>,
    /// What changes among the applied objects; `Err` says why that is not known.
    pub changes: Result<Vec<ObjectChange>, String>,
    /// What the CRD upgrade safety check says.
    pub crds: CrdVerdict,
    /// What it all comes to.
    pub status: Status,
}

/// What the CRD upgrade safety check says.
#[derive(Debug, Clone)]
pub enum CrdVerdict {
    /// Nothing is upgraded.
    NotApplicable,
    /// It was run.
    Checked {
        /// What it found.
        findings: Vec<CrdFinding>,
        /// All that changes of the CRDs, good or bad; `Err` says why that is not known.
        changes: Result<Vec<crd::Change>, String>,
        /// Whether the extension lets it stop the upgrade.
        enforced: bool,
        /// In what some updates of the target's release check otherwise.
        approximation: Option<&'static str>,
        /// The texts that findings point into, by the names of their labels.
        texts: BTreeMap<String, Arc<str>>,
    },
    /// It could not be run, and why.
    Unknown(Problem),
}

/// A finding of the check, with what we know of it.
#[derive(Debug, Clone)]
pub struct CrdFinding {
    /// The finding.
    pub finding: crd::Finding,
    /// The position of the waiver that accepts it.
    pub waiver: Option<usize>,
    /// Where it was, where the CRD is in a file.
    pub before: Option<Label>,
    /// Where it is, where the CRD is in a file.
    pub after: Option<Label>,
}

impl CrdVerdict {
    /// What the check found.
    pub fn findings(&self) -> &[CrdFinding] {
        match self {
            Self::Checked { findings, .. } => findings,
            Self::NotApplicable | Self::Unknown(_) => &[],
        }
    }

    /// Whether the controller would stop the upgrade for it.
    pub fn stops(&self) -> bool {
        matches!(self, Self::Checked { findings, enforced: true, .. } if findings.iter().any(|f| f.finding.level == Level::Error))
    }
}

/// What the change comes to for one extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Not installed before, and will be.
    New,
    /// Another bundle, newer.
    Upgrade,
    /// Another bundle, older.
    Downgrade,
    /// The same bundle with other objects: its configuration or namespace changes.
    Changed,
    /// The same bundle, the same objects.
    Unchanged,
    /// Installed before, and gone.
    Removed,
    /// The CRD check stops the upgrade.
    Unsafe,
    /// The controller finds no bundle, or refuses what it finds; what is installed stays.
    Blocked,
    /// The API server refuses the object.
    Refused,
    /// There is no answer: something could not be read.
    Unknown,
}

impl Status {
    /// The word that reports use.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Upgrade => "upgrade",
            Self::Downgrade => "downgrade",
            Self::Changed => "changed",
            Self::Unchanged => "unchanged",
            Self::Removed => "removed",
            Self::Unsafe => "unsafe",
            Self::Blocked => "blocked",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
        }
    }
}

impl Plan {
    /// The texts of CRD files that findings point into, by the names of their labels.
    pub fn texts(&self) -> impl Iterator<Item = (&String, &Arc<str>)> {
        self.extensions
            .iter()
            .flat_map(|e| match &e.crds {
                CrdVerdict::Checked { texts, .. } => Some(texts),
                CrdVerdict::NotApplicable | CrdVerdict::Unknown(_) => None,
            })
            .flatten()
    }

    /// Whether something could not be completed for a reason of ours, not the input's.
    pub fn incomplete(&self) -> bool {
        let ours = |problem: &Problem| problem.kind == ProblemKind::Incomplete;
        let catalogs = self.catalogs.iter().any(|c| matches!(&c.content, CatalogContent::Failed(p) if ours(p)));
        let extensions = self.extensions.iter().filter_map(|e| e.after.as_ref()).any(|e| match &e.outcome {
            Outcome::Unanswered(problem) | Outcome::Unreadable { problem, .. } => ours(problem),
            _ => false,
        });
        let crds = self.extensions.iter().any(|e| matches!(&e.crds, CrdVerdict::Unknown(p) if ours(p)));
        catalogs || extensions || crds
    }
}
