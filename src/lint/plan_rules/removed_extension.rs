//! An extension that the change takes away.

use super::on;
use crate::finding::{Finding, Level};
use crate::lint::rule::{Doc, Rule, no_manifests};
use crate::plan::{ExtensionPlan, Plan, Status};

pub(super) static RULE: Rule = Rule {
    name: "removed-extension",
    level: Level::Warning,
    doc: Doc {
        finds: "A ClusterExtension that was there before and is not there after.",
        why: "Once the sync prunes it, the controller deletes what it installed, the CRDs among it; with a CRD go all objects of its kind, in every namespace.",
        bad: "\
# extensions/weir.yaml is deleted by the change
apiVersion: v1
kind: List
items: []
",
        fix: "Nothing, where it is meant. Else bring the file back, or mark the object so that the sync does not prune it.",
        good: extension!("weir", "\n"),
    },
    check: no_manifests,
};

pub(super) fn check(rule: &Rule, plan: &Plan) -> Vec<Finding> {
    plan.extensions.iter().filter_map(|e| extension(rule, e)).collect()
}

fn extension(rule: &Rule, extension: &ExtensionPlan) -> Option<Finding> {
    if extension.status != Status::Removed {
        return None;
    }
    let name = &extension.name;
    let bundle = extension.installed.as_ref().map(|i| format!(" ({} is installed)", i.bundle.name)).unwrap_or_default();
    let mut finding = on(rule, extension, "", format!("ClusterExtension {name} is gone{bundle}"));
    let crds: Vec<&str> = extension
        .changes
        .iter()
        .flatten()
        .filter(|c| c.key.kind == "CustomResourceDefinition")
        .map(|c| c.key.name.as_str())
        .collect();
    finding.help = Some(match crds.as_slice() {
        [] if extension.changes.is_ok() => "once it is pruned, the controller deletes what it installed".to_owned(),
        [] => "once it is pruned, the controller deletes what it installed; with its CRDs go all their objects".to_owned(),
        crds => format!(
            "once it is pruned, the controller deletes what it installed; with these CRDs go all their objects: {}",
            crds.join(", ")
        ),
    });
    Some(finding)
}
