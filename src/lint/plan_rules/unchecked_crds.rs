//! An upgrade whose CRDs could not be compared.

use super::{decisive_field, on};
use crate::finding::{Finding, Level};
use crate::lint::rule::{Doc, Rule, no_manifests};
use crate::plan::{CrdVerdict, ExtensionPlan, Plan, ProblemKind};

pub(super) static RULE: Rule = Rule {
    name: "unchecked-crds",
    level: Level::Warning,
    doc: Doc {
        finds: "An upgrade whose CRDs could not be compared with those of what is installed, because that bundle cannot be had or read.",
        why: "The controller compares with what is in the cluster, and may stop the upgrade; this report cannot say.",
        bad: extension!(
            "weir",
            " # the catalog no longer has the bundle that is installed
"
        ),
        fix: "Commit an `olmplan.lock`: it names the image of what is installed.",
        good: extension!(
            "weir",
            " # olmplan.lock beside it has image = \"registry.example/weir:v0.4.0\"
"
        ),
    },
    check: no_manifests,
};

pub(super) fn check(rule: &Rule, plan: &Plan) -> Vec<Finding> {
    plan.extensions.iter().filter_map(|e| extension(rule, e)).collect()
}

fn extension(rule: &Rule, extension: &ExtensionPlan) -> Option<Finding> {
    let words = |why: &str| format!("the CRDs could not be compared: {why}");
    let problem = match &extension.crds {
        CrdVerdict::Unknown(problem) => problem,
        CrdVerdict::Checked { changes: Err(why), enforced: false, .. } => {
            let mut finding = on(rule, extension, "spec.install.preflight.crdUpgradeSafety.enforcement", words(why));
            finding.level = Level::Note;
            finding.help =
                Some("the check is switched off, so the upgrade goes through; what that hides is not known".to_owned());
            return Some(finding);
        }
        CrdVerdict::Checked { .. } | CrdVerdict::NotApplicable => return None,
    };
    let mut finding = on(rule, extension, decisive_field(extension), words(&problem.message));
    finding.help = Some(match problem.kind {
        ProblemKind::NotKnown => "olmplan.lock names the image of what is installed; commit one".to_owned(),
        // The controller compares, and may stop the upgrade: without an answer this is not to pass.
        ProblemKind::Input | ProblemKind::Refused | ProblemKind::Incomplete => {
            finding.level = Level::Error;
            "whether the controller stops the upgrade is not known until this can be read; --cluster-crds FILE compares with a dump".to_owned()
        }
    });
    Some(finding)
}
