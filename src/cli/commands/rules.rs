//! `rules` and `explain`: the lint rules and their documentation.

use super::json;
use crate::cli::Answer;
use crate::cli::args::{Format, Global};
use crate::cli::failure::Failure;
use crate::cli::settings::{Stream, style};
use crate::lint;
use crate::nearest::nearest;
use crate::report::{level_name, plain};
use serde_json::{Value, json};

pub(in crate::cli) fn list(global: &Global) -> Answer {
    let rules = lint::all();
    Answer::clean(match global.format {
        Format::Json => json(&Value::Array(
            rules.iter().map(|r| json!({"rule": r.name, "level": level_name(r.level), "finds": r.doc.finds})).collect(),
        )),
        _ => {
            let rows = rules.iter().map(|r| vec![r.name.to_owned(), level_name(r.level).to_owned(), r.doc.finds.to_owned()]);
            plain(&["rule", "level", "finds"], rows.collect(), style(global, Stream::Stdout))
        }
    })
}

pub(in crate::cli) fn explain(name: &str) -> Result<Answer, Failure> {
    if let Some(rule) = lint::named(name) {
        return Ok(Answer::clean(rule.markdown()));
    }
    let near = nearest(name, lint::all().into_iter().map(|r| r.name)).map(|n| format!("; did you mean {n:?}?"));
    Err(Failure::usage(format!("there is no rule {name:?}{}", near.unwrap_or_else(|| "; `olmplan rules` lists them".to_owned()))))
}
