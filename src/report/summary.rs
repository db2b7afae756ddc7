//! What every report says of a plan: a headline, a row an extension.

use super::level_name;
use super::printable::printable;
use crate::finding::{Finding, Level};
use crate::plan::{CrdVerdict, ExtensionPlan, ObjectChange, Outcome, Plan, Status};
use crate::render;

/// A finding that the configuration leaves out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    /// The finding.
    pub finding: Finding,
    /// The reason that the configuration gives.
    pub reason: String,
}

/// All that a report of a plan speaks of.
#[derive(Debug)]
pub struct Report<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The findings, in their order.
    pub findings: &'a [Finding],
    /// What the configuration leaves out.
    pub ignored: &'a [Ignored],
    /// The texts that findings point into.
    pub sources: &'a super::Sources,
}

/// One extension in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) status: Status,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) catalog: String,
    pub(super) objects: String,
}

/// Stands for "nothing" in a table.
pub(super) const NOTHING: &str = "-";

/// The rows, what needs eyes first.
pub(super) fn rows(plan: &Plan) -> Vec<Row> {
    let mut extensions: Vec<&ExtensionPlan> = plan.extensions.iter().collect();
    extensions.sort_by_key(|e| (weight(e.status), &e.cluster, &e.name));
    extensions.into_iter().map(row).collect()
}

/// The place of a status in a report: what needs eyes first.
fn weight(status: Status) -> u8 {
    match status {
        Status::Unknown => 0,
        Status::Refused => 1,
        Status::Blocked => 2,
        Status::Unsafe => 3,
        Status::Removed => 4,
        Status::Downgrade => 5,
        Status::Upgrade => 6,
        Status::Changed => 7,
        Status::New => 8,
        Status::Unchanged => 9,
    }
}

fn row(extension: &ExtensionPlan) -> Row {
    let resolved = extension.after.as_ref().and_then(|a| a.outcome.resolved());
    let nothing = || NOTHING.to_owned();
    Row {
        name: full_name(extension.cluster.as_deref(), &extension.name),
        status: extension.status,
        before: extension.installed.as_ref().map_or_else(nothing, |i| i.bundle.version.clone()),
        after: resolved.map_or_else(nothing, |r| r.version.to_string()),
        catalog: resolved.map_or_else(nothing, |r| r.catalog.clone()),
        objects: extension.changes.as_ref().map_or_else(|_| nothing(), |c| object_counts(c)),
    }
}

/// `cluster/name`, or the name alone.
pub(super) fn full_name(cluster: Option<&str>, name: &str) -> String {
    let full = cluster.map_or_else(|| name.to_owned(), |cluster| format!("{cluster}/{name}"));
    printable(&full).into_owned()
}

/// `+7 ~2 -1`: added, changed, removed.
pub(super) fn object_counts(changes: &[ObjectChange]) -> String {
    let count = |sign: char, n: usize| (n > 0).then(|| format!("{sign}{n}"));
    let of = |test: fn(&ObjectChange) -> bool| changes.iter().filter(|c| test(c)).count();
    let counts = [
        count('+', of(|c| c.before.is_none())),
        count('~', of(|c| c.before.is_some() && c.after.is_some())),
        count('-', of(|c| c.after.is_none())),
    ];
    let shown: Vec<String> = counts.into_iter().flatten().collect();
    if shown.is_empty() { "none".to_owned() } else { shown.join(" ") }
}

/// How many extensions have each status, what needs eyes first: "1 blocked, 1 unsafe, 2 unchanged".
pub(super) fn headline(plan: &Plan) -> String {
    let mut statuses: Vec<Status> = plan.extensions.iter().map(|e| e.status).collect();
    statuses.sort_by_key(|s| weight(*s));
    let mut parts: Vec<String> = Vec::new();
    for group in statuses.chunk_by(|a, b| a == b) {
        let word = group.first().map(|s| s.word()).unwrap_or_default();
        parts.push(format!("{} {word}", group.len()));
    }
    if parts.is_empty() { "no ClusterExtension".to_owned() } else { parts.join(", ") }
}

/// "4 extensions on olm-1.11, compared with olmplan.lock".
pub(super) fn subject(plan: &Plan) -> String {
    let extensions = counted(plan.extensions.len(), "extension");
    let targets = plan.targets.join(", ");
    match &plan.compared_with {
        Some(before) => format!("{extensions} on {targets}, compared with {before}"),
        None => format!("{extensions} on {targets}, with nothing to compare with"),
    }
}

/// In what updates of the targets' releases check CRDs otherwise, and objects are not known to the last detail, each target's words once.
pub fn approximations(plan: &Plan) -> Vec<String> {
    let said = |e: &ExtensionPlan| {
        let after = e.after.as_ref()?;
        let of_crds = match &e.crds {
            CrdVerdict::Checked { approximation, .. } => *approximation,
            _ => None,
        };
        let of_objects = after.outcome.objects().and_then(|objects| render::approximation(&after.target, objects));
        Some([of_crds, of_objects].map(|words| words.map(|words| format!("approximated on {}: {words}", after.target))))
    };
    let all: std::collections::BTreeSet<String> = plan.extensions.iter().filter_map(said).flatten().flatten().collect();
    all.into_iter().collect()
}

/// "2 errors, 1 warning".
pub(super) fn finding_counts(findings: &[Finding]) -> String {
    let parts: Vec<String> = [Level::Error, Level::Warning, Level::Note]
        .into_iter()
        .map(|level| (level, findings.iter().filter(|f| f.level == level).count()))
        .filter(|(_, n)| *n > 0)
        .map(|(level, n)| counted(n, level_name(level)))
        .collect();
    if parts.is_empty() { "no findings".to_owned() } else { parts.join(", ") }
}

/// "1 error", "2 errors".
pub(super) fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// The controller's words for an extension that gets nothing.
pub(super) fn failure(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Unresolved { message, .. } => Some(message.clone()),
        Outcome::NotRendered { error, .. } => Some(error.to_string()),
        Outcome::Unanswered(problem) | Outcome::Unreadable { problem, .. } => Some(problem.message.clone()),
        Outcome::Refused => Some("the API server refuses the ClusterExtension".to_owned()),
        Outcome::Unasked | Outcome::Resolved(_) | Outcome::Rendered { .. } => None,
    }
}

/// How many findings of a group are shown.
pub(super) const SHOWN: usize = 12;

/// Whether two findings are of one rule and stand at one place, and so are shown as one.
pub(super) fn one_place(a: &Finding, b: &Finding) -> bool {
    let key = |f: &Finding| (f.rule, f.level, f.place);
    let whose = |f: &Finding| (f.path.clone(), f.extension.clone(), f.cluster.clone());
    a.place.is_some() && key(a) == key(b) && whose(a) == whose(b)
}

/// What each finding of a group says and, on lines of their own, the other places that it speaks of; the first of them.
pub(super) fn messages(group: &[Finding]) -> impl Iterator<Item = (&str, Vec<String>)> {
    group.iter().take(SHOWN).map(|f| (f.message.as_str(), f.labels.iter().map(ToString::to_string).collect()))
}

/// What to do about a group of findings, each thing once.
pub(super) fn helps(group: &[Finding]) -> Vec<&str> {
    let mut helps: Vec<&str> = Vec::new();
    for help in group.iter().filter_map(|f| f.help.as_deref()) {
        if !helps.contains(&help) {
            helps.push(help);
        }
    }
    helps
}
