//! The range language of a channel entry's `skipRange`: blang/semver 4.

use super::Version;
use crate::go::quote;
use regex::Regex;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::LazyLock;

/// A range of versions: groups joined with `||`, each a list of comparisons that must all hold.
///
/// Prereleases are versions like any other: `<1.0.0` holds `1.0.0-rc.1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlangRange {
    groups: Vec<Vec<Comparison>>,
}

/// A text that is no range, in the words of blang/semver. Resolution takes no notice of such a `skipRange`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BlangRangeError(String);

impl BlangRange {
    /// Reads a range.
    ///
    /// Follows `ParseRange` of blang/semver v4.0.0 range.go.
    ///
    /// # Errors
    /// Where that refuses the text.
    pub fn parse(text: &str) -> Result<Self, BlangRangeError> {
        let words = split_words(text);
        let mut groups = Vec::new();
        for words in split_groups(&words)? {
            let mut group = Vec::with_capacity(words.len());
            for word in words {
                expand_wildcard(word, &mut group)?;
            }
            groups.push(group);
        }
        // Wildcards anywhere are expanded before any version is read.
        let read = |words: Vec<Cow<'_, str>>| words.iter().map(|word| Comparison::parse(word)).collect::<Result<Vec<_>, _>>();
        Ok(Self { groups: groups.into_iter().map(read).collect::<Result<_, _>>()? })
    }

    /// Whether the version is in the range. Build metadata does not count.
    ///
    /// A group without comparisons (`>1.0.0 || || <0.5.0`) ends the search: the reference crashes when it comes to one.
    pub fn contains(&self, version: &Version) -> bool {
        self.groups
            .iter()
            .take_while(|group| !group.is_empty())
            .any(|group| group.iter().all(|comparison| comparison.holds(version)))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Comparison {
    operator: Operator,
    version: Version,
}

impl Comparison {
    fn parse(word: &str) -> Result<Self, BlangRangeError> {
        let (operator, version) = split_operator(word)?;
        let refused = |why: String| BlangRangeError(format!("Could not parse Range {}: {why}", quote(word)));
        let whole = || quote(&format!("{operator}{version}"));
        let read = match operator {
            "" | "=" | "==" => Operator::Equal,
            "!" | "!=" => Operator::NotEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterEqual,
            "<" => Operator::Less,
            "<=" => Operator::LessEqual,
            _ => return Err(refused(format!("Could not parse comparator {} in {}", quote(operator), whole()))),
        };
        let version = Version::parse(version)
            .map_err(|e| refused(format!("Could not parse version {} in {}: {e}", quote(version), whole())))?;
        Ok(Self { operator: read, version })
    }

    fn holds(&self, version: &Version) -> bool {
        let order = version.precedence(&self.version);
        match self.operator {
            Operator::Equal => order == Ordering::Equal,
            Operator::NotEqual => order != Ordering::Equal,
            Operator::Greater => order == Ordering::Greater,
            Operator::GreaterEqual => order != Ordering::Less,
            Operator::Less => order == Ordering::Less,
            Operator::LessEqual => order != Ordering::Greater,
        }
    }
}

/// Splits at spaces, but not behind `>`, `<` or `=`. A word of one character is dropped, as the reference drops it; so is
/// every space inside a word.
fn split_words(text: &str) -> Vec<Cow<'_, str>> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut last_char = 0;
    let mut push = |start: usize, end: usize| {
        if end > start + 1 {
            words.extend(text.get(start..end).map(|word| match word.contains(' ') {
                true => Cow::Owned(word.replace(' ', "")),
                false => Cow::Borrowed(word),
            }));
        }
    };
    for (at, byte) in text.bytes().enumerate() {
        if byte == b' ' && !matches!(last_char, b'>' | b'<' | b'=') {
            push(start, at);
            start = at + 1;
        } else if byte != b' ' {
            last_char = byte;
        }
    }
    push(start, text.len());
    words
}

fn split_groups<'w, 'a>(words: &'w [Cow<'a, str>]) -> Result<Vec<&'w [Cow<'a, str>]>, BlangRangeError> {
    if words.first().is_some_and(|word| word == "||") {
        return Err(BlangRangeError("First element in range is '||'".to_owned()));
    }
    if words.last().is_none_or(|word| word == "||") {
        return Err(BlangRangeError("Last element in range is '||'".to_owned()));
    }
    Ok(words.split(|word| word == "||").collect())
}

/// The operator, trimmed, and what follows from the first digit on.
fn split_operator(word: &str) -> Result<(&str, &str), BlangRangeError> {
    let no_version = || BlangRangeError(format!("Could not get version from string: {}", quote(word)));
    let at = word.find(is_digit).ok_or_else(no_version)?;
    let (operator, version) = word.split_at_checked(at).ok_or_else(no_version)?;
    Ok((operator.trim(), version))
}

/// A decimal digit of any script, as Go's `unicode.IsDigit` has it: `²` and `½` are numeric, but no digits.
fn is_digit(c: char) -> bool {
    static DIGIT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\d$").ok());
    let is_other_digit = || DIGIT.as_ref().is_some_and(|digit| digit.is_match(c.encode_utf8(&mut [0; 4])));
    c.is_ascii_digit() || !c.is_ascii() && c.is_numeric() && is_other_digit()
}

/// Which number of a version is the wildcard that it ends in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wildcard {
    None,
    Minor,
    Patch,
}

/// Writes a word that holds an `x` without wildcards; every other word stays as it is.
///
/// Follows `expandWildcardVersion` of blang/semver v4.0.0 range.go, which asks for an `x` anywhere in the word, prerelease
/// included, does not look at what the wildcard stands on, and writes an empty version where it cannot count on.
fn expand_wildcard<'w>(word: &'w str, out: &mut Vec<Cow<'w, str>>) -> Result<(), BlangRangeError> {
    if !word.contains('x') {
        out.push(Cow::Borrowed(word));
        return Ok(());
    }
    let (operator, version) = split_operator(word)?;
    let mut parts = version.split('.');
    let wildcard = match (parts.next_back(), parts.count()) {
        (Some("x"), 1) => Wildcard::Minor,
        (Some("x"), 2) => Wildcard::Patch,
        _ => Wildcard::None,
    };
    let flat = flatten(version);
    let next = || match wildcard {
        Wildcard::Patch => increment(&flat, 1),
        Wildcard::Minor => increment(&flat, 0),
        Wildcard::None => String::new(),
    };
    let last = match operator {
        ">" => format!(">={}", next()),
        ">=" => format!(">={flat}"),
        "<" => format!("<{flat}"),
        "<=" => format!("<{}", next()),
        "" | "=" | "==" => {
            out.push(format!(">={flat}").into());
            format!("<{}", next())
        }
        "!=" | "!" => {
            out.push(format!("<{flat}").into());
            format!(">={}", next())
        }
        _ => flat,
    };
    out.push(last.into());
    Ok(())
}

/// The version with zeros for its wildcards: `1.x.x` and `1.x` are `1.0.0`.
fn flatten(version: &str) -> String {
    let flat = version.replacen(".x.x", ".x", 1).replacen(".x", ".0", 1);
    if flat.split('.').count() == 2 { flat + ".0" } else { flat }
}

/// The version with one of its numbers counted up; empty where that is no number.
fn increment(version: &str, index: usize) -> String {
    let mut parts: Vec<String> = version.split('.').map(str::to_owned).collect();
    let Some(part) = parts.get_mut(index) else { return String::new() };
    // Like Go's Atoi, this takes a sign.
    let Ok(number) = part.parse::<i64>() else { return String::new() };
    *part = number.wrapping_add(1).to_string();
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn contains(range: &str, version: &str) -> bool {
        BlangRange::parse(range).unwrap().contains(&Version::parse(version).unwrap())
    }

    #[test]
    fn wildcards_expand_as_the_reference_expands_them() {
        let expand = |word: &str| {
            let mut out = Vec::new();
            expand_wildcard(word, &mut out).unwrap();
            out.join(" ")
        };
        assert_eq!(expand("1.2.x"), ">=1.2.0 <1.3.0");
        assert_eq!(expand("<=1.x"), "<2.0.0");
        assert_eq!(expand("1.x.x"), ">=1.0.0 <1.1.0");
        assert_eq!(expand("!=1.2.x"), "<1.2.0 >=1.3.0");
        assert_eq!(expand("=>1.x"), "1.0.0");
        assert_eq!(expand("<=1.+2.x"), "<1.3.0");
        assert_eq!(expand("1.0.0-a.x"), ">=1.0.0-a.0 <");
        assert_eq!(expand("<=9223372036854775807.x"), "<-9223372036854775808.0.0");
    }

    #[test]
    fn words_split_as_the_reference_splits_them() {
        assert_eq!(split_words(">= 1.0.0  <  2.0.0 || 3"), [">=1.0.0", "<2.0.0", "||"]);
        assert_eq!(split_words("a bc"), ["bc"]);
        assert!(BlangRange::parse("1").is_err());
        assert!(BlangRange::parse("1.0.0 ||").is_err());
    }

    #[test]
    fn a_version_begins_at_a_decimal_digit() {
        // What stands before it is an operator, which a wildcard drops where it is none.
        assert!(contains("²1.x", "1.0.0"));
        assert!(BlangRange::parse("²1.0.0").is_err());
        assert!(BlangRange::parse("٣1.x").is_err());
    }

    #[test]
    fn an_empty_group_ends_the_search() {
        let range = ">2.0.0 || || <1.0.0";
        assert!(contains(range, "3.0.0"));
        assert!(!contains(range, "0.1.0"));
    }

    #[test]
    fn prereleases_are_versions() {
        assert!(contains("<1.0.0", "1.0.0-rc.1"));
        assert!(contains(">=0.9.0 <1.0.0 !0.9.5", "0.9.4+x"));
        assert!(!contains(">=0.9.0 <1.0.0 !0.9.5", "0.9.5+x"));
    }

    proptest! {
        #[test]
        fn agrees_with_a_slow_reading(
            groups in prop::collection::vec(prop::collection::vec((0usize..6, prop::array::uniform3(0u64..3)), 1..3), 1..3),
            version in prop::array::uniform3(0u64..3),
        ) {
            const OPERATORS: [&str; 6] = ["", "!=", ">", ">=", "<", "<="];
            let write = |(operator, v): &(usize, [u64; 3])| format!("{}{}.{}.{}", OPERATORS[*operator], v[0], v[1], v[2]);
            let text = groups.iter().map(|g| g.iter().map(write).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(" || ");
            let slow = groups.iter().any(|g| g.iter().all(|(operator, v)| match OPERATORS[*operator] {
                "" => version == *v,
                "!=" => version != *v,
                ">" => version > *v,
                ">=" => version >= *v,
                "<" => version < *v,
                _ => version <= *v,
            }));
            let version = format!("{}.{}.{}", version[0], version[1], version[2]);
            prop_assert_eq!(contains(&text, &version), slow, "{} in {}", version, text);
        }

        #[test]
        fn never_panics(text in "[0-9x.|<>=! é+-]{0,24}") {
            let _ = BlangRange::parse(&text).map(|r| r.contains(&Version::parse("1.0.0").unwrap()));
        }
    }
}
