//! `lint`: what can be said from the YAML alone.

use super::{end, json};
use crate::cli::Answer;
use crate::cli::args::{Format, Global, Paths};
use crate::cli::failure::Failure;
use crate::cli::pipeline;
use crate::cli::settings::{Settings, Stream, style};
use crate::cli::side::Side;
use crate::finding::Finding;
use crate::report;

pub(in crate::cli) fn run(global: &Global, arguments: &Paths) -> Result<Answer, Failure> {
    let settings = Settings::new(global, &arguments.paths)?;
    let side = Side::now(&settings, &arguments.paths)?;
    let clusters = pipeline::clusters(&settings)?;
    let mut findings = pipeline::manifest_findings(&side, &clusters, &settings);
    Finding::sort(&mut findings);
    let mut sources = side.sources;
    let (findings, ignored) = pipeline::settle(&settings, findings, None, &mut sources);
    let text = match global.format {
        Format::Json => json(&report::json::lint(&findings, &ignored)),
        Format::Markdown => report::markdown::lint(&findings),
        _ => report::text::findings(&findings, &sources, style(global, Stream::Stdout)),
    };
    Ok(Answer::ending(text, end(&findings, settings.fail_on(arguments.fail_on), false)))
}
