//! An extension that goes back to an older version.

use super::{decisive_field, on};
use crate::finding::{Finding, Level};
use crate::lint::rule::{Doc, Rule, no_manifests};
use crate::plan::{ExtensionPlan, Plan, Status};

pub(super) static RULE: Rule = Rule {
    name: "downgraded-extension",
    level: Level::Warning,
    doc: Doc {
        finds: "A ClusterExtension that goes from what is installed to an older version.",
        why: "Authors test the way up, seldom the way down: an older controller may not understand what the newer one stored.",
        bad: extension!(
            "lantern",
            "
      version: 1.2.0 # installed is 1.3.1
      upgradeConstraintPolicy: SelfCertified
"
        ),
        fix: "Make sure that the author supports the way back, and that there is a copy of the objects.",
        good: extension!(
            "lantern",
            "
      version: \">=1.3.1\"
"
        ),
    },
    check: no_manifests,
};

pub(super) fn check(rule: &Rule, plan: &Plan) -> Vec<Finding> {
    plan.extensions.iter().filter_map(|e| extension(rule, e)).collect()
}

fn extension(rule: &Rule, extension: &ExtensionPlan) -> Option<Finding> {
    let (installed, resolved) = (extension.installed.as_ref()?, extension.after.as_ref()?.outcome.resolved()?);
    if extension.status != Status::Downgrade {
        return None;
    }
    let message = format!("goes back from {} to {}", installed.bundle.version, resolved.version);
    let mut finding = on(rule, extension, decisive_field(extension), message);
    finding.help = Some("make sure that the author supports the way back".to_owned());
    Some(finding)
}
