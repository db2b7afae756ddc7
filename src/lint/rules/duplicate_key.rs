//! A key that stands twice in one mapping.

use crate::api::Manifest;
use crate::finding::{Finding, Label, Level};
use crate::lint::input::locate;
use crate::lint::{Doc, Input, Rule};
use crate::place::FieldPath;
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
        let count = manifests.iter().take_while(|m| Arc::ptr_eq(&m.document, &first.document)).count();
        let (document, rest) = manifests.split_at(count);
        manifests = rest;
        for duplicate in first.document.duplicate_keys() {
            let path = &duplicate.path.0;
            let concerned = |m: &&Manifest| path.starts_with(&m.item.0) || m.item.0.starts_with(path);
            let Some(manifest) = document.iter().find(concerned) else { continue };
            let message = format!("{} stands here twice; kubectl refuses the file, other tools take the last", duplicate.path);
            findings.push(Finding {
                place: Some(duplicate.again),
                field: Some(duplicate.path.clone()),
                help: Some("keep one of the two".to_owned()),
                labels: vec![Label {
                    image: None,
                    path: first.path.clone(),
                    place: duplicate.first,
                    text: "first here".to_owned(),
                }],
                ..locate(rule.finding(message), manifest, &FieldPath::root())
            });
        }
    }
    findings
}
