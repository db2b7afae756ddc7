//! `resolve`: which bundle each extension gets, or why none.

use super::json;
use crate::cli::args::{Format, Global, Resolve};
use crate::cli::failure::Failure;
use crate::cli::pipeline::{self, How};
use crate::cli::settings::{Settings, Stream, style};
use crate::cli::{Answer, End};
use crate::finding::Level;
use crate::plan::{Depth, Plan, Refused, Stories};
use crate::report;
use serde_json::Value;
use std::collections::BTreeSet;

pub(in crate::cli) fn run(global: &Global, arguments: &Resolve) -> Result<Answer, Failure> {
    let settings = Settings::new(global, &arguments.compare.paths.paths)?;
    let told = arguments.explain || global.format == Format::Json;
    let stories = if told { Stories::OfAll } else { Stories::OfFailures };
    let planned = pipeline::plan(
        &settings,
        &arguments.compare,
        How { stories, depth: Depth::Resolved, refused: Refused::AreResolved, ..How::default() },
    )?;
    let plan = &planned.plan;
    let text = match global.format {
        Format::Json => {
            let there = plan.extensions.iter().filter(|e| e.after.is_some());
            json(&Value::Array(there.map(|e| Value::Object(report::json::resolution(e))).collect()))
        }
        _ => report::text::resolve(plan, arguments.explain, style(global, Stream::Stdout)),
    };
    let refused = planned.findings.iter().filter(|f| f.rule == "invalid-object").filter_map(|f| f.extension.as_ref());
    let refused: BTreeSet<&String> = refused.collect();
    let notes = refused.into_iter().map(|e| {
        format!("note: {e}: this is the controller's answer, but the API server refuses the object; `olmplan lint` says why")
    });
    let notes: Vec<String> = notes.collect();
    let fails = settings.fail_on(arguments.compare.paths.fail_on).is_some_and(|level| level <= Level::Error);
    Ok(planned.hold_to_lock(Answer { text, notes, end: ending(plan, fails) }))
}

/// A resolution that fails is a finding.
fn ending(plan: &Plan, fails: bool) -> End {
    let resolved = plan.extensions.iter().filter_map(|e| e.after.as_ref()).all(|a| a.outcome.resolved().is_some());
    match (plan.incomplete(), resolved) {
        (true, _) => End::Incomplete,
        (false, false) if fails => End::Findings,
        _ => End::Clean,
    }
}
