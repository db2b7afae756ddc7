//! `diff`: the object changes alone, as a person reads a diff.

use super::json;
use crate::cli::args::{Compare, Format, Global};
use crate::cli::failure::Failure;
use crate::cli::pipeline::{self, How};
use crate::cli::settings::{Settings, Stream, style};
use crate::cli::{Answer, End};
use crate::report;

pub(in crate::cli) fn run(global: &Global, arguments: &Compare) -> Result<Answer, Failure> {
    let settings = Settings::new(global, &arguments.paths.paths)?;
    let planned = pipeline::plan(&settings, arguments, How::default())?;
    let plan = &planned.plan;
    let text = match global.format {
        Format::Json => json(&report::json::diff(plan)),
        _ => report::text::diff(plan, style(global, Stream::Stdout)),
    };
    let unknown = plan.extensions.iter().filter(|e| e.changes.is_err());
    let mut notes: Vec<String> = unknown.map(|e| format!("note: {}: {}", e.name, report::json::why_no_diff(e))).collect();
    notes.extend(planned.stopped());
    let end = if plan.incomplete() { End::Incomplete } else { End::Clean };
    Ok(planned.hold_to_lock(Answer { text, notes, end }))
}
