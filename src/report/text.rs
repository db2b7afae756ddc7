//! For a terminal.

use super::crd_changes;
use super::printable::printable;
use super::snippet::{self, Style};
use super::summary::{self, Report};
use super::{diff, table};
use crate::crd::Change;
use crate::finding::{Finding, Level};
use crate::plan::{ExtensionPlan, Plan};
use crate::report::Sources;
use crate::resolve::{CandidateStory, Story};
use std::fmt::Write as _;

/// A plan and its findings.
pub fn check(report: &Report<'_>, style: Style) -> String {
    let mut text = format!("{}: {}\n", summary::subject(report.plan), summary::headline(report.plan));
    let rows = summary::rows(report.plan);
    if !rows.is_empty() {
        let cells =
            rows.into_iter().map(|r| vec![r.name, r.status.word().to_owned(), r.before, r.after, r.catalog, r.objects]).collect();
        text.push('\n');
        text.push_str(&table::plain(&["extension", "status", "before", "after", "catalog", "objects"], cells, style));
    }
    for words in summary::approximations(report.plan) {
        let _ = write!(text, "\n{words}\n");
    }
    text.push('\n');
    text.push_str(&findings(report.findings, report.sources, style));
    for changes in crd_changes::of(report.plan) {
        let _ = write!(text, "\n{}\n", changes.title);
        if !changes.rows.is_empty() {
            text.push_str(&change_tables(&changes.rows, style));
        }
        for more in changes.more {
            let _ = writeln!(text, "  {more}");
        }
    }
    for ignored in report.ignored {
        let place = ignored.finding.path.as_deref().unwrap_or("-");
        let _ = writeln!(
            text,
            "ignored: [{}] {}: {} ({})",
            ignored.finding.rule,
            printable(place),
            printable(&ignored.finding.message),
            printable(&ignored.reason)
        );
    }
    text
}

/// Rows of changes as [`crd_changes::cells`] has them, a table for each version of each CRD.
fn change_tables(rows: &[Vec<String>], style: Style) -> String {
    let whose = |row: &Vec<String>| row.get(..2).map(<[String]>::to_vec);
    let mut text = String::new();
    for group in rows.chunk_by(|a, b| whose(a) == whose(b)) {
        let whose: Vec<String> = group.first().and_then(whose).into_iter().flatten().filter(|w| w != summary::NOTHING).collect();
        let _ = writeln!(text, "  {}", printable(&whose.join(" ")));
        let rows = group.iter().map(|row| row.iter().skip(2).cloned().collect()).collect();
        text.push_str(&table::plain(&["field", "change", "before", "after"], rows, style));
    }
    text
}

/// Findings, and how many there are.
pub fn findings(findings: &[Finding], sources: &Sources, style: Style) -> String {
    let mut text = String::new();
    let groups: Vec<&[Finding]> = findings.chunk_by(summary::one_place).collect();
    for group in groups.iter().take(DRAWN) {
        text.push_str(snippet::draw(&together(group), sources, style).trim_start_matches('\n'));
        if !text.ends_with("\n\n") {
            text.push('\n');
        }
    }
    if let Some(more) = groups.len().checked_sub(DRAWN).filter(|n| *n > 0) {
        let _ = writeln!(text, "{more} more are not drawn here; --format json has them all\n");
    }
    let _ = writeln!(text, "{}", summary::finding_counts(findings));
    text
}

/// How many findings are drawn, and how many changes: nobody reads more.
const DRAWN: usize = 300;

/// One finding that says what each of the group says.
fn together(group: &[Finding]) -> Finding {
    let Some(first) = group.first() else { return Finding::new("", Level::Note, "") };
    let mut all = first.clone();
    if group.len() > 1 {
        let mut lines = Vec::new();
        for (message, places) in summary::messages(group) {
            lines.push(message.to_owned());
            lines.extend(places.into_iter().map(|place| format!("  {place}")));
        }
        let more = group.len().saturating_sub(summary::SHOWN);
        lines.extend((more > 0).then(|| format!("and {more} more; --format json has them all")));
        all.message = lines.join("\n");
        all.labels.clear();
        all.help = Some(summary::helps(group).join("\n"));
    }
    all
}

/// `resolve`: a line an extension, and each candidate's fate where that is asked for.
pub fn resolve(plan: &Plan, explain: bool, style: Style) -> String {
    let there: Vec<&ExtensionPlan> = plan.extensions.iter().filter(|e| e.after.is_some()).collect();
    let mut text = String::new();
    if !there.is_empty() {
        let rows = there.iter().map(|e| resolution_row(e)).collect();
        text.push_str(&table::plain(&["extension", "bundle", "version", "catalog", "installed"], rows, style));
    }
    for extension in &there {
        let Some(after) = &extension.after else { continue };
        let name = summary::full_name(extension.cluster.as_deref(), &extension.name);
        if let Some(why) = summary::failure(&after.outcome).filter(|_| after.outcome.resolved().is_none()) {
            let _ = writeln!(text, "\n{name}: {}", printable(&why));
            for hint in &after.hints {
                let _ = writeln!(text, "  {}", printable(&hint.to_string()));
            }
        }
        if let Some(story) = after.story.as_ref().filter(|_| explain) {
            let _ = write!(text, "\n{name}\n{}", candidates(story, style));
        }
    }
    text
}

fn resolution_row(extension: &ExtensionPlan) -> Vec<String> {
    let resolved = extension.after.as_ref().and_then(|a| a.outcome.resolved());
    let or_nothing = |text: Option<String>| text.unwrap_or_else(|| summary::NOTHING.to_owned());
    vec![
        summary::full_name(extension.cluster.as_deref(), &extension.name),
        or_nothing(resolved.map(|r| r.bundle.clone())),
        or_nothing(resolved.map(|r| r.version.to_string())),
        or_nothing(resolved.map(|r| r.catalog.clone())),
        or_nothing(extension.installed.as_ref().map(|i| i.bundle.version.clone())),
    ]
}

/// Each catalog's and candidate's fate.
fn candidates(story: &Story, style: Style) -> String {
    let mut text = String::new();
    for catalog in &story.catalogs {
        let _ =
            writeln!(text, "  {} (priority {}): {}", printable(&catalog.catalog), catalog.priority, printable(&catalog.reason));
        let row = |c: &CandidateStory| {
            let channels = c.channels.join(", ");
            vec![c.bundle.clone(), c.version.clone().unwrap_or_default(), channels, c.reason.clone()]
        };
        if !catalog.candidates.is_empty() {
            let rows = catalog.candidates.iter().map(row).collect();
            let table = table::plain(
                &["bundle", "version", "channels", "why"],
                rows,
                Style { width: style.width.saturating_sub(2), ..style },
            );
            text.extend(table.lines().map(|line| format!("  {line}\n")));
        }
    }
    text
}

/// `diff`: the object changes, as a person reads a diff.
pub fn diff(plan: &Plan, style: Style) -> String {
    let mut text = String::new();
    for extension in &plan.extensions {
        let Ok(changes) = &extension.changes else { continue };
        for change in changes {
            for line in diff::unified(change, 3).lines() {
                let _ = writeln!(text, "{}", paint(line, style));
            }
        }
    }
    text
}

fn paint(line: &str, style: Style) -> String {
    let code = match line.chars().next() {
        Some('+') => "32",
        Some('-') => "31",
        Some('@') => "36",
        _ => return line.to_owned(),
    };
    if style.color { format!("\u{1b}[{code}m{line}\u{1b}[0m") } else { line.to_owned() }
}

/// `crd-diff`: the findings, then all that changes.
pub fn crds(found: &[Finding], changes: &[Change], sources: &Sources, style: Style) -> String {
    let mut text = findings(found, sources, style);
    if !changes.is_empty() {
        let rows: Vec<Vec<String>> = changes.iter().take(DRAWN).map(crd_changes::cells).collect();
        text.push('\n');
        text.push_str(&change_tables(&rows, style));
        if let Some(more) = changes.len().checked_sub(DRAWN).filter(|n| *n > 0) {
            let _ = writeln!(text, "  and {}; --format json --changes has them all", summary::counted(more, "more change"));
        }
    }
    text
}
