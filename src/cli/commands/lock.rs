//! `lock`: write what the tree resolves to.

use crate::cli::args::{Global, Lock};
use crate::cli::failure::Failure;
use crate::cli::pipeline::{self, How};
use crate::cli::settings::Settings;
use crate::cli::{Answer, End, output};
use crate::lock::FILE_NAME;
use crate::plan::{Depth, lock_of};
use crate::report;
use similar::TextDiff;

pub(in crate::cli) fn run(global: &Global, arguments: &Lock) -> Result<Answer, Failure> {
    if global.locked && !arguments.check {
        return Err(Failure::usage("lock writes the lock, and --locked holds to it; with --check nothing is written"));
    }
    let settings = Settings::new(global, &arguments.compare.paths.paths)?;
    let planned = pipeline::plan(&settings, &arguments.compare, How { depth: Depth::Resolved, ..How::default() })?;
    let before = planned.lock.as_ref().map(crate::lock::Lock::to_text).unwrap_or_default();
    let after = lock_of(&planned.after, planned.lock.as_ref(), planned.coverage).to_text();
    let failed = planned.plan.extensions.iter().filter(|e| e.after.as_ref().is_some_and(|a| a.outcome.resolved().is_none()));
    let notes: Vec<String> = failed.map(|e| format!("error: {}: {}", e.name, report::json::error(e))).collect();
    let changed = before != after;
    let fails = settings.fail_on(arguments.compare.paths.fail_on).is_some();
    let mut end = match (planned.plan.incomplete(), notes.is_empty() || !fails) {
        (true, _) => End::Incomplete,
        (false, false) => End::Findings,
        (false, true) => End::Clean,
    };
    let diff = TextDiff::from_lines(before.as_str(), after.as_str()).unified_diff().header(FILE_NAME, FILE_NAME).to_string();
    if arguments.check {
        if changed && end == End::Clean {
            end = End::Findings;
        }
        return Ok(Answer { text: diff, notes, end });
    }
    if changed {
        let path = settings.lock_path();
        output::replace(&path, after.as_bytes()).map_err(|e| Failure::io(&path, &e))?;
    }
    Ok(Answer { text: diff, notes, end })
}
