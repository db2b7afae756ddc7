//! For a pull request's comment: the lines that matter first, the rest folded away.

use super::crd_changes::{self, CrdChanges};
use super::printable::printable;
use super::summary::{self, Report};
use super::{diff, level_name};
use crate::finding::Finding;
use crate::plan::ExtensionPlan;
use std::fmt::Write as _;

/// Comments on the big forges take 65,536 characters; the folded parts stop short of that.
const ROOM: usize = 60_000;
/// Findings leave some of that for what follows them.
const ROOM_OF_FINDINGS: usize = 40_000;

/// A plan and its findings.
pub fn check(report: &Report<'_>) -> String {
    let mut text = format!("### olmplan: {}\n\n{}\n", summary::headline(report.plan), summary::subject(report.plan));
    findings(&mut text, report.findings);
    let rows = summary::rows(report.plan);
    if !rows.is_empty() {
        text.push_str("\n| Extension | Status | Before | After | Catalog | Objects |\n| --- | --- | --- | --- | --- | --- |\n");
        for row in rows {
            let cells = [&row.name, row.status.word(), &row.before, &row.after, &row.catalog, &row.objects].map(escape);
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
    }
    for words in summary::approximations(report.plan) {
        let _ = write!(text, "\n{}\n", escape(&words));
    }
    let crds = crd_changes::of(report.plan).into_iter().map(changes_of);
    let objects = report.plan.extensions.iter().map(objects);
    for section in crds.chain(objects) {
        if text.len() + section.len() > ROOM {
            text.push_str("\nThe remaining changes are left out here; `olmplan diff` shows those of objects, `--format json` those of CRDs.\n");
            break;
        }
        text.push_str(&section);
    }
    if !report.ignored.is_empty() {
        let _ = writeln!(text, "\n<details><summary>Ignored by the configuration: {}</summary>\n", report.ignored.len());
        for ignored in report.ignored {
            let _ = writeln!(text, "- {} ({})", escape(&ignored.finding.message), escape(&ignored.reason));
        }
        text.push_str("\n</details>\n");
    }
    text
}

/// Findings as a list.
pub fn lint(all: &[Finding]) -> String {
    let mut text = format!("### olmplan lint: {}\n", summary::finding_counts(all));
    findings(&mut text, all);
    text
}

/// CRD findings as a list, then all that changes, folded away.
pub fn crds(findings: &[crate::crd::Finding], changes: &[crate::crd::Change]) -> String {
    let mut text = format!("### olmplan crd-diff: {}\n\n", summary::counted(findings.len(), "finding"));
    for (n, found) in findings.iter().enumerate() {
        if text.len() > ROOM_OF_FINDINGS {
            let _ = writeln!(text, "- and {} more; `--format json` has them all", findings.len() - n);
            break;
        }
        let version = found.version.as_ref().map(|v| format!(" {}", code(v))).unwrap_or_default();
        let property = found.property.as_ref().map(|p| format!(" {}", code(p))).unwrap_or_default();
        let (level, name) = (level_name(found.level), code(&found.crd));
        let _ = writeln!(text, "- **{level}** {name}{version}{property}: {} ({})", escape(&found.plain), code(found.check));
        let _ = writeln!(text, "  - {}", escape(found.help));
    }
    if !changes.is_empty() {
        let _ = writeln!(text, "\n<details><summary>{}</summary>\n", summary::counted(changes.len(), "change"));
        let shown = change_table(&mut text, changes.iter().map(crd_changes::cells));
        if shown < changes.len() {
            let _ = writeln!(text, "\nand {} more; `--format json --changes` has them all", changes.len() - shown);
        }
        text.push_str("\n</details>\n");
    }
    text
}

/// Adds a table; gives how many rows there was room for.
fn change_table(text: &mut String, rows: impl IntoIterator<Item = Vec<String>>) -> usize {
    text.push_str("| CRD | Version | Field | Change | Before | After |\n| --- | --- | --- | --- | --- | --- |\n");
    let mut shown = 0;
    for row in rows {
        let cells: Vec<String> = row.iter().map(|c| escape(c)).collect();
        let line = format!("| {} |\n", cells.join(" | "));
        if text.len() + line.len() > ROOM {
            break;
        }
        text.push_str(&line);
        shown += 1;
    }
    shown
}

/// What changes of an extension's CRDs, folded away.
fn changes_of(changes: CrdChanges) -> String {
    let mut text = format!("\n<details><summary>{}</summary>\n\n", escape(&changes.title));
    if !changes.rows.is_empty() {
        change_table(&mut text, changes.rows);
        text.push('\n');
    }
    for more in changes.more {
        let _ = writeln!(text, "{}\n", escape(&more));
    }
    text.push_str("</details>\n");
    text
}

fn findings(text: &mut String, findings: &[Finding]) {
    if !findings.is_empty() {
        text.push('\n');
    }
    let mut left = findings.len();
    for group in findings.chunk_by(summary::one_place) {
        let Some(finding) = group.first() else { continue };
        if text.len() > ROOM_OF_FINDINGS {
            let _ = writeln!(text, "- and {left} more; `--format json` has them all");
            break;
        }
        left -= group.len();
        let place = match (&finding.path, finding.place) {
            (Some(path), Some(place)) => format!(" {}", code(&format!("{path}:{}", place.line))),
            (Some(path), None) => format!(" {}", code(path)),
            _ => String::new(),
        };
        let extension = finding.extension.as_ref().map(|e| format!(" {}:", escape(e))).unwrap_or_default();
        let (level, rule) = (level_name(finding.level), code(finding.rule));
        if group.len() == 1 {
            let _ = writeln!(text, "- **{level}**{extension} {} ({rule}{place})", escape(&finding.message));
            for label in &finding.labels {
                let _ = writeln!(text, "  - {}", code(&label.to_string()));
            }
        } else {
            let _ = writeln!(text, "- **{level}**{extension} {} findings ({rule}{place})", group.len());
            for (message, places) in summary::messages(group) {
                let places: Vec<String> = places.iter().map(|place| code(place)).collect();
                let _ = writeln!(
                    text,
                    "{}",
                    ["  -".to_owned(), escape(message)].into_iter().chain(places).collect::<Vec<_>>().join(" ")
                );
            }
            if group.len() > summary::SHOWN {
                let _ = writeln!(text, "  - and {} more", group.len() - summary::SHOWN);
            }
        }
        for line in summary::helps(group).iter().flat_map(|h| h.lines()) {
            let _ = writeln!(text, "  - {}", escape(line));
        }
    }
}

fn objects(extension: &ExtensionPlan) -> String {
    let Ok(changes) = &extension.changes else { return String::new() };
    if changes.is_empty() {
        return String::new();
    }
    let name = summary::full_name(extension.cluster.as_deref(), &extension.name);
    let mut text = format!("\n<details><summary>{}: objects {}</summary>\n\n", escape(&name), summary::object_counts(changes));
    let all_new = changes.iter().all(|c| c.before.is_none());
    for change in changes {
        if all_new {
            let _ = writeln!(text, "- {}", escape(&change.key.to_string()));
        } else {
            let body = diff::unified(change, 3);
            let fence = fence(&body);
            let _ = writeln!(text, "{fence}diff\n{}\n{fence}", body.trim_end());
        }
    }
    text.push_str("\n</details>\n");
    text
}

/// A fence that nothing in the text can close.
fn fence(body: &str) -> String {
    let longest = body.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}

/// Foreign text as code: backticks in it cannot end it.
fn code(text: &str) -> String {
    let text = printable(text);
    let fence = "`".repeat(text.split(|c| c != '`').map(str::len).max().unwrap_or_default() + 1);
    if fence.len() == 1 { format!("`{text}`") } else { format!("{fence} {text} {fence}") }
}

/// Foreign text as text: no markup, no HTML, no mention, one line.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' => {
                out.push('\\');
                out.push(c);
            }
            // A zero-width space keeps a name from becoming a mention.
            '@' => out.push_str("@\u{200b}"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_text() {
        assert_eq!(escape("a|b <img> @you *x*\n"), "a\\|b &lt;img&gt; @\u{200b}you \\*x\\* ");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(fence("x ```` y"), "`````");
        assert_eq!(fence("x"), "```");
    }
}
