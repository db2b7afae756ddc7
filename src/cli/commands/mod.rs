//! One file a command.

pub(super) mod catalog;
pub(super) mod check;
pub(super) mod crd_diff;
pub(super) mod diff;
pub(super) mod fetch;
pub(super) mod lint;
pub(super) mod lock;
pub(super) mod render;
pub(super) mod resolve;
pub(super) mod rules;

use super::args::{Catalog, Command, Format};
use super::{Answer, End};
use crate::finding::{Finding, Level};
use serde_json::Value;

/// The formats that a command can answer in.
pub(super) fn formats(command: &Command) -> &'static [Format] {
    match command {
        Command::Check(_) | Command::Lint(_) => &[Format::Text, Format::Json, Format::Markdown],
        Command::CrdDiff(_) => &[Format::Text, Format::Json, Format::Yaml, Format::Markdown],
        Command::Render(_) => &[Format::Text, Format::Yaml, Format::Json],
        Command::Catalog(Catalog::Graph { .. }) => &[Format::Text, Format::Json, Format::Mermaid, Format::Dot, Format::Svg],
        Command::Resolve(_) | Command::Diff(_) | Command::Rules | Command::Catalog(_) => &[Format::Text, Format::Json],
        Command::Lock(_) | Command::Fetch(_) | Command::Explain { .. } => &[Format::Text],
    }
}

/// JSON for programs and people: indented, a newline at the end.
fn json(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// How a run with these findings ends.
fn end(findings: &[Finding], fail_on: Option<Level>, incomplete: bool) -> End {
    let fails = fail_on.is_some_and(|level| findings.iter().any(|f| f.level >= level));
    match (incomplete, fails) {
        (true, _) => End::Incomplete,
        (false, true) => End::Findings,
        (false, false) => End::Clean,
    }
}

impl Answer {
    fn ending(text: String, end: End) -> Self {
        Self { text, notes: Vec::new(), end }
    }
}
