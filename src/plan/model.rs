//! What one side amounts to: [`Snapshot`].

use super::installed::Installed;
use crate::api::schema::SchemaError;
use crate::api::{ClusterCatalog, ClusterExtension};
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
    /// The bundle's: the controller refuses what it reads, in these words.
    Refused,
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
    /// What must not change of it and does, in the API server's words.
    pub frozen: Vec<SchemaError>,
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
    /// The API server refuses the object: the rules `invalid-object` and `immutable-field` say why.
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
