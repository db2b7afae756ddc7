//! Whether blang/semver takes a CSV's version and release, with its words where it does not.

use crate::version::{Version, prerelease_identifier};

/// Follows blang/semver v4 `ParseTolerant`.
pub(super) fn parse_tolerant(text: &str) -> Result<(), String> {
    let text = text.trim();
    let text = text.strip_prefix('v').unwrap_or(text);
    let mut parts: Vec<String> = text.splitn(3, '.').map(str::to_owned).collect();
    for part in &mut parts {
        if part.len() > 1 {
            let bare = part.trim_start_matches('0');
            *part = if bare.is_empty() || !bare.starts_with(|c: char| c.is_ascii_digit()) {
                format!("0{bare}")
            } else {
                bare.to_owned()
            };
        }
    }
    if parts.len() < 3 {
        if parts.last().is_some_and(|part| part.contains(['+', '-'])) {
            return Err("Short version cannot contain PreRelease/Build meta data".to_owned());
        }
        while parts.len() < 3 {
            parts.push("0".to_owned());
        }
    }
    Version::parse(&parts.join(".")).map(drop).map_err(|error| error.to_string())
}

/// Follows the API library's `release.OperatorRelease`.
pub(super) fn parse_release(text: &str) -> Result<(), String> {
    text.split('.').try_for_each(prerelease_identifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerates_what_blang_tolerates() {
        for good in ["1", "v1.2", "01.002.3", "1.2.3-alpha.1+b", " 1.2.3 "] {
            assert_eq!(parse_tolerant(good), Ok(()), "{good}");
        }
        assert_eq!(parse_tolerant("").unwrap_err(), "strconv.ParseUint: parsing \"\": invalid syntax");
        assert_eq!(parse_tolerant("1.x.3").unwrap_err(), "Invalid character(s) found in minor number \"x\"");
        assert_eq!(parse_tolerant("1.2-a").unwrap_err(), "Short version cannot contain PreRelease/Build meta data");
        assert_eq!(parse_tolerant("1.2.3-01").unwrap_err(), "Numeric PreRelease version must not contain leading zeroes \"01\"");
        assert_eq!(parse_tolerant("1.2.3.4").unwrap_err(), "Invalid character(s) found in patch number \"3.4\"");
    }
}
