//! What there is in a catalog: packages, their channels, and the versions in each.
//!
//! As JSON it serves programs that look for newer versions: every version of a channel stands there with its bundle and image.

use super::text::{columns, printable};
use super::versions::{Deprecations, by_name, in_channel, newest_first};
use crate::catalog::error::Error;
use crate::catalog::model::Package;
use crate::catalog::open::Catalog;
use serde::Serialize;
use std::fmt;

/// Packages, sorted by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Listing(pub Vec<ListedPackage>);

/// A package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedPackage {
    /// Its name.
    pub package: String,
    /// The channel that its author offers first.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub default_channel: String,
    /// The author's message, where the package is deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Its channels, by name; numbers in names are ordered by value.
    pub channels: Vec<ListedChannel>,
}

/// A channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedChannel {
    /// Its name.
    pub channel: String,
    /// The author's message, where the channel is deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// The versions in it, newest first.
    pub versions: Vec<ListedVersion>,
}

/// A version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedVersion {
    /// The version as the catalog writes it.
    pub version: String,
    /// The release, where the catalog writes one down apart from the version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// The bundle's name.
    pub bundle: String,
    /// The bundle's image.
    pub image: String,
    /// The author's message, where the bundle is deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
}

/// Everything in a catalog.
///
/// # Errors
/// Where a package cannot be read.
pub fn list(catalog: &Catalog) -> Result<Listing, Error> {
    let mut listed = Vec::new();
    for name in catalog.package_names() {
        listed.extend(catalog.package(name)?.as_ref().map(list_package));
    }
    Ok(Listing(listed))
}

/// One package of a catalog.
pub fn list_package(package: &Package) -> ListedPackage {
    let versions = newest_first(package);
    let deprecations = Deprecations::of(package);
    let mut channels: Vec<ListedChannel> = package
        .channels
        .iter()
        .map(|channel| ListedChannel {
            channel: channel.name.clone(),
            deprecated: deprecations.channel(&channel.name),
            versions: in_channel(&versions, channel)
                .into_iter()
                .map(|v| ListedVersion {
                    version: v.version.clone(),
                    release: v.release.clone(),
                    bundle: v.bundle.name.clone(),
                    image: v.bundle.image.clone(),
                    deprecated: deprecations.bundle(&v.bundle.name),
                })
                .collect(),
        })
        .collect();
    channels.sort_by(|a, b| by_name(&a.channel, &b.channel));
    ListedPackage {
        package: package.name.clone(),
        default_channel: package.default_channel.clone(),
        deprecated: deprecations.package.map(str::to_owned),
        channels,
    }
}

impl fmt::Display for Listing {
    /// A line for each channel: package, channel (`*` is the default), newest version, how many there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = ["PACKAGE", "CHANNEL", "NEWEST", "VERSIONS", ""];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        for package in &self.0 {
            if package.channels.is_empty() {
                rows.push(vec![printable(&package.package), "-".to_owned(), "-".to_owned(), "0".to_owned()]);
            }
            for channel in &package.channels {
                let default = if channel.channel == package.default_channel { " *" } else { "" };
                let deprecated = package.deprecated.is_some() || channel.deprecated.is_some();
                rows.push(vec![
                    printable(&package.package),
                    format!("{}{default}", printable(&channel.channel)),
                    channel.versions.first().map_or_else(|| "-".to_owned(), |v| printable(&v.version)),
                    channel.versions.len().to_string(),
                    if deprecated { "deprecated".to_owned() } else { String::new() },
                ]);
            }
        }
        f.write_str(&columns(&rows))
    }
}
