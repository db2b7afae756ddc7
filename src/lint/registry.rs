//! Every rule, and running them.

use super::{Input, Rule, config_rules, plan_rules, rules};
use crate::finding::Finding;
use crate::plan::Plan;

/// Every finding of every rule, in the canonical order.
pub fn run(input: &Input<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = rules::ALL.iter().flat_map(|rule| rule.check(input)).collect();
    Finding::sort(&mut findings);
    findings
}

/// Every finding of every rule that looks at plans, in the canonical order.
pub fn run_plan(plan: &Plan) -> Vec<Finding> {
    let mut findings: Vec<Finding> = plan_rules::ALL.iter().flat_map(|(rule, check)| check(rule, plan)).collect();
    Finding::sort(&mut findings);
    findings
}

/// Every rule of either sort, by name.
pub fn all() -> Vec<&'static Rule> {
    let mut all: Vec<&Rule> =
        rules::ALL.into_iter().chain(plan_rules::ALL.iter().map(|(rule, _)| *rule)).chain(config_rules::ALL).collect();
    all.sort_by_key(|rule| rule.name);
    all
}

/// The rule of that name.
pub fn named(name: &str) -> Option<&'static Rule> {
    all().into_iter().find(|rule| rule.name == name)
}
