//! What the releases of Masterminds/semver make of a text.

use super::syntax::{has_leading_zero, is_digits, split_version};
use crate::go::quote;

/// A release of Masterminds/semver 3, as far as its answers differ from another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum MastermindsRelease {
    /// 3.3.0: each comparison says for itself whether it looks at prereleases.
    V3_3_0,
    /// 3.3.1: the same, and a number may not begin with a zero.
    V3_3_1,
    /// 3.4: the comparisons of a group look at prereleases together; a number may begin with a zero again.
    V3_4,
    /// 3.5: the same, with limits on the length of a range and of a version.
    #[default]
    V3_5,
}

impl MastermindsRelease {
    /// The release of that minor and patch.
    pub fn numbered((minor, patch): (u32, u32)) -> Self {
        match (minor, patch) {
            (0..=2, _) | (3, 0) => Self::V3_3_0,
            (3, _) => Self::V3_3_1,
            (4, _) => Self::V3_4,
            _ => Self::V3_5,
        }
    }

    /// Whether the release reads `text` as a version, loosely: `v1` and `1.2` are versions as well.
    ///
    /// Follows `NewVersion` of version.go of each release.
    ///
    /// # Errors
    /// Where it does not, in its words.
    pub fn check_version(self, text: &str) -> Result<(), String> {
        let older = self < Self::V3_4;
        let invalid = || if older { "Invalid Semantic Version" } else { "invalid semantic version" }.to_owned();
        if self >= Self::V3_5 && text.len() > super::comparison::MAX_VERSION_LEN {
            return Err(format!("version string is too long (max {} bytes)", super::comparison::MAX_VERSION_LEN));
        }
        let written = split_version(text).filter(|written| written.rest.is_empty()).ok_or_else(invalid)?;
        let numbers = || written.numbers.into_iter().flatten();
        if !numbers().all(is_digits) {
            return Err(invalid());
        }
        let zeros_before = written.pre.split('.').any(has_leading_zero);
        if self == Self::V3_3_1 && (zeros_before || numbers().any(has_leading_zero)) {
            return Err(invalid());
        }
        for number in numbers() {
            if number.parse::<u64>().is_err() {
                let word = if older { "Error" } else { "error" };
                return Err(format!(
                    "{word} parsing version segment: strconv.ParseUint: parsing {}: value out of range",
                    quote(number)
                ));
            }
        }
        match zeros_before {
            true if older => Err("Version segment starts with 0".to_owned()),
            true => Err("version segment starts with 0".to_owned()),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_loosely_but_for_zeros_in_one_release() {
        use MastermindsRelease::{V3_3_0, V3_3_1, V3_4, V3_5};
        for release in [V3_3_0, V3_3_1, V3_4, V3_5] {
            assert!(release.check_version("v1.2+b").is_ok());
            assert!(release.check_version("1.2.3.4").is_err());
            assert!(release.check_version("1.x").is_err());
            assert_eq!(release.check_version("01.0.0").is_err(), release == V3_3_1);
        }
        let fault = |release: MastermindsRelease, text| release.check_version(text).unwrap_err();
        assert_eq!(fault(V3_3_0, "1.0.0-01"), "Version segment starts with 0");
        assert_eq!(fault(V3_3_1, "1.0.0-01"), "Invalid Semantic Version");
        assert_eq!(fault(V3_4, "1.0.0-01"), "version segment starts with 0");
        assert_eq!(
            fault(V3_4, "18446744073709551616"),
            "error parsing version segment: strconv.ParseUint: parsing \"18446744073709551616\": value out of range"
        );
    }
}
