//! One package of a catalog, as resolution needs it.
//!
//! Lists are in the order in which the controller's cache lists documents, by name, whatever the order in the catalog's files was;
//! nothing here is checked beyond what a cluster checks when it reads the catalog.

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
    /// Whether there is an `olm.deprecations` document at all; it may be without entries.
    pub has_deprecations: bool,
    /// The entries of the `olm.deprecations` document that counts: a cluster's cache keeps the last one of a package.
    pub deprecations: Vec<Deprecation>,
}

impl Package {
    /// Whether the catalog has an `olm.deprecations` document for the package.
    pub fn speaks_of_deprecations(&self) -> bool {
        self.has_deprecations || !self.deprecations.is_empty()
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

/// A property of a bundle.
#[derive(Debug, Clone)]
pub struct Property {
    /// The property's type: `olm.package`, `olm.gvk.required`, ...
    pub kind: String,
    /// Its value, as JSON.
    pub value: Box<RawValue>,
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
    /// The package itself.
    Package,
    /// A channel, by name.
    Channel(String),
    /// A bundle, by name.
    Bundle(String),
}
