//! The kinds of the OLM v1 API, and what they are called.

use std::fmt;

/// The API group of ClusterExtension and ClusterCatalog.
pub const GROUP: &str = "olm.operatorframework.io";

/// The only version of the group that clusters serve.
pub const VERSION: &str = "v1";

/// A kind of the OLM v1 API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// What is to be installed.
    ClusterExtension,
    /// Where it comes from.
    ClusterCatalog,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::ClusterExtension, Self::ClusterCatalog];

    /// The name that a manifest's `kind` holds.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClusterExtension => "ClusterExtension",
            Self::ClusterCatalog => "ClusterCatalog",
        }
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.name() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
