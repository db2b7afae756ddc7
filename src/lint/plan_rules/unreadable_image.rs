//! An image that cannot be had, or does not hold what it should.

use super::{decisive_field, on};
use crate::finding::{Finding, Level};
use crate::lint::rule::{Doc, Rule, no_manifests};
use crate::place::FieldPath;
use crate::plan::{CatalogContent, CatalogState, ExtensionPlan, Outcome, Plan};

pub(super) static RULE: Rule = Rule {
    name: "unreadable-image",
    level: Level::Error,
    doc: Doc {
        finds: "A catalog's or a bundle's image that cannot be had (a registry does not answer, has no such tag, wants a login) or that does not hold what it should (no catalog label, a wrong digest, a catalog or bundle that is malformed).",
        why: "There is no answer for the extensions that need it. Where the image itself is at fault, the cluster will fail on it too.",
        bad: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  name: orchard
spec:
  source:
    type: Image
    image:
      ref: registry.example/catalogs/orchad:v1 # a slip in the name
",
        fix: "The message says what to do: put the reference right, log in, name the certificate authority, map the image to a folder with `[[image]]`, or run again. Exit code 3 means that a second try may help.",
        good: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  name: orchard
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
    let catalogs = plan.catalogs.iter().filter_map(|c| catalog(rule, c));
    catalogs.chain(plan.extensions.iter().filter_map(|e| extension(rule, e))).collect()
}

fn catalog(rule: &Rule, catalog: &CatalogState) -> Option<Finding> {
    let CatalogContent::Failed(problem) = &catalog.content else { return None };
    let manifest = &catalog.view.manifest;
    let field = FieldPath::of("spec.source.image.ref");
    let mut finding = rule.finding(format!("ClusterCatalog {} cannot be read: {}", catalog.view.name(), problem.message));
    finding.cluster.clone_from(&catalog.cluster);
    finding.path = Some(manifest.path.clone());
    finding.place = Some(manifest.place(&field));
    finding.field = Some(manifest.field(&field));
    Some(finding)
}

fn extension(rule: &Rule, extension: &ExtensionPlan) -> Option<Finding> {
    match &extension.after.as_ref()?.outcome {
        Outcome::Unreadable { resolved, problem } => {
            let message = format!("the image of {} cannot be read: {}", resolved.bundle, problem.message);
            Some(on(rule, extension, decisive_field(extension), message))
        }
        Outcome::Unanswered(_) => {
            let mut finding = on(
                rule,
                extension,
                "spec.source.catalog.packageName",
                "there is no answer: a catalog that it selects cannot be read",
            );
            finding.help = Some("put the catalog right, or select others with spec.source.catalog.selector".to_owned());
            Some(finding)
        }
        _ => None,
    }
}
