//! What the user decides: where images come from, where they are kept, how much is too much.

use std::path::PathBuf;
use std::time::Duration;

use super::platform::Platform;

/// What an image is opened as; it decides which of its files count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A catalog: the folder that its label names.
    Catalog,
    /// A registry+v1 bundle: `manifests/` and `metadata/`, whatever its labels say, as operator-controller reads it.
    Bundle,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Catalog => "catalog",
            Self::Bundle => "bundle",
        }
    }
}

/// Whether registries may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Tags are looked up and missing images are fetched.
    Online,
    /// Only the store and the mappings are used.
    Offline,
}

/// A reference that stands for something on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// The reference, as in the YAML or complete.
    pub reference: String,
    /// A plain folder, an OCI layout, an OCI archive or a Docker archive (`.tar`, also compressed).
    pub path: PathBuf,
}

/// Where else to ask for the images of a repository or of all below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirror {
    /// A registry, a namespace in it or a repository, without tag and digest.
    pub source: String,
    /// What takes the place of `source`, in the order to ask.
    pub mirrors: Vec<String>,
    /// Which references are asked for there.
    pub scope: MirrorScope,
    /// Whether the source itself is asked last.
    pub source_policy: SourcePolicy,
}

/// Which references a mirror serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MirrorScope {
    /// References with a digest (ImageDigestMirrorSet, ImageContentSourcePolicy).
    Digests,
    /// References with a tag and no digest (ImageTagMirrorSet).
    Tags,
    /// Both (`registries.conf`).
    All,
}

/// Whether the source is asked after its mirrors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourcePolicy {
    /// It is (`AllowContactingSource`).
    Allow,
    /// It is not (`NeverContactSource`).
    Never,
}

/// How much is too much. What an image says of itself is not trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a manifest, an index or a configuration.
    pub manifest: u64,
    /// Bytes of a layer as it is stored.
    pub layer: u64,
    /// Bytes of all layers, unpacked, counting what is passed over.
    pub unpacked: u64,
    /// Bytes of the files that are kept.
    pub kept: u64,
    /// Layers of an image.
    pub layers: usize,
    /// Entries of all layers, counting what is passed over.
    pub entries: u64,
    /// Files, directories and links that are kept.
    pub files: usize,
    /// Bytes of a path.
    pub path: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            manifest: 4 << 20,
            layer: 4 << 30,
            unpacked: 16 << 30,
            kept: 2 << 30,
            layers: 1000,
            entries: 2_000_000,
            files: 100_000,
            path: 4096,
        }
    }
}

/// All of it.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder that images are kept in; made when first needed.
    pub store: PathBuf,
    /// The platform that is picked out of an image for many.
    pub platform: Platform,
    /// Whether registries may be asked.
    pub reach: Reach,
    /// References that stand for something on disk.
    pub mappings: Vec<Mapping>,
    /// Registries (`host` or `host:port`) that may be spoken to without TLS or with a certificate that nobody vouches for.
    /// Without TLS, loopback always may.
    pub insecure: Vec<String>,
    /// PEM files of certificate authorities to trust beside the system's.
    pub ca_files: Vec<PathBuf>,
    /// Files as `docker login` writes them; the first that knows a repository counts, and missing files are passed over.
    pub auth_files: Vec<PathBuf>,
    /// Where else to ask.
    pub mirrors: Vec<Mirror>,
    /// How long to wait for a connection.
    pub connect_timeout: Duration,
    /// How long to wait for the next bytes of an answer.
    pub read_timeout: Duration,
    /// How often to try again after a failure that may pass.
    pub retries: u32,
    /// How long to wait before the first new try; doubled before each further one.
    pub backoff: Duration,
    /// How much is too much.
    pub limits: Limits,
}

impl Settings {
    /// The defaults, with a store.
    #[must_use]
    pub fn new(store: impl Into<PathBuf>) -> Self {
        Self {
            store: store.into(),
            platform: Platform::default(),
            reach: Reach::Online,
            mappings: Vec::new(),
            insecure: Vec::new(),
            ca_files: Vec::new(),
            auth_files: Vec::new(),
            mirrors: Vec::new(),
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(30),
            retries: 3,
            backoff: Duration::from_millis(250),
            limits: Limits::default(),
        }
    }
}
