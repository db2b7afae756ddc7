//! One comparison: an operator and a version that may be open at its end.

use super::syntax::{Operator, Token, has_leading_zero, is_digits};
use super::{MastermindsRangeError, MastermindsRelease};
use crate::version::Version;
use std::cmp::Ordering;
use std::fmt;

pub(super) const MAX_VERSION_LEN: usize = 256;

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
pub(super) struct Comparison {
    operator: Operator,
    open: Open,
    version: Bound,
}

impl Comparison {
    pub(super) fn new(token: Token<'_>, release: MastermindsRelease) -> Result<Self, MastermindsRangeError> {
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
        let zeros_before = |number: Option<&str>| release == MastermindsRelease::V3_3_1 && number.is_some_and(has_leading_zero);
        let is_refused = [major, minor, patch].into_iter().any(zeros_before);
        if is_refused || length > MAX_VERSION_LEN || token.pre.split('.').any(has_leading_zero) {
            return Err(MastermindsRangeError::Version);
        }
        let version = Bound { major: number(major)?, minor: number(minor)?, patch: number(patch)?, pre: token.pre.to_owned() };
        Ok(Self { operator: token.operator, open, version })
    }

    /// Whether the version that it compares with is a prerelease.
    pub(super) fn names_prerelease(&self) -> bool {
        !self.version.pre.is_empty()
    }

    /// Whether the comparison holds, if it is for itself to say whether it looks at prereleases: where it names one, and where
    /// it asks for another version than the one it names.
    pub(super) fn holds_by_itself(&self, version: &Version) -> bool {
        let looks_at_all = self.operator == Operator::NotEqual && self.open == Open::Nothing;
        (version.pre().is_empty() || self.names_prerelease() || looks_at_all) && self.holds(version)
    }

    /// Whether the comparison holds, whether or not it may look at prereleases.
    pub(super) fn holds(&self, version: &Version) -> bool {
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
    if !is_digits(text) {
        return Err(MastermindsRangeError::Version);
    }
    text.parse().map_err(|_| MastermindsRangeError::Version)
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
