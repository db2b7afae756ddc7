//! One package of a catalog, as resolution needs it.
//!
//! Lists are in the order in which the controller's cache lists documents, by name, whatever the order in the catalog's files was;
//! nothing here is checked beyond what a cluster checks when it reads the catalog.

use super::meta::Header;
use serde_json::value::RawValue;

/// All that a catalog says of one package.
#[derive(Debug, Clone, Default)]
pub struct Package {
    /// The package's name.
    pub name: String,
    /// The channel that the author offers first; empty where the catalog names none (or has no `olm.package` document).
    pub default_channel: String,
    /// `olm.channel` documents.
    pub channels: Vec<Channel>,
    /// `olm.bundle` documents.
    pub bundles: Vec<Bundle>,
    /// The `olm.deprecations` document that counts, if there is one: a cluster's cache keeps the last one of a package.
    pub deprecations: Option<Deprecations>,
}

impl Package {
    /// The entries of the `olm.deprecations` document; none where there is no such document.
    pub fn deprecations(&self) -> &[Deprecation] {
        self.deprecations.as_ref().map(Deprecations::entries).unwrap_or_default()
    }
}

/// An `olm.channel` document.
#[derive(Debug, Clone, Default)]
pub struct Channel {
    /// The channel's name.
    pub name: String,
    /// Its entries.
    pub entries: Vec<ChannelEntry>,
}

/// An entry of a channel: a bundle and what it can be reached from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChannelEntry {
    /// The bundle's name.
    pub name: String,
    /// The bundle that it replaces; empty where it names none.
    pub replaces: String,
    /// The bundles that it skips.
    pub skips: Vec<String>,
    /// A blang/semver range of the versions that it skips; empty where it names none.
    pub skip_range: String,
}

/// An `olm.bundle` document.
#[derive(Debug, Clone, Default)]
pub struct Bundle {
    /// The bundle's name.
    pub name: String,
    /// The package that the document names.
    pub package: String,
    /// The bundle image's reference.
    pub image: String,
    /// Its properties, but for those that are for display (`olm.csv.metadata`, `olm.bundle.object`). Values are as a cluster stores
    /// them: keys sorted, of equal keys the last one, numbers as 64-bit floats.
    pub properties: Vec<Property>,
}

impl Bundle {
    /// The path, from the catalog's folder, of the file that a cluster's cache has of the bundle; `None` where it would lie outside.
    pub(crate) fn cache_path(&self) -> Option<String> {
        let header = Header { schema: "olm.bundle".to_owned(), package: self.package.clone(), name: self.name.clone() };
        header.stored_path()
    }
}

/// A property of a bundle.
#[derive(Debug, Clone)]
pub struct Property {
    /// The property's type: `olm.package`, `olm.gvk.required`, ...
    pub kind: String,
    /// Its value, as JSON.
    pub value: Box<RawValue>,
}

/// An `olm.deprecations` document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Deprecations {
    /// What is deprecated; `None` where the document has no list of it.
    pub entries: Option<Vec<Deprecation>>,
}

impl Deprecations {
    /// What is deprecated.
    pub fn entries(&self) -> &[Deprecation] {
        self.entries.as_deref().unwrap_or_default()
    }
}

/// One entry of an `olm.deprecations` document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deprecation {
    /// What is deprecated.
    pub reference: DeprecatedReference,
    /// The author's message.
    pub message: String,
}

/// What a deprecation speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeprecatedReference {
    /// The package itself, and the name that is written nevertheless.
    Package(String),
    /// A channel, by name.
    Channel(String),
    /// A bundle, by name.
    Bundle(String),
    /// Something else, which is of no consequence in a cluster.
    Other {
        /// Its schema.
        schema: String,
        /// Its name.
        name: String,
    },
}

impl DeprecatedReference {
    /// The reference to what a schema and a name stand for.
    pub fn new(schema: &str, name: String) -> Self {
        match schema {
            "olm.package" => Self::Package(name),
            "olm.channel" => Self::Channel(name),
            "olm.bundle" => Self::Bundle(name),
            other => Self::Other { schema: other.to_owned(), name },
        }
    }

    /// The schema of what is deprecated.
    pub fn schema(&self) -> &str {
        match self {
            Self::Package(_) => "olm.package",
            Self::Channel(_) => "olm.channel",
            Self::Bundle(_) => "olm.bundle",
            Self::Other { schema, .. } => schema,
        }
    }

    /// The name of what is deprecated; empty where none is written.
    pub fn name(&self) -> &str {
        match self {
            Self::Package(name) | Self::Channel(name) | Self::Bundle(name) | Self::Other { name, .. } => name,
        }
    }
}
