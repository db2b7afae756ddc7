//! Rules that look at a whole plan: what the change comes to, not how it is written. One a file.

/// The manifest of an extension for a rule's example: all that it must have up to the package's name, and what follows that.
macro_rules! extension {
    ($name:literal, $rest:literal) => {
        concat!(
            "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: ",
            $name,
            "\nspec:\n  namespace: ",
            $name,
            "-system\n  serviceAccount:\n    name: ",
            $name,
            "-installer\n  source:\n    sourceType: Catalog\n    catalog:\n      packageName: ",
            $name,
            $rest
        )
    };
}

mod deprecated_choice;
mod downgraded_extension;
mod immutable_field;
mod refused_bundle;
mod removed_extension;
mod unchecked_crds;
mod unenforced_crd_check;
mod unreadable_image;
mod unresolved_extension;
mod unsafe_crd_upgrade;
mod unselected_catalog;

pub use refused_bundle::help as refusal_help;

use super::Rule;
use crate::finding::Finding;
use crate::place::FieldPath;
use crate::plan::{ExtensionPlan, Plan};

/// A rule, and what it does with a plan.
pub(super) type PlanRule = (&'static Rule, fn(&Rule, &Plan) -> Vec<Finding>);

/// Every such rule, by name.
pub(super) static ALL: [PlanRule; 11] = [
    (&deprecated_choice::RULE, deprecated_choice::check),
    (&downgraded_extension::RULE, downgraded_extension::check),
    (&immutable_field::RULE, immutable_field::check),
    (&refused_bundle::RULE, refused_bundle::check),
    (&removed_extension::RULE, removed_extension::check),
    (&unchecked_crds::RULE, unchecked_crds::check),
    (&unenforced_crd_check::RULE, unenforced_crd_check::check),
    (&unreadable_image::RULE, unreadable_image::check),
    (&unresolved_extension::RULE, unresolved_extension::check),
    (&unsafe_crd_upgrade::RULE, unsafe_crd_upgrade::check),
    (&unselected_catalog::RULE, unselected_catalog::check),
];

/// A finding of a rule on an extension, at a field of it where it is still there.
fn on(rule: &Rule, extension: &ExtensionPlan, field: &str, message: impl Into<String>) -> Finding {
    let mut finding = rule.finding(message);
    finding.cluster.clone_from(&extension.cluster);
    finding.extension = Some(extension.name.clone());
    if let Some(after) = &extension.after {
        let manifest = &after.view.manifest;
        let path = FieldPath::of(field);
        finding.path = Some(manifest.path.clone());
        finding.place = Some(manifest.place(&path));
        finding.field = Some(manifest.field(&path));
    }
    finding
}

/// The field that a reader would change to get another bundle.
fn decisive_field(extension: &ExtensionPlan) -> &'static str {
    match &extension.after {
        Some(after) if after.view.version().is_some() => "spec.source.catalog.version",
        _ => "spec.source.catalog.packageName",
    }
}
