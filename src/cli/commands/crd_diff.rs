//! `crd-diff`: compare CRD files, folders or revisions under a policy.

use super::json;
use crate::cli::args::{CrdDiff, FailOn, Format, Global};
use crate::cli::crds::{CrdSide, FoundCrd};
use crate::cli::failure::{Failure, bad, chain};
use crate::cli::settings::{Settings, Stream, style};
use crate::cli::{Answer, End};
use crate::crd::{self, Change, Pointer, Policy, Side};
use crate::finding::{Finding, Label, Level};
use crate::place::Place;
use crate::report::{self, Sources};
use serde_json::{Value, json};

pub(in crate::cli) fn run(global: &Global, arguments: &CrdDiff) -> Result<Answer, Failure> {
    let settings = Settings::new(global, &[])?;
    let policy = policy(&settings, &arguments.policy)?;
    let sides = Sides { before: CrdSide::open(&arguments.before, "before")?, after: CrdSide::open(&arguments.after, "after")? };
    let wrong = |e: crd::Error| Failure::usage(chain(&e));
    let findings = crd::check_all(&sides.before.documents(), &sides.after.documents(), &policy).map_err(wrong)?;
    let told = arguments.changes || global.format != Format::Json;
    let changes = if told { sides.changes().map_err(wrong)? } else { Vec::new() };
    let text = match global.format {
        Format::Json if arguments.changes => json(&json!(changes)),
        Format::Json => json(&Value::Array(findings.iter().map(|f| sides.json(f)).collect())),
        Format::Markdown => report::markdown::crds(&findings, &changes),
        _ => {
            let shown: Vec<Finding> = findings.iter().map(|f| sides.finding(f)).collect();
            report::text::crds(&shown, &changes, &sides.sources(), style(global, Stream::Stdout))
        }
    };
    let level = match arguments.fail_on {
        FailOn::Error => Some(Level::Error),
        FailOn::Warning => Some(Level::Warning),
        FailOn::Note => Some(Level::Note),
        FailOn::Never => None,
    };
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
    before: CrdSide,
    after: CrdSide,
}

impl Sides {
    fn sources(&self) -> Sources {
        let mut sources = self.before.sources.clone();
        sources.extend(self.after.sources.clone());
        sources
    }

    /// What changes of each CRD that is on both sides, good or bad.
    fn changes(&self) -> Result<Vec<Change>, crd::Error> {
        let mut changes = Vec::new();
        for (name, before) in &self.before.crds {
            let is_v1 =
                |crd: &FoundCrd| crd.document.value.get("apiVersion").and_then(Value::as_str) == Some("apiextensions.k8s.io/v1");
            // The check passes over older kinds, as the controller does, and so does this.
            if let Some(after) = self.after.crds.get(name)
                && is_v1(before)
                && is_v1(after)
            {
                changes.extend(crd::changes(&before.document.value, &after.document.value)?);
            }
        }
        Ok(changes)
    }

    /// What there is on one side only; and that nothing was compared, where nothing was.
    fn unmatched(&self) -> Vec<String> {
        let only = |one: &CrdSide, other: &CrdSide| -> Vec<String> {
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

    fn place(&self, name: &str, pointer: &Pointer) -> Option<(String, Place)> {
        let side = match pointer.side {
            Side::Before => &self.before,
            Side::After => &self.after,
        };
        side.place(name, &pointer.field())
    }

    /// The finding with a place on both sides.
    fn finding(&self, found: &crd::Finding) -> Finding {
        let mut finding = Finding::new(found.check, found.level, report::crd_words(found));
        let (before, after) = (self.place(&found.crd, &found.before_field), self.place(&found.crd, &found.after_field));
        finding.help = Some(found.help.to_owned());
        (finding.path, finding.place) = after.map_or((None, None), |(path, place)| (Some(path), Some(place)));
        if let Some((path, place)) = before {
            finding.labels.push(Label { path, place, text: "it stood here before".to_owned() });
        }
        finding
    }

    fn json(&self, found: &crd::Finding) -> Value {
        let mut value = json!(found);
        let place = |pointer| {
            self.place(&found.crd, pointer).map(|(path, p)| {
                json!({"path": path, "line": p.line, "column": p.column, "endLine": p.end_line, "endColumn": p.end_column})
            })
        };
        if let Some(map) = value.as_object_mut() {
            map.insert("beforePlace".to_owned(), json!(place(&found.before_field)));
            map.insert("afterPlace".to_owned(), json!(place(&found.after_field)));
        }
        value
    }
}
