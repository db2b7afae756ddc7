//! A kind that the API group does not have.

use crate::api::{Concern, Kind};
use crate::finding::{Finding, Level};
use crate::lint::input::locate;
use crate::lint::{Doc, Input, Rule};
use crate::nearest::nearest;
use crate::place::FieldPath;

/// Kinds of the group that people do not write: releases of the controller keep their own notes in them.
const THE_CONTROLLERS_OWN: [&str; 2] = ["ClusterExtensionRevision", "ClusterObjectSet"];

pub(super) static RULE: Rule = Rule {
    name: "unknown-kind",
    level: Level::Error,
    doc: Doc {
        finds: "An object of the API group `olm.operatorframework.io` whose kind is neither ClusterExtension nor ClusterCatalog.",
        why: "The cluster has no such kind, and answers the change with an error.",
        bad: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtention
metadata:
  name: argocd
",
        fix: "Correct the kind, or remove the object.",
        good: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: argocd
",
    },
    check,
};

fn check(rule: &Rule, input: &Input<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for manifest in input.manifests.iter().filter(|m| m.concern == Concern::UnknownKind) {
        let kind = manifest.object().get("kind").and_then(|kind| kind.as_str()).unwrap_or_default();
        if THE_CONTROLLERS_OWN.contains(&kind) {
            continue;
        }
        let kinds = Kind::ALL.map(Kind::name);
        let help = match nearest(kind, kinds) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("the kinds are {}", kinds.join(" and ")),
        };
        let message = match kind {
            "" => format!("an object of {} without a kind", manifest.api_version()),
            kind => format!("{} has no kind {kind}", manifest.api_version()),
        };
        findings.push(locate(Finding { help: Some(help), ..rule.finding(message) }, manifest, &FieldPath::of("kind")));
    }
    findings
}
