//! A key that stands twice in one mapping.

use crate::finding::{Finding, Label, Level};
use crate::lint::{Doc, Input, Rule};
use std::sync::Arc;

pub(super) static RULE: Rule = Rule {
    name: "duplicate-key",
    level: Level::Error,
    doc: Doc {
        finds: "A key that stands twice in the same mapping of a ClusterExtension or ClusterCatalog.",
        why: "`kubectl` refuses such a file. Tools that do not refuse it take the last value, and a reviewer reads the first.",
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
      version: 0.6.0
      version: 0.7.0
",
        fix: "Keep one of the two.",
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
      version: 0.7.0
",
    },
    check,
};

fn check(rule: &Rule, input: &Input<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut manifests = input.manifests;
    // The objects of one document stand side by side.
    while let Some(first) = manifests.first() {
        let count = manifests.iter().take_while(|m| Arc::ptr_eq(&m.places, &first.places)).count();
        let (document, rest) = manifests.split_at(count);
        manifests = rest;
        for duplicate in first.places.duplicate_keys() {
            let concerns = |item: &[_]| duplicate.path.0.starts_with(item) || item.starts_with(&duplicate.path.0);
            if !document.iter().any(|m| concerns(&m.item.0)) {
                continue;
            }
            let message = format!("{} stands here twice; kubectl refuses the file, other tools take the last", duplicate.path);
            findings.push(Finding {
                path: Some(first.path.clone()),
                place: Some(duplicate.again),
                field: Some(duplicate.path.clone()),
                help: Some("keep one of the two".to_owned()),
                labels: vec![Label { path: first.path.clone(), place: duplicate.first, text: "first here".to_owned() }],
                ..rule.finding(message)
            });
        }
    }
    findings
}
