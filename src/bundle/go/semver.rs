//! Whether blang/semver takes a CSV's version and release, with its words where it does not.

use crate::go::quote;

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
    parse(&parts.join("."))
}

/// Follows blang/semver v4 `Parse`.
fn parse(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("Version string empty".to_owned());
    }
    let mut parts = text.splitn(3, '.');
    let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return Err("No Major.Minor.Patch elements found".to_owned());
    };
    number(major, "major", "Major")?;
    number(minor, "minor", "Minor")?;
    let (rest, build) = rest.split_once('+').map_or((rest, None), |(rest, build)| (rest, Some(build)));
    let (patch, pre) = rest.split_once('-').map_or((rest, None), |(patch, pre)| (patch, Some(pre)));
    number(patch, "patch", "Patch")?;
    for part in pre.into_iter().flat_map(|pre| pre.split('.')) {
        identifier(part)?;
    }
    for part in build.into_iter().flat_map(|build| build.split('.')) {
        if part.is_empty() {
            return Err("Build meta data is empty".to_owned());
        }
        if !part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(format!("Invalid character(s) found in build meta data {}", quote(part)));
        }
    }
    Ok(())
}

/// Follows the API library's `release.OperatorRelease`.
pub(super) fn parse_release(text: &str) -> Result<(), String> {
    text.split('.').try_for_each(identifier)
}

fn number(text: &str, name: &str, capital: &str) -> Result<(), String> {
    if !text.chars().all(|c| c.is_ascii_digit()) {
        return Err(format!("Invalid character(s) found in {name} number {}", quote(text)));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(format!("{capital} number must not contain leading zeroes {}", quote(text)));
    }
    parse_uint(text)
}

fn identifier(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("Prerelease is empty".to_owned());
    }
    if text.chars().all(|c| c.is_ascii_digit()) {
        if text.len() > 1 && text.starts_with('0') {
            return Err(format!("Numeric PreRelease version must not contain leading zeroes {}", quote(text)));
        }
        return parse_uint(text);
    }
    if text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return Ok(());
    }
    Err(format!("Invalid character(s) found in prerelease {}", quote(text)))
}

/// Go's `strconv.ParseUint` of digits.
fn parse_uint(text: &str) -> Result<(), String> {
    let words = if text.is_empty() { "invalid syntax" } else { "value out of range" };
    text.parse::<u64>().map(drop).map_err(|_| format!("strconv.ParseUint: parsing {}: {words}", quote(text)))
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
