//! What is wrong with a text, in the words of the reader that Kubernetes uses.

use crate::place::Place;

/// Why a text was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The text is no YAML.
    Syntax,
    /// The text is YAML, and a value in it is one that JSON or the reader has no place for.
    Value,
    /// A line that begins with `---` and goes on with something else.
    Separator,
    /// The text is a stream of JSON that breaks off or goes wrong.
    Json,
    /// Deeper nesting, larger expansion of aliases or a longer text than this reader takes on.
    Limit,
}

/// A text that is no YAML to Kubernetes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// What is wrong, as the reader that Kubernetes uses would say it where that is known.
    pub message: String,
    /// Where, in the whole text that was given; `None` where no one place is to blame.
    pub place: Option<Place>,
    /// Why.
    pub kind: ErrorKind,
    /// What strict decoding says instead, where that is something else.
    pub strict: Option<String>,
}

impl Error {
    /// What strict decoding says: it tells of equal keys before it tells of values that JSON has no place for.
    pub fn strict_error(&self) -> &str {
        self.strict.as_deref().unwrap_or(&self.message)
    }
}

/// An error before its place is known in lines and columns; offsets are relative to the text that was scanned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) offset: Option<u32>,
    pub(super) kind: ErrorKind,
    pub(super) strict: Option<String>,
}

impl Fault {
    /// A fault at an offset.
    pub(super) fn at(kind: ErrorKind, message: impl Into<String>, offset: u32) -> Self {
        Self { message: message.into(), offset: Some(offset), kind, strict: None }
    }
}
