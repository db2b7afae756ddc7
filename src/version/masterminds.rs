//! The range language of `spec.source.catalog.version`: Masterminds/semver 3.5.

use super::Version;
use crate::quote::go_quote;
use std::cmp::Ordering;
use std::fmt;

/// A range of versions: groups joined with `||`, each a list of comparisons that must all hold.
///
/// A prerelease is only ever in a group that names a prerelease itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MastermindsRange {
    groups: Vec<Group>,
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
    #[error("improper constraint: {}", go_quote(.0))]
    Improper(String),
    /// A comparison has the right shape, but its version is none: a number past 64 bits, a numeric prerelease identifier
    /// with a leading zero, a version past 256 bytes.
    #[error("constraint parser error")]
    Version,
}

const MAX_LEN: usize = 512;
const MAX_GROUPS: usize = 32;
const MAX_VERSION_LEN: usize = 256;

impl MastermindsRange {
    /// Reads a range.
    ///
    /// Follows `NewConstraint` of Masterminds/semver v3.5.0 constraints.go.
    ///
    /// # Errors
    /// Where that refuses the text.
    pub fn parse(text: &str) -> Result<Self, MastermindsRangeError> {
        if text.len() > MAX_LEN {
            return Err(MastermindsRangeError::TooLong);
        }
        let text = rewrite_hyphens(text);
        if text.split("||").count() > MAX_GROUPS {
            return Err(MastermindsRangeError::TooManyGroups);
        }
        let groups = text.split("||").map(Group::parse).collect::<Result<_, _>>()?;
        Ok(Self { groups })
    }

    /// Whether the version is in the range. Build metadata does not count.
    pub fn contains(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| group.contains(version))
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
    fn parse(text: &str) -> Result<Self, MastermindsRangeError> {
        let tokens = split_group(text).ok_or_else(|| MastermindsRangeError::Improper(text.to_owned()))?;
        let comparisons = tokens.into_iter().map(Comparison::new).collect::<Result<Vec<_>, _>>()?;
        let names_prerelease = comparisons.iter().any(|c| !c.version.pre.is_empty());
        Ok(Self { comparisons, names_prerelease })
    }

    fn contains(&self, version: &Version) -> bool {
        (version.pre().is_empty() || self.names_prerelease) && self.comparisons.iter().all(|c| c.holds(version))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    Less,
    GreaterEqual,
    LessEqual,
    Tilde,
    Caret,
}

/// From which number on a comparison's version is left open: by a wildcard, or by not being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    All,
    FromMinor,
    FromPatch,
}

/// The version of a comparison, with zeros for what is open. Its prerelease is looser than a [`Version`]'s.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Bound {
    major: u64,
    minor: u64,
    patch: u64,
    pre: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Comparison {
    operator: Operator,
    open: Open,
    version: Bound,
}

impl Comparison {
    fn new(token: Token<'_>) -> Result<Self, MastermindsRangeError> {
        let [major, minor, patch] = token.numbers;
        let open = match (major, minor, patch) {
            (Some(n), _, _) if is_wildcard(n) => Open::All,
            (_, None, _) => Open::FromMinor,
            (_, Some(n), _) if is_wildcard(n) => Open::FromMinor,
            (_, _, None) => Open::FromPatch,
            (_, _, Some(n)) if is_wildcard(n) => Open::FromPatch,
            _ => Open::Nothing,
        };
        let (major, minor, patch) = match open {
            Open::All => (None, None, None),
            Open::FromMinor => (major, None, None),
            Open::FromPatch => (major, minor, None),
            Open::Nothing => (major, minor, patch),
        };
        // The limit is on the version as it is put together: `1` counts as `1.0.0`, but a whole version as it stands.
        let length = match open {
            Open::Nothing => token.text.len(),
            _ => {
                let numbers: usize = [major, minor, patch].into_iter().map(|n| n.map_or(1, str::len)).sum();
                numbers + 2 + if token.pre.is_empty() { 0 } else { 1 + token.pre.len() }
            }
        };
        if length > MAX_VERSION_LEN || !is_valid_prerelease(token.pre) {
            return Err(MastermindsRangeError::Version);
        }
        let version = Bound { major: number(major)?, minor: number(minor)?, patch: number(patch)?, pre: token.pre.to_owned() };
        Ok(Self { operator: token.operator, open, version })
    }

    /// Whether the comparison holds, whether or not it may look at prereleases.
    fn holds(&self, version: &Version) -> bool {
        let order = self.version.order_of(version);
        match self.operator {
            Operator::Equal if self.open == Open::Nothing => order.is_eq(),
            Operator::Equal | Operator::Tilde => self.holds_tilde(version, order),
            Operator::NotEqual => self.holds_not_equal(version, order),
            Operator::Greater => self.holds_greater(version, order),
            Operator::Less => order.is_lt(),
            Operator::GreaterEqual => order.is_ge(),
            Operator::LessEqual => self.holds_less_equal(version, order),
            Operator::Caret => self.holds_caret(version, order),
        }
    }

    fn holds_not_equal(&self, version: &Version, order: Ordering) -> bool {
        let bound = &self.version;
        match self.open {
            Open::Nothing => order.is_ne(),
            // The wildcard is taken for its zeros: `!=*` leaves out 0.0.0 alone.
            Open::All => order.is_ne(),
            Open::FromMinor => bound.major != version.major(),
            Open::FromPatch => {
                bound.major != version.major()
                    || bound.minor != version.minor()
                    || compare_prereleases(version.pre(), &bound.pre).is_ne()
            }
        }
    }

    fn holds_greater(&self, version: &Version, order: Ordering) -> bool {
        let bound = &self.version;
        match self.open {
            Open::Nothing => order.is_gt(),
            _ if version.major() != bound.major => version.major() > bound.major,
            Open::FromMinor => false,
            Open::FromPatch => version.minor() > bound.minor,
            Open::All => order.is_gt(),
        }
    }

    fn holds_less_equal(&self, version: &Version, order: Ordering) -> bool {
        let bound = &self.version;
        match self.open {
            Open::Nothing => order.is_le(),
            Open::FromMinor => version.major() <= bound.major,
            Open::All | Open::FromPatch => {
                version.major() < bound.major || version.major() == bound.major && version.minor() <= bound.minor
            }
        }
    }

    fn holds_tilde(&self, version: &Version, order: Ordering) -> bool {
        let bound = &self.version;
        if order.is_lt() {
            return false;
        }
        let zero = (bound.major, bound.minor, bound.patch) == (0, 0, 0);
        if zero && matches!(self.open, Open::Nothing | Open::All) {
            return true;
        }
        version.major() == bound.major && (version.minor() == bound.minor || self.open == Open::FromMinor)
    }

    fn holds_caret(&self, version: &Version, order: Ordering) -> bool {
        let bound = &self.version;
        if order.is_lt() || version.major() != bound.major {
            return false;
        }
        if bound.major > 0 || self.open == Open::FromMinor {
            return true;
        }
        if version.minor() != bound.minor {
            return false;
        }
        bound.minor > 0 || self.open == Open::FromPatch || version.patch() == bound.patch
    }
}

impl Bound {
    /// How `version` stands to this bound.
    fn order_of(&self, version: &Version) -> Ordering {
        (version.major(), version.minor(), version.patch()).cmp(&(self.major, self.minor, self.patch)).then_with(|| {
            match (version.pre().is_empty(), self.pre.is_empty()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => compare_prereleases(version.pre(), &self.pre),
            }
        })
    }
}

/// Compares identifier by identifier; a missing one comes first. A number past 64 bits counts as a word.
fn compare_prereleases(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.split('.'), b.split('.'));
    loop {
        let order = match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(a), Some(b)) => compare_identifiers(a, b),
        };
        if order.is_ne() {
            return order;
        }
    }
}

fn compare_identifiers(a: &str, b: &str) -> Ordering {
    match (a.is_empty(), b.is_empty()) {
        (false, false) => {}
        (a_empty, b_empty) => return b_empty.cmp(&a_empty),
    }
    match (a.parse::<u64>(), b.parse::<u64>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

fn is_wildcard(text: &str) -> bool {
    matches!(text, "x" | "X" | "*")
}

fn number(text: Option<&str>) -> Result<u64, MastermindsRangeError> {
    let Some(text) = text else { return Ok(0) };
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(MastermindsRangeError::Version);
    }
    text.parse().map_err(|_| MastermindsRangeError::Version)
}

fn is_valid_prerelease(pre: &str) -> bool {
    let leading_zero = |part: &str| part.len() > 1 && part.starts_with('0') && part.bytes().all(|b| b.is_ascii_digit());
    !pre.split('.').any(leading_zero)
}

/// A comparison as it is written.
struct Token<'a> {
    operator: Operator,
    numbers: [Option<&'a str>; 3],
    pre: &'a str,
    text: &'a str,
}

/// Splits a group at white space and commas; `None` where it has not the shape of a group.
fn split_group(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    loop {
        let (operator, after) = split_operator(rest);
        let written = split_version(after.trim_start_matches(is_space))?;
        tokens.push(Token { operator, numbers: written.numbers, pre: written.pre, text: written.text });
        let trimmed = written.rest.trim_start_matches(is_space);
        rest = match trimmed.strip_prefix(',') {
            _ if trimmed.is_empty() => return Some(tokens),
            Some(after_comma) => after_comma.trim_start_matches(is_space),
            None if trimmed.len() < written.rest.len() => trimmed,
            None => return None,
        };
    }
}

fn split_operator(text: &str) -> (Operator, &str) {
    const OPERATORS: [(&str, Operator); 11] = [
        ("!=", Operator::NotEqual),
        (">=", Operator::GreaterEqual),
        ("=>", Operator::GreaterEqual),
        ("<=", Operator::LessEqual),
        ("=<", Operator::LessEqual),
        ("~>", Operator::Tilde),
        ("=", Operator::Equal),
        (">", Operator::Greater),
        ("<", Operator::Less),
        ("~", Operator::Tilde),
        ("^", Operator::Caret),
    ];
    OPERATORS
        .iter()
        .find_map(|(written, operator)| text.strip_prefix(written).map(|rest| (*operator, rest)))
        .unwrap_or((Operator::Equal, text))
}

/// A version as it is written, at the start of a text.
struct Written<'a> {
    numbers: [Option<&'a str>; 3],
    pre: &'a str,
    text: &'a str,
    rest: &'a str,
}

/// Reads as much of a version as there is: an optional `v`, up to three numbers or wildcards, a prerelease, build metadata.
/// A number may hold any mix of digits, wildcards and `|`; whether that makes a number is asked later.
fn split_version(text: &str) -> Option<Written<'_>> {
    let (first, mut rest) = split_while(text.strip_prefix('v').unwrap_or(text), is_number_char)?;
    let mut numbers = [Some(first), None, None];
    for number in numbers.iter_mut().skip(1) {
        let Some((next, after)) = rest.strip_prefix('.').and_then(|after| split_while(after, is_number_char)) else { break };
        *number = Some(next);
        rest = after;
    }
    let mut pre = "";
    if let Some((identifiers, after)) = rest.strip_prefix('-').and_then(split_identifiers) {
        (pre, rest) = (identifiers, after);
    }
    if let Some((_, after)) = rest.strip_prefix('+').and_then(split_identifiers) {
        rest = after;
    }
    let text = text.get(..text.len() - rest.len())?;
    Some(Written { numbers, pre, text, rest })
}

/// Identifiers joined with dots; a dot that no identifier follows is left.
fn split_identifiers(text: &str) -> Option<(&str, &str)> {
    let is_char = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    let (_, mut rest) = split_while(text, is_char)?;
    while let Some((_, after)) = rest.strip_prefix('.').and_then(|after| split_while(after, is_char)) {
        rest = after;
    }
    Some((text.get(..text.len() - rest.len())?, rest))
}

/// The longest start of `text` that holds nothing but such (ASCII) bytes, and the rest; `None` where that is empty.
fn split_while(text: &str, is_part: impl Fn(u8) -> bool) -> Option<(&str, &str)> {
    let length = text.bytes().take_while(|b| is_part(*b)).count();
    if length == 0 { None } else { text.split_at_checked(length) }
}

fn is_number_char(b: u8) -> bool {
    b.is_ascii_digit() || matches!(b, b'x' | b'X' | b'*' | b'|')
}

/// White space as the `\s` of Go's regular expressions has it.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0c' | '\r')
}

/// Writes each `A - B` as `>= A, <= B `, looking for hyphens with white space on both sides, from left to right.
///
/// Follows `rewriteRange` of Masterminds/semver v3.5.0 constraints.go, which looks into the middle of words as well: a match
/// begins wherever a version does, and ends where the second version does.
fn rewrite_hyphens(text: &str) -> String {
    let mut out = text.to_owned();
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        if let Some(found) = match_hyphen(rest) {
            let replacement = format!(">= {}, <= {} ", found.from, found.to);
            out = out.replacen(found.text, &replacement, 1);
            at += found.text.len();
        } else {
            match rest.chars().next() {
                Some(c) => at += c.len_utf8(),
                None => break,
            }
        }
    }
    out
}

struct HyphenRange<'a> {
    from: &'a str,
    to: &'a str,
    text: &'a str,
}

/// The hyphen range that `text` begins with, white space around it included.
fn match_hyphen(text: &str) -> Option<HyphenRange<'_>> {
    let from = split_version(text.trim_start_matches(is_space))?;
    let hyphen = strip_spaces(from.rest)?.strip_prefix('-')?;
    let to = split_version(strip_spaces(hyphen)?)?;
    let rest = to.rest.trim_start_matches(is_space);
    let text = text.get(..text.len() - rest.len())?;
    Some(HyphenRange { from: from.text, to: to.text, text })
}

/// The text without its leading white space; `None` where it has none.
fn strip_spaces(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(is_space);
    (rest.len() < text.len()).then_some(rest)
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

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.operator {
            Operator::Equal => "",
            Operator::NotEqual => "!=",
            Operator::Greater => ">",
            Operator::Less => "<",
            Operator::GreaterEqual => ">=",
            Operator::LessEqual => "<=",
            Operator::Tilde => "~",
            Operator::Caret => "^",
        })?;
        let Bound { major, minor, patch, pre } = &self.version;
        match self.open {
            Open::All => f.write_str("*")?,
            Open::FromMinor => write!(f, "{major}.x")?,
            Open::FromPatch => write!(f, "{major}.{minor}.x")?,
            Open::Nothing => write!(f, "{major}.{minor}.{patch}")?,
        }
        if pre.is_empty() { Ok(()) } else { write!(f, "-{pre}") }
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
    fn hyphens_are_found_as_the_reference_finds_them() {
        assert_eq!(rewrite_hyphens("1 - 2"), ">= 1, <= 2 ");
        assert_eq!(rewrite_hyphens("1.2.3.4 - 5"), "1.>= 2.3.4, <= 5 ");
        assert_eq!(rewrite_hyphens("1 - 2 || 3 - 4"), ">= 1, <= 2 ||>= 3, <= 4 ");
        assert_eq!(rewrite_hyphens("1 - 2||3 - 4"), ">= 1, <= 2||3 - 4");
        assert_eq!(rewrite_hyphens("1-2"), "1-2");
        assert_eq!(rewrite_hyphens("é1 - 2"), "é>= 1, <= 2 ");
        assert!(contains("1 - 2>0", "2.0.0"));
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
