//! What a plan says.

use super::installed::Installed;
use super::objects::ObjectChange;
use crate::api::{ClusterCatalog, ClusterExtension};
use crate::crd::{self, WaivedFinding};
use crate::render::RenderError;
use crate::resolve::{DeprecationConditions, Hint, Resolved, Story};
use crate::target::Target;
use serde_json::Value;
use std::sync::Arc;

/// One side: what a tree amounts to.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The catalogs, by cluster and name.
    pub catalogs: Vec<CatalogState>,
    /// The extensions, by cluster and name.
    pub extensions: Vec<ExtensionState>,
}

/// A ClusterCatalog, and what its image was found to hold.
#[derive(Debug, Clone)]
pub struct CatalogState {
    /// The cluster, where there are several.
    pub cluster: Option<String>,
    /// The object.
    pub view: ClusterCatalog,
    /// What became of its image.
    pub content: CatalogContent,
}

/// What became of a catalog's image.
#[derive(Debug, Clone)]
pub enum CatalogContent {
    /// The API server refuses the object.
    Refused,
    /// The catalog is switched off, so nothing is looked up in it.
    Unavailable,
    /// No extension selects it, so it was not read.
    Unselected,
    /// It was read.
    Read {
        /// The digest of what the reference named; `None` for a folder.
        digest: Option<String>,
        /// The digest of the platform's manifest.
        manifest: Option<String>,
    },
    /// It could not be read.
    Failed(Problem),
}

/// Something that keeps us from an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, and what to do.
    pub message: String,
    /// Whose it is.
    pub kind: ProblemKind,
}

/// Whose problem it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The input's: trying again gives the same answer.
    Input,
    /// Ours: a registry or the disk. Trying again may help.
    Incomplete,
    /// Nobody's: it is not written down anywhere that we read.
    NotKnown,
}

/// How much of a tree was read. What was not read is not gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Coverage {
    /// All that the lock speaks of.
    Whole,
    /// A part of it.
    Part,
    /// All of it, but for files that could not be read.
    Damaged,
}

/// An extension on one side.
#[derive(Debug, Clone)]
pub struct ExtensionState {
    /// The cluster, where there are several.
    pub cluster: Option<String>,
    /// The release that the cluster runs.
    pub target: Target,
    /// The object.
    pub view: ClusterExtension,
    /// What is installed before it is looked at.
    pub installed: Option<Installed>,
    /// What it comes to.
    pub outcome: Outcome,
    /// Each catalog's and candidate's fate; `None` where it was not asked for, or nothing was resolved.
    pub story: Option<Arc<Story>>,
    /// The catalog's `olm.deprecations` document for the package; `Null` where there is none.
    pub deprecation: Value,
    /// The deprecation conditions that the cluster would set.
    pub conditions: Option<DeprecationConditions>,
    /// What would work, where nothing was resolved; the best first.
    pub hints: Vec<Hint>,
}

/// What an extension comes to.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// The API server refuses the object: the rule `invalid-object` says why.
    Refused,
    /// It was read, and nothing was asked of it.
    Unasked,
    /// Nothing was resolved.
    Unresolved {
        /// The controller's words.
        message: String,
        /// Whether the cluster keeps what is installed and says nothing.
        keeps_installed: bool,
    },
    /// A catalog that it selects could not be read, so there is no answer.
    Unanswered(Problem),
    /// The bundle; nobody asked for its objects.
    Resolved(Resolved),
    /// The bundle's image could not be read.
    Unreadable {
        /// The bundle.
        resolved: Resolved,
        /// Why not.
        problem: Problem,
    },
    /// The controller refuses the bundle or its configuration; its words.
    NotRendered {
        /// The bundle.
        resolved: Resolved,
        /// The refusal: it shows as the controller's words.
        error: RenderError,
    },
    /// The objects that the controller applies, in its order.
    Rendered {
        /// The bundle.
        resolved: Resolved,
        /// The objects.
        objects: Arc<Vec<Value>>,
    },
}

impl Outcome {
    /// The bundle that was resolved to.
    pub fn resolved(&self) -> Option<&Resolved> {
        match self {
            Self::Resolved(resolved)
            | Self::Unreadable { resolved, .. }
            | Self::NotRendered { resolved, .. }
            | Self::Rendered { resolved, .. } => Some(resolved),
            Self::Refused | Self::Unasked | Self::Unresolved { .. } | Self::Unanswered(_) => None,
        }
    }

    /// The objects that are applied.
    pub fn objects(&self) -> Option<&Arc<Vec<Value>>> {
        match self {
            Self::Rendered { objects, .. } => Some(objects),
            _ => None,
        }
    }
}

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
        /// What it found, each with the waiver of the configuration that accepts it.
        findings: Vec<WaivedFinding>,
        /// Whether the extension lets it stop the upgrade.
        enforced: bool,
        /// In what some updates of the target's release check otherwise.
        approximation: Option<&'static str>,
    },
    /// It could not be run, and why.
    Unknown(Problem),
}

impl CrdVerdict {
    /// Whether the controller would stop the upgrade for it.
    pub fn stops(&self) -> bool {
        matches!(self, Self::Checked { findings, enforced: true, .. } if findings.iter().any(|f| f.finding.level == crate::finding::Level::Error))
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
