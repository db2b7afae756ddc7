//! A kind of ours in a group that is almost ours.

use crate::api::{Concern, GROUP, VERSION};
use crate::finding::{Finding, Level};
use crate::lint::input::locate;
use crate::lint::{Doc, Input, Rule};
use crate::nearest::nearest;
use crate::place::FieldPath;

pub(super) static RULE: Rule = Rule {
    name: "unknown-api-group",
    level: Level::Error,
    doc: Doc {
        finds: "A ClusterExtension or ClusterCatalog whose `apiVersion` names no group, or one that is almost \
                `olm.operatorframework.io`. A version of the group that clusters do not serve, `v1alpha1` for instance, is a matter of \
                `invalid-object`.",
        why: "The cluster has no such kind in that group, and answers the change with an error; nothing else of the object is checked here.",
        bad: "\
apiVersion: olm.operatorframwork.io/v1
kind: ClusterExtension
metadata:
  name: argocd
",
        fix: "Write `apiVersion: olm.operatorframework.io/v1`.",
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
    for manifest in input.manifests {
        let Concern::UnknownGroup(kind) = manifest.concern else { continue };
        let written = manifest.api_version();
        let group = written.split_once('/').map(|(group, _)| group);
        let near = group.is_none_or(|group| {
            nearest(group, [GROUP]).is_some() || group.contains("operatorframework") || group.ends_with("operators.coreos.com")
        });
        if !near {
            continue;
        }
        let message = match written {
            "" => format!("{kind} without an apiVersion"),
            written => format!("{written} has no kind {kind}"),
        };
        let help = Some(format!("write `apiVersion: {GROUP}/{VERSION}`"));
        findings.push(locate(Finding { help, ..rule.finding(message) }, manifest, &FieldPath::of("apiVersion")));
    }
    findings
}
