//! Hyphen ranges, which are rewritten before anything else is looked at.

use super::syntax::{is_space, split_version};

/// Writes each `A - B` as `>= A, <= B `, looking for hyphens with white space on both sides, from left to right.
///
/// Follows `rewriteRange` of Masterminds/semver v3.5.0 constraints.go, which looks into the middle of words as well: a match
/// begins wherever a version does, and ends where the second version does.
pub(super) fn rewrite_hyphens(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyphens_are_found_as_the_reference_finds_them() {
        assert_eq!(rewrite_hyphens("1 - 2"), ">= 1, <= 2 ");
        assert_eq!(rewrite_hyphens("1.2.3.4 - 5"), "1.>= 2.3.4, <= 5 ");
        assert_eq!(rewrite_hyphens("1 - 2 || 3 - 4"), ">= 1, <= 2 ||>= 3, <= 4 ");
        assert_eq!(rewrite_hyphens("1 - 2||3 - 4"), ">= 1, <= 2||3 - 4");
        assert_eq!(rewrite_hyphens("1-2"), "1-2");
        assert_eq!(rewrite_hyphens("é1 - 2"), "é>= 1, <= 2 ");
    }
}
