//! An unsafe CRD upgrade that goes through because the check is switched off.

use super::on;
use super::unsafe_crd_upgrade::words;
use crate::finding::{Finding, Level};
use crate::lint::rule::{Doc, Rule, no_manifests};
use crate::plan::{CrdFinding, CrdVerdict, ExtensionPlan, Plan};

pub(super) static RULE: Rule = Rule {
    name: "unenforced-crd-check",
    level: Level::Warning,
    doc: Doc {
        finds: "An upgrade whose CRDs change in an unsafe way, and that the controller lets through because the extension switches the check off.",
        why: "What the check would have stopped takes effect: objects can become invalid, and data in removed fields is lost.",
        bad: extension!(
            "weir",
            "
  install:
    preflight:
      crdUpgradeSafety:
        enforcement: None
"
        ),
        fix: "Make sure that no object uses what changes. Take `enforcement: None` out once the upgrade is through.",
        good: extension!("weir", "\n"),
    },
    check: no_manifests,
};

pub(super) fn check(rule: &Rule, plan: &Plan) -> Vec<Finding> {
    plan.extensions.iter().filter_map(|e| extension(rule, e)).collect()
}

fn extension(rule: &Rule, extension: &ExtensionPlan) -> Option<Finding> {
    let CrdVerdict::Checked { findings, enforced: false, .. } = &extension.crds else { return None };
    if findings.is_empty() {
        return None;
    }
    let all: Vec<String> = findings.iter().map(hidden).collect();
    let message = format!("the CRD upgrade safety check is switched off, and hides {} of its findings", findings.len());
    let mut finding = on(rule, extension, "spec.install.preflight.crdUpgradeSafety.enforcement", message);
    finding.help = Some(all.join("\n"));
    Some(finding)
}

/// A finding that does not count, and where it is.
fn hidden(found: &CrdFinding) -> String {
    let places: Vec<String> = found.after.iter().chain(&found.before).map(ToString::to_string).collect();
    let places = if places.is_empty() { String::new() } else { format!(" [{}]", places.join("; ")) };
    format!("{}{places}", words(&found.finding))
}
