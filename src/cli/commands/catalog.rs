//! `catalog`: look into a catalog.

use super::json;
use crate::api::ClusterCatalog;
use crate::catalog::{self, Folder, Package, graph, list, show};
use crate::cli::args::{Catalog, Format, Global};
use crate::cli::failure::{Failure, bad};
use crate::cli::indexes::Indexes;
use crate::cli::settings::Settings;
use crate::cli::side::Side;
use crate::cli::{Answer, End};
use crate::image::{Content, Kind, Reference};
use crate::nearest::nearest;
use crate::plan::CatalogFiles;
use serde_json::json;
use std::path::{Path, PathBuf};

pub(in crate::cli) fn run(global: &Global, arguments: &Catalog) -> Result<Answer, Failure> {
    match arguments {
        Catalog::Validate { catalog } => validate(global, catalog),
        Catalog::List { catalog } => {
            let listing = list(&open(global, catalog)?).map_err(|e| bad(catalog, e))?;
            Ok(Answer::clean(if global.format == Format::Json { json(&json!(listing)) } else { listing.to_string() }))
        }
        Catalog::Show { catalog, package } => {
            let shown = show(&find(&open(global, catalog)?, catalog, package)?);
            Ok(Answer::clean(if global.format == Format::Json { json(&json!(shown)) } else { shown.to_string() }))
        }
        Catalog::Graph { catalog, package, channel } => {
            let found = find(&open(global, catalog)?, catalog, package)?;
            if let Some(channel) = channel
                && !found.channels.iter().any(|c| c.name == *channel)
            {
                let names = found.channels.iter().map(|c| c.name.as_str());
                return Err(unknown("channel", channel, package, names.collect()));
            }
            let graph = graph(&found, channel.as_deref());
            Ok(Answer::clean(match global.format {
                Format::Json => json(&json!(graph)),
                Format::Dot => graph.to_dot(),
                Format::Svg => graph.to_svg(),
                _ => graph.to_mermaid(),
            }))
        }
    }
}

/// The package of that name, or what else there is.
fn find(opened: &catalog::Catalog, catalog: &str, package: &str) -> Result<Package, Failure> {
    let found = opened.package(package).map_err(|e| bad(catalog, e))?;
    found.ok_or_else(|| unknown("package", package, catalog, opened.package_names()))
}

fn unknown(what: &str, name: &str, place: &str, names: Vec<&str>) -> Failure {
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("; did you mean {near:?}?"),
        None if names.len() <= 20 => format!("; there are {}", names.join(", ")),
        None => "; `olmplan catalog list` shows what there is".to_owned(),
    };
    Failure::usage(format!("{place} has no {what} {name:?}{help}"))
}

fn open(global: &Global, name: &str) -> Result<catalog::Catalog, Failure> {
    let settings = Settings::new(global, &[PathBuf::from(".")])?;
    let indexes = Indexes(settings.store().join("indexes"));
    let path = Path::new(name);
    if is_plain_folder(path) {
        let folder = Folder::open(path).map_err(|e| Failure::io(path, &e))?;
        return catalog::Catalog::open(folder, Some(&indexes)).map_err(|e| bad(name, e));
    }
    let content = content(&settings, name)?;
    catalog::Catalog::open(CatalogFiles(content), Some(&indexes)).map_err(|e| bad(name, e))
}

fn is_plain_folder(path: &Path) -> bool {
    path.is_dir() && !path.join("oci-layout").exists()
}

fn content(settings: &Settings, name: &str) -> Result<Content, Failure> {
    let path = Path::new(name);
    let images = settings.images()?;
    if path.exists() {
        return Ok(images.open_path(path, Kind::Catalog)?);
    }
    let reference = of_tree(settings, name)?.unwrap_or_else(|| name.to_owned());
    if !reference.contains(['/', ':']) {
        return Err(bad(
            name,
            "no such folder or archive, no ClusterCatalog of the tree here, and no image reference with a registry",
        ));
    }
    let reference = Reference::parse(&reference).map_err(|e| bad(name, format!("no such folder, and no reference: {e}")))?;
    Ok(images.open(&reference, Kind::Catalog)?)
}

/// The image of the tree's ClusterCatalog of that name.
fn of_tree(settings: &Settings, name: &str) -> Result<Option<String>, Failure> {
    if name.contains(['/', ':']) {
        return Ok(None);
    }
    let target = settings.target(None)?;
    let side = Side::now(settings, &[])?;
    let catalogs = side.manifests.iter().filter_map(|m| ClusterCatalog::read(m, &target));
    let found = catalogs.into_iter().find(|c| c.name() == name);
    Ok(found.and_then(|c| c.image().map(|f| f.value.to_owned())))
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
fn with_files<T>(
    global: &Global,
    name: &str,
    then: impl FnOnce(&dyn catalog::Files) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let path = Path::new(name);
    if is_plain_folder(path) {
        let folder = Folder::open(path).map_err(|e| Failure::io(path, &e))?;
        return then(&folder);
    }
    then(&CatalogFiles(content(&Settings::new(global, &[PathBuf::from(".")])?, name)?))
}
