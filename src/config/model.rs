//! What `olmplan.toml` can say.

use crate::finding::Level;
use crate::place::Span;
use std::collections::BTreeMap;
use std::fmt;

/// The settings of a tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// The release of the controller that will see the tree: `olm-1.11`, `ocp-4.20`.
    pub target: Option<String>,
    /// Gates to set, as `Name=true,Name=false`.
    pub feature_gates: Option<String>,
    /// From where on findings fail the run.
    pub fail_on: Option<FailOn>,
    /// The clusters that the tree describes, where it describes several.
    pub clusters: Vec<Cluster>,
    /// Levels of rules, by name.
    pub rules: BTreeMap<String, RuleLevel>,
    /// Findings to leave out.
    pub ignores: Vec<Ignore>,
    /// CRD findings that are known and accepted.
    pub waivers: Vec<Waiver>,
    /// Images that are read from disk in place of a registry.
    pub images: Vec<ImageMapping>,
    /// How registries are reached.
    pub registry: Registry,
}

/// From where on findings fail a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailOn {
    /// From a level on.
    From(Level),
    /// They never do.
    Never,
}

/// A cluster: a part of the tree, and the target that it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// Its name in reports.
    pub name: String,
    /// The folder with its manifests.
    pub path: String,
    /// Its target, where it differs from the tree's.
    pub target: Option<String>,
    /// Its gates, where they differ from the tree's.
    pub feature_gates: Option<String>,
    /// Where it stands in the file.
    pub span: Span,
}

/// What becomes of a rule's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleLevel {
    /// They are left out.
    Off,
    /// They are reported at this level.
    At(Level),
}

/// Findings to leave out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignore {
    /// The rule; every one where absent.
    pub rule: Option<String>,
    /// The ClusterExtension; every one where absent.
    pub extension: Option<String>,
    /// The file, or a folder that it stands in; every one where absent.
    pub path: Option<String>,
    /// Why.
    pub reason: String,
    /// The last day on which it counts.
    pub expires: Option<Date>,
    /// Where it stands in the file.
    pub span: Span,
}

/// A CRD finding that is known and accepted, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiver {
    /// The CRD's name.
    pub crd: String,
    /// The version; every one where absent.
    pub version: Option<String>,
    /// The property; every one where absent.
    pub property: Option<String>,
    /// The check; every one where absent.
    pub check: Option<String>,
    /// Why.
    pub reason: String,
    /// The last day on which it counts.
    pub expires: Option<Date>,
    /// Where it stands in the file.
    pub span: Span,
}

/// An image that is read from disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageMapping {
    /// The reference, as manifests and catalogs write it.
    pub reference: String,
    /// A folder with the image's files, an OCI layout, or an archive.
    pub path: String,
    /// Where it stands in the file.
    pub span: Span,
}

/// How registries are reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Registry {
    /// Hosts (`host` or `host:port`) that speak plain HTTP.
    pub insecure: Vec<String>,
    /// A PEM file with certificates to trust besides the system's.
    pub ca_file: Option<String>,
    /// A `config.json` with credentials.
    pub auth_file: Option<String>,
}

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

impl Date {
    /// The day that many days after 1970-01-01.
    pub fn from_days(days: u64) -> Self {
        // Howard Hinnant's days-from-civil, read backwards: eras of 400 years that begin on the first of March.
        let shifted = days + 719_468;
        let (era, of_era) = (shifted / 146_097, shifted % 146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = year_of_era + era * 400 + u64::from(month <= 2);
        Self {
            year: u16::try_from(year).unwrap_or(u16::MAX),
            month: u8::try_from(month).unwrap_or(12),
            day: u8::try_from(day).unwrap_or(31),
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::Date;

    #[test]
    fn days_become_dates() {
        assert_eq!(Date::from_days(0).to_string(), "1970-01-01");
        assert_eq!(Date::from_days(11_016).to_string(), "2000-02-29");
        assert_eq!(Date::from_days(20_787).to_string(), "2026-11-30");
    }
}
