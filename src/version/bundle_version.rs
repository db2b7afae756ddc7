//! A bundle's version, read as blang/semver reads it.

use crate::go::quote;
use std::cmp::Ordering;
use std::fmt;

/// A semantic version as blang/semver 4 accepts it: three numbers of 64 bits, no leading zeros, no `v`, numeric prerelease
/// identifiers of 64 bits as well.
///
/// `==` compares all of it. Build metadata has no place in the order of versions: use [`Version::precedence`] for that.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Version(semver::Version);

/// A text that is no version, in the words of blang/semver.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct VersionError(pub(super) String);

impl Version {
    /// Reads a version.
    ///
    /// # Errors
    /// Where blang/semver refuses the text, with its words.
    pub fn parse(text: &str) -> Result<Self, VersionError> {
        match semver::Version::parse(text) {
            Ok(version) if numbers_fit(version.pre.as_str()) => Ok(Self(version)),
            _ => Err(refusal(text)),
        }
    }

    /// The first number.
    pub fn major(&self) -> u64 {
        self.0.major
    }

    /// The second number.
    pub fn minor(&self) -> u64 {
        self.0.minor
    }

    /// The third number.
    pub fn patch(&self) -> u64 {
        self.0.patch
    }

    /// The prerelease identifiers, joined with dots; empty for a release.
    pub fn pre(&self) -> &str {
        self.0.pre.as_str()
    }

    /// The build metadata, joined with dots; empty where there is none.
    pub fn build(&self) -> &str {
        self.0.build.as_str()
    }

    /// The order of versions: build metadata does not count.
    pub fn precedence(&self, other: &Self) -> Ordering {
        self.0.cmp_precedence(&other.0)
    }

    /// The same version without its build metadata.
    #[must_use]
    pub fn without_build(mut self) -> Self {
        self.0.build = semver::BuildMetadata::EMPTY;
        self
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Whether each numeric identifier of a prerelease fits 64 bits, as blang/semver wants it.
fn numbers_fit(pre: &str) -> bool {
    pre.len() < 20 || pre.split('.').all(|part| !is_digits(part) || part.parse::<u64>().is_ok())
}

pub(super) fn is_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

pub(super) fn is_identifier(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// Why blang/semver refuses `text`: the checks of `Parse` in their order (blang/semver v4.0.0 semver.go).
fn refusal(text: &str) -> VersionError {
    VersionError(find_fault(text).err().unwrap_or_else(|| format!("Invalid version {}", quote(text))))
}

fn find_fault(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("Version string empty".to_owned());
    }
    let mut parts = text.splitn(3, '.');
    let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return Err("No Major.Minor.Patch elements found".to_owned());
    };
    number("major", "Major", major)?;
    number("minor", "Minor", minor)?;
    let (rest, build) = match rest.split_once('+') {
        Some((rest, build)) => (rest, Some(build)),
        None => (rest, None),
    };
    let (patch, pre) = match rest.split_once('-') {
        Some((patch, pre)) => (patch, Some(pre)),
        None => (rest, None),
    };
    number("patch", "Patch", patch)?;
    for identifier in pre.into_iter().flat_map(|pre| pre.split('.')) {
        prerelease_identifier(identifier)?;
    }
    for identifier in build.into_iter().flat_map(|build| build.split('.')) {
        if identifier.is_empty() {
            return Err("Build meta data is empty".to_owned());
        }
        if !is_identifier(identifier) {
            return Err(format!("Invalid character(s) found in build meta data {}", quote(identifier)));
        }
    }
    Ok(())
}

fn number(name: &str, title: &str, text: &str) -> Result<(), String> {
    if !is_digits(text) {
        return Err(format!("Invalid character(s) found in {name} number {}", quote(text)));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(format!("{title} number must not contain leading zeroes {}", quote(text)));
    }
    parse_uint(text)
}

fn parse_uint(text: &str) -> Result<(), String> {
    match text.parse::<u64>() {
        Ok(_) => Ok(()),
        Err(_) => {
            let fault = if text.is_empty() { "invalid syntax" } else { "value out of range" };
            Err(format!("strconv.ParseUint: parsing {}: {fault}", quote(text)))
        }
    }
}

/// What blang/semver's `NewPRVersion` checks of one prerelease identifier.
pub(crate) fn prerelease_identifier(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("Prerelease is empty".to_owned());
    }
    if is_digits(text) {
        if text.len() > 1 && text.starts_with('0') {
            return Err(format!("Numeric PreRelease version must not contain leading zeroes {}", quote(text)));
        }
        return parse_uint(text);
    }
    if is_identifier(text) {
        return Ok(());
    }
    Err(format!("Invalid character(s) found in prerelease {}", quote(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fault(text: &str) -> String {
        Version::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn refuses_in_the_words_of_blang() {
        assert_eq!(fault(""), "Version string empty");
        assert_eq!(fault("1.0"), "No Major.Minor.Patch elements found");
        assert_eq!(fault("v1.0.0"), "Invalid character(s) found in major number \"v1\"");
        assert_eq!(fault("1.02.0"), "Minor number must not contain leading zeroes \"02\"");
        assert_eq!(fault("1..0"), "strconv.ParseUint: parsing \"\": invalid syntax");
        assert_eq!(fault("1.0.99999999999999999999"), "strconv.ParseUint: parsing \"99999999999999999999\": value out of range");
        assert_eq!(fault("1.0.0-01"), "Numeric PreRelease version must not contain leading zeroes \"01\"");
        assert_eq!(
            fault("1.0.0-99999999999999999999"),
            "strconv.ParseUint: parsing \"99999999999999999999\": value out of range"
        );
        assert_eq!(fault("1.0.0-"), "Prerelease is empty");
        assert_eq!(fault("1.0.0-a+"), "Build meta data is empty");
        assert_eq!(fault("1.0.0+a+b"), "Invalid character(s) found in build meta data \"a+b\"");
    }

    proptest! {
        /// The quick reader and the reader that explains agree on what is a version.
        #[test]
        fn quick_and_slow_agree(text in "v?[0-9]{0,21}(\\.[0-9]{0,3}){0,3}(-[0-9a.-]{0,22})?(\\+[0-9a.+]{0,4})?") {
            prop_assert_eq!(Version::parse(&text).is_ok(), find_fault(&text).is_ok());
        }

        #[test]
        fn reads_back_what_it_writes(text in "(0|[1-9][0-9]?)\\.(0|[1-9])\\.(0|[1-9])(-[a-c][0-9a-c]?(\\.[1-9])?)?(\\+[0-9a]{1,3})?") {
            prop_assert_eq!(Version::parse(&text).unwrap().to_string(), text);
        }
    }
}
