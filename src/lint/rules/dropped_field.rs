//! The API server would drop a field without a word.

use crate::api::schema::{Dropped, Schema, Set, named};
use crate::finding::{Finding, Level};
use crate::lint::input::{Checked, locate};
use crate::lint::{Doc, Input, Rule};
use crate::nearest::nearest;
use crate::place::{FieldPath, Step};
use crate::target::{Gate, Target};

pub(super) static RULE: Rule = Rule {
    name: "dropped-field",
    level: Level::Error,
    doc: Doc {
        finds: "A field that the target's CRD does not know. The API server drops it without a word.",
        why: "The change looks as if it did something, and does not: a misspelled `channel` lets every channel in. Fields differ from \
              release to release, and some are there only where a feature gate is on.",
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
      channel: [alpha]
",
        fix: "Correct the field's name, put it where it belongs, or remove it. Where it is right and the release is not, set `target` and \
              the feature gates to what the cluster runs. Fields of `status` are a note only: nobody applies them.",
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
      channels: [alpha]
",
    },
    check,
};

fn check(rule: &Rule, input: &Input<'_>) -> Vec<Finding> {
    let finding = |checked: &Checked<'_>, dropped: &Dropped| {
        let message = format!(
            "{} is no field of {} in {}; the API server drops it without a word",
            dropped.field, checked.kind, input.target
        );
        let in_status = dropped.path.0.first() == Some(&Step::Key("status".to_owned()));
        let found = rule.finding(message);
        let level = if in_status { Level::Note } else { found.level };
        let finding = Finding { level, help: help(checked, dropped, input.target), ..found };
        Finding {
            place: Some(checked.manifest.key_place(&dropped.path)),
            field: Some(checked.manifest.field(&named(&dropped.field))),
            ..locate(finding, checked.manifest, &dropped.path)
        }
    };
    input.checked().iter().flat_map(|checked| checked.verdict.dropped.iter().map(move |d| finding(checked, d))).collect()
}

fn help(checked: &Checked<'_>, dropped: &Dropped, target: &Target) -> Option<String> {
    let Some(Step::Key(name)) = dropped.path.0.last() else { return None };
    let parent = dropped.path.parent()?;
    let served = |minor, set| Schema::served(checked.kind, minor, set).has(&dropped.path);
    let minor = target.schema_minor();
    if !target.experimental_schema() && served(minor, Set::Experimental) {
        let gates = [Gate::SingleOwnNamespaceInstallSupport, Gate::DeploymentConfig];
        let off: Vec<&str> = gates.into_iter().filter(|g| target.knows(*g) && !target.has(*g)).map(Gate::name).collect();
        return Some(format!(
            "{target} has the field only where the feature gate {} is on; where the cluster runs with it, say so: --feature-gates NAME=true",
            off.join(" or ")
        ));
    }
    if let Some(minor) = (0..Schema::RELEASES).find(|minor| served(*minor, Set::Standard)) {
        return Some(format!("operator-controller 1.{minor} has the field; set the target to what the cluster runs"));
    }
    if let Some(minor) = (0..Schema::RELEASES).find(|minor| served(*minor, Set::Experimental)) {
        return Some(format!(
            "operator-controller 1.{minor} has the field where feature gates are on; set the target to what the cluster runs"
        ));
    }
    let known = checked.schema.fields(&parent);
    if let Some(meant) = nearest(name, known.iter().copied()) {
        return Some(format!("did you mean `{meant}`?"));
    }
    if let Some(path) = checked.schema.elsewhere(name).first() {
        return Some(format!("did you mean `{path}`?"));
    }
    Some(match known.as_slice() {
        [] => "remove it".to_owned(),
        known => format!("remove it; the fields {} are {}", place_words(&parent), known.join(", ")),
    })
}

fn place_words(parent: &FieldPath) -> String {
    if parent.0.is_empty() { "of the object".to_owned() } else { format!("of `{parent}`") }
}
