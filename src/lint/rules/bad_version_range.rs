//! A version range that the API server takes and the controller cannot read.

use crate::api::ClusterExtension;
use crate::finding::{Finding, Level};
use crate::lint::input::locate;
use crate::lint::{Doc, Input, Rule};
use crate::version::MastermindsRange;

pub(super) static RULE: Rule = Rule {
    name: "bad-version-range",
    level: Level::Error,
    doc: Doc {
        finds: "A `spec.source.catalog.version` that the API server takes, and the controller cannot read as a range.",
        why: "The extension is created and never resolves: its Progressing condition repeats the error, and nothing is installed or \
              upgraded.",
        bad: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: argocd
spec:
  namespace: argocd
  source:
    sourceType: Catalog
    catalog:
      packageName: argocd-operator
      version: 1.2.3-01
",
        fix: "Write a range: `1.2.3`, `1.2.x`, `>=1.0.0 <2.0.0`, `^1.2 || ^2.0`. Numbers have no leading zeros and fit 64 bits, numeric \
              parts of a prerelease included.",
        good: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: argocd
spec:
  namespace: argocd
  source:
    sourceType: Catalog
    catalog:
      packageName: argocd-operator
      version: 1.2.3-1
",
    },
    check,
};

fn check(rule: &Rule, input: &Input<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for checked in input.checked() {
        let Some(extension) = ClusterExtension::read(checked.manifest, input.target) else { continue };
        let Some(version) = extension.version() else { continue };
        if checked.verdict.errors.iter().any(|error| error.path == version.path) || version.value.is_empty() {
            continue;
        }
        let Err(error) = MastermindsRange::parse(version.value) else { continue };
        let message = format!("the controller cannot read the version range {:?}: {error}", version.value);
        let help = "write a range: `1.2.3`, `1.2.x`, `>=1.0.0 <2.0.0`, `^1.2 || ^2.0`".to_owned();
        findings.push(locate(Finding { help: Some(help), ..rule.finding(message) }, checked.manifest, &version.path));
    }
    findings
}
