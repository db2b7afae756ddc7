//! The documents of a catalog, as far as anything is made of them.

use crate::catalog::json::Json;

/// A document, by its schema.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::catalog) enum Blob {
    /// `olm.package`
    Package(PackageBlob),
    /// `olm.channel`
    Channel(ChannelBlob),
    /// `olm.bundle`
    Bundle(BundleBlob),
    /// `olm.deprecations`
    Deprecations(DeprecationsBlob),
    /// Any other schema.
    Other,
}

/// `olm.package`
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::catalog) struct PackageBlob {
    pub name: String,
    pub default_channel: String,
    pub description: String,
}

/// `olm.channel`
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::catalog) struct ChannelBlob {
    pub name: String,
    pub package: String,
    pub entries: Vec<EntryBlob>,
}

/// An entry of a channel.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::catalog) struct EntryBlob {
    pub name: String,
    pub replaces: String,
    pub skips: Vec<String>,
    pub skip_range: String,
}

/// `olm.bundle`
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::catalog) struct BundleBlob {
    pub name: String,
    pub package: String,
    pub image: String,
    pub properties: Vec<PropertyBlob>,
    pub related_images: Vec<RelatedImageBlob>,
    /// How many objects the bundle carries in itself (`olm.bundle.object`).
    pub objects: usize,
}

/// A property.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::catalog) struct PropertyBlob {
    pub kind: String,
    /// `None` where the key is missing.
    pub value: Option<Json>,
}

/// A related image.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::catalog) struct RelatedImageBlob {
    pub name: String,
    pub image: String,
}

/// `olm.deprecations`
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::catalog) struct DeprecationsBlob {
    pub package: String,
    /// `None` where the list is missing, or `null`.
    pub entries: Option<Vec<DeprecationBlob>>,
}

/// An entry of `olm.deprecations`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::catalog) struct DeprecationBlob {
    pub schema: String,
    pub name: String,
    pub message: String,
}
