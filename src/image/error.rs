//! Why an image cannot be had, and what to do.

use std::io;
use std::path::PathBuf;

use super::digest::Digest;
use super::platform::Platform;
use super::reference::ReferenceError;

/// An image that cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("{image}: {kind}")]
pub struct Error {
    /// The reference as it was given, or the path.
    pub image: String,
    /// What happened.
    pub kind: ErrorKind,
}

/// What happened. Messages end in what to do; none holds a credential or a token.
#[derive(Debug, thiserror::Error)]
pub enum ErrorKind {
    /// The text is no reference.
    #[error("error parsing image reference: {0}; write registry/repository:tag or registry/repository@sha256:...")]
    Reference(#[from] ReferenceError),
    /// Not in the store, and registries may not be asked.
    #[error(
        "not in the store, and offline: run `olmplan fetch` where there is a network, or map the reference to a folder with [[image]]"
    )]
    Offline,
    /// The registry, the layout or the archive does not have it.
    #[error("{what} not found in {place}: check the name, the tag and the digest")]
    NotFound {
        /// The manifest or the blob.
        what: String,
        /// A registry, or a path.
        place: String,
    },
    /// The registry wants credentials, or others.
    #[error(
        "{registry} refused access{note}: log in with `docker login {registry}` or name a file that has the credentials; registries also answer so for a repository that does not exist"
    )]
    Unauthorized {
        /// The registry.
        registry: String,
        /// What is known of the credentials that were used.
        note: String,
    },
    /// The registry cannot be reached, or answers with failures of its own.
    #[error("{registry} cannot be reached: {reason}; check the name, the network and the proxy, and try again")]
    Unreachable {
        /// The registry.
        registry: String,
        /// The last failure.
        reason: String,
    },
    /// The registry shows a certificate that nobody vouches for.
    #[error(
        "{registry} shows a certificate that is not trusted: {reason}; name the authority's certificate in the settings (`ca`)"
    )]
    Untrusted {
        /// The registry.
        registry: String,
        /// The reason.
        reason: String,
    },
    /// The bytes are not those that the digest names.
    #[error(
        "{what} has the digest {actual}, not {expected}: the copy is damaged or was changed; fetch it anew or push the image again"
    )]
    DigestMismatch {
        /// The manifest, the configuration or the layer.
        what: String,
        /// The digest that was asked for.
        expected: Digest,
        /// The digest of what came.
        actual: Digest,
    },
    /// Fewer bytes than announced.
    #[error("{what} is cut short: {actual} of {expected} bytes; fetch it anew or push the image again")]
    Truncated {
        /// The manifest, the configuration or the layer.
        what: String,
        /// Bytes announced.
        expected: u64,
        /// Bytes that came.
        actual: u64,
    },
    /// A limit is passed.
    #[error("{what}: more than {limit}; if this image is to be trusted, raise the limit")]
    TooLarge {
        /// What there is too much of.
        what: String,
        /// The limit.
        limit: u64,
    },
    /// Bytes that have the right digest and make no sense.
    #[error("{what} is malformed: {reason}; the image has to be built again")]
    Malformed {
        /// The manifest, the configuration, the layer or the file.
        what: String,
        /// The reason.
        reason: String,
    },
    /// Something that is not handled here.
    #[error("{0}")]
    Unsupported(String),
    /// An image for many platforms, without the wanted one.
    #[error("no image for {platform} among {offered}: choose one of these with --platform")]
    NoPlatform {
        /// The wanted platform.
        platform: Platform,
        /// The platforms that there are.
        offered: String,
    },
    /// An image that is no catalog.
    #[error(
        "catalog image is missing the required label {0:?}: build it with `LABEL {0}=/configs`, or check that the reference is a catalog's"
    )]
    MissingLabel(&'static str),
    /// The content has no such file.
    #[error("{0} is not in the image")]
    NoFile(String),
    /// A file of the content that cannot be read, on a cluster either.
    #[error("{path} cannot be read: {reason}")]
    Unreadable {
        /// The path.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The store's copy is damaged; it has been removed.
    #[error("the store's copy was damaged and has been removed: run again to fetch it anew")]
    Damaged,
    /// A file of ours or of the user's that cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The network side could not be set up.
    #[error("the registry client cannot be set up: {0}")]
    Client(String),
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match &error.kind {
            ErrorKind::NoFile(_) | ErrorKind::NotFound { .. } => io::ErrorKind::NotFound,
            ErrorKind::Io { source, .. } => source.kind(),
            _ => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}

impl ErrorKind {
    pub(super) fn of(self, image: impl Into<String>) -> Error {
        Error { image: image.into(), kind: self }
    }

    pub(super) fn malformed(what: impl Into<String>, reason: impl ToString) -> Self {
        Self::Malformed { what: what.into(), reason: plain(&reason.to_string()) }
    }

    pub(super) fn io(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }

    /// The kind that travels inside an I/O error, or the error as a reason of its own.
    pub(super) fn from_read(what: &str, error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(kind) => kind,
            Err(error) => Self::malformed(what, error),
        }
    }
}

impl From<ErrorKind> for io::Error {
    fn from(kind: ErrorKind) -> Self {
        Self::other(kind)
    }
}

/// Foreign text made fit for a message: one line, printable, short.
pub(super) fn plain(text: &str) -> String {
    const LONGEST: usize = 300;
    let mut out: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        out.push_str("...");
    }
    out
}
