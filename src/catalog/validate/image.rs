//! Whether a text is an image reference.

use regex::Regex;
use std::sync::LazyLock;

const NAME_MAX: usize = 255;

struct Patterns {
    identifier: Regex,
    reference: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    let component = r"[a-z0-9]+(?:(?:[._]|__|[-]*)[a-z0-9]+)*";
    let domain_part = r"(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
    let domain = format!(r"{domain_part}(?:\.{domain_part})*(?::[0-9]+)?");
    let name = format!(r"(?:{domain}/)?{component}(?:/{component})*");
    let tag = r"[0-9A-Za-z_][0-9A-Za-z_.-]{0,127}";
    let digest = r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}";
    Some(Patterns {
        identifier: Regex::new("^(?:[a-f0-9]{64})$").ok()?,
        reference: Regex::new(&format!("^({name})(?::({tag}))?(?:@({digest}))?$")).ok()?,
    })
});

/// Whether `text` is an image reference, fully written or as Docker shortens it.
///
/// Follows `ParseNormalizedNamed` of go.podman.io/image v5.41 docker/reference/normalize.go.
///
/// # Errors
/// What it says where it is none.
pub(super) fn check(text: &str) -> Result<(), String> {
    let Some(patterns) = PATTERNS.as_ref() else { return Ok(()) };
    if patterns.identifier.is_match(text) {
        return Err(format!("invalid repository name ({text}), cannot specify 64-byte hexadecimal strings"));
    }
    let (domain, mut rest) = match text.split_once('/') {
        Some((domain, rest)) if domain.contains(['.', ':']) || domain == "localhost" => (domain, rest.to_owned()),
        _ => ("docker.io", text.to_owned()),
    };
    let domain = if domain == "index.docker.io" { "docker.io" } else { domain };
    if domain == "docker.io" && !rest.contains('/') {
        rest = format!("library/{rest}");
    }
    let remote = rest.split(':').next().unwrap_or_default();
    if remote.to_lowercase() != remote {
        return Err("invalid reference format: repository name must be lowercase".to_owned());
    }
    let full = format!("{domain}/{rest}");
    let Some(found) = patterns.reference.captures(&full) else {
        return Err(match patterns.reference.is_match(&full.to_lowercase()) {
            true => "repository name must be lowercase".to_owned(),
            false => "invalid reference format".to_owned(),
        });
    };
    if found.get(1).is_some_and(|name| name.len() > NAME_MAX) {
        return Err(format!("repository name must not be more than {NAME_MAX} characters"));
    }
    found.get(3).map_or(Ok(()), |digest| check_digest(digest.as_str()))
}

/// Follows `Validate` of github.com/opencontainers/go-digest v1.0.0.
fn check_digest(digest: &str) -> Result<(), String> {
    let (algorithm, hex) = digest.split_once(':').unwrap_or((digest, ""));
    let len = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ => return Err("unsupported digest algorithm".to_owned()),
    };
    if hex.len() != len {
        return Err("invalid checksum digest length".to_owned());
    }
    match hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        true => Ok(()),
        false => Err("invalid checksum digest format".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        let hex = "0".repeat(64);
        for good in ["x", "quay.io/x/foo:1.0.0", "localhost/x", "localhost:5000/a/b", "a/b", &format!("quay.io/x@sha256:{hex}")] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for (bad, why) in [
            ("quay.io/x/foo:1.0.0+1", "invalid reference format"),
            ("quay.io/X/foo", "invalid reference format: repository name must be lowercase"),
            (hex.as_str(), "64-byte hexadecimal"),
            (&format!("quay.io/x@md5:{}", "0".repeat(32)), "unsupported digest algorithm"),
            (&format!("quay.io/x@sha256:{}", "0".repeat(63)), "invalid checksum digest length"),
            (&format!("quay.io/{}", "x".repeat(250)), "more than 255"),
            ("https://quay.io/x", "invalid reference format"),
            (" x", "invalid reference format"),
            ("-a.b/x", "invalid reference format"),
        ] {
            assert!(check(bad).unwrap_err().contains(why), "{bad}");
        }
    }
}
