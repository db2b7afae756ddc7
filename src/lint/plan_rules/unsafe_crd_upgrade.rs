//! An upgrade that the controller stops because of its CRDs.

use super::{decisive_field, on};
use crate::crd;
use crate::finding::{Finding, Level};
use crate::lint::rule::{Doc, Rule, no_manifests};
use crate::plan::{CrdFinding, CrdVerdict, ExtensionPlan, Plan};

pub(super) static RULE: Rule = Rule {
    name: "unsafe-crd-upgrade",
    level: Level::Error,
    doc: Doc {
        finds: "An upgrade whose CustomResourceDefinitions change in a way that can make objects invalid or lose their data: a field is removed, an enum gets narrower, a limit tighter, a version is no longer stored.",
        why: "The controller checks this before it applies anything, and stops the whole upgrade: the extension stays at what is installed.",
        bad: extension!(
            "weir",
            "
      version: 0.x # 0.5.0 takes a field out of its CRD
"
        ),
        fix: "Stay below the version that breaks until your objects no longer need what it takes away, and tell its author. Where you have made sure that no object is affected, `spec.install.preflight.crdUpgradeSafety.enforcement: None` lets the upgrade through; it switches the whole check off, so take it out again afterwards.",
        good: extension!(
            "weir",
            "
      version: \"<0.5.0\"
"
        ),
    },
    check: no_manifests,
};

pub(super) fn check(rule: &Rule, plan: &Plan) -> Vec<Finding> {
    plan.extensions.iter().flat_map(|e| extension(rule, e, plan)).collect()
}

fn extension(rule: &Rule, extension: &ExtensionPlan, plan: &Plan) -> Vec<Finding> {
    let CrdVerdict::Checked { findings, enforced: true, .. } = &extension.crds else { return Vec::new() };
    findings.iter().map(|f| one(rule, extension, f, plan)).collect()
}

fn one(rule: &Rule, extension: &ExtensionPlan, found: &CrdFinding, plan: &Plan) -> Finding {
    let mut finding = on(rule, extension, decisive_field(extension), words(&found.finding));
    finding.level = found.finding.level;
    finding.help = Some(found.finding.help.to_owned());
    finding.labels = found.after.iter().chain(&found.before).cloned().collect();
    if let Some(waiver) = found.waiver.and_then(|n| plan.waivers.get(n)) {
        finding.level = Level::Note;
        finding.message = format!("waived ({}): {}", waiver.reason, finding.message);
        finding.help = Some(WAIVED.to_owned());
    }
    finding
}

/// A waiver is for reviewers; the cluster does not read it.
const WAIVED: &str = "the waiver is for this report alone: the controller stops the upgrade all the same, until spec.install.preflight.crdUpgradeSafety.enforcement is None";

/// What is found, and the check that found it.
pub(super) fn words(found: &crd::Finding) -> String {
    format!("{} ({})", found.words(), found.check)
}
