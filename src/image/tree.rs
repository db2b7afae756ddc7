//! The files of an image as its layers leave them, in memory: names, kinds, and where in the pack each file's bytes are.
//!
//! What a cluster's unpacking does on a disk happens here on a map; a link can lead nowhere but into the map.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::ops::Bound;

use super::content::{Entry, EntryKind};
use super::path::{Cleaned, compare};

/// As many symbolic links as a cluster's unpacking follows on the way to a parent folder.
const MAX_LINKS: usize = 255;
/// As many as the system follows when a file is opened.
const MAX_LINKS_OPEN: usize = 40;
const WHITEOUT: &str = ".wh.";
const OPAQUE: &str = ".wh..wh..opq";

/// Where a file's bytes are in the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) offset: u64,
    pub(super) len: u64,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    Directory,
    File(Extent),
    /// A file whose bytes are not kept.
    Skipped,
    /// A symbolic link, as written.
    Link(String),
}

/// The files so far.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: BTreeMap<String, Node>,
    /// What the current layer made; an opaque folder hides all else.
    fresh: HashSet<String>,
    steps: u64,
}

/// What an entry's name comes to.
pub(super) enum Place {
    /// The root itself, or a whiteout that has been applied: nothing to write.
    Done,
    /// A path to write to, its parents made.
    At(String),
}

/// Work on whiteouts that no honest image needs.
const MAX_STEPS: u64 = 200_000_000;

impl Tree {
    /// Begins a layer.
    pub(super) fn begin_layer(&mut self) {
        self.fresh.clear();
    }

    /// The number of names.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Finds where an entry of a layer goes, applying it if it is a whiteout.
    ///
    /// Follows containerd 1.7, `archive/tar.go` (`applyNaive`), which operator-controller unpacks with: parents are found through
    /// symbolic links within the root, missing ones are made.
    pub(super) fn place(&mut self, name: &str) -> Result<Place, String> {
        let mut parts = Cleaned::new(name).parts;
        let Some(base) = parts.pop() else { return Ok(Place::Done) };
        let parent = self.resolve(&parts)?;
        self.make_parents(&parent)?;
        if base == OPAQUE {
            self.make_opaque(&parent)?;
            return Ok(Place::Done);
        }
        if let Some(hidden) = base.strip_prefix(WHITEOUT) {
            if matches!(hidden, "" | "." | "..") {
                return Err(format!("invalid whiteout name: {base}"));
            }
            self.remove(&join(&parent, hidden));
            return Ok(Place::Done);
        }
        Ok(Place::At(join(&parent, &base)))
    }

    /// Puts a node at a place; what was there goes, unless both are directories.
    pub(super) fn put(&mut self, path: String, node: Node) {
        if !(node == Node::Directory && self.nodes.get(&path) == Some(&Node::Directory)) {
            self.remove(&path);
            self.nodes.insert(path.clone(), node);
        }
        self.fresh.insert(path);
    }

    /// The node that a hard link at a place names; parents are followed, the name itself is not. What was at the place is gone before.
    pub(super) fn link(&mut self, place: &str, name: &str) -> Result<Node, String> {
        self.remove(place);
        // Unlike an entry's own name, this one is not cleaned first: `..` goes up from where a link before it leads.
        let mut parts: Vec<String> = name.split('/').map(str::to_owned).collect();
        let base = parts.pop_if(|base| !matches!(base.as_str(), "" | "." | "..")).unwrap_or_default();
        let folder = self.resolve(&parts)?;
        let path = if base.is_empty() { folder } else { join(&folder, &base) };
        match self.nodes.get(&path) {
            Some(Node::Directory) => Err(format!("a hard link leads to the directory {path}")),
            Some(node) => Ok(node.clone()),
            None => Err(format!("a hard link leads to {path}, which is not there")),
        }
    }

    /// All names below the wanted folders, in walking order, each with what opening it gives.
    pub(super) fn entries(&self, wanted: impl Fn(&str) -> bool) -> Vec<(Entry, Option<Extent>)> {
        let mut entries: Vec<_> =
            self.nodes.iter().filter(|(path, _)| wanted(path)).map(|(path, node)| self.entry(path, node)).collect();
        entries.sort_by(|(left, _), (right, _)| compare(&left.path, &right.path));
        entries
    }

    fn entry(&self, path: &str, node: &Node) -> (Entry, Option<Extent>) {
        let (kind, extent) = match self.open(path, node) {
            Ok(Some(extent)) => (EntryKind::File, Some(extent)),
            Ok(None) => (EntryKind::Directory, None),
            Err(reason) => (EntryKind::Unreadable(reason), None),
        };
        (Entry { path: path.to_owned(), len: extent.map_or(0, |extent| extent.len), kind, stamp: None }, extent)
    }

    /// What the system gives when a cluster opens the name: links are followed, but an absolute one, or one that leads out of the
    /// image, leads to the cluster's own files and is refused.
    fn open(&self, path: &str, node: &Node) -> Result<Option<Extent>, String> {
        const NOT_KEPT: &str = "it is linked to a file outside of the folders that are kept, which is not supported";
        let target = match node {
            Node::Directory => return Ok(None),
            Node::File(extent) => return Ok(Some(*extent)),
            Node::Skipped => return Err(NOT_KEPT.to_owned()),
            Node::Link(target) => target,
        };
        let outside = || format!("it is a link to {target}, which leads out of the image");
        let mut out: Vec<&str> = path.split('/').collect();
        out.pop();
        let mut queue: VecDeque<&str> = target.split('/').collect();
        let mut links = 1;
        if target.starts_with('/') {
            return Err(outside());
        }
        while let Some(part) = queue.pop_front() {
            match part {
                "" | "." => continue,
                ".." => {
                    out.pop().ok_or_else(outside)?;
                    continue;
                }
                part => out.push(part),
            }
            match self.nodes.get(&out.join("/")) {
                None => return Err(format!("it is a link to {target}, which is not in the image")),
                Some(Node::Link(next)) => {
                    links += 1;
                    if links > MAX_LINKS_OPEN {
                        return Err(format!("it is a link to {target}, which goes through too many links"));
                    }
                    if next.starts_with('/') {
                        return Err(outside());
                    }
                    out.pop();
                    next.split('/').rev().for_each(|part| queue.push_front(part));
                }
                Some(Node::File(extent)) if queue.is_empty() => return Ok(Some(*extent)),
                Some(Node::Skipped) if queue.is_empty() => return Err(NOT_KEPT.to_owned()),
                Some(Node::File(_) | Node::Skipped) => {
                    return Err(format!("it is a link to {target}, which goes through a file"));
                }
                Some(Node::Directory) => {}
            }
        }
        Err(format!("it is a link to the directory {target}"))
    }

    /// A folder's path with its symbolic links resolved within the root; what does not exist is taken as written.
    fn resolve(&self, parts: &[String]) -> Result<String, String> {
        let mut out: Vec<String> = Vec::new();
        let mut queue: VecDeque<String> = parts.iter().cloned().collect();
        let mut links = 0;
        while let Some(part) = queue.pop_front() {
            match part.as_str() {
                "" | "." => continue,
                ".." => {
                    out.pop();
                    continue;
                }
                _ => out.push(part),
            }
            if let Some(Node::Link(target)) = self.nodes.get(&out.join("/")) {
                links += 1;
                if links > MAX_LINKS {
                    return Err("too many links".to_owned());
                }
                out.pop();
                if target.starts_with('/') {
                    out.clear();
                }
                target.split('/').rev().for_each(|part| queue.push_front(part.to_owned()));
            }
        }
        Ok(out.join("/"))
    }

    fn make_parents(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() || self.nodes.get(path) == Some(&Node::Directory) {
            return Ok(());
        }
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        for end in ends {
            let folder = path.get(..end).unwrap_or_default();
            match self.nodes.get(folder) {
                None => {
                    self.nodes.insert(folder.to_owned(), Node::Directory);
                }
                Some(Node::Directory) => {}
                Some(_) => return Err(format!("{folder} is not a directory")),
            }
        }
        Ok(())
    }

    fn remove(&mut self, path: &str) {
        if self.nodes.remove(path) != Some(Node::Directory) {
            return;
        }
        for below in self.below(path) {
            self.nodes.remove(&below);
        }
    }

    /// Hides what the layers before put into a folder.
    fn make_opaque(&mut self, folder: &str) -> Result<(), String> {
        let below = self.below(folder);
        self.steps += below.len() as u64;
        if self.steps > MAX_STEPS {
            return Err("too many opaque folders".to_owned());
        }
        for path in below {
            if !self.fresh.contains(&path) {
                self.remove(&path);
            }
        }
        Ok(())
    }

    fn below(&self, folder: &str) -> Vec<String> {
        if folder.is_empty() {
            return self.nodes.keys().cloned().collect();
        }
        let prefix = format!("{folder}/");
        self.nodes
            .range::<str, _>((Bound::Excluded(prefix.as_str()), Bound::Unbounded))
            .map(|(path, _)| path)
            .take_while(|path| path.starts_with(&prefix))
            .cloned()
            .collect()
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(n: u64) -> Node {
        Node::File(Extent { offset: n, len: 1 })
    }

    fn add(tree: &mut Tree, name: &str, node: Node) {
        match tree.place(name).unwrap() {
            Place::At(path) => tree.put(path, node),
            Place::Done => {}
        }
    }

    fn paths(tree: &Tree) -> String {
        let kind = |kind: &EntryKind| match kind {
            EntryKind::File => "",
            EntryKind::Directory => "/",
            EntryKind::Unreadable(_) => "!",
        };
        tree.entries(|_| true)
            .iter()
            .map(|(entry, _)| format!("{}{}", entry.path, kind(&entry.kind)))
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn reason(tree: &Tree, path: &str) -> String {
        let entries = tree.entries(|found| found == path);
        match &entries[0].0.kind {
            EntryKind::Unreadable(reason) => reason.clone(),
            other => panic!("{path} is {other:?}"),
        }
    }

    #[test]
    fn later_layers_hide_and_replace() {
        let mut tree = Tree::default();
        for name in ["a/one", "a/two", "a/deep/three", "b/four", "c/five"] {
            add(&mut tree, name, file(1));
        }
        tree.begin_layer();
        add(&mut tree, "a/.wh.two", file(0));
        add(&mut tree, "a/.wh.deep", file(0));
        add(&mut tree, "b/new", file(2));
        add(&mut tree, "b/.wh..wh..opq", file(0));
        add(&mut tree, "c", file(3));
        assert_eq!(paths(&tree), "a/ a/one b/ b/new c");
    }

    #[test]
    fn an_opaque_folder_keeps_what_its_own_layer_put_there() {
        let mut tree = Tree::default();
        add(&mut tree, "a/old", file(1));
        tree.begin_layer();
        add(&mut tree, "a/sub", Node::Directory);
        add(&mut tree, "a/sub/new", file(2));
        add(&mut tree, "a/.wh..wh..opq", file(0));
        assert_eq!(paths(&tree), "a/ a/sub/ a/sub/new");
    }

    #[test]
    fn nothing_leaves_the_root() {
        let mut tree = Tree::default();
        add(&mut tree, "../../etc/passwd", file(1));
        add(&mut tree, "/abs", file(1));
        add(&mut tree, "up", Node::Link("../../..".to_owned()));
        add(&mut tree, "up/x", file(1));
        add(&mut tree, "root", Node::Link("/etc".to_owned()));
        add(&mut tree, "root/shadow", file(1));
        assert_eq!(paths(&tree), "abs etc/ etc/passwd etc/shadow root! up! x");
        assert!(reason(&tree, "up").contains("leads out of the image"));
        assert!(reason(&tree, "root").contains("leads out of the image"));
    }

    #[test]
    fn links_give_what_opening_them_gives() {
        let mut tree = Tree::default();
        add(&mut tree, "d/real", file(7));
        add(&mut tree, "d/good", Node::Link("../e/hop".to_owned()));
        add(&mut tree, "e/hop", Node::Link("../d/real".to_owned()));
        add(&mut tree, "dangling", Node::Link("nowhere".to_owned()));
        add(&mut tree, "folder", Node::Link("d".to_owned()));
        add(&mut tree, "through", Node::Link("d/real/x".to_owned()));
        add(&mut tree, "loop", Node::Link("loop".to_owned()));
        let good = tree.entries(|path| path == "d/good");
        assert_eq!((&good[0].0.kind, good[0].1), (&EntryKind::File, Some(Extent { offset: 7, len: 1 })));
        for (path, why) in [
            ("dangling", "not in the image"),
            ("folder", "a link to the directory"),
            ("through", "goes through a file"),
            ("loop", "too many links"),
        ] {
            assert!(reason(&tree, path).contains(why), "{path}: {}", reason(&tree, path));
        }
    }

    #[test]
    fn a_loop_among_parents_ends() {
        let mut tree = Tree::default();
        add(&mut tree, "a", Node::Link("b".to_owned()));
        add(&mut tree, "b", Node::Link("a".to_owned()));
        assert!(tree.place("a/x").is_err());
        add(&mut tree, "f", file(1));
        assert!(tree.place("f/x").is_err());
        assert!(tree.place("d/.wh...").is_err());
    }

    #[test]
    fn hard_links_share_the_bytes() {
        let mut tree = Tree::default();
        add(&mut tree, "a", file(9));
        assert_eq!(tree.link("b", "./a"), Ok(file(9)));
        assert!(tree.link("b", "gone").is_err());
        add(&mut tree, "d", Node::Directory);
        assert!(tree.link("b", "d").is_err());
        assert!(tree.link("a", "a").is_err());
    }
}
