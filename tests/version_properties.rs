//! The range parsers against slow versions built on regular expressions, as the reference is.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)]

use olmplan::version::{MastermindsRange, Version};
use proptest::prelude::*;
use regex::Regex;
use std::cmp::Ordering;
use std::sync::LazyLock;

const VERSION: &str = r"v?([0-9|xX*]+)(\.[0-9|xX*]+)?(\.[0-9|xX*]+)?(-([0-9A-Za-z\-]+(\.[0-9A-Za-z\-]+)*))?(\+([0-9A-Za-z\-]+(\.[0-9A-Za-z\-]+)*))?";
const OPERATOR: &str = r"=||!=|>|<|>=|=>|<=|=<|~|~>|\^";

static HYPHEN: LazyLock<Regex> = LazyLock::new(|| regex(r"S*(V)S+-S+(V)S*"));
static GROUP: LazyLock<Regex> = LazyLock::new(|| regex(r"\A(S*(O)S*(V)S*)((?:S+|,S*)(O)S*(V)S*)*\z"));
static FIND: LazyLock<Regex> = LazyLock::new(|| regex(r"(O)S*(V)"));
static ONE: LazyLock<Regex> = LazyLock::new(|| regex(r"\AS*(O)S*(V)S*\z"));

fn regex(pattern: &str) -> Regex {
    let mut built = String::new();
    for c in pattern.chars() {
        match c {
            'S' => built.push_str(r"[\t\n\x0C\r ]"),
            'V' => built.push_str(VERSION),
            'O' => built.push_str(OPERATOR),
            c => built.push(c),
        }
    }
    Regex::new(&built).unwrap()
}

struct Slow {
    operator: String,
    numbers: [u64; 3],
    pre: String,
    /// How many numbers are written before the first wildcard; 0 where that is the first.
    known: usize,
}

fn slow_parse(text: &str) -> Option<Vec<Vec<Slow>>> {
    if text.len() > 512 {
        return None;
    }
    let mut rewritten = text.to_owned();
    for found in HYPHEN.captures_iter(text) {
        let replacement = format!(">= {}, <= {} ", &found[1], &found[11]);
        rewritten = rewritten.replacen(&found[0], &replacement, 1);
    }
    let groups: Vec<&str> = rewritten.split("||").collect();
    if groups.len() > 32 {
        return None;
    }
    let group = |text: &&str| {
        GROUP.is_match(text).then_some(())?;
        FIND.find_iter(text).map(|found| slow_comparison(found.as_str())).collect()
    };
    groups.iter().map(group).collect()
}

fn slow_comparison(text: &str) -> Option<Slow> {
    let found = ONE.captures(text)?;
    let part = |n: usize| found.get(n).map_or("", |m| m.as_str());
    let numbers = [part(3), part(4).trim_start_matches('.'), part(5).trim_start_matches('.')];
    let known = numbers.iter().position(|n| ["", "x", "X", "*"].contains(n)).unwrap_or(3);
    let pre = part(6);
    let version = match known {
        0 => format!("0.0.0{pre}"),
        1 => format!("{}.0.0{pre}", numbers[0]),
        2 => format!("{}.{}.0{pre}", numbers[0], numbers[1]),
        _ => part(2).to_owned(),
    };
    let bare = version.split('+').next().unwrap().trim_start_matches('v');
    let (core, _) = bare.split_once('-').unwrap_or((bare, ""));
    let leading_zero = |p: &str| p.len() > 1 && p.starts_with('0') && p.chars().all(|c| c.is_ascii_digit());
    if version.len() > 256 || pre.trim_start_matches('-').split('.').any(leading_zero) && !pre.is_empty() {
        return None;
    }
    let parsed: Option<Vec<u64>> =
        core.split('.').map(|n| n.chars().all(|c| c.is_ascii_digit()).then(|| n.parse().ok())?).collect();
    Some(Slow {
        operator: part(1).to_owned(),
        numbers: parsed?.try_into().unwrap(),
        pre: pre.strip_prefix('-').unwrap_or("").to_owned(),
        known,
    })
}

fn compare_pre(a: &str, b: &str) -> Ordering {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split('.').collect(), b.split('.').collect());
    for n in 0..a.len().max(b.len()) {
        let (a, b) = (a.get(n).copied().unwrap_or(""), b.get(n).copied().unwrap_or(""));
        let order = match (a.is_empty(), b.is_empty(), a.parse::<u64>(), b.parse::<u64>()) {
            (true, ..) | (_, true, ..) => a.len().cmp(&b.len()),
            (_, _, Ok(a), Ok(b)) => a.cmp(&b),
            (_, _, Ok(_), Err(_)) => Ordering::Less,
            (_, _, Err(_), Ok(_)) => Ordering::Greater,
            _ => a.cmp(b),
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

/// The comparison functions, with the reference's flags.
fn slow_holds(c: &Slow, v: &Version) -> bool {
    let n = [v.major(), v.minor(), v.patch()];
    let order = n.cmp(&c.numbers).then_with(|| match (v.pre(), c.pre.as_str()) {
        ("", "") => Ordering::Equal,
        ("", _) => Ordering::Greater,
        (_, "") => Ordering::Less,
        (a, b) => compare_pre(a, b),
    });
    let (dirty, minor_dirty, patch_dirty) = (c.known < 3, c.known == 1, c.known == 2);
    let tilde = || {
        if order.is_lt() {
            return false;
        }
        if c.numbers == [0, 0, 0] && !minor_dirty && !patch_dirty {
            return true;
        }
        n[0] == c.numbers[0] && (n[1] == c.numbers[1] || minor_dirty)
    };
    match c.operator.as_str() {
        "" | "=" if dirty => tilde(),
        "" | "=" => order.is_eq(),
        "!=" => {
            if dirty {
                if c.numbers[0] != n[0] || c.numbers[1] != n[1] && !minor_dirty {
                    return true;
                } else if minor_dirty {
                    return false;
                } else if c.numbers[2] != n[2] && !patch_dirty {
                    return true;
                } else if patch_dirty {
                    return (!v.pre().is_empty() || !c.pre.is_empty()) && compare_pre(v.pre(), &c.pre).is_ne();
                }
            }
            order.is_ne()
        }
        ">" if !dirty => order.is_gt(),
        ">" if n[0] != c.numbers[0] => n[0] > c.numbers[0],
        ">" if minor_dirty => false,
        ">" if patch_dirty => n[1] > c.numbers[1],
        ">" => order.is_gt(),
        "<" => order.is_lt(),
        ">=" | "=>" => order.is_ge(),
        "<=" | "=<" if !dirty => order.is_le(),
        "<=" | "=<" => !(n[0] > c.numbers[0] || n[0] == c.numbers[0] && n[1] > c.numbers[1] && !minor_dirty),
        "~" | "~>" => tilde(),
        _ if order.is_lt() => false,
        _ if c.numbers[0] > 0 || minor_dirty => n[0] == c.numbers[0],
        _ if n[0] > 0 => false,
        _ if c.numbers[1] > 0 || patch_dirty => n[1] == c.numbers[1],
        _ => n[1] == 0 && n[2] == c.numbers[2],
    }
}

fn slow_contains(groups: &[Vec<Slow>], v: &Version) -> bool {
    groups.iter().any(|group| {
        let names_prerelease = group.iter().any(|c| !c.pre.is_empty());
        (v.pre().is_empty() || names_prerelease) && group.iter().all(|c| slow_holds(c, v))
    })
}

fn versions() -> impl Strategy<Value = Vec<Version>> {
    let one = "[0-2]\\.[0-2]\\.[0-2](-(0|1|a|rc\\.1|a\\.0|99999999999999999999))?";
    prop::collection::vec(one, 1..12).prop_map(|texts| texts.iter().filter_map(|t| Version::parse(t).ok()).collect())
}

fn agree(text: &str, versions: &[Version]) -> Result<(), TestCaseError> {
    let (quick, slow) = (MastermindsRange::parse(text), slow_parse(text));
    prop_assert_eq!(quick.is_ok(), slow.is_some(), "{:?}: {:?}", text, quick);
    if let (Ok(quick), Some(slow)) = (quick, slow) {
        for version in versions {
            prop_assert_eq!(quick.contains(version), slow_contains(&slow, version), "{} in {:?}", version, text);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Texts that are ranges, mostly.
    #[test]
    fn ranges_agree(
        text in "((=|!=|>|<|>=|=>|<=|=<|~|~>|\\^)? ?v?[0-2x*](\\.[0-2xX])?(\\.[0-2*])?(-(0|a|rc\\.1|a\\.0|01))?(\\+b)?( |, ?| - | \\|\\| ?|\\|\\|)){0,3}[0-2](\\.[0-2]\\.[0-2])?",
        versions in versions(),
    ) {
        agree(&text, &versions)?;
    }

    /// Texts that look like ranges.
    #[test]
    fn nonsense_agrees(text in "[0-2xXv*.|<>=~^!, +a\t\u{b}-]{0,16}", versions in versions()) {
        agree(&text, &versions)?;
    }
}
