//! A catalog that no extension looks into.

use crate::finding::{Finding, Level};
use crate::lint::rule::{Doc, Rule, no_manifests};
use crate::place::FieldPath;
use crate::plan::{CatalogContent, Plan, Status};

pub(super) static RULE: Rule = Rule {
    name: "unselected-catalog",
    level: Level::Note,
    doc: Doc {
        finds: "A ClusterCatalog that no ClusterExtension of the tree selects.",
        why: "It costs the cluster memory and pulls for nothing, unless somebody else's extensions use it; or a selector or a label has a slip.",
        bad: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  name: orchard
  labels:
    support: comunity # the extensions select support=community
spec:
  source:
    type: Image
    image:
      ref: registry.example/catalogs/orchard:v1
",
        fix: "Compare its labels with the selectors; set `availabilityMode: Unavailable`, or remove it, where nobody needs it.",
        good: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  name: orchard
  labels:
    support: community
spec:
  source:
    type: Image
    image:
      ref: registry.example/catalogs/orchard:v1
",
    },
    check: no_manifests,
};

pub(super) fn check(rule: &Rule, plan: &Plan) -> Vec<Finding> {
    // Of an extension that the API server refuses, it is not known what it selects.
    let unclear = |cluster: &Option<String>| plan.extensions.iter().any(|e| e.cluster == *cluster && e.status == Status::Refused);
    let unselected = plan.catalogs.iter().filter(|c| matches!(c.content, CatalogContent::Unselected) && !unclear(&c.cluster));
    let finding = |catalog: &crate::plan::CatalogState| {
        let manifest = &catalog.view.manifest;
        let field = FieldPath::of("metadata.name");
        let mut finding = rule.finding(format!("no ClusterExtension here selects the catalog {}", catalog.view.name()));
        finding.cluster.clone_from(&catalog.cluster);
        finding.path = Some(manifest.path.clone());
        finding.place = Some(manifest.place(&field));
        finding.help = Some("compare its labels with the extensions' selectors".to_owned());
        finding
    };
    unselected.map(finding).collect()
}
