//! A [`Rule`], and its documentation for users.

use super::Input;
use crate::finding::{Finding, Level};
use std::fmt;

/// Something to look for, named for the bad pattern.
pub struct Rule {
    /// The name, in kebab-case.
    pub name: &'static str,
    /// How much its findings matter where nobody says otherwise.
    pub level: Level,
    /// What users read about it.
    pub doc: Doc,
    pub(super) check: fn(&Self, &Input<'_>) -> Vec<Finding>,
}

/// A rule's documentation, in Markdown.
#[derive(Debug)]
pub struct Doc {
    /// What it finds, in one or two sentences.
    pub finds: &'static str,
    /// Why that is bad.
    pub why: &'static str,
    /// A manifest in which the rule finds something, or an `olmplan.toml`, which says so in its first line.
    pub bad: &'static str,
    /// What to do.
    pub fix: &'static str,
    /// The same put right: the rule finds nothing in it.
    pub good: &'static str,
}

/// For a rule that looks at plans: the manifests alone tell it nothing.
pub(super) fn no_manifests(_: &Rule, _: &Input<'_>) -> Vec<Finding> {
    Vec::new()
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule").field("name", &self.name).field("level", &self.level).finish_non_exhaustive()
    }
}

impl Rule {
    /// What the rule finds, each finding at the rule's level unless the rule knows better.
    pub fn check(&self, input: &Input<'_>) -> Vec<Finding> {
        (self.check)(self, input)
    }

    /// A finding of this rule at its level.
    pub(super) fn finding(&self, message: impl Into<String>) -> Finding {
        Finding::new(self.name, self.level, message)
    }

    /// The documentation as a page.
    pub fn markdown(&self) -> String {
        let Self { name, doc, .. } = self;
        let level = match self.level {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        };
        let Doc { finds, why, bad, fix, good } = doc;
        let example = |text: &str| {
            let language = if text.starts_with("# olmplan.toml") { "toml" } else { "yaml" };
            format!("```{language}\n{}\n```\n", text.trim_end())
        };
        format!(
            "# {name}\n\nLevel: {level}\n\n{}\n\n## Why this is bad\n\n{}\n\n## Example\n\n{}\n## What to do\n\n{}\n\n{}",
            finds.trim(),
            why.trim(),
            example(bad),
            fix.trim(),
            example(good),
        )
    }
}
