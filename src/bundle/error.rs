//! Why a bundle cannot be loaded: [`BundleError`].

use crate::place::FieldPath;

/// A bundle that the controller refuses to load, in its words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    /// A file or folder that a bundle must have is missing, or cannot be read.
    #[error("{message}")]
    File {
        /// The file or folder.
        path: String,
        /// What is wrong.
        message: String,
    },
    /// `manifests/` holds a folder.
    #[error(
        "subdirectories are not allowed within the \"manifests\" directory of the bundle image filesystem: found {}",
        crate::go::quote(path)
    )]
    Subdirectory {
        /// The folder.
        path: String,
    },
    /// A file of `metadata/` does not parse.
    #[error("{message}")]
    Metadata {
        /// The file.
        path: String,
        /// What is wrong.
        message: String,
    },
    /// A manifest is no object, or an object of the wrong shape.
    #[error("error parsing objects in {}: {message}", crate::go::quote(path))]
    Manifest {
        /// The file.
        path: String,
        /// Which of the file's documents, from 0.
        document: usize,
        /// The field within the document, where that is known.
        field: FieldPath,
        /// What is wrong.
        message: String,
    },
    /// No manifest is a ClusterServiceVersion.
    #[error("no ClusterServiceVersion found in \"manifests\"")]
    NoCsv,
    /// The CSV's `olm.properties` or `metadata/properties.yaml` do not parse.
    #[error("{message}")]
    Properties {
        /// The file that holds them.
        path: String,
        /// What is wrong.
        message: String,
    },
}

impl BundleError {
    /// The file or folder that the error is about; `None` where it is about the whole bundle.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::File { path, .. }
            | Self::Subdirectory { path }
            | Self::Metadata { path, .. }
            | Self::Manifest { path, .. }
            | Self::Properties { path, .. } => Some(path),
            Self::NoCsv => None,
        }
    }
}
