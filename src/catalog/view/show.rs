//! One package in full.

use super::text::{columns, printable};
use super::versions::{Deprecations, by_name, newest_first};
use crate::catalog::json::{Json, parse};
use crate::catalog::model::Package;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;

/// A package.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownPackage {
    /// Its name.
    pub package: String,
    /// The channel that its author offers first.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub default_channel: String,
    /// The author's message, where the package is deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Its channels, by name; numbers in names are ordered by value.
    pub channels: Vec<ShownChannel>,
    /// Its bundles, newest first.
    pub bundles: Vec<ShownBundle>,
}

/// A channel.
#[derive(Debug, Clone, Serialize)]
pub struct ShownChannel {
    /// Its name.
    pub channel: String,
    /// The author's message, where the channel is deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Its entries, newest first; those without a bundle come last.
    pub entries: Vec<ShownEntry>,
}

/// An entry of a channel.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownEntry {
    /// The bundle's name.
    pub bundle: String,
    /// Its version; `None` where the catalog has no such bundle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The bundle that it replaces.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub replaces: String,
    /// The bundles that it skips.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skips: Vec<String>,
    /// The range of versions that it skips.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub skip_range: String,
}

/// A bundle.
#[derive(Debug, Clone, Serialize)]
pub struct ShownBundle {
    /// Its name.
    pub bundle: String,
    /// Its version as the catalog writes it.
    pub version: String,
    /// Its release, where the catalog writes one down apart from the version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// Its image.
    pub image: String,
    /// The author's message, where the bundle is deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Its properties, but for those that are for display, in the catalog's order.
    pub properties: Vec<ShownProperty>,
}

/// A property of a bundle.
#[derive(Debug, Clone, Serialize)]
pub struct ShownProperty {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its value.
    pub value: Box<RawValue>,
}

/// One package in full.
pub fn show(package: &Package) -> ShownPackage {
    let versions = newest_first(package);
    let deprecations = Deprecations::of(package);
    let places: BTreeMap<&str, usize> = versions.iter().enumerate().map(|(n, v)| (v.bundle.name.as_str(), n)).collect();
    let mut channels: Vec<ShownChannel> = package
        .channels
        .iter()
        .map(|channel| {
            let mut entries: Vec<ShownEntry> = channel
                .entries
                .iter()
                .map(|e| ShownEntry {
                    bundle: e.name.clone(),
                    version: places.get(e.name.as_str()).and_then(|n| versions.get(*n)).map(|v| v.version.clone()),
                    replaces: e.replaces.clone(),
                    skips: e.skips.clone(),
                    skip_range: e.skip_range.clone(),
                })
                .collect();
            entries.sort_by_key(|e| places.get(e.bundle.as_str()).copied().unwrap_or(usize::MAX));
            ShownChannel { channel: channel.name.clone(), deprecated: deprecations.channel(&channel.name), entries }
        })
        .collect();
    channels.sort_by(|a, b| by_name(&a.channel, &b.channel));
    let bundles = versions
        .iter()
        .map(|v| ShownBundle {
            bundle: v.bundle.name.clone(),
            version: v.version.clone(),
            release: v.release.clone(),
            image: v.bundle.image.clone(),
            deprecated: deprecations.bundle(&v.bundle.name),
            properties: v
                .bundle
                .properties
                .iter()
                .map(|p| ShownProperty { kind: p.kind.clone(), value: p.value.clone() })
                .collect(),
        })
        .collect();
    ShownPackage {
        package: package.name.clone(),
        default_channel: package.default_channel.clone(),
        deprecated: deprecations.package.map(str::to_owned),
        channels,
        bundles,
    }
}

impl fmt::Display for ShownPackage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", printable(&self.package))?;
        if !self.default_channel.is_empty() {
            writeln!(f, "default channel: {}", printable(&self.default_channel))?;
        }
        if let Some(message) = &self.deprecated {
            writeln!(f, "deprecated: {}", printable(message))?;
        }
        for channel in &self.channels {
            writeln!(f, "\nchannel {}", printable(&channel.channel))?;
            if let Some(message) = &channel.deprecated {
                writeln!(f, "deprecated: {}", printable(message))?;
            }
            let rows: Vec<Vec<String>> = channel.entries.iter().map(entry_row).collect();
            for line in columns(&rows).lines() {
                writeln!(f, "  {line}")?;
            }
        }
        writeln!(f, "\nbundles")?;
        let rows: Vec<Vec<String>> = self.bundles.iter().map(bundle_row).collect();
        for line in columns(&rows).lines() {
            writeln!(f, "  {line}")?;
        }
        Ok(())
    }
}

fn entry_row(entry: &ShownEntry) -> Vec<String> {
    let mut from = Vec::new();
    if !entry.replaces.is_empty() {
        from.push(format!("replaces {}", printable(&entry.replaces)));
    }
    if !entry.skips.is_empty() {
        from.push(format!("skips {}", printable(&entry.skips.join(", "))));
    }
    if !entry.skip_range.is_empty() {
        from.push(format!("skips versions {}", printable(&entry.skip_range)));
    }
    let version = entry.version.as_deref().map_or_else(|| "no such bundle".to_owned(), printable);
    vec![version, printable(&entry.bundle), from.join("; ")]
}

fn bundle_row(bundle: &ShownBundle) -> Vec<String> {
    let mut notes: Vec<String> = bundle.properties.iter().filter_map(requirement).collect();
    if let Some(message) = &bundle.deprecated {
        notes.push(format!("deprecated: {}", printable(message)));
    }
    let version = match &bundle.release {
        Some(release) => format!("{} release {release}", bundle.version),
        None => bundle.version.clone(),
    };
    vec![printable(&version), printable(&bundle.bundle), printable(&bundle.image), notes.join("; ")]
}

/// What a bundle needs of others, which OLM v1 does not provide for.
fn requirement(property: &ShownProperty) -> Option<String> {
    let fields: &[&str] = match property.kind.as_str() {
        "olm.package.required" => &["packageName", "versionRange"],
        "olm.gvk.required" => &["group", "version", "kind"],
        "olm.constraint" => return Some("has a constraint".to_owned()),
        _ => return None,
    };
    let Ok(Json::Object(entries)) = parse(property.value.get().as_bytes()) else { return None };
    let words: Vec<String> = fields
        .iter()
        .filter_map(|field| match entries.get(*field) {
            Some(Json::String(text)) => Some(printable(text)),
            _ => None,
        })
        .collect();
    Some(format!("requires {}", words.join(" ")))
}
