//! A file that speaks of the API and cannot be read.

use crate::api::GROUP;
use crate::finding::{Finding, Level};
use crate::lint::{Broken, Doc, Input, Rule};

pub(super) static RULE: Rule = Rule {
    name: "invalid-manifest",
    level: Level::Error,
    doc: Doc {
        finds: "A file that names the API group `olm.operatorframework.io` and is no YAML or JSON to Kubernetes. Files that do not \
                name it, chart templates for instance, are passed over.",
        why: "Nothing from the break on can be applied, and nothing of it can be checked here.",
        bad: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: argocd
spec:
  namespace: argocd
  source: sourceType: Catalog
",
        fix: "Correct the file at the place that the finding names.",
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
",
    },
    check,
};

fn check(rule: &Rule, input: &Input<'_>) -> Vec<Finding> {
    let finding = |broken: &Broken| Finding {
        path: Some(broken.path.clone()),
        place: broken.error.place,
        help: Some("correct the file; nothing from here on can be applied or checked".to_owned()),
        ..rule.finding(format!("this is no manifest that Kubernetes can read: {}", broken.error))
    };
    let ours = input.broken.iter().filter(|b| memchr::memmem::find(b.text.as_bytes(), GROUP.as_bytes()).is_some());
    ours.map(finding).collect()
}
