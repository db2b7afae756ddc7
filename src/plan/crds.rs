//! The CRD upgrade safety check of one extension: which CRDs are compared, what is found, and where both sides stand.

use super::build::Before;
use super::compared::{CrdFinding, CrdVerdict};
use super::model::{ExtensionState, Problem, ProblemKind};
use super::world::World;
use crate::api::CrdUpgradeSafety;
use crate::crd::{self, CrdFile, CrdFiles, Pointer, Policy, Side};
use crate::finding::Label;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The objects of what is installed, and the image of the bundle that they come from.
#[derive(Debug, Clone, Default)]
pub(super) struct Applied {
    pub(super) objects: Arc<Vec<Value>>,
    pub(super) image: Option<String>,
}

/// Checks the CRDs of the bundle against those that are there: as the cluster has them, else as the installed bundle brought
/// them, else as the tree before has them. The controller looks them up by name, whoever made them.
pub(super) fn verdict(
    after: &ExtensionState,
    installed: &Result<Applied, Problem>,
    before: Before<'_>,
    world: &World<'_>,
) -> CrdVerdict {
    let Some(objects) = after.outcome.objects() else { return CrdVerdict::NotApplicable };
    let enforced = after.view.crd_upgrade_safety() == CrdUpgradeSafety::Strict;
    let policy = Policy::olm(&after.target);
    let approximation = policy.approximation();
    let unanswered = |problem: Problem| match enforced {
        true => CrdVerdict::Unknown(problem),
        // Where the check is switched off, nothing that keeps it from an answer stops the upgrade.
        false => {
            let (findings, texts) = (Vec::new(), BTreeMap::new());
            CrdVerdict::Checked { findings, changes: Err(problem.message), enforced, approximation, texts }
        }
    };
    let brought: BTreeMap<&str, &Value> = match installed {
        Ok(applied) => applied.objects.iter().filter_map(named_crd).collect(),
        Err(_) => BTreeMap::new(),
    };
    let image = installed.as_ref().ok().and_then(|applied| applied.image.as_deref());
    let mut there: BTreeMap<&str, (&Value, Origin<'_>)> = BTreeMap::new();
    for (name, _) in objects.iter().filter_map(named_crd) {
        let of_bundle = || brought.get(name).map(|crd| (*crd, Origin::Image(image)));
        match (of_files(before.cluster_crds, name).or_else(of_bundle).or_else(|| of_files(before.tree_crds, name)), installed) {
            (Some(found), _) => _ = there.insert(name, found),
            (None, Err(problem)) => return unanswered(problem.clone()),
            (None, Ok(_)) => {}
        }
    }
    let befores = || there.values().map(|(crd, _)| *crd);
    let findings = match crd::check_all(befores(), objects.iter(), &policy) {
        Ok(findings) => findings,
        Err(error) => return unanswered(Problem { message: error.to_string(), kind: ProblemKind::Input }),
    };
    if there.is_empty() {
        return CrdVerdict::NotApplicable;
    }
    let after_image = after.outcome.resolved().map(|resolved| resolved.image.as_str());
    let mut texts = BTreeMap::new();
    let mut label = |name: &str, pointer: &Pointer, text: String| {
        let origin = match pointer.side {
            Side::Before => there.get(name)?.1,
            Side::After => Origin::Image(after_image),
        };
        let (label, source) = origin.label(world, name, pointer, text)?;
        texts.insert(label.name(), source);
        Some(label)
    };
    let findings = findings
        .into_iter()
        .map(|finding| {
            let (was, is) = finding.sides();
            let before = label(&finding.crd, &finding.before_field, was);
            let after = label(&finding.crd, &finding.after_field, is);
            CrdFinding { finding, waiver: None, before, after }
        })
        .collect();
    CrdVerdict::Checked {
        findings,
        changes: crd::changes_all(befores(), objects.iter()).map_err(|e| e.to_string()),
        enforced,
        approximation,
        texts,
    }
}

fn of_files<'a>(files: &'a CrdFiles, name: &str) -> Option<(&'a Value, Origin<'a>)> {
    files.crds.get(name).map(|file| (file.crd(), Origin::Files(files)))
}

/// Where a CRD comes from.
#[derive(Clone, Copy)]
enum Origin<'a> {
    /// Files that were read.
    Files(&'a CrdFiles),
    /// A bundle's image, where that is known.
    Image(Option<&'a str>),
}

impl Origin<'_> {
    /// The place of a field, and the text that it is in; `None` where the CRD is in no file.
    fn label(self, world: &World<'_>, name: &str, pointer: &Pointer, text: String) -> Option<(Label, Arc<str>)> {
        let place = |file: &CrdFile| file.place(&pointer.field());
        match self {
            Self::Files(files) => {
                let file = files.crds.get(name)?;
                let label = Label { image: None, path: file.path.to_string(), place: place(file), text };
                Some((label, Arc::clone(files.texts.get(&file.path)?)))
            }
            Self::Image(image) => {
                let image = image?;
                let files = world.crd_files(image)?;
                let file = files.crds.get(name)?;
                let label = match world.folder(image) {
                    Some(folder) => Label { image: None, path: format!("{folder}/{}", file.path), place: place(file), text },
                    None => Label { image: Some(image.to_owned()), path: file.path.to_string(), place: place(file), text },
                };
                Some((label, Arc::clone(files.texts.get(&file.path)?)))
            }
        }
    }
}

/// A CRD and its name.
fn named_crd(object: &Value) -> Option<(&str, &Value)> {
    let is_crd = object.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition");
    let name = object.pointer("/metadata/name").and_then(Value::as_str)?;
    is_crd.then_some((name, object))
}
