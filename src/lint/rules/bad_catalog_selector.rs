//! A catalog selector that the API server takes and the controller cannot read.

use crate::api::{ClusterExtension, LabelSelector};
use crate::finding::{Finding, Level};
use crate::lint::input::locate;
use crate::lint::{Doc, Input, Rule};

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
    for checked in input.checked() {
        let Some(extension) = ClusterExtension::read(checked.manifest, input.target) else { continue };
        let Some(selector) = extension.selector() else { continue };
        // What has the wrong shape, the API server refuses.
        let Ok(read) = LabelSelector::from_value(selector.value) else { continue };
        let Err(error) = read.selector() else { continue };
        let message = format!("the controller cannot read the catalog selector: {error}");
        let help = "the operators are In and NotIn with values, Exists and DoesNotExist without".to_owned();
        findings.push(locate(Finding { help: Some(help), ..rule.finding(message) }, checked.manifest, &selector.path));
    }
    findings
}
