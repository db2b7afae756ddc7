//! Two objects of one kind and name.

use crate::api::{Kind, Manifest};
use crate::finding::{Finding, Label, Level};
use crate::lint::input::locate;
use crate::lint::{Doc, Input, Rule};
use crate::place::FieldPath;
use std::collections::BTreeMap;

pub(super) static RULE: Rule = Rule {
    name: "duplicate-name",
    level: Level::Error,
    doc: Doc {
        finds: "Two ClusterExtensions, or two ClusterCatalogs, of the same name for the same cluster.",
        why: "There can be only one in the cluster: the one that is applied last wins, and the two may take turns with every sync.",
        bad: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  name: operatorhubio
spec:
  source:
    type: Image
    image:
      ref: quay.io/operatorhubio/catalog:latest
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  name: operatorhubio
spec:
  source:
    type: Image
    image:
      ref: quay.io/example/catalog:latest
",
        fix: "Rename one of the two, or remove it. Where the two are for different clusters, name the clusters in `olmplan.toml`.",
        good: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  name: operatorhubio
spec:
  source:
    type: Image
    image:
      ref: quay.io/operatorhubio/catalog:latest
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  name: example
spec:
  source:
    type: Image
    image:
      ref: quay.io/example/catalog:latest
",
    },
    check,
};

fn check(rule: &Rule, input: &Input<'_>) -> Vec<Finding> {
    let field = FieldPath::of("metadata.name");
    let mut named: BTreeMap<(Kind, &str), Vec<&Manifest>> = BTreeMap::new();
    for checked in input.checked().iter().filter(|c| !c.manifest.name().is_empty()) {
        named.entry((checked.kind, checked.manifest.name())).or_default().push(checked.manifest);
    }
    let mut findings = Vec::new();
    for ((kind, name), mut manifests) in named {
        manifests.sort_by(|a, b| (&a.path, a.place(&field), &a.item).cmp(&(&b.path, b.place(&field), &b.item)));
        let Some((first, others)) = manifests.split_first() else { continue };
        for other in others {
            let label =
                Label { image: None, path: first.path.clone(), place: first.place(&field), text: "the other one".to_owned() };
            let finding = Finding {
                help: Some("rename one of the two, or remove it".to_owned()),
                labels: vec![label],
                ..rule.finding(format!("there is another {kind} of the name {name} in {}", first.path))
            };
            findings.push(locate(finding, other, &field));
        }
    }
    findings
}
