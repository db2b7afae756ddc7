//! A package, channel or bundle that its author has given up.

use super::on;
use crate::finding::{Finding, Level};
use crate::lint::rule::{Doc, Rule, no_manifests};
use crate::plan::{ExtensionPlan, Plan};
use crate::resolve::ConditionStatus;

pub(super) static RULE: Rule = Rule {
    name: "deprecated-choice",
    level: Level::Warning,
    doc: Doc {
        finds: "A ClusterExtension whose package, channel or bundle is deprecated in its catalog. The message is the author's.",
        why: "The author has given it up: there will be no fixes, and it may vanish from the catalog.",
        bad: extension!(
            "lantern",
            "
      channels: [legacy] # deprecated
"
        ),
        fix: "Follow the author's message; often another channel or a newer version is named there.",
        good: extension!(
            "lantern",
            "
      channels: [stable]
"
        ),
    },
    check: no_manifests,
};

pub(super) fn check(rule: &Rule, plan: &Plan) -> Vec<Finding> {
    plan.extensions.iter().flat_map(|e| extension(rule, e)).collect()
}

fn extension(rule: &Rule, extension: &ExtensionPlan) -> Vec<Finding> {
    let Some(conditions) = extension.after.as_ref().and_then(|a| a.conditions.as_ref()) else { return Vec::new() };
    let at = [
        (&conditions.package, "spec.source.catalog.packageName", "the package is deprecated"),
        (&conditions.channel, "spec.source.catalog.channels", "a channel is deprecated"),
        (&conditions.bundle, "spec.source.catalog.version", "the bundle is deprecated"),
    ];
    at.into_iter()
        .filter(|(condition, ..)| condition.status == ConditionStatus::True)
        .map(|(condition, field, what)| on(rule, extension, field, format!("{what}: {}", condition.message)))
        .collect()
}
