//! The versions and deprecations of a package's bundles, as the views show them.

use crate::catalog::decode::{Decoder, PropertyBlob, decode_property};
use crate::catalog::json::{Json, parse};
use crate::catalog::model::{Bundle, Channel, DeprecatedReference, Package};
use crate::version::VersionRelease;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A bundle with its version.
#[derive(Debug)]
pub(in crate::catalog) struct BundleVersion<'a> {
    /// The bundle.
    pub bundle: &'a Bundle,
    /// The version as the catalog writes it; empty where there is none.
    pub version: String,
    /// The release, where the catalog writes one down.
    pub release: Option<String>,
    /// What the bundle is ordered by; `None` where the version cannot be read.
    pub order: Option<VersionRelease>,
}

/// The bundles of a package, newest first; those without a readable version come last, by name.
pub(in crate::catalog) fn newest_first(package: &Package) -> Vec<BundleVersion<'_>> {
    let mut versions: Vec<BundleVersion<'_>> = package.bundles.iter().map(read).collect();
    versions.sort_by(|a, b| {
        let order = match (&a.order, &b.order) {
            (Some(a), Some(b)) => b.precedence(a),
            (a, b) => b.is_some().cmp(&a.is_some()),
        };
        order.then_with(|| a.bundle.name.cmp(&b.bundle.name))
    });
    versions
}

/// Those of `versions` that are in `channel`, in their order.
pub(in crate::catalog) fn in_channel<'v, 'a>(versions: &'v [BundleVersion<'a>], channel: &Channel) -> Vec<&'v BundleVersion<'a>> {
    let names: std::collections::BTreeSet<&str> = channel.entries.iter().map(|e| e.name.as_str()).collect();
    versions.iter().filter(|v| names.contains(v.bundle.name.as_str())).collect()
}

fn read(bundle: &Bundle) -> BundleVersion<'_> {
    let property = bundle.properties.iter().find(|p| p.kind == "olm.package");
    let read = property.and_then(|property| {
        let value = parse(property.value.get().as_bytes()).ok();
        let property = PropertyBlob { kind: property.kind.clone(), value };
        decode_property(&property, package_property).ok()
    });
    let (version, release) = read.unwrap_or_default();
    let order = match &release {
        Some(release) => VersionRelease::explicit(&version, release).or_else(|_| VersionRelease::legacy(&version)),
        None => VersionRelease::legacy(&version),
    };
    BundleVersion { bundle, version, release, order: order.ok() }
}

fn package_property(decoder: &mut Decoder, value: &Json) -> (String, Option<String>) {
    let mut version = String::new();
    let mut release = None;
    decoder.object(value, "property.Package", &["packageName", "version", "release"], |d, field, value| match field {
        "version" => d.string(value, &mut version),
        "release" => d.string(value, release.get_or_insert_default()),
        _ => d.string(value, &mut String::new()),
    });
    (version, release)
}

/// The messages of a package's deprecations. Of several for one thing the first counts.
#[derive(Debug, Default)]
pub(in crate::catalog) struct Deprecations<'a> {
    /// Of the package itself.
    pub package: Option<&'a str>,
    /// Of channels, by name.
    pub channels: BTreeMap<&'a str, &'a str>,
    /// Of bundles, by name.
    pub bundles: BTreeMap<&'a str, &'a str>,
}

impl<'a> Deprecations<'a> {
    /// Those of `package`.
    pub fn of(package: &'a Package) -> Self {
        let mut all = Self::default();
        for deprecation in package.deprecations() {
            let message = deprecation.message.as_str();
            match &deprecation.reference {
                DeprecatedReference::Package(_) => {
                    all.package.get_or_insert(message);
                }
                DeprecatedReference::Channel(name) => {
                    all.channels.entry(name).or_insert(message);
                }
                DeprecatedReference::Bundle(name) => {
                    all.bundles.entry(name).or_insert(message);
                }
                DeprecatedReference::Other { .. } => {}
            }
        }
        all
    }

    /// That of a channel.
    pub fn channel(&self, name: &str) -> Option<String> {
        self.channels.get(name).map(|m| (*m).to_owned())
    }

    /// That of a bundle.
    pub fn bundle(&self, name: &str) -> Option<String> {
        self.bundles.get(name).map(|m| (*m).to_owned())
    }
}

/// Channels in the order that people look for them: the default one, then the others by name, numbers by value.
pub(in crate::catalog) fn by_name(a: &str, b: &str) -> Ordering {
    natural(a).cmp(&natural(b)).then_with(|| a.cmp(b))
}

fn natural(text: &str) -> Vec<(u8, String)> {
    let mut parts: Vec<(u8, String)> = Vec::new();
    for c in text.chars() {
        let kind = u8::from(!c.is_ascii_digit());
        match parts.last_mut() {
            Some((last, part)) if *last == kind => part.push(c),
            _ => parts.push((kind, c.to_string())),
        }
    }
    for (kind, part) in &mut parts {
        if *kind == 0 {
            // Longer numbers are larger: the length decides before the digits do.
            let digits = part.trim_start_matches('0').to_owned();
            *part = format!("{:08}{digits}", digits.len());
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_ordered_by_number() {
        let mut names = ["stable-v1.10", "stable-v1.9", "alpha", "stable-v1.9.1"];
        names.sort_by(|a, b| by_name(a, b));
        assert_eq!(names, ["alpha", "stable-v1.9", "stable-v1.9.1", "stable-v1.10"]);
    }
}
