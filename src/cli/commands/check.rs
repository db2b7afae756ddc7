//! `check`: lint, resolve, render, compare; report.

use super::{end, json};
use crate::cli::args::{Check, Format, Global};
use crate::cli::failure::{Failure, bad};
use crate::cli::pipeline::{self, How};
use crate::cli::settings::{Settings, Stream, style};
use crate::cli::{Answer, output};
use crate::finding::{Finding, Level};
use crate::report::{self, Report, Style};
use clap::ValueEnum as _;
use std::path::Path;

pub(in crate::cli) fn run(global: &Global, arguments: &Check) -> Result<Answer, Failure> {
    let extra = arguments.report.iter().map(|text| extra_report(text)).collect::<Result<Vec<_>, _>>()?;
    let settings = Settings::new(global, &arguments.compare.paths.paths)?;
    let planned = pipeline::plan(&settings, &arguments.compare, How::default())?;
    let mut sources = planned.sources;
    let (mut findings, ignored) = pipeline::settle(&settings, planned.findings, Some(&planned.plan), &mut sources);
    findings.extend(planned.misfits.iter().map(|m| stale(&settings, m)));
    Finding::sort(&mut findings);
    let report = Report { plan: &planned.plan, findings: &findings, ignored: &ignored, sources: &sources };
    for (format, file) in extra {
        let text = in_format(&report, format, Style { color: false, width: 120 });
        output::replace(Path::new(file), text.as_bytes()).map_err(|e| Failure::io(Path::new(file), &e))?;
    }
    let text = in_format(&report, global.format, style(global, Stream::Stdout));
    let end = end(&findings, settings.fail_on(arguments.compare.paths.fail_on), planned.plan.incomplete());
    let mut answer = Answer::ending(text, end);
    if planned.plan.extensions.is_empty() {
        answer
            .notes
            .push("note: there is no ClusterExtension of olm.operatorframework.io here; is this the right folder?".to_owned());
    }
    Ok(answer)
}

fn in_format(report: &Report<'_>, format: Format, style: Style) -> String {
    match format {
        Format::Json => json(&report::json::check(report)),
        Format::Markdown => report::markdown::check(report),
        _ => report::text::check(report, style),
    }
}

/// `FORMAT=FILE`.
fn extra_report(text: &str) -> Result<(Format, &str), Failure> {
    let (format, file) = text.split_once('=').ok_or_else(|| bad("--report", "write FORMAT=FILE"))?;
    match Format::from_str(format, false) {
        Ok(format @ (Format::Text | Format::Json | Format::Markdown)) if !file.is_empty() => Ok((format, file)),
        _ => Err(bad("--report", format!("{text:?} is not text, json or markdown, = and a file"))),
    }
}

fn stale(settings: &Settings, misfit: &str) -> Finding {
    let mut finding = Finding::new("stale-lock", Level::Error, format!("the tree no longer fits the lock: {misfit}"));
    finding.path = Some(if settings.home.shown.is_empty() {
        crate::lock::FILE_NAME.to_owned()
    } else {
        format!("{}/{}", settings.home.shown, crate::lock::FILE_NAME)
    });
    finding.help = Some("run `olmplan lock`, and read what changes".to_owned());
    finding
}
