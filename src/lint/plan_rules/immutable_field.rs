//! A change to a field that must not change.

use super::on;
use crate::finding::{Finding, Level};
use crate::lint::rule::{Doc, Rule, no_manifests};
use crate::plan::{ExtensionPlan, Plan};

pub(super) static RULE: Rule = Rule {
    name: "immutable-field",
    level: Level::Error,
    doc: Doc {
        finds: "A ClusterExtension that is there already, and of which a field changes that must not: the package, the namespace, the service account's name.",
        why: "The API server refuses the update. Argo CD or Flux then report the sync as failed, and nothing of the change takes effect.",
        bad: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: weir
spec:
  namespace: weir # at the base revision: weir-system
  serviceAccount:
    name: weir-installer
  source:
    sourceType: Catalog
    catalog:
      packageName: weir
",
        fix: "Put the field back, or give the new one another name. To move an extension, delete it first and create it anew; what it had installed, its CRDs included, is deleted with it.",
        good: extension!("weir", "\n"),
    },
    check: no_manifests,
};

pub(super) fn check(rule: &Rule, plan: &Plan) -> Vec<Finding> {
    plan.extensions.iter().flat_map(|e| extension(rule, e)).collect()
}

fn extension(rule: &Rule, extension: &ExtensionPlan) -> Vec<Finding> {
    let errors = extension.after.iter().flat_map(|after| &after.frozen);
    let finding = |error: &crate::api::schema::SchemaError| {
        let message = format!("the API server refuses the update of {}: {}", error.field, error.message);
        let mut finding = on(rule, extension, &error.field, message);
        finding.help =
            Some("put the field back; to move an extension, delete it first, and what it installed with it".to_owned());
        finding
    };
    errors.map(finding).collect()
}
