//! A version range that the API server takes and the controller cannot read.

use crate::api::Kind;
use crate::finding::{Finding, Level};
use crate::lint::input::locate;
use crate::lint::{Doc, Input, Rule};
use crate::place::FieldPath;
use crate::version::{MastermindsRange, MastermindsRelease};
use serde_json::Value;

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
    let path = FieldPath::of("spec.source.catalog.version");
    let reader = MastermindsRelease::numbered(input.target.masterminds());
    for checked in input.checked().iter().filter(|c| c.kind == Kind::ClusterExtension) {
        let Some(range) = checked.manifest.object().pointer("/spec/source/catalog/version").and_then(Value::as_str) else {
            continue;
        };
        // What the API server refuses, `invalid-object` speaks of.
        if checked.verdict.errors.iter().any(|error| error.path == path) {
            continue;
        }
        let Err(error) = MastermindsRange::parse_as(range, reader) else { continue };
        let message = format!("the controller cannot read the version range {range:?}: {error}");
        let help = "write a range: `1.2.3`, `1.2.x`, `>=1.0.0 <2.0.0`, `^1.2 || ^2.0`".to_owned();
        findings.push(locate(Finding { help: Some(help), ..rule.finding(message) }, checked.manifest, &path));
    }
    findings
}
