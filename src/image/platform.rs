//! The platform that is picked out of an image for many.

use std::fmt;
use std::str::FromStr;

/// An operating system, an architecture and, for some, a variant of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Platform {
    /// `linux`
    pub os: String,
    /// `amd64`, `arm64`, ...
    pub architecture: String,
    /// `v8`, ...; empty for any.
    pub variant: String,
}

/// A text that names no platform.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no platform: write os/architecture, such as linux/amd64, or os/architecture/variant")]
pub struct PlatformError(pub String);

impl Platform {
    /// The variants that will do, the best first; follows containers/image v5, `internal/pkg/platform/platform_matcher.go`.
    pub(super) fn variants(&self) -> Vec<&str> {
        let known: &[&str] = match self.architecture.as_str() {
            "arm" => &["v8", "v7", "v6", "v5"],
            "arm64" => &["v8"],
            _ => &[],
        };
        if self.variant.is_empty() {
            return std::iter::once("").chain(known.iter().copied()).collect();
        }
        let from = known.iter().position(|variant| *variant == self.variant);
        let mut variants = match from {
            Some(from) => known.iter().skip(from).copied().collect(),
            None => vec![self.variant.as_str()],
        };
        variants.push("");
        variants
    }
}

impl Default for Platform {
    fn default() -> Self {
        Self { os: "linux".to_owned(), architecture: "amd64".to_owned(), variant: String::new() }
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.os, self.architecture)?;
        if self.variant.is_empty() { Ok(()) } else { write!(f, "/{}", self.variant) }
    }
}

impl FromStr for Platform {
    type Err = PlatformError;

    fn from_str(text: &str) -> Result<Self, PlatformError> {
        let mut parts = text.split('/').map(str::to_owned);
        let (Some(os), Some(architecture), variant, None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
            return Err(PlatformError(text.to_owned()));
        };
        if os.is_empty() || architecture.is_empty() || variant.as_deref() == Some("") {
            return Err(PlatformError(text.to_owned()));
        }
        Ok(Self { os, architecture, variant: variant.unwrap_or_default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes() {
        for text in ["linux/amd64", "linux/arm/v7"] {
            assert_eq!(text.parse::<Platform>().unwrap().to_string(), text);
        }
        for text in ["", "linux", "linux/", "/amd64", "linux/arm/", "a/b/c/d"] {
            assert_eq!(text.parse::<Platform>(), Err(PlatformError(text.to_owned())));
        }
    }

    #[test]
    fn variants_go_from_best_to_any() {
        let variants = |text: &str| text.parse::<Platform>().unwrap().variants().join(",");
        assert_eq!(variants("linux/amd64"), "");
        assert_eq!(variants("linux/amd64/v3"), "v3,");
        assert_eq!(variants("linux/arm64"), ",v8");
        assert_eq!(variants("linux/arm/v7"), "v7,v6,v5,");
    }
}
