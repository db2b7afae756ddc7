//! `fetch`: fill the store.

use crate::cli::args::{Compare, Global};
use crate::cli::failure::Failure;
use crate::cli::pipeline::{self, How};
use crate::cli::settings::Settings;
use crate::cli::{Answer, End};
use crate::plan::{CatalogContent, Outcome};
use std::fmt::Write as _;

pub(in crate::cli) fn run(global: &Global, arguments: &Compare) -> Result<Answer, Failure> {
    let settings = Settings::new(global, &arguments.paths.paths)?;
    let planned = pipeline::plan(&settings, arguments, How::default())?;
    let mut text = String::new();
    let mut notes = Vec::new();
    // Of what gets no bundle there is none to fetch.
    let mut nothing = Vec::new();
    for catalog in &planned.plan.catalogs {
        let reference = catalog.view.image().map(|f| f.value).unwrap_or_default();
        match &catalog.content {
            CatalogContent::Read { digest, .. } => {
                let digest = digest.as_ref().map(|d| format!(" {d}")).unwrap_or_default();
                let _ = writeln!(text, "{reference}{digest}");
            }
            CatalogContent::Failed(problem) => notes.push(format!("error: {}", problem.message)),
            CatalogContent::Refused | CatalogContent::Unavailable | CatalogContent::Unselected => {}
        }
    }
    for after in planned.plan.extensions.iter().filter_map(|e| e.after.as_ref()) {
        match &after.outcome {
            Outcome::Unreadable { problem, .. } => notes.push(format!("error: {}", problem.message)),
            Outcome::Unresolved { message, .. } => nothing.push(format!("note: {}: {message}", after.view.name())),
            Outcome::Refused => nothing.push(format!("note: {}: the API server refuses it", after.view.name())),
            outcome => text.extend(outcome.resolved().map(|r| format!("{}\n", r.image))),
        }
    }
    let end = match (planned.plan.incomplete(), notes.is_empty()) {
        (true, _) => End::Incomplete,
        (false, false) => End::Findings,
        (false, true) => End::Clean,
    };
    notes.append(&mut nothing);
    Ok(planned.hold_to_lock(Answer { text, notes, end }))
}
