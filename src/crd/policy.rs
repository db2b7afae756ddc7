//! A [`Policy`]: which checks run, how much each matters, and how it is set.
//!
//! Two policies have names: that of a target (what its operator-controller runs), and crdify's own defaults. Others come from
//! crdify's configuration file, see [`Policy::from_config`].

use super::checks::{self, Settings};
use super::generation::Generation;
use crate::target::{CrdCheck, Target};
use std::collections::BTreeMap;

/// How a check's objections count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Enforcement {
    /// As errors: the change is refused.
    Error,
    /// As warnings.
    Warn,
    /// Not at all.
    None,
}

/// Whether versions that are served together are compared where a webhook converts between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Conversion {
    /// They are compared all the same.
    None,
    /// They are not compared.
    Ignore,
}

/// Whether a kind of change is let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Allowance {
    /// It is let through.
    Allow,
    /// It is objected to.
    #[default]
    Disallow,
}

/// What the check does, and how much each of its parts matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    pub(crate) generation: Generation,
    pub(crate) enforcement: BTreeMap<&'static str, Enforcement>,
    pub(crate) settings: Settings,
    pub(crate) unhandled: Enforcement,
    pub(crate) conversion: Conversion,
    pub(crate) ignored: Vec<String>,
}

impl Policy {
    /// What the operator-controller of a target runs.
    ///
    /// Follows operator-controller df2c201d internal/operator-controller/rukpak/preflights/crdupgradesafety/crdupgradesafety.go:
    /// defaultConfig, and the same in the release that the target names.
    pub fn olm(target: &Target) -> Self {
        let mut policy = Self { generation: Generation::of_target(target), conversion: Conversion::Ignore, ..Self::strict() };
        policy.enforcement.insert(checks::DESCRIPTION, Enforcement::None);
        // The first generation never minded additions; the first release on crdify did.
        if target.crd_check() != CrdCheck::Crdify398e4483 {
            policy.settings.enum_addition = Allowance::Allow;
        }
        policy
    }

    /// crdify's own defaults: everything is an error, and nothing is let through.
    pub fn strict() -> Self {
        Self {
            generation: Generation::newest(),
            enforcement: BTreeMap::new(),
            settings: Settings::default(),
            unhandled: Enforcement::Error,
            conversion: Conversion::None,
            ignored: Vec::new(),
        }
    }

    /// How the objections of a check count.
    pub fn enforcement(&self, check: &str) -> Enforcement {
        if check == checks::UNHANDLED {
            return self.unhandled;
        }
        self.enforcement.get(check).copied().unwrap_or(Enforcement::Error)
    }

    /// What of the configuration file has no meaning; crdify passes over it without a word. For instance `validations[0].enforcment`.
    pub fn ignored_keys(&self) -> &[String] {
        &self.ignored
    }

    /// In what some updates of the target's release differ from this policy; `None` where it is exact.
    pub fn approximation(&self) -> Option<&'static str> {
        self.generation.updates
    }
}
