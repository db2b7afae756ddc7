//! What keeps a command from answering, and the exit code for it.

use super::folder;
use crate::report::{Sources, Style, draw, printable};
use crate::{finding, image, workspace};
use std::fmt::Display;
use std::io;
use std::path::Path;

/// Why a command cannot answer.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What to print.
    pub(crate) message: String,
    /// Whose fault it is.
    pub(crate) fault: Fault,
    /// The text that it speaks of, drawn under the message.
    finding: Option<Box<(finding::Finding, Sources)>>,
}

/// Whose fault it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The arguments' or the configuration's: exit code 2.
    Usage,
    /// A registry's, the disk's: exit code 3.
    Incomplete,
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), fault: Fault::Usage, finding: None }
    }

    pub(crate) fn incomplete(message: impl Into<String>) -> Self {
        Self { message: message.into(), fault: Fault::Incomplete, finding: None }
    }

    /// A fault in a text of the user's, with the text.
    pub(crate) fn in_text(finding: finding::Finding, sources: Sources) -> Self {
        Self { message: finding.message.clone(), fault: Fault::Usage, finding: Some(Box::new((finding, sources))) }
    }

    /// A file that cannot be read or written.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        Self::incomplete(format!("{}: {}", path.display(), describe(error)))
    }

    /// What goes to stderr.
    pub(crate) fn text(&self, style: Style) -> String {
        match &self.finding {
            Some(found) => draw(&found.0, &found.1, style),
            None => format!("error: {}\n", printable(&self.message)),
        }
    }
}

/// An I/O error in words that are the same everywhere where they can be.
fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        _ => error.to_string(),
    }
}

/// An error and what it was caused by, in one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

impl From<workspace::Error> for Failure {
    fn from(error: workspace::Error) -> Self {
        let message = chain(&error);
        match error {
            workspace::Error::Missing { .. }
            | workspace::Error::NoRepository { .. }
            | workspace::Error::UnknownRevision { .. } => Self::usage(message),
            _ => Self::incomplete(message),
        }
    }
}

impl From<image::Error> for Failure {
    fn from(error: image::Error) -> Self {
        Self::incomplete(chain(&error))
    }
}

impl From<folder::Error> for Failure {
    fn from(error: folder::Error) -> Self {
        Self::incomplete(chain(&error))
    }
}

/// `what: reason`, as a usage failure.
pub(crate) fn bad(what: impl Display, reason: impl Display) -> Failure {
    Failure::usage(format!("{what}: {reason}"))
}
