//! A catalog selector that the API server takes and the controller cannot read.

use crate::api::{Kind, LabelSelector};
use crate::finding::{Finding, Level};
use crate::lint::input::locate;
use crate::lint::{Doc, Input, Rule};
use crate::place::FieldPath;

pub(super) static RULE: Rule = Rule {
    name: "bad-catalog-selector",
    level: Level::Error,
    doc: Doc {
        finds: "A `spec.source.catalog.selector` that the API server takes, and the controller cannot read as a label selector.",
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
      selector:
        matchExpressions:
        - key: team
          operator: Is
          values: [storage]
",
        fix: "Write an operator of label selectors: `In` and `NotIn` with values, `Exists` and `DoesNotExist` without; keys and values \
              must be valid label keys and values.",
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
      selector:
        matchExpressions:
        - key: team
          operator: In
          values: [storage]
",
    },
    check,
};

fn check(rule: &Rule, input: &Input<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let path = FieldPath::of("spec.source.catalog.selector");
    for checked in input.checked().iter().filter(|c| c.kind == Kind::ClusterExtension) {
        let Some(selector) = checked.manifest.object().pointer("/spec/source/catalog/selector") else { continue };
        // What has the wrong shape, `invalid-object` speaks of.
        let Ok(selector) = LabelSelector::from_value(selector) else { continue };
        let Err(error) = selector.selector() else { continue };
        let message = format!("the controller cannot read the catalog selector: {error}");
        let help = "the operators are In and NotIn with values, Exists and DoesNotExist without".to_owned();
        findings.push(locate(Finding { help: Some(help), ..rule.finding(message) }, checked.manifest, &path));
    }
    findings
}
