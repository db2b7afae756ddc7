//! `crd-diff`: compare CRD files, folders or revisions under a policy.

use super::json;
use crate::cli::args::{CrdDiff, FailOn, Format, Global};
use crate::cli::failure::{Failure, bad, chain};
use crate::cli::settings::{Settings, Stream, style};
use crate::cli::{Answer, End};
use crate::crd::{self, Policy};
use crate::finding::Level;
use crate::report;
use crate::workspace::{Repository, Root, Source, SourceFile};
use crate::yaml;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub(in crate::cli) fn run(global: &Global, arguments: &CrdDiff) -> Result<Answer, Failure> {
    let settings = Settings::new(global, &[])?;
    let policy = policy(&settings, &arguments.policy)?;
    let (before, after) = (documents(&arguments.before)?, documents(&arguments.after)?);
    let findings = crd::check_all(&before, &after, &policy).map_err(|e| Failure::usage(chain(&e)))?;
    let text = match global.format {
        Format::Json => json(&json!(findings)),
        Format::Markdown => report::markdown::crds(&findings),
        _ => report::text::crds(&findings, style(global, Stream::Stdout)),
    };
    let level = match arguments.fail_on {
        FailOn::Error => Some(Level::Error),
        FailOn::Warning => Some(Level::Warning),
        FailOn::Note => Some(Level::Note),
        FailOn::Never => None,
    };
    let fails = level.is_some_and(|level| findings.iter().any(|f| f.level >= level));
    Ok(Answer::ending(text, if fails { End::Findings } else { End::Clean }))
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

/// The documents of one side that are CustomResourceDefinitions: of a file, a folder, or `REV:PATH`.
fn documents(side: &str) -> Result<Vec<Value>, Failure> {
    let files = files(side)?;
    let mut documents = Vec::new();
    for file in files {
        let text = String::from_utf8_lossy(&file.bytes);
        if !text.contains("CustomResourceDefinition") {
            continue;
        }
        documents.extend(yaml::values(&text).map_err(|e| bad(&file.path, e))?.into_iter().flat_map(items));
    }
    let is_crd = |d: &Value| d.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition");
    documents.retain(is_crd);
    if documents.is_empty() {
        return Err(bad(side, "there is no CustomResourceDefinition in it"));
    }
    Ok(documents)
}

fn items(document: Value) -> Vec<Value> {
    match document.get("items").and_then(Value::as_array) {
        Some(items) => items.clone(),
        None => vec![document],
    }
}

fn files(side: &str) -> Result<Vec<SourceFile>, Failure> {
    let wanted = |path: &str| [".yaml", ".yml", ".json"].iter().any(|e| path.to_ascii_lowercase().ends_with(e));
    let at = PathBuf::from(side);
    if at.exists() {
        let shown = if at.is_file() { side.to_owned() } else { side.trim_end_matches('/').to_owned() };
        return Ok(Source::Disk(vec![Root { at, shown }]).files(&wanted)?);
    }
    let Some((revision, path)) = side.split_once(':') else {
        return Err(bad(side, "no such file or folder; a revision is written REV:PATH"));
    };
    let here = Path::new(".");
    let repository = Repository::of(here)?.ok_or_else(|| bad(side, "this is no Git repository"))?;
    let commit = repository.commit(revision)?;
    let roots = vec![Root { at: PathBuf::from(path), shown: side.to_owned() }];
    Ok(Source::Revision { repository, commit, roots }.files(&wanted)?)
}
