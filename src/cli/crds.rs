//! The CustomResourceDefinitions of a file, a folder, or `REV:PATH`.

use super::failure::{Failure, bad};
use crate::crd::CrdFiles;
use crate::workspace::{Repository, Root, Source, SourceFile};
use std::path::{Component, Path, PathBuf};

/// Reads the CRDs of a file, a folder, or `REV:PATH`. Files of both sides may have the same name, so they are called by
/// `prefix` where the argument does not tell them apart.
pub(super) fn open(argument: &str, prefix: &str) -> Result<CrdFiles, Failure> {
    let mut found = CrdFiles::default();
    for file in files(argument, prefix)? {
        found.add(&file.path, &String::from_utf8_lossy(&file.bytes)).map_err(|e| bad(&file.path, e))?;
    }
    if let Some(twice) = found.twice.first() {
        return Err(bad(argument, format!("{twice}; which of them is meant?")));
    }
    if found.crds.is_empty() {
        return Err(bad(argument, "there is no CustomResourceDefinition in it"));
    }
    Ok(found)
}

/// The CRDs that a source has, but for those of files that are left out. Each file is called `prefix` and its path. Files that
/// cannot be read as YAML are somebody else's, and are passed over.
pub(super) fn of_source(source: &Source, prefix: &str, left_out: &dyn Fn(&str) -> bool) -> Result<CrdFiles, Failure> {
    let wanted = |path: &str| is_manifest(path) && !left_out(path);
    let mut found = CrdFiles::default();
    for file in source.files(&wanted)? {
        // What cannot be read is said of the file by whoever reads it as a manifest.
        let _ = found.add(&format!("{prefix}{}", file.path), &String::from_utf8_lossy(&file.bytes));
    }
    Ok(found)
}

fn is_manifest(path: &str) -> bool {
    [".yaml", ".yml", ".json"].iter().any(|e| path.to_ascii_lowercase().ends_with(e))
}

fn files(argument: &str, prefix: &str) -> Result<Vec<SourceFile>, Failure> {
    let at = PathBuf::from(argument);
    if at.exists() {
        let absolute = at.is_absolute() || argument.starts_with("..");
        let shown = match at.file_name() {
            // Nothing absolute is shown.
            Some(name) if absolute => format!("{prefix}/{}", name.to_string_lossy()),
            _ => argument.trim_start_matches("./").trim_end_matches('/').to_owned(),
        };
        return Ok(Source::Disk(vec![Root { at, shown }]).files(&is_manifest)?);
    }
    let Some((revision, path)) = argument.split_once(':') else {
        return Err(bad(argument, "no such file or folder; a revision is written REV:PATH"));
    };
    let repository = Repository::of(Path::new("."))?.ok_or_else(|| bad(argument, "this is no Git repository"))?;
    let commit = repository.commit(revision)?;
    let at = from_the_top(path, &repository).ok_or_else(|| bad(argument, "the path leads out of the repository"))?;
    let roots = vec![Root { at, shown: argument.to_owned() }];
    Ok(Source::Revision { repository, commit, roots }.files(&is_manifest)?)
}

/// `./a` and `../a` start at the current folder, as for Git; anything else at the repository's root. `None` for what is above that.
fn from_the_top(path: &str, repository: &Repository) -> Option<PathBuf> {
    let mut at = PathBuf::new();
    if path.starts_with("./") || path.starts_with("../") {
        let here = Path::new(".").canonicalize().ok()?;
        at = here.strip_prefix(repository.root().canonicalize().ok()?).ok()?.to_owned();
    }
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir if !at.pop() => return None,
            Component::ParentDir | Component::CurDir => {}
            other => at.push(other),
        }
    }
    Some(at)
}
