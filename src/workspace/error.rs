//! What can keep a workspace from being read.

use std::io;
use std::path::PathBuf;

/// A workspace that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The path is not there.
    #[error("{}: no such file or folder", path.display())]
    Missing {
        /// The path as given.
        path: PathBuf,
    },
    /// The file or folder cannot be read.
    #[error("{}: cannot be read", path.display())]
    Io {
        /// The path as given, or found below it.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The path is in no Git repository, so it has no revisions.
    #[error("{}: not in a Git repository, so there is no revision to compare with", path.display())]
    NoRepository {
        /// The path as given.
        path: PathBuf,
    },
    /// Git does not know the revision.
    #[error("Git knows no revision {revision:?} here{}", if *shallow { "; this is a shallow clone: fetch more history (actions/checkout: fetch-depth: 0)" } else { "" })]
    UnknownRevision {
        /// The revision as given.
        revision: String,
        /// Whether the repository lacks history, which is the usual reason in CI.
        shallow: bool,
    },
    /// The `git` program cannot be run.
    #[error("git cannot be run; is it installed and on the PATH?")]
    NoGit {
        /// What the system says.
        source: io::Error,
    },
    /// The `git` program failed.
    #[error("git {command} failed: {message}")]
    Git {
        /// The subcommand.
        command: String,
        /// What it wrote to stderr.
        message: String,
    },
}
