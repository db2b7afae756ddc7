//! Image references: `registry/repository:tag@digest`, read and completed as container tools do.

use std::fmt;
use std::str::FromStr;

use super::digest::{Digest, DigestError};

const DEFAULT_DOMAIN: &str = "docker.io";
const LEGACY_DOMAIN: &str = "index.docker.io";
const OFFICIAL_REPOSITORIES: &str = "library";
const DEFAULT_TAG: &str = "latest";
const MAX_NAME: usize = 255;

/// A reference with all that a short one leaves out filled in; it has a tag, a digest, or both.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    domain: String,
    path: String,
    tag: Option<String>,
    digest: Option<Digest>,
}

/// Why a text is no reference, in the words that a cluster uses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReferenceError {
    /// Not of the form `name[:tag][@digest]`, or a part of it has a character that it may not have.
    #[error("invalid reference format")]
    Format,
    /// The repository has an upper-case letter.
    #[error("invalid reference format: repository name must be lowercase")]
    Uppercase,
    /// Just 64 hexadecimal digits, which Docker reads as an image's identifier.
    #[error("invalid repository name ({0}), cannot specify 64-byte hexadecimal strings")]
    Identifier(String),
    /// The name is too long.
    #[error("repository name must not be more than 255 characters")]
    TooLong,
    /// What follows `@` has the form of a digest and is none.
    #[error(transparent)]
    Digest(#[from] DigestError),
    /// A cluster does not complete a short reference.
    #[error("repository name must be canonical")]
    NotCanonical,
    /// A cluster wants a tag or a digest.
    #[error("Docker reference {0} is not for an unknown digest case; tag or digest is needed")]
    NameOnly(String),
    /// A cluster refuses a tag and a digest together.
    #[error("Docker references with both a tag and digest are currently not supported")]
    TagAndDigest,
}

impl Reference {
    /// Reads a reference, completing a short one: `docker.io`, `library/`, `:latest`.
    ///
    /// Follows containers/image v5, `docker/reference/normalize.go` (`ParseNormalizedNamed`, `TagNameOnly`).
    pub fn parse(text: &str) -> Result<Self, ReferenceError> {
        let mut reference = Self::normalized(text)?;
        if reference.tag.is_none() && reference.digest.is_none() {
            reference.tag = Some(DEFAULT_TAG.to_owned());
        }
        Ok(reference)
    }

    /// Reads a reference as operator-controller does, which completes nothing and takes a tag or a digest, not both.
    ///
    /// Follows operator-controller v1.11.0, `internal/shared/util/image/pull.go` (`Pull`), and containers/image v5,
    /// `docker/docker_transport.go` (`newReference`).
    pub fn parse_as_controller(text: &str) -> Result<Self, ReferenceError> {
        let reference = Self::normalized(text)?;
        if reference.to_string() != text {
            return Err(ReferenceError::NotCanonical);
        }
        match (&reference.tag, &reference.digest) {
            (None, None) => Err(ReferenceError::NameOnly(reference.familiar())),
            (Some(_), Some(_)) => Err(ReferenceError::TagAndDigest),
            _ => Ok(reference),
        }
    }

    /// The registry's host, with the port where one is given.
    #[must_use]
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// The repository within the registry.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Registry and repository.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.domain, self.path)
    }

    /// The tag.
    #[must_use]
    pub fn tag(&self) -> Option<&str> {
        self.tag.as_deref()
    }

    /// The digest; where there is one, the tag does not count.
    #[must_use]
    pub fn digest(&self) -> Option<&Digest> {
        self.digest.as_ref()
    }

    /// The same repository at a digest, without a tag.
    #[must_use]
    pub fn at(&self, digest: &Digest) -> Self {
        Self { domain: self.domain.clone(), path: self.path.clone(), tag: None, digest: Some(digest.clone()) }
    }

    /// The same tag and digest in another repository, `registry/repository`.
    pub(super) fn moved_to(&self, name: &str) -> Result<Self, ReferenceError> {
        let place = Self::normalized(name)?;
        Ok(Self { domain: place.domain, path: place.path, tag: self.tag.clone(), digest: self.digest.clone() })
    }

    fn familiar(&self) -> String {
        if self.domain != DEFAULT_DOMAIN {
            return self.to_string();
        }
        let path = match self.path.split_once('/') {
            Some((OFFICIAL_REPOSITORIES, rest)) if !rest.contains('/') => rest,
            _ => &self.path,
        };
        self.suffixed(path)
    }

    fn suffixed(&self, name: &str) -> String {
        let mut text = name.to_owned();
        if let Some(tag) = &self.tag {
            text.push(':');
            text.push_str(tag);
        }
        if let Some(digest) = &self.digest {
            text.push('@');
            text.push_str(digest.as_str());
        }
        text
    }

    fn normalized(text: &str) -> Result<Self, ReferenceError> {
        if text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(ReferenceError::Identifier(text.to_owned()));
        }
        let (domain, remainder) = split_domain(text);
        let named = remainder.split(':').next().unwrap_or_default();
        if named.chars().any(char::is_uppercase) {
            return Err(ReferenceError::Uppercase);
        }
        let (name_and_tag, digest) = match remainder.split_once('@') {
            Some((rest, digest)) => (rest, Some(digest)),
            None => (remainder.as_str(), None),
        };
        let (path, tag) = match name_and_tag.split_once(':') {
            Some((path, tag)) => (path, Some(tag)),
            None => (name_and_tag, None),
        };
        if !is_domain(domain)
            || !path.split('/').all(is_path_component)
            || !tag.is_none_or(is_tag)
            || !digest.is_none_or(is_digest_like)
        {
            return Err(ReferenceError::Format);
        }
        if domain.len() + 1 + path.len() > MAX_NAME {
            return Err(ReferenceError::TooLong);
        }
        let digest = digest.map(Digest::parse).transpose()?;
        Ok(Self { domain: domain.to_owned(), path: path.to_owned(), tag: tag.map(str::to_owned), digest })
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.suffixed(&self.name()))
    }
}

impl FromStr for Reference {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, ReferenceError> {
        Self::parse(text)
    }
}

/// The registry and the rest. What stands before the first slash is a registry only if it looks like a host.
fn split_domain(text: &str) -> (&str, String) {
    let (domain, remainder) = match text.split_once('/') {
        Some((first, rest)) if first.contains(['.', ':']) || first == "localhost" => (first, rest),
        _ => (DEFAULT_DOMAIN, text),
    };
    let domain = if domain == LEGACY_DOMAIN { DEFAULT_DOMAIN } else { domain };
    if domain == DEFAULT_DOMAIN && !remainder.contains('/') {
        return (domain, format!("{OFFICIAL_REPOSITORIES}/{remainder}"));
    }
    (domain, remainder.to_owned())
}

fn is_domain(text: &str) -> bool {
    let (host, port) = match text.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (text, None),
    };
    let label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    host.split('.').all(label) && port.is_none_or(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Lower-case letters and digits, held together by one `.`, one or two `_`, or any number of `-`.
fn is_path_component(text: &str) -> bool {
    let alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    if !bytes.first().copied().is_some_and(alphanumeric) || !bytes.last().copied().is_some_and(alphanumeric) {
        return false;
    }
    text.split(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        .all(|separator| matches!(separator, "" | "." | "_" | "__") || separator.bytes().all(|byte| byte == b'-'))
}

fn is_tag(text: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.len() <= 128
        && text.bytes().next().is_some_and(word)
        && text.bytes().all(|byte| word(byte) || byte == b'.' || byte == b'-')
}

fn is_digest_like(text: &str) -> bool {
    let Some((algorithm, hex)) = text.split_once(':') else { return false };
    let word = |word: &str| {
        word.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic())
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    algorithm.split(['-', '_', '+', '.']).all(word) && hex.len() >= 32 && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn digest() -> String {
        format!("sha256:{}", "0a".repeat(32))
    }

    #[test]
    fn completes_short_references() {
        for (text, full) in [
            ("busybox", "docker.io/library/busybox:latest"),
            ("busybox:1.36", "docker.io/library/busybox:1.36"),
            ("dev/tool", "docker.io/dev/tool:latest"),
            ("index.docker.io/busybox", "docker.io/library/busybox:latest"),
            ("localhost/a", "localhost/a:latest"),
            ("localhost:5000/a", "localhost:5000/a:latest"),
            ("quay.io/a/b__c/d.e-f---g:V1.0_x", "quay.io/a/b__c/d.e-f---g:V1.0_x"),
            ("Quay.IO/a", "Quay.IO/a:latest"),
            ("127.0.0.1:5000/a", "127.0.0.1:5000/a:latest"),
        ] {
            assert_eq!(Reference::parse(text).map(|reference| reference.to_string()), Ok(full.to_owned()), "{text}");
        }
        let text = format!("quay.io/a:v1@{}", digest());
        let reference = Reference::parse(&text).unwrap();
        assert_eq!((reference.tag(), reference.digest().unwrap().as_str()), (Some("v1"), digest().as_str()));
        assert_eq!(Reference::parse(&format!("quay.io/a@{}", digest())).unwrap().tag(), None);
    }

    #[test]
    fn says_why_a_reference_is_none() {
        for (text, why) in [
            ("", "invalid reference format"),
            ("quay.io/", "invalid reference format"),
            ("quay.io/A/b", "invalid reference format: repository name must be lowercase"),
            ("UPPER/a", "invalid reference format: repository name must be lowercase"),
            ("quay.io/a:", "invalid reference format"),
            ("quay.io/a:-x", "invalid reference format"),
            ("quay.io/a b", "invalid reference format"),
            ("quay.io/a/../b", "invalid reference format"),
            ("quay.io//a", "invalid reference format"),
            ("quay.io/a___b", "invalid reference format"),
            ("quay.io/a._b", "invalid reference format"),
            ("https://quay.io/a", "invalid reference format"),
            ("quay.io:port/a", "invalid reference format"),
            ("-quay.io/a", "invalid reference format"),
            ("quay.io/a@sha256:12", "invalid reference format"),
            ("quay.io/a@sha256:00000000000000000000000000000000", "invalid checksum digest length"),
            ("quay.io/a@md5:00000000000000000000000000000000", "unsupported digest algorithm"),
        ] {
            assert_eq!(Reference::parse(text).unwrap_err().to_string(), why, "{text}");
        }
        assert_eq!(Reference::parse(&"a0".repeat(32)), Err(ReferenceError::Identifier("a0".repeat(32))));
        assert_eq!(Reference::parse(&format!("quay.io/{}", "a".repeat(300))), Err(ReferenceError::TooLong));
        assert_eq!(Reference::parse(&format!("quay.io/a:{}", "a".repeat(129))), Err(ReferenceError::Format));
    }

    #[test]
    fn refuses_what_the_controller_refuses() {
        let error = |text: &str| Reference::parse_as_controller(text).unwrap_err().to_string();
        assert_eq!(error("busybox:1"), "repository name must be canonical");
        assert_eq!(error("docker.io/busybox:1"), "repository name must be canonical");
        assert_eq!(
            error("docker.io/library/busybox"),
            "Docker reference busybox is not for an unknown digest case; tag or digest is needed"
        );
        assert_eq!(error("quay.io/a"), "Docker reference quay.io/a is not for an unknown digest case; tag or digest is needed");
        assert_eq!(
            error(&format!("quay.io/a:v1@{}", digest())),
            "Docker references with both a tag and digest are currently not supported"
        );
        assert!(Reference::parse_as_controller("quay.io/a:v1").is_ok());
        assert!(Reference::parse_as_controller(&format!("quay.io/a@{}", digest())).is_ok());
    }

    proptest! {
        #[test]
        fn a_completed_reference_reads_back_as_itself(text in "([a-zA-Z0-9.-]{1,8}(:[0-9]{1,4})?/)?[a-z0-9._/-]{1,12}(:[a-zA-Z0-9._-]{0,6})?") {
            if let Ok(reference) = Reference::parse(&text) {
                prop_assert_eq!(Reference::parse(&reference.to_string()), Ok(reference));
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = Reference::parse(&text);
        }
    }
}
