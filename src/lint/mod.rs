//! plan -> findings, a rule a file.
//!
//! So far: what can be said from the manifests of a tree alone. [`run`] runs every rule of the registry ([`rules`]) over an
//! [`Input`]; a rule's documentation is part of it ([`Rule::markdown`]), and its examples are its tests.

mod input;
mod nearest;
mod rule;
pub mod rules;

pub use input::{Broken, Checked, Input};
pub use nearest::nearest;
pub use rule::{Doc, Rule};

use crate::finding::Finding;

/// Every finding of every rule, in the canonical order.
pub fn run(input: &Input<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = rules::ALL.iter().flat_map(|rule| rule.check(input)).collect();
    Finding::sort(&mut findings);
    findings
}

#[cfg(test)]
mod tests;
