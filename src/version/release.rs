//! A bundle's release, and the pair of version and release that bundles are ordered by.

use super::bundle_version::prerelease_identifier;
use super::{Version, VersionError};
use crate::go::quote;
use std::cmp::Ordering;
use std::fmt;

/// What tells two builds of one version apart: identifiers that follow the rules of a prerelease, at most 20 characters.
///
/// An empty release is one that was written down as empty; no release at all is `None` in [`VersionRelease`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Release(semver::Prerelease);

/// A text that is no release, in the words of operator-registry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReleaseError(String);

const MAX_LEN: usize = 20;

impl Release {
    /// Reads a release. An empty text is an empty release.
    ///
    /// Follows `NewRelease` of operator-registry v1.73.0 alpha/model/versionrelease.go.
    ///
    /// # Errors
    /// Where the text is longer than 20 bytes or holds what no prerelease may hold.
    pub fn parse(text: &str) -> Result<Self, ReleaseError> {
        Self::parse_up_to(MAX_LEN, text)
    }

    /// Reads a release of any length, as operator-controller does before 1.11.
    ///
    /// # Errors
    /// Where the text holds what no prerelease may hold.
    pub fn parse_any_length(text: &str) -> Result<Self, ReleaseError> {
        Self::parse_up_to(usize::MAX, text)
    }

    fn parse_up_to(length: usize, text: &str) -> Result<Self, ReleaseError> {
        if text.len() > length {
            let quoted = quote(text);
            return Err(ReleaseError(format!("invalid release {quoted}: exceeds maximum length of {MAX_LEN} characters")));
        }
        if text.is_empty() {
            return Ok(Self(semver::Prerelease::EMPTY));
        }
        let faults: Vec<String> = text
            .split('.')
            .enumerate()
            .filter_map(|(n, part)| prerelease_identifier(part).err().map(|fault| format!("segment {n}: {fault}")))
            .collect();
        let invalid = |why: &str| ReleaseError(format!("invalid release {}: {why}", quote(text)));
        if !faults.is_empty() {
            return Err(invalid(&faults.join("\n")));
        }
        semver::Prerelease::new(text).map(Self).map_err(|e| invalid(&e.to_string()))
    }

    /// The identifiers, joined with dots.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether it is written down as empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A bundle's version and its release.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VersionRelease {
    /// The version; without build metadata where that was read as the release.
    pub version: Version,
    /// The release; `None` where the bundle has none.
    pub release: Option<Release>,
}

impl VersionRelease {
    /// Reads the version of a registry+v1 bundle, whose build metadata is its release where it can be one.
    ///
    /// Follows `ParseLegacyVersionRelease` of operator-controller df2c201d internal/operator-controller/bundleutil/bundle.go.
    ///
    /// # Errors
    /// Where the text is no version.
    pub fn legacy(text: &str) -> Result<Self, VersionError> {
        Self::legacy_with(text, Release::parse)
    }

    /// Reads the version of a registry+v1 bundle, whose build metadata is its release where it can be one, as `release` reads it.
    ///
    /// # Errors
    /// Where the text is no version.
    pub fn legacy_with(text: &str, release: impl Fn(&str) -> Result<Release, ReleaseError>) -> Result<Self, VersionError> {
        let version = Version::parse(text)?;
        match release(version.build()) {
            Ok(release) if !release.is_empty() => Ok(Self { version: version.without_build(), release: Some(release) }),
            _ => Ok(Self { version, release: None }),
        }
    }

    /// Reads a version and a release that were written down apart; build metadata stays with the version.
    ///
    /// Follows `ParseExplicitRelease` of operator-controller df2c201d internal/operator-controller/bundleutil/bundle.go.
    ///
    /// # Errors
    /// Where either cannot be read, in the controller's words.
    pub fn explicit(version: &str, release: &str) -> Result<Self, VersionError> {
        Self::explicit_with(version, release, Release::parse)
    }

    /// The same, with a release as `read` reads it.
    ///
    /// # Errors
    /// Where either cannot be read, in the controller's words.
    pub fn explicit_with(
        version: &str,
        release: &str,
        read: impl Fn(&str) -> Result<Release, ReleaseError>,
    ) -> Result<Self, VersionError> {
        let parsed =
            Version::parse(version).map_err(|e| VersionError(format!("error parsing version {}: {e}", quote(version))))?;
        let release = read(release).map_err(|e| VersionError(format!("error parsing release {}: {e}", quote(release))))?;
        Ok(Self { version: parsed, release: Some(release) })
    }

    /// The order of bundles: by version, then by release; no release and an empty one come before every other.
    pub fn precedence(&self, other: &Self) -> Ordering {
        self.version.precedence(&other.version).then_with(|| {
            // An empty release counts as none, and none comes first.
            self.written_release().cmp(&other.written_release())
        })
    }

    /// The version with its release, if any, in the place of build metadata: how a cluster names it without the gate
    /// BundleReleaseSupport.
    pub fn legacy_text(&self) -> String {
        match &self.release {
            Some(release) if !release.is_empty() => format!("{}+{release}", self.version.clone().without_build()),
            _ => self.version.to_string(),
        }
    }

    fn written_release(&self) -> Option<&semver::Prerelease> {
        self.release.as_ref().filter(|r| !r.is_empty()).map(|r| &r.0)
    }
}

impl fmt::Display for VersionRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.legacy_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legacy(text: &str) -> (String, Option<String>) {
        let read = VersionRelease::legacy(text).unwrap();
        (read.version.to_string(), read.release.map(|r| r.to_string()))
    }

    #[test]
    fn build_metadata_is_a_release_where_it_can_be() {
        assert_eq!(legacy("1.0.0+2"), ("1.0.0".to_owned(), Some("2".to_owned())));
        assert_eq!(legacy("1.0.0+041"), ("1.0.0+041".to_owned(), None));
        assert_eq!(legacy("1.0.0+123456789012345678901"), ("1.0.0+123456789012345678901".to_owned(), None));
        assert_eq!(legacy("1.0.0+99999999999999999999"), ("1.0.0+99999999999999999999".to_owned(), None));
        assert_eq!(legacy("1.0.0"), ("1.0.0".to_owned(), None));
    }

    #[test]
    fn an_explicit_release_leaves_build_metadata_alone() {
        let read = VersionRelease::explicit("1.0.0+git", "2").unwrap();
        assert_eq!((read.version.to_string().as_str(), read.release.unwrap().as_str()), ("1.0.0+git", "2"));
        assert!(VersionRelease::explicit("1.0.0", "").unwrap().release.unwrap().is_empty());
        let refused = VersionRelease::explicit("1.0.0", "01.a..").unwrap_err().to_string();
        assert!(
            refused.starts_with("error parsing release \"01.a..\": invalid release \"01.a..\": segment 0: Numeric"),
            "{refused}"
        );
    }

    #[test]
    fn releases_follow_no_release() {
        let mut texts = vec!["1.0.0+a", "1.0.0", "1.0.0+10", "1.0.0+2", "1.0.0+041", "1.0.0-rc+9"];
        texts.sort_by(|a, b| VersionRelease::legacy(a).unwrap().precedence(&VersionRelease::legacy(b).unwrap()));
        assert_eq!(texts, ["1.0.0-rc+9", "1.0.0", "1.0.0+041", "1.0.0+2", "1.0.0+10", "1.0.0+a"]);
    }
}
