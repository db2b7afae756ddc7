//! Why a catalog, or a package of it, cannot be read.

use std::io;

/// Why a catalog, or a package of it, cannot be read. A cluster refuses the same, in the same words where it says something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read.
    #[error("{path}: cannot be read")]
    Read {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// An `.indexignore` holds a line that is too long.
    #[error("{path}: bufio.Scanner: token too long")]
    Ignore {
        /// The file.
        path: String,
    },
    /// A document cannot be read; the cluster refuses the whole catalog.
    #[error("{path}: document {document}: {message}")]
    Document {
        /// The file.
        path: String,
        /// Which document of the file, the first is 1.
        document: usize,
        /// The byte of the file that the document starts at.
        offset: u64,
        /// What the cluster says.
        message: String,
    },
    /// The cluster cannot store a document under its name, and refuses the whole catalog.
    #[error("{path}: a cluster cannot store the document {stored:?}: {message}")]
    Store {
        /// The file that the document stands in.
        path: String,
        /// The path that the cluster would store it under.
        stored: String,
        /// What is wrong with that path.
        message: &'static str,
    },
    /// A document of a package cannot be read; the cluster refuses the package.
    #[error("error loading package {}: {message}", crate::go::quote(package))]
    Package {
        /// The package.
        package: String,
        /// The file that the document stands in.
        path: String,
        /// What the cluster says.
        message: String,
    },
    /// No package can have that name.
    #[error("error getting package {}: sub {name}: invalid argument", crate::go::quote(name))]
    InvalidPackageName {
        /// The name.
        name: String,
    },
    /// The files have changed since they were listed.
    #[error("{path}: has changed while it was read")]
    Changed {
        /// The file.
        path: String,
    },
}
