//! For a terminal.

use super::snippet::{self, Style};
use super::summary::{self, Report};
use super::table;
use crate::finding::Finding;
use crate::report::Sources;
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
    text.push('\n');
    text.push_str(&findings(report.findings, report.sources, style));
    for ignored in report.ignored {
        let place = ignored.finding.path.as_deref().unwrap_or("-");
        let _ = writeln!(text, "ignored: [{}] {place}: {} ({})", ignored.finding.rule, ignored.finding.message, ignored.reason);
    }
    text
}

/// Findings, and how many there are.
pub fn findings(findings: &[Finding], sources: &Sources, style: Style) -> String {
    let mut text = String::new();
    for finding in findings {
        text.push_str(snippet::draw(finding, sources, style).trim_start_matches('\n'));
        if !text.ends_with("\n\n") {
            text.push('\n');
        }
    }
    let _ = writeln!(text, "{}", summary::finding_counts(findings));
    text
}
