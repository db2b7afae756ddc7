//! What changes of CRDs, beside the verdict on it.

use super::summary::{NOTHING, counted, full_name};
use crate::crd;
use crate::finding::Level;
use crate::plan::{CrdFinding, CrdVerdict, ExtensionPlan, Plan};

/// The CRDs of an extension that change, and all that changes.
pub(super) struct CrdChanges {
    /// "CRDs of weir: 2 errors stop the upgrade".
    pub(super) title: String,
    /// The changes that are shown, as [`cells`] has them.
    pub(super) rows: Vec<Vec<String>>,
    /// What is not among them, in words.
    pub(super) more: Vec<String>,
}

/// How many changes of an extension's CRDs are shown.
const CHANGES: usize = 40;

/// What changes of the CRDs of each extension, beside the verdict on it.
pub(super) fn of(plan: &Plan) -> Vec<CrdChanges> {
    plan.extensions.iter().filter_map(of_extension).collect()
}

fn of_extension(extension: &ExtensionPlan) -> Option<CrdChanges> {
    let CrdVerdict::Checked { findings, changes, enforced, .. } = &extension.crds else { return None };
    let name = full_name(extension.cluster.as_deref(), &extension.name);
    let changes = match changes {
        Ok(changes) if changes.is_empty() => return None,
        Ok(changes) => changes,
        Err(why) => {
            let title = format!("CRDs of {name}: what changes is not known");
            let more = vec![why.clone()];
            return Some(CrdChanges { title, rows: Vec::new(), more });
        }
    };
    let title = format!("CRDs of {name}: {}", verdict(findings, *enforced));
    let (texts, told): (Vec<&crd::Change>, Vec<&crd::Change>) = changes.iter().partition(|c| c.is_description());
    let left_out = told.len().saturating_sub(CHANGES);
    let more = [
        (left_out > 0).then(|| format!("and {}; --format json has them all", counted(left_out, "more change"))),
        (!texts.is_empty()).then(|| format!("and {} of descriptions", counted(texts.len(), "change"))),
    ];
    let rows = told.into_iter().take(CHANGES).map(cells).collect();
    Some(CrdChanges { title, rows, more: more.into_iter().flatten().collect() })
}

/// What the check comes to: "safe", "2 errors stop the upgrade".
fn verdict(findings: &[CrdFinding], enforced: bool) -> String {
    let errors = findings.iter().filter(|f| f.finding.level == Level::Error).count();
    let waived = findings.iter().filter(|f| f.finding.level == Level::Error && f.waiver.is_some()).count();
    let verb = if errors == 1 { "stops" } else { "stop" };
    let verdict = match (errors, enforced) {
        (0, _) => "safe".to_owned(),
        (n, true) => format!("{} {verb} the upgrade", counted(n, "error")),
        (n, false) => format!("{} that the switched-off check lets through", counted(n, "error")),
    };
    if waived > 0 { format!("{verdict}, {waived} of them waived here") } else { verdict }
}

/// A change of a CRD in a table.
pub(super) fn cells(change: &crd::Change) -> Vec<String> {
    let or_nothing = |text: &Option<String>| text.clone().unwrap_or_else(|| NOTHING.to_owned());
    let value = |v: &Option<serde_json::Value>| v.as_ref().map_or_else(|| NOTHING.to_owned(), |v| short(&v.to_string()));
    let kind = match &change.keyword {
        Some(keyword) => format!("{} {keyword}", change.kind.words()),
        None => change.kind.words().to_owned(),
    };
    vec![
        change.crd.clone(),
        or_nothing(&change.version),
        or_nothing(&change.field),
        kind,
        value(&change.before),
        value(&change.after),
    ]
}

/// A value that fits a table.
fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().nth(LONGEST).is_none() {
        text.to_owned()
    } else {
        format!("{}...", text.chars().take(LONGEST).collect::<String>())
    }
}
