//! A catalog put together: packages with their channels, channels with their bundles.

use super::load::Origin;
use super::property::PackageProperty;
use crate::version::{Release, Version};
use std::collections::BTreeMap;

/// A package.
#[derive(Debug)]
pub(super) struct Package {
    pub name: String,
    pub origin: Origin,
    pub default_channel: String,
    pub channels: BTreeMap<String, Channel>,
    /// The message of its deprecation.
    pub deprecation: Option<String>,
}

/// A channel of a package.
#[derive(Debug, Default)]
pub(super) struct Channel {
    /// `None` where the channel is there by name alone, as the default.
    pub origin: Option<Origin>,
    pub bundles: BTreeMap<String, Bundle>,
    pub deprecation: Option<String>,
}

/// An entry of a channel, with its bundle.
#[derive(Debug, Default)]
pub(super) struct Bundle {
    pub replaces: String,
    pub skips: Vec<String>,
    pub skip_range: String,
    pub deprecation: Option<String>,
    /// `None` where no document tells of the bundle.
    pub detail: Option<Detail>,
}

/// What an `olm.bundle` document tells of a bundle.
#[derive(Debug, Clone)]
pub(super) struct Detail {
    pub origin: Origin,
    pub image: String,
    pub objects: usize,
    pub properties: Vec<PackageProperty>,
    pub version: Version,
    pub release: Option<Release>,
}

impl Bundle {
    /// The version with its release, as they are told apart within a package.
    pub fn version_text(&self) -> String {
        match &self.detail {
            None => "0.0.0".to_owned(),
            Some(Detail { version, release: Some(release), .. }) => format!("{version}-{release}"),
            Some(Detail { version, release: None, .. }) => version.to_string(),
        }
    }
}
