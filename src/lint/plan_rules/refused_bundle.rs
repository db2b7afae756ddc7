//! A bundle, or a configuration of it, that the controller refuses.

use super::{decisive_field, on};
use crate::finding::{Finding, Label, Level};
use crate::lint::rule::{Doc, Rule, no_manifests};
use crate::plan::{ExtensionPlan, Outcome, Plan};
use crate::render::{ConfigProblem, Missing, RenderError};
use crate::target::Target;

pub(super) static RULE: Rule = Rule {
    name: "refused-bundle",
    level: Level::Error,
    doc: Doc {
        finds: "A bundle that the controller resolves to and then refuses: it has something that the target does not install, fails the controller's checks, or does not fit `spec.config`. The message is the controller's own.",
        why: "Nothing is applied. What is installed stays, and the extension reports the error.",
        bad: extension!(
            "kettle",
            "
  config:
    configType: Inline
    inline:
      watchNamespace: 7 # no name of a namespace
"
        ),
        fix: "Put the field right that the finding points at; turn on the gate or move to the release that it names; or choose another version of the bundle.",
        good: extension!(
            "kettle",
            "
  config:
    configType: Inline
    inline:
      watchNamespace: kitchen
"
        ),
    },
    check: no_manifests,
};

pub(super) fn check(rule: &Rule, plan: &Plan) -> Vec<Finding> {
    plan.extensions.iter().filter_map(|e| extension(rule, e)).collect()
}

fn extension(rule: &Rule, extension: &ExtensionPlan) -> Option<Finding> {
    let after = extension.after.as_ref()?;
    let Outcome::NotRendered { resolved, error } = &after.outcome else { return None };
    let field = match error {
        RenderError::Config { problems, .. } => problems.first().map(|p| &p.field),
        RenderError::DeploymentConfig { field, .. } => Some(field),
        _ => None,
    };
    let mut finding = on(rule, extension, decisive_field(extension), error.to_string());
    if let Some(field) = field {
        let manifest = &after.view.manifest;
        finding.place = Some(manifest.place(field));
        finding.field = Some(manifest.field(field));
    }
    if let RenderError::Config { problems, .. } = error {
        let manifest = &after.view.manifest;
        let label = |problem: &ConfigProblem| Label {
            image: None,
            path: manifest.path.clone(),
            place: manifest.place(&problem.field),
            text: problem.message.clone(),
        };
        finding.labels.extend(problems.iter().skip(1).map(label));
    }
    finding.help = Some(help(error, &after.target, &resolved.bundle));
    Some(finding)
}

/// What to do about a refusal: the gate, the first target that can, or what else.
pub fn help(error: &RenderError, target: &Target, bundle: &str) -> String {
    match error {
        RenderError::Rendering(inner) => help(inner, target, bundle),
        RenderError::Unsupported { missing: Some(missing), .. }
        | RenderError::Config { missing: Some(missing), .. }
        | RenderError::TargetNamespaces { missing: Some(missing), .. } => needs(missing, target),
        RenderError::Config { .. } | RenderError::DeploymentConfig { .. } | RenderError::WatchNamespaceAnnotation { .. } => {
            "put the configuration right".to_owned()
        }
        _ => format!("{bundle} cannot be installed by {target}; choose another version, or tell its author"),
    }
}

fn needs(missing: &Missing, target: &Target) -> String {
    let gate = missing.gate.name();
    match &missing.since {
        _ if target.knows(missing.gate) => format!(
            "this needs the feature gate {gate}, which is off on {target}; where the cluster has it on, say so: --feature-gates {gate}=true"
        ),
        Some(since) => format!("{target} cannot do this; the first target that can, with the feature gate {gate}, is {since}"),
        None => format!("{target} cannot do this, and no later target can"),
    }
}
