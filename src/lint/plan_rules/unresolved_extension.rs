//! An extension for which the controller finds no bundle.

use super::{decisive_field, on};
use crate::finding::{Finding, Level};
use crate::lint::rule::{Doc, Rule, no_manifests};
use crate::plan::{ExtensionPlan, ExtensionState, Outcome, Plan};
use crate::resolve::CatalogVerdict;

pub(super) static RULE: Rule = Rule {
    name: "unresolved-extension",
    level: Level::Error,
    doc: Doc {
        finds: "A ClusterExtension for which the controller finds no bundle, or finds several and cannot choose. The message is the controller's own.",
        why: "The extension is not installed, or stays at what is installed, and reports `Progressing: False` or retries without end.",
        bad: extension!(
            "millstone",
            "
      version: 3.x # installed is 1.0.3, and the only edge to 3.0.0 starts at 2.1.0
"
        ),
        fix: "Take the way out that the finding names: an upgrade on the way, another channel, a wider range, a selector or a priority that settles which catalog counts. `olmplan resolve --explain` shows each candidate and the test that it failed.",
        good: extension!(
            "millstone",
            "
      version: 2.1.0 # first this one, then 3.x
"
        ),
    },
    check: no_manifests,
};

pub(super) fn check(rule: &Rule, plan: &Plan) -> Vec<Finding> {
    plan.extensions.iter().filter_map(|e| extension(rule, e)).collect()
}

/// Says so where no catalog was looked into at all.
fn nowhere_to_look(after: &ExtensionState) -> Option<String> {
    let catalogs = &after.story.as_ref()?.catalogs;
    if catalogs.is_empty() {
        return Some("there is no ClusterCatalog in what was read: name the folder that holds it as well".to_owned());
    }
    let selected = catalogs.iter().any(|c| !matches!(c.verdict, CatalogVerdict::NotSelected | CatalogVerdict::Unavailable));
    let each: Vec<String> = catalogs.iter().map(|c| format!("{}: {}", c.catalog, c.reason)).collect();
    (!selected).then(|| format!("no catalog is looked into: {}", each.join("; ")))
}

fn extension(rule: &Rule, extension: &ExtensionPlan) -> Option<Finding> {
    let after = extension.after.as_ref()?;
    let Outcome::Unresolved { message, keeps_installed } = &after.outcome else { return None };
    let mut finding = on(rule, extension, decisive_field(extension), message.clone());
    let mut help: Vec<String> = after.hints.iter().map(ToString::to_string).collect();
    help.extend(nowhere_to_look(after));
    if *keeps_installed {
        finding.level = Level::Warning;
        help.push("the cluster keeps what is installed, and reports no error".to_owned());
    }
    if help.is_empty() {
        help.push("`olmplan resolve --explain` shows each candidate and the test that it failed".to_owned());
    }
    finding.help = Some(help.join("\n"));
    Some(finding)
}
