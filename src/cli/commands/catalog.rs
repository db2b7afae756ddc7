//! `catalog`: look into a catalog.

use super::json;
use crate::catalog::{self, Folder};
use crate::cli::args::{Catalog, Format, Global};
use crate::cli::failure::{Failure, bad};
use crate::cli::settings::Settings;
use crate::cli::{Answer, End};
use crate::image::{Kind, Reference};
use crate::plan::CatalogFiles;
use serde_json::json;
use std::path::Path;

pub(in crate::cli) fn run(global: &Global, arguments: &Catalog) -> Result<Answer, Failure> {
    match arguments {
        Catalog::Validate { catalog } => validate(global, catalog),
        Catalog::List { .. } | Catalog::Show { .. } | Catalog::Graph { .. } => Err(Failure::usage("not yet")),
    }
}

fn validate(global: &Global, name: &str) -> Result<Answer, Failure> {
    let verdict = with_files(global, name, |files| Ok(catalog::validate(files)))?;
    let errors: Vec<String> = verdict.errors.iter().map(ToString::to_string).collect();
    let text = match global.format {
        Format::Json => json(&json!({"ok": verdict.ok, "errors": errors})),
        _ if verdict.ok => format!("{name} is valid\n"),
        _ => errors.iter().map(|e| format!("{e}\n")).collect(),
    };
    Ok(Answer::ending(text, if verdict.ok { End::Clean } else { End::Findings }))
}

/// Opens a folder as it is, or an image.
fn with_files<T>(global: &Global, name: &str, then: impl FnOnce(&dyn catalog::Files) -> Result<T, Failure>) -> Result<T, Failure> {
    let path = Path::new(name);
    if path.is_dir() && !path.join("oci-layout").exists() {
        let folder = Folder::open(path).map_err(|e| Failure::io(path, &e))?;
        return then(&folder);
    }
    let settings = Settings::new(global, &[])?;
    let images = settings.images()?;
    let content = if path.exists() {
        images.open_path(path, Kind::Catalog)?
    } else {
        let reference = Reference::parse(name).map_err(|e| bad(name, format!("no such folder, and no reference: {e}")))?;
        images.open(&reference, Kind::Catalog)?
    };
    then(&CatalogFiles(content))
}
