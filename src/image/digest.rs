//! Digests: an algorithm and a checksum, valid by construction.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::Digest as _;

/// A digest that is well-formed: `sha256:`, `sha384:` or `sha512:` and as many lower-case hexadecimal digits as the algorithm gives.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(String);

/// Why a text is no digest, in the words that a cluster uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DigestError {
    /// Not `algorithm:hex`, or digits that are not lower-case hexadecimal.
    #[error("invalid checksum digest format")]
    Format,
    /// More or fewer digits than the algorithm gives.
    #[error("invalid checksum digest length")]
    Length,
    /// Neither sha256 nor sha384 nor sha512.
    #[error("unsupported digest algorithm")]
    Algorithm,
}

impl Digest {
    /// Reads a digest; the errors are those of opencontainers/go-digest 1.0, `digest.go`.
    pub fn parse(text: &str) -> Result<Self, DigestError> {
        let (algorithm, hex) = text.split_once(':').ok_or(DigestError::Format)?;
        let digits = match algorithm {
            "sha256" => 64,
            "sha384" => 96,
            "sha512" => 128,
            _ => return Err(DigestError::Algorithm),
        };
        if hex.len() != digits {
            return Err(DigestError::Length);
        }
        if !hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(DigestError::Format);
        }
        Ok(Self(text.to_owned()))
    }

    /// The sha256 digest of some bytes.
    #[must_use]
    pub fn sha256(bytes: &[u8]) -> Self {
        let mut hasher = Hasher::sha256();
        hasher.update(bytes);
        hasher.finish()
    }

    /// The whole text, `sha256:...`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The algorithm, `sha256`.
    #[must_use]
    pub fn algorithm(&self) -> &str {
        self.0.split_once(':').map_or("", |(algorithm, _)| algorithm)
    }

    /// The checksum's digits.
    #[must_use]
    pub fn hex(&self) -> &str {
        self.0.split_once(':').map_or("", |(_, hex)| hex)
    }

    /// The digest of these bytes under this digest's algorithm.
    pub(super) fn of(&self, bytes: &[u8]) -> Self {
        let mut hasher = self.hasher();
        hasher.update(bytes);
        hasher.finish()
    }

    /// A hasher for this digest's algorithm.
    pub(super) fn hasher(&self) -> Hasher {
        match self.algorithm() {
            "sha384" => Hasher::Sha384(sha2::Sha384::new()),
            "sha512" => Hasher::Sha512(sha2::Sha512::new()),
            _ => Hasher::sha256(),
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Digest {
    type Error = DigestError;

    fn try_from(text: String) -> Result<Self, DigestError> {
        Self::parse(&text)
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.0
    }
}

/// A digest in the making.
pub(super) enum Hasher {
    Sha256(sha2::Sha256),
    Sha384(sha2::Sha384),
    Sha512(sha2::Sha512),
}

impl Hasher {
    pub(super) fn sha256() -> Self {
        Self::Sha256(sha2::Sha256::new())
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha256(hasher) => hasher.update(bytes),
            Self::Sha384(hasher) => hasher.update(bytes),
            Self::Sha512(hasher) => hasher.update(bytes),
        }
    }

    pub(super) fn finish(self) -> Digest {
        match self {
            Self::Sha256(hasher) => Digest(format!("sha256:{}", hex(&hasher.finalize()))),
            Self::Sha384(hasher) => Digest(format!("sha384:{}", hex(&hasher.finalize()))),
            Self::Sha512(hasher) => Digest(format!("sha512:{}", hex(&hasher.finalize()))),
        }
    }
}

/// Bytes as lower-case hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_good_from_bad() {
        let good = format!("sha256:{}", "a0".repeat(32));
        let digest = Digest::parse(&good).unwrap();
        assert_eq!((digest.algorithm(), digest.hex().len(), digest.to_string()), ("sha256", 64, good.clone()));
        assert!(Digest::parse(&format!("sha512:{}", "0".repeat(128))).is_ok());
        assert_eq!(Digest::parse(&good.to_uppercase()), Err(DigestError::Algorithm));
        assert_eq!(Digest::parse(&format!("sha256:{}", "A0".repeat(32))), Err(DigestError::Format));
        assert_eq!(Digest::parse("sha256:abc"), Err(DigestError::Length));
        assert_eq!(Digest::parse(&format!("md5:{}", "0".repeat(32))), Err(DigestError::Algorithm));
        assert_eq!(Digest::parse("sha256"), Err(DigestError::Format));
        assert_eq!(Digest::parse(&format!("sha256:{}", "../".repeat(22).get(..64).unwrap())), Err(DigestError::Format));
    }

    #[test]
    fn hashes_under_the_algorithm_of_the_digest() {
        let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Digest::sha256(b"").as_str(), empty);
        let long = Digest::parse(&format!("sha512:{}", "0".repeat(128))).unwrap();
        assert!(long.of(b"").as_str().starts_with("sha512:cf83e1357eefb8bd"));
    }
}
