//! Layers, held to what a real disk makes of them, and to any bytes at all.
#![allow(clippy::disallowed_methods, reason = "the slow version unpacks onto a disk")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests fail the test")]
#![cfg(unix)]

#[path = "support/oci.rs"]
mod oci;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use oci::{CATALOG_LABEL, Item, Packing};
use olmplan::image::{EntryKind, Images, Kind, Settings};
use proptest::prelude::*;

/// An entry of a layer, as proptest makes them.
#[derive(Debug, Clone)]
enum Step {
    File(String, u8),
    Directory(String),
    Symlink(String, &'static str),
    Hardlink(String, &'static str),
    Whiteout(String),
    Opaque(String),
}

/// What reading a path gives: its bytes, that it is a directory, or that it cannot be read.
#[derive(Debug, PartialEq, Eq)]
enum Seen {
    File(Vec<u8>),
    Directory,
    Unreadable,
}

/// A path's parent as `fs.RootPath` of containerd/continuity finds it: links are followed, the root is never left.
fn root_path(root: &Path, path: &str) -> Option<PathBuf> {
    let mut todo: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
    let mut at = root.to_owned();
    let mut links = 0;
    while let Some(part) = todo.pop() {
        match part.as_str() {
            "" | "." => continue,
            ".." => {
                if at != root {
                    at.pop();
                }
                continue;
            }
            part => at.push(part),
        }
        if let Ok(target) = fs::read_link(&at) {
            links += 1;
            if links > 255 {
                return None;
            }
            at.pop();
            if target.is_absolute() {
                at = root.to_owned();
            }
            let target = target.to_str().unwrap().to_owned();
            todo.extend(target.split('/').rev().map(str::to_owned));
        }
    }
    Some(at)
}

fn remove(path: &Path) {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path).unwrap(),
        Ok(_) => fs::remove_file(path).unwrap(),
        Err(_) => {}
    }
}

/// Unpacks one layer onto a disk, as containerd's `applyNaive` does; `None` where it fails.
fn unpack(root: &Path, layer: &[Step]) -> Option<()> {
    let mut fresh = BTreeSet::new();
    for step in layer {
        let (Step::File(path, _)
        | Step::Directory(path)
        | Step::Symlink(path, _)
        | Step::Hardlink(path, _)
        | Step::Whiteout(path)
        | Step::Opaque(path)) = step;
        let (parent, base) = match step {
            Step::Opaque(_) => (path.as_str(), ""),
            _ => path.rsplit_once('/').unwrap_or(("", path)),
        };
        let parent = root_path(root, parent)?;
        fs::create_dir_all(&parent).ok()?;
        let path = parent.join(base);
        match step {
            Step::Whiteout(_) => {
                remove(&path);
                continue;
            }
            Step::Opaque(_) => {
                for entry in walkdir::WalkDir::new(&parent).min_depth(1).contents_first(false) {
                    let Ok(entry) = entry else { continue };
                    if !fresh.contains(entry.path()) {
                        remove(entry.path());
                    }
                }
                continue;
            }
            _ => {}
        }
        let both_directories =
            matches!(step, Step::Directory(_)) && fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir());
        if !both_directories {
            remove(&path);
        }
        match step {
            Step::File(_, content) => fs::write(&path, [*content]).ok()?,
            Step::Directory(_) if both_directories => {}
            Step::Directory(_) => fs::create_dir(&path).ok()?,
            Step::Symlink(_, target) => std::os::unix::fs::symlink(target, &path).ok()?,
            Step::Hardlink(_, target) => {
                let (parent, base) = target.rsplit_once('/').unwrap_or(("", target));
                fs::hard_link(root_path(root, parent)?.join(base), &path).ok()?;
            }
            Step::Whiteout(_) | Step::Opaque(_) => {}
        }
        fresh.insert(path);
    }
    Some(())
}

/// Whether opening a path stays inside: no absolute link and no `..` beyond the root on the way.
fn stays_inside(root: &Path, path: &Path) -> bool {
    let mut at = path.parent().unwrap().to_owned();
    let mut todo: Vec<PathBuf> = vec![PathBuf::from(path.file_name().unwrap())];
    for _ in 0..1000 {
        let Some(part) = todo.pop() else { return true };
        if part == Path::new("..") {
            if at == root {
                return false;
            }
            at.pop();
            continue;
        }
        at.push(part);
        if let Ok(target) = fs::read_link(&at) {
            if target.is_absolute() {
                return false;
            }
            at.pop();
            let parts: Vec<_> = target
                .components()
                .filter(|part| *part != Component::CurDir)
                .map(|part| PathBuf::from(part.as_os_str()))
                .collect();
            todo.extend(parts.into_iter().rev());
        }
    }
    true
}

fn on_disk(layers: &[Vec<Step>]) -> Option<BTreeMap<String, Seen>> {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    for layer in layers {
        unpack(&root, layer)?;
    }
    let mut seen = BTreeMap::new();
    for entry in walkdir::WalkDir::new(&root).min_depth(1) {
        let entry = entry.unwrap();
        let name = entry.path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        let what = if entry.file_type().is_dir() {
            Seen::Directory
        } else if stays_inside(&root, entry.path()) {
            fs::read(entry.path()).map_or(Seen::Unreadable, Seen::File)
        } else {
            Seen::Unreadable
        };
        seen.insert(name, what);
    }
    Some(seen)
}

fn in_a_pack(layers: &[Vec<Step>]) -> Option<BTreeMap<String, Seen>> {
    let packed: Vec<oci::Layer> = layers
        .iter()
        .map(|layer| {
            let named: Vec<(String, Item)> = layer
                .iter()
                .map(|step| match step {
                    Step::File(path, content) => (path.clone(), Item::File(vec![*content])),
                    Step::Directory(path) => (path.clone(), Item::Directory),
                    Step::Symlink(path, target) => (path.clone(), Item::Symlink(target)),
                    Step::Hardlink(path, target) => (path.clone(), Item::Hardlink(target)),
                    Step::Whiteout(path) => {
                        let (parent, base) = path.rsplit_once('/').unwrap_or(("", path));
                        (format!("{parent}/.wh.{base}").trim_start_matches('/').to_owned(), Item::File(Vec::new()))
                    }
                    Step::Opaque(path) => (format!("{path}/.wh..wh..opq"), Item::File(Vec::new())),
                })
                .collect();
            let mut named = named;
            let entries: Vec<(&str, Item)> =
                named.iter_mut().map(|(path, item)| (path.as_str(), std::mem::replace(item, Item::Directory))).collect();
            oci::layer(Packing::Plain, &entries)
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    oci::write_layout(&folder.path().join("layout"), &[("v1", &oci::image(&[(CATALOG_LABEL, "/")], packed))]);
    let images = Images::new(Settings::new(folder.path().join("store"))).unwrap();
    let content = images.open_path(&folder.path().join("layout"), Kind::Catalog).ok()?;
    let seen = |kind: &EntryKind, path: &str| match kind {
        EntryKind::File => Seen::File(content.read(path).unwrap()),
        EntryKind::Directory => Seen::Directory,
        EntryKind::Unreadable(_) => Seen::Unreadable,
    };
    Some(content.list().iter().map(|entry| (entry.path.clone(), seen(&entry.kind, &entry.path))).collect())
}

fn step() -> impl Strategy<Value = Step> {
    // Folders are mostly `a` and `b`, files mostly `x` and `y`, so that most layers can be unpacked.
    let path = || {
        let folder = prop::sample::select(vec!["", "", "a/", "a/", "b/", "a/b/", "b/a/", "a/a/", "y/"]);
        let name = prop::sample::select(vec!["x", "x", "y", "y", "z", "a", "b"]);
        (folder, name).prop_map(|(folder, name)| format!("{folder}{name}"))
    };
    let folder = || prop::sample::select(vec!["a", "b", "a/b", "b/a", "y"]).prop_map(str::to_owned);
    let file = || path().prop_map(|path| path.strip_suffix(['a', 'b']).map_or(path.clone(), |folder| format!("{folder}x")));
    let target =
        || prop::sample::select(vec!["a", "b", "x", "../a", "a/x", "../../c", "/a", "/b/x", "b/../a/y", ".", "../y", "y/x"]);
    prop_oneof![
        12 => (file(), any::<u8>()).prop_map(|(path, content)| Step::File(path, content)),
        4 => folder().prop_map(Step::Directory),
        6 => (path(), target()).prop_map(|(path, target)| Step::Symlink(path, target)),
        1 => (file(), prop::sample::select(vec!["x", "a/x", "y/../x"])).prop_map(|(path, target)| Step::Hardlink(path, target)),
        4 => path().prop_map(Step::Whiteout),
        2 => folder().prop_map(Step::Opaque),
        1 => (path(), any::<u8>()).prop_map(|(path, content)| Step::File(path, content)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn layers_come_out_as_on_a_disk(layers in prop::collection::vec(prop::collection::vec(step(), 1..8), 1..4)) {
        prop_assert_eq!(in_a_pack(&layers), on_disk(&layers));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_change_to_an_archive_is_read_or_refused(changes in prop::collection::vec((0_usize..6000, any::<u8>()), 1..6), cut in 0_usize..8000) {
        let long = format!("manifests/{}", "n".repeat(150));
        let mut bytes = oci::tar(&[
            ("manifests/csv.yaml", Item::File(vec![b'x'; 700])),
            (long.as_str(), Item::File(b"long".to_vec())),
            ("metadata/link", Item::Symlink("../manifests/csv.yaml")),
            ("metadata/hard", Item::Hardlink("manifests/csv.yaml")),
        ]);
        for (at, value) in changes {
            let at = at % bytes.len();
            bytes[at] = value;
        }
        bytes.truncate(cut.max(1));
        let folder = tempfile::tempdir().unwrap();
        let image = oci::image(&[], vec![oci::packed(Packing::Plain, bytes)]);
        oci::write_layout(&folder.path().join("layout"), &[("v1", &image)]);
        let images = Images::new(Settings::new(folder.path().join("store"))).unwrap();
        if let Ok(content) = images.open_path(&folder.path().join("layout"), Kind::Bundle) {
            for entry in content.list() {
                prop_assert!(entry.path.split('/').all(|part| !matches!(part, "" | "." | "..")));
                prop_assert_eq!(content.read(&entry.path).is_ok(), entry.kind == EntryKind::File);
            }
        }
    }
}
