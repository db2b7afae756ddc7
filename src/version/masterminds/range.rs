//! A range as a whole: its limits, its groups, and the rule for prereleases.

use super::MastermindsRelease;
use super::comparison::Comparison;
use super::hyphen::rewrite_hyphens;
use super::syntax::split_group;
use crate::go::quote;
use crate::version::Version;
use std::fmt;

/// A range of versions: groups joined with `||`, each a list of comparisons that must all hold.
///
/// A prerelease is only ever in a group that names a prerelease itself; before Masterminds/semver 3.4, each comparison has to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MastermindsRange {
    groups: Vec<Group>,
    release: MastermindsRelease,
}

/// A text that is no range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MastermindsRangeError {
    /// Longer than 512 bytes.
    #[error("constraint string is too long (max {MAX_LEN} bytes)")]
    TooLong,
    /// More than 32 groups.
    #[error("too many constraint groups (max {MAX_GROUPS})")]
    TooManyGroups,
    /// A group does not have the shape of one.
    #[error("improper constraint: {}", quote(.0))]
    Improper(String),
    /// A comparison has the right shape, but its version is none: a number past 64 bits, a numeric prerelease identifier
    /// with a leading zero, a version past 256 bytes.
    #[error("constraint parser error")]
    Version,
}

const MAX_LEN: usize = 512;
const MAX_GROUPS: usize = 32;

impl MastermindsRange {
    /// Reads a range.
    ///
    /// Follows `NewConstraint` of Masterminds/semver v3.5.0 constraints.go.
    ///
    /// # Errors
    /// Where that refuses the text.
    pub fn parse(text: &str) -> Result<Self, MastermindsRangeError> {
        Self::parse_as(text, MastermindsRelease::default())
    }

    /// Reads a range as a release of Masterminds/semver does.
    ///
    /// The limits of the newest count in all of them: the API server takes no range that comes near them.
    ///
    /// # Errors
    /// Where that refuses the text.
    pub fn parse_as(text: &str, release: MastermindsRelease) -> Result<Self, MastermindsRangeError> {
        if text.len() > MAX_LEN {
            return Err(MastermindsRangeError::TooLong);
        }
        let text = rewrite_hyphens(text);
        if text.split("||").count() > MAX_GROUPS {
            return Err(MastermindsRangeError::TooManyGroups);
        }
        let groups = text.split("||").map(|group| Group::parse(group, release)).collect::<Result<_, _>>()?;
        Ok(Self { groups, release })
    }

    /// Whether the version is in the range. Build metadata does not count.
    pub fn contains(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| match self.release >= MastermindsRelease::V3_4 {
            true => group.contains(version),
            false => group.comparisons.iter().all(|comparison| comparison.holds_by_itself(version)),
        })
    }

    /// Whether the version is in the range once prereleases are let in: where only this holds, the range would have to
    /// name a prerelease.
    pub fn contains_with_prereleases(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| group.comparisons.iter().all(|c| c.holds(version)))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    comparisons: Vec<Comparison>,
    names_prerelease: bool,
}

impl Group {
    fn parse(text: &str, release: MastermindsRelease) -> Result<Self, MastermindsRangeError> {
        let tokens = split_group(text).ok_or_else(|| MastermindsRangeError::Improper(text.to_owned()))?;
        let comparisons = tokens.into_iter().map(|token| Comparison::new(token, release)).collect::<Result<Vec<_>, _>>()?;
        let names_prerelease = comparisons.iter().any(|c| c.names_prerelease());
        Ok(Self { comparisons, names_prerelease })
    }

    fn contains(&self, version: &Version) -> bool {
        (version.pre().is_empty() || self.names_prerelease) && self.comparisons.iter().all(|c| c.holds(version))
    }
}

impl fmt::Display for MastermindsRange {
    /// The range with its comparisons spelt out, `=` left away; what was open is left away too.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, group) in self.groups.iter().enumerate() {
            f.write_str(if n > 0 { " || " } else { "" })?;
            for (n, comparison) in group.comparisons.iter().enumerate() {
                f.write_str(if n > 0 { ", " } else { "" })?;
                comparison.fmt(f)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn contains(range: &str, version: &str) -> bool {
        MastermindsRange::parse(range).unwrap().contains(&Version::parse(version).unwrap())
    }

    fn refused(range: &str) -> MastermindsRangeError {
        MastermindsRange::parse(range).unwrap_err()
    }

    #[test]
    fn limits() {
        assert_eq!(refused(&"1".repeat(513)), MastermindsRangeError::TooLong);
        assert_eq!(refused(&vec!["1"; 33].join("||")), MastermindsRangeError::TooManyGroups);
        assert!(MastermindsRange::parse(&vec!["1"; 32].join("||")).is_ok());
        let pre = |n: usize| format!("1.0.0-{}", "a".repeat(n));
        assert!(MastermindsRange::parse(&pre(250)).is_ok());
        assert_eq!(refused(&pre(251)), MastermindsRangeError::Version);
        let open = |n: usize| format!("1-{}", "a".repeat(n));
        assert!(MastermindsRange::parse(&open(250)).is_ok());
        assert_eq!(refused(&open(251)), MastermindsRangeError::Version);
        assert_eq!(refused("1.0.0-01"), MastermindsRangeError::Version);
        assert_eq!(refused("18446744073709551616"), MastermindsRangeError::Version);
        assert_eq!(refused("1xx"), MastermindsRangeError::Version);
        assert_eq!(refused(" >=1 é").to_string(), "improper constraint: \" >=1 é\"");
    }

    #[test]
    fn hyphens_span_what_is_between() {
        assert!(contains("1 - 2", "2.0.0"));
        assert!(contains("1 - 2>0", "2.0.0"));
        assert!(!contains("1 - 2.0.0 || 4", "3.0.0"));
    }

    #[test]
    fn numbers_past_64_bits_in_a_prerelease_are_words() {
        assert!(contains("<1.0.0-99999999999999999999", "1.0.0-5"));
        assert!(!contains("<1.0.0-99999999999999999999", "1.0.0-a"));
    }

    #[test]
    fn prereleases_need_a_group_that_names_one() {
        assert!(!contains(">=1.0.0", "2.0.0-rc.1"));
        assert!(contains(">=1.0.0-0", "2.0.0-rc.1"));
        assert!(!contains(">=1.0.0-0 <1.5.0 || >1", "2.0.0-rc.1"));
        let range = MastermindsRange::parse(">=1.0.0").unwrap();
        assert!(range.contains_with_prereleases(&Version::parse("2.0.0-rc.1").unwrap()));
    }

    #[test]
    fn older_releases_read_prereleases_and_zeros_their_own_way() {
        let contains = |range, release, version| {
            MastermindsRange::parse_as(range, release).unwrap().contains(&Version::parse(version).unwrap())
        };
        for release in [MastermindsRelease::V3_3_0, MastermindsRelease::V3_3_1] {
            assert!(!contains(">=1.0.0-0 <2.0.0", release, "1.5.0-rc.1"));
            assert!(contains("!=1.0.0", release, "1.5.0-rc.1"));
            assert!(!contains("!=1.0.x", release, "1.5.0-rc.1"));
        }
        assert!(contains(">=1.0.0-0 <2.0.0", MastermindsRelease::V3_4, "1.5.0-rc.1"));
        assert!(!contains("!=1.0.0", MastermindsRelease::V3_4, "1.5.0-rc.1"));
        assert!(MastermindsRange::parse_as("01.2", MastermindsRelease::V3_3_1).is_err());
        assert!(MastermindsRange::parse_as("x.01", MastermindsRelease::V3_3_1).is_ok());
        assert!(contains("01.2", MastermindsRelease::V3_3_0, "1.2.3"));
    }

    /// Where two versions are apart by `step` in the numbers given, for a table of what an operator lets in.
    fn slow(operator: &str, bound: [Option<u64>; 3], version: [u64; 3]) -> bool {
        let known: Vec<u64> = bound.iter().map_while(|n| *n).collect();
        let zeros = [bound[0].unwrap_or(0), bound[1].unwrap_or(0), bound[2].unwrap_or(0)];
        let same = |n: usize| version[..n] == known[..n];
        match operator {
            "" => same(known.len()),
            "!=" => !same(known.len()),
            ">" => version[..known.len()] > known[..],
            ">=" => version >= zeros,
            "<" => version < zeros,
            "<=" => version[..known.len()] <= known[..],
            "~" if known == [0, 0, 0] => true,
            "~" => version >= zeros && same(known.len().min(2)),
            // A caret holds the leftmost number that is not zero, or the last that is written.
            "^" => version >= zeros && same(known.iter().position(|n| *n > 0).unwrap_or(known.len() - 1) + 1),
            _ => unreachable!(),
        }
    }

    proptest! {
        #[test]
        fn releases_agree_with_a_slow_reading(
            operator in prop::sample::select(vec!["", "!=", ">", ">=", "<", "<=", "~", "^"]),
            (length, bound) in (1usize..4, prop::array::uniform3(0u64..3)),
            version in prop::array::uniform3(0u64..3),
        ) {
            let written: Vec<String> = bound.iter().take(length).map(u64::to_string).collect();
            let range = format!("{operator}{}", written.join("."));
            let open = [0, 1, 2].map(|n| (n < length).then_some(bound[n]));
            let text = format!("{}.{}.{}", version[0], version[1], version[2]);
            prop_assert_eq!(contains(&range, &text), slow(operator, open, version), "{} in {}", text, range);
        }

        #[test]
        fn never_panics_and_shows_what_it_read(text in "[0-9xv.|<>=~^!, é+-]{0,24}") {
            if let Ok(range) = MastermindsRange::parse(&text) {
                prop_assert_eq!(MastermindsRange::parse(&range.to_string()).unwrap(), range);
            }
        }
    }
}
