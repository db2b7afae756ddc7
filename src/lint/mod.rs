//! manifests, plan -> findings, a rule a file.
//!
//! [`run`] runs the rules that need nothing but the manifests of a tree over an [`Input`]; [`run_plan`] runs those that look at
//! what the change comes to over a [`Plan`](crate::plan::Plan); [`settle()`] applies what the configuration says of levels and of what to leave out.
//! A rule's documentation is part of it ([`Rule::markdown`]).

mod config_rules;
mod input;
mod plan_rules;
mod registry;
mod rule;
mod rules;
mod settle;

pub use input::{Broken, Checked, Input};
pub use plan_rules::refusal_help;
pub use registry::{all, named, run, run_plan};
pub use rule::{Doc, Rule};
pub use settle::{Reach, Settled, about_waivers, settle};

#[cfg(test)]
mod tests;
