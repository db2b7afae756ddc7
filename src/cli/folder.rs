//! An output folder: a file an object, under names that are stable and safe.
//!
//! Promises: nothing is written outside the folder, whatever an object is called; a rerun removes only what an earlier run
//! wrote, as listed in [`LIST`]; a file that is not ours is neither overwritten nor removed; each file is written beside its
//! place and renamed.

use super::output::replace;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// The list of the files that a run wrote, in the folder itself.
pub(crate) const LIST: &str = ".olmplan-files";

/// The longest file name that is written, in bytes; file systems take 255.
const MAX_NAME: usize = 200;

/// A folder that cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file stands where ours should, and we did not write it.
    #[error("{}: is in the way, and was not written by olmplan; move it, or write to another folder", path.display())]
    Foreign { path: PathBuf },
    /// A link stands where a folder of ours should.
    #[error("{}: is a link; olmplan does not write through links", path.display())]
    Link { path: PathBuf },
    /// The system says no.
    #[error("{}: cannot be written", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// What an object's file is named for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    /// Folders, outermost first: cluster, extension.
    pub(crate) folders: Vec<String>,
    /// The kind.
    pub(crate) kind: String,
    /// The API group and version.
    pub(crate) api_version: String,
    /// The namespace; empty for none.
    pub(crate) namespace: String,
    /// The name.
    pub(crate) name: String,
}

impl Name {
    fn stem(&self) -> String {
        let kind = self.kind.to_lowercase();
        if self.namespace.is_empty() {
            format!("{kind}.{}", self.name)
        } else {
            format!("{kind}.{}.{}", self.namespace, self.name)
        }
    }

    fn hash(&self) -> String {
        let mut hash = Sha256::new();
        let parts = self.folders.iter().chain([&self.api_version, &self.kind, &self.namespace, &self.name]);
        for part in parts {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hash.finalize().iter().take(5).map(|b| format!("{b:02x}")).collect()
    }
}

/// Relative paths for `names`, each once: as they are where that is safe and unique, with a hash of the whole name where not.
pub(crate) fn paths(names: &[Name], extension: &str) -> Vec<String> {
    let plain: Vec<(String, bool)> = names.iter().map(plain_path).collect();
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for (path, _) in &plain {
        *uses.entry(path.to_lowercase()).or_default() += 1;
    }
    let path = |(name, (path, exact)): (&Name, &(String, bool))| {
        let unique = uses.get(&path.to_lowercase()).is_some_and(|n| *n == 1);
        if *exact && unique { format!("{path}.{extension}") } else { format!("{path}.{}.{extension}", name.hash()) }
    };
    let mut paths: Vec<String> = Vec::with_capacity(names.len());
    let mut twice: BTreeMap<String, usize> = BTreeMap::new();
    for path in names.iter().zip(&plain).map(path) {
        // A bundle can hold an object twice: both are written, in their order.
        let seen = twice.entry(path.clone()).or_default();
        *seen += 1;
        paths.push(if *seen == 1 {
            path
        } else {
            format!("{}.{seen}.{extension}", path.trim_end_matches(&format!(".{extension}")))
        });
    }
    paths
}

/// The folder of an extension's files.
pub(crate) fn folder_of(folders: &[String]) -> String {
    folders.iter().map(|part| safe(part)).collect::<Vec<_>>().join("/")
}

/// The path without its ending, and whether it says the name exactly.
fn plain_path(name: &Name) -> (String, bool) {
    let mut parts = Vec::new();
    let mut exact = true;
    for part in name.folders.iter().chain([&name.stem()]) {
        let safe = safe(part);
        exact &= safe == *part;
        parts.push(safe);
    }
    (parts.join("/"), exact)
}

fn safe(part: &str) -> String {
    let mut safe: String =
        part.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '-' }).collect();
    safe.truncate(MAX_NAME);
    if safe.starts_with('.') || safe.is_empty() {
        safe.insert(0, '_');
    }
    safe
}

/// Makes the folder hold exactly `files` (path, content) besides what is not ours, and besides what an earlier run wrote below
/// one of the folders `kept` (an empty name is all of them). Gives the paths that were removed.
pub(crate) fn write(folder: &Path, files: &BTreeMap<String, String>, kept: &[String]) -> Result<Vec<String>, Error> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    };
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    let ours = earlier(folder);
    for path in files.keys() {
        let full = folder.join(path);
        make_folders(folder, path)?;
        if std::fs::symlink_metadata(&full).is_ok() && !ours.contains(path) {
            return Err(Error::Foreign { path: full });
        }
    }
    // Listed before it is written: an interrupted run leaves no file that the next one takes for foreign.
    let all: BTreeSet<&str> = files.keys().map(String::as_str).chain(ours.iter().map(String::as_str)).collect();
    write_list(folder, all)?;
    for (path, content) in files {
        let full = folder.join(path);
        replace(&full, content.as_bytes()).map_err(io(&full))?;
    }
    let below_kept = |path: &String| {
        kept.iter().any(|k| k.is_empty() || path.strip_prefix(k.as_str()).is_some_and(|rest| rest.starts_with('/')))
    };
    let (stay, gone): (Vec<String>, Vec<String>) =
        ours.into_iter().partition(|path| files.contains_key(path) || below_kept(path));
    let removed = gone;
    for path in &removed {
        remove(folder, path);
    }
    write_list(folder, files.keys().chain(&stay).map(String::as_str).collect())?;
    Ok(removed)
}

fn write_list(folder: &Path, paths: BTreeSet<&str>) -> Result<(), Error> {
    let text: String = paths.into_iter().map(|p| format!("{p}\n")).collect();
    let list = folder.join(LIST);
    replace(&list, text.as_bytes()).map_err(|source| Error::Io { path: list, source })
}

/// The files that an earlier run listed, less any that it cannot have written.
#[allow(clippy::disallowed_methods)]
fn earlier(folder: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    let inside = |path: &&str| {
        !path.is_empty() && path.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'))
    };
    text.lines().filter(inside).map(str::to_owned).collect()
}

fn make_folders(folder: &Path, path: &str) -> Result<(), Error> {
    let mut at = folder.to_owned();
    let Some((folders, _)) = path.rsplit_once('/') else { return Ok(()) };
    for part in folders.split('/') {
        at.push(part);
        match std::fs::symlink_metadata(&at) {
            Ok(found) if found.is_dir() => {}
            Ok(found) if found.is_symlink() => return Err(Error::Link { path: at }),
            Ok(_) => return Err(Error::Foreign { path: at }),
            Err(_) => std::fs::create_dir(&at).map_err(|source| Error::Io { path: at.clone(), source })?,
        }
    }
    Ok(())
}

/// Removes a file of ours and the folders that it leaves empty. What cannot be removed stays.
fn remove(folder: &Path, path: &str) {
    let mut at = folder.to_owned();
    for part in path.split('/') {
        if std::fs::symlink_metadata(&at).is_ok_and(|m| m.is_symlink()) && at != folder {
            return;
        }
        at.push(part);
    }
    if std::fs::symlink_metadata(&at).is_ok_and(|m| m.is_file()) {
        let _ = std::fs::remove_file(&at);
    }
    let mut path = path;
    while let Some((parent, _)) = path.rsplit_once('/') {
        if std::fs::remove_dir(folder.join(parent)).is_err() {
            break;
        }
        path = parent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(kind: &str, namespace: &str, name: &str) -> Name {
        Name {
            folders: vec!["ext".to_owned()],
            kind: kind.to_owned(),
            api_version: "v1".to_owned(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn plain_names_stay_and_others_are_made_safe() {
        let names = [
            name("Service", "ns", "web"),
            name("ClusterRole", "", "a/b:c"),
            name("ClusterRole", "", "../../x"),
            name("ClusterRole", "", "a-b-c"),
            name("ClusterRole", "", "A-b-c"),
        ];
        let paths = paths(&names, "yaml");
        assert_eq!(paths[0], "ext/service.ns.web.yaml");
        assert!(paths[1].starts_with("ext/clusterrole.a-b-c.") && paths[1] != paths[3], "{paths:?}");
        assert!(!paths[2].contains("/.."), "{paths:?}");
        let folded: BTreeSet<String> = paths.iter().map(|p| p.to_lowercase()).collect();
        assert_eq!(folded.len(), names.len());
        let twice = super::paths(&[name("Service", "ns", "web"), name("Service", "ns", "web")], "yaml");
        assert!(twice[0] != twice[1] && twice[1].ends_with(".2.yaml"), "{twice:?}");
        let mut traversal = name("Service", "", "x");
        traversal.folders = vec!["..".to_owned()];
        assert!(super::paths(&[traversal], "yaml")[0].starts_with("_../"));
    }

    fn files(paths: &[&str]) -> BTreeMap<String, String> {
        paths.iter().map(|p| ((*p).to_owned(), format!("{p}\n"))).collect()
    }

    #[test]
    fn a_rerun_removes_what_an_earlier_run_wrote_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |p: &str| folder.path().join(p);
        write(folder.path(), &files(&["a/x.yaml", "b/y.yaml"]), &[]).unwrap();
        std::fs::write(at("b/mine.txt"), "mine").unwrap();
        let removed = write(folder.path(), &files(&["a/z.yaml"]), &[]).unwrap();
        assert_eq!(removed, ["a/x.yaml", "b/y.yaml"]);
        assert!(at("a/z.yaml").exists() && !at("a/x.yaml").exists() && !at("b/y.yaml").exists());
        assert_eq!(std::fs::read_to_string(at("b/mine.txt")).unwrap(), "mine");
    }

    #[test]
    fn what_there_is_no_answer_for_stays() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &files(&["a/x.yaml", "ab/y.yaml"]), &[]).unwrap();
        let removed = write(folder.path(), &files(&["c/z.yaml"]), &["a".to_owned()]).unwrap();
        assert_eq!(removed, ["ab/y.yaml"]);
        assert!(folder.path().join("a/x.yaml").exists());
        assert_eq!(write(folder.path(), &files(&["c/z.yaml"]), &[]).unwrap(), ["a/x.yaml"]);
    }

    #[test]
    fn a_foreign_file_in_the_way_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("a")).unwrap();
        std::fs::write(folder.path().join("a/x.yaml"), "mine").unwrap();
        assert!(matches!(write(folder.path(), &files(&["a/x.yaml"]), &[]), Err(Error::Foreign { .. })));
        assert_eq!(std::fs::read_to_string(folder.path().join("a/x.yaml")).unwrap(), "mine");
    }

    #[test]
    fn a_forged_list_removes_nothing_outside() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("out");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(outer.path().join("keep"), "").unwrap();
        std::fs::write(folder.join(LIST), "../keep\n/etc/hosts\na//b\n").unwrap();
        write(&folder, &files(&["a.yaml"]), &[]).unwrap();
        assert!(outer.path().join("keep").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_written_through() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("out");
        std::fs::create_dir(&folder).unwrap();
        std::fs::create_dir(outer.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink(outer.path().join("elsewhere"), folder.join("a")).unwrap();
        assert!(matches!(write(&folder, &files(&["a/x.yaml"]), &[]), Err(Error::Link { .. })));
        assert!(!outer.path().join("elsewhere/x.yaml").exists());
    }
}
