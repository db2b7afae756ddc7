//! `crd-diff`: compare CRD files, folders or revisions under a policy.

use super::json;
use crate::cli::args::{CrdDiff, Format, Global};
use crate::cli::crds;
use crate::cli::failure::{Failure, bad, chain};
use crate::cli::settings::{Settings, Stream, style};
use crate::cli::{Answer, End};
use crate::crd::{self, CrdFiles, Pointer, Policy, Side};
use crate::finding::{Finding, Label};
use crate::report::{self, Sources};
use crate::yaml;
use serde_json::{Value, json};
use std::sync::Arc;

pub(in crate::cli) fn run(global: &Global, arguments: &CrdDiff) -> Result<Answer, Failure> {
    let settings = Settings::new(global, &[])?;
    let policy = policy(&settings, &arguments.policy)?;
    let sides = Sides { before: crds::open(&arguments.before, "before")?, after: crds::open(&arguments.after, "after")? };
    let wrong = |e: crd::Error| Failure::usage(chain(&e));
    let (before, after) = (|| sides.before.documents(), || sides.after.documents());
    let findings = crd::check_all(before(), after(), &policy).map_err(wrong)?;
    let told = arguments.changes || !matches!(global.format, Format::Json | Format::Yaml);
    let changes = if told { crd::changes_all(before(), after()).map_err(wrong)? } else { Vec::new() };
    let text = match global.format {
        Format::Json if arguments.changes => json(&json!(changes)),
        Format::Json => json(&Value::Array(findings.iter().map(|f| sides.json(f)).collect())),
        Format::Yaml if arguments.changes => yaml::write(&json!(changes)),
        Format::Yaml => yaml::write(&Value::Array(findings.iter().map(|f| sides.json(f)).collect())),
        Format::Markdown => report::markdown::crds(&findings, &changes),
        _ => {
            let shown: Vec<Finding> = findings.iter().map(|f| sides.finding(f)).collect();
            report::text::crds(&shown, &changes, &sides.sources(), style(global, Stream::Stdout))
        }
    };
    let level = settings.fail_on(Some(arguments.fail_on));
    let fails = level.is_some_and(|level| findings.iter().any(|f| f.level >= level));
    let mut answer = Answer::ending(text, if fails { End::Findings } else { End::Clean });
    answer.notes.extend(
        policy.ignored_keys().iter().map(|key| format!("note: {}: {key} has no meaning, and is passed over", arguments.policy)),
    );
    answer.notes.extend(sides.unmatched());
    if arguments.policy == "olm" {
        answer.notes.extend(policy.approximation().map(|a| format!("note: {a}")));
    }
    Ok(answer)
}

fn policy(settings: &Settings, name: &str) -> Result<Policy, Failure> {
    match name {
        "olm" => Ok(Policy::olm(&settings.target(None)?)),
        "strict" => Ok(Policy::strict()),
        file => {
            let text = read(file)?;
            Policy::from_config(&text).map_err(|e| bad(file, e))
        }
    }
}

#[allow(clippy::disallowed_methods)]
fn read(file: &str) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => bad("--policy", format!("{file} is neither olm nor strict, nor a file")),
        _ => Failure::io(file.as_ref(), &e),
    })
}

struct Sides {
    before: CrdFiles,
    after: CrdFiles,
}

impl Sides {
    fn sources(&self) -> Sources {
        let texts = self.before.texts.iter().chain(&self.after.texts);
        texts.map(|(path, text)| (path.to_string(), Arc::clone(text))).collect()
    }

    /// What there is on one side only; and that nothing was compared, where nothing was.
    fn unmatched(&self) -> Vec<String> {
        let only = |one: &CrdFiles, other: &CrdFiles| -> Vec<String> {
            one.crds.keys().filter(|n| !other.crds.contains_key(*n)).cloned().collect()
        };
        let (gone, new) = (only(&self.before, &self.after), only(&self.after, &self.before));
        let say = |names: Vec<String>, side: &str| {
            (!names.is_empty()).then(|| format!("note: only {side}, so not compared: {}", names.join(", ")))
        };
        let compared = self.before.crds.keys().filter(|n| self.after.crds.contains_key(*n)).count();
        let nothing = (compared == 0).then(|| "note: no CRD is on both sides: nothing was compared".to_owned());
        [nothing, say(gone, "before"), say(new, "after")].into_iter().flatten().collect()
    }

    /// Where a finding was, and where it is.
    fn labels(&self, found: &crd::Finding) -> (Option<Label>, Option<Label>) {
        let label = |pointer: &Pointer, text| {
            let side = match pointer.side {
                Side::Before => &self.before,
                Side::After => &self.after,
            };
            let file = side.crds.get(&found.crd)?;
            Some(Label { image: None, path: file.path.to_string(), place: file.place(&pointer.field()), text })
        };
        let (was, is) = found.sides();
        (label(&found.before_field, was), label(&found.after_field, is))
    }

    /// The finding with a place on both sides.
    fn finding(&self, found: &crd::Finding) -> Finding {
        let mut finding = Finding::new(found.check, found.level, found.words());
        let (before, after) = self.labels(found);
        finding.help = Some(found.help.to_owned());
        (finding.path, finding.place) = after.map_or((None, None), |label| (Some(label.path), Some(label.place)));
        finding.labels.extend(before);
        finding
    }

    fn json(&self, found: &crd::Finding) -> Value {
        let (before, after) = self.labels(found);
        report::json::crd_finding(found, before.as_ref(), after.as_ref())
    }
}
