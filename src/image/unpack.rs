//! Layers -> a tree of names and a pack of bytes.

use std::io::Read;

use tar::{Archive, EntryType, Header, PaxExtensions};

use super::error::{ErrorKind, plain};
use super::pack::PackWriter;
use super::path::{Cleaned, is_within};
use super::settings::{Kind, Limits};
use super::tree::{Node, Place, Tree};

/// As much as Go's `archive/tar` takes for a header's extension.
const MAX_EXTENSION: u64 = 1 << 20;

/// Which names of an image count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Filter {
    /// What is in a folder; the rest is passed over unseen, whiteouts too.
    Folder(String),
    /// Everything is seen; the bytes are kept of what is in `manifests/` and `metadata/`.
    Bundle,
}

impl Filter {
    /// What a cluster keeps of an image with these labels.
    ///
    /// Follows operator-controller v1.11.0, `internal/shared/util/image/cache.go` and `filters.go`: of a catalog the folder that its
    /// label names, in whose absence it is refused; of a bundle everything, of which `rukpak/bundle/source/source.go` reads two folders.
    pub(super) fn new(kind: Kind, label: Option<&str>, name: &'static str) -> Result<Self, ErrorKind> {
        match kind {
            Kind::Bundle => Ok(Self::Bundle),
            Kind::Catalog => {
                let label = label.ok_or(ErrorKind::MissingLabel(name))?;
                let folder = Cleaned::new(label.strip_prefix('/').unwrap_or(label));
                if folder.outside {
                    return Err(ErrorKind::malformed(format!("the label {name}"), format!("{label:?} leads out of the image")));
                }
                Ok(Self::Folder(folder.joined()))
            }
        }
    }

    fn sees(&self, name: &str) -> bool {
        match self {
            Self::Folder(folder) => {
                let cleaned = Cleaned::new(name);
                !cleaned.outside && is_within(&cleaned.joined(), folder)
            }
            Self::Bundle => true,
        }
    }

    /// Whether a path's bytes are kept.
    pub(super) fn keeps(&self, path: &str) -> bool {
        match self {
            Self::Folder(_) => true,
            Self::Bundle => is_within(path, "manifests") || is_within(path, "metadata"),
        }
    }
}

/// Applies layers, one after the other.
pub(super) struct Unpacker<'a> {
    filter: &'a Filter,
    limits: &'a Limits,
    pub(super) tree: Tree,
    pub(super) pack: PackWriter,
    entries: u64,
    buffer: Vec<u8>,
}

impl<'a> Unpacker<'a> {
    pub(super) fn new(filter: &'a Filter, limits: &'a Limits, pack: PackWriter) -> Self {
        Self { filter, limits, tree: Tree::default(), pack, entries: 0, buffer: vec![0; 64 << 10] }
    }

    /// Applies one unpacked layer.
    pub(super) fn apply(&mut self, what: &str, layer: &mut dyn Read) -> Result<(), ErrorKind> {
        self.tree.begin_layer();
        let failed = |error| ErrorKind::from_read(what, error);
        let mut archive = Archive::new(layer);
        let mut extension = Extension::default();
        for entry in archive.entries().map_err(failed)?.raw(true) {
            let mut entry = entry.map_err(failed)?;
            self.entries += 1;
            if self.entries > self.limits.entries {
                return Err(ErrorKind::TooLarge { what: "the entries of the layers".to_owned(), limit: self.limits.entries });
            }
            let kind = entry.header().entry_type();
            if extension.take(what, kind, &mut entry)? {
                continue;
            }
            let extension = std::mem::take(&mut extension);
            self.entry(what, &extension, kind, &mut entry)?;
        }
        Ok(())
    }

    fn entry(
        &mut self,
        what: &str,
        extension: &Extension,
        kind: EntryType,
        entry: &mut tar::Entry<'_, impl Read>,
    ) -> Result<(), ErrorKind> {
        let malformed = |reason: String| ErrorKind::malformed(what, reason);
        let raw = extension.name(entry.header());
        if raw.len() > self.limits.path {
            return Err(ErrorKind::TooLarge { what: "the bytes of a path".to_owned(), limit: self.limits.path as u64 });
        }
        let name = String::from_utf8_lossy(&raw);
        if !self.filter.sees(&name) {
            return Ok(());
        }
        if extension.changes_data || kind.is_gnu_sparse() {
            return Err(ErrorKind::Unsupported(format!(
                "{what} holds {} as a sparse file, which is not supported",
                plain(&name)
            )));
        }
        let Place::At(path) = self.tree.place(&name).map_err(malformed)? else { return Ok(()) };
        let kept = self.filter.keeps(&path);
        if kept && (raw.contains(&0) || std::str::from_utf8(&raw).is_err()) {
            return Err(malformed(format!("the name {} is not UTF-8", plain(&name))));
        }
        let link = || String::from_utf8_lossy(&extension.link(entry.header())).into_owned();
        let node = match kind {
            EntryType::Directory => Node::Directory,
            EntryType::Regular if name.ends_with('/') => Node::Directory,
            EntryType::Regular if !kept => Node::Skipped,
            EntryType::Regular => {
                let extent = self.pack.append(entry, &mut self.buffer, self.limits.kept).map_err(|error| match error {
                    ErrorKind::Malformed { reason, .. } => malformed(reason),
                    other => other,
                })?;
                Node::File(extent)
            }
            EntryType::Symlink => Node::Link(link()),
            EntryType::Link => self.tree.link(&path, &link()).map_err(malformed)?,
            EntryType::XGlobalHeader => return Ok(()),
            EntryType::Char | EntryType::Block | EntryType::Fifo => {
                return Err(malformed(format!("{} is a device or a pipe, which a cluster refuses", plain(&name))));
            }
            other => return Err(malformed(format!("unhandled tar header type {} of {}", other.as_byte(), plain(&name)))),
        };
        self.tree.put(path, node);
        if self.tree.len() > self.limits.files {
            return Err(ErrorKind::TooLarge { what: "the files of the image".to_owned(), limit: self.limits.files as u64 });
        }
        Ok(())
    }
}

/// What the entries before an entry say of it: long names, and PAX records.
#[derive(Default)]
pub(super) struct Extension {
    name: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
    /// The data is not what the header says: sparse, or of another size.
    pub(super) changes_data: bool,
}

impl Extension {
    /// Takes an entry that extends the next one; false if it is an entry of its own.
    pub(super) fn take(&mut self, what: &str, kind: EntryType, entry: &mut tar::Entry<'_, impl Read>) -> Result<bool, ErrorKind> {
        if !matches!(kind, EntryType::GNULongName | EntryType::GNULongLink | EntryType::XHeader) {
            return Ok(false);
        }
        let size = entry.size();
        if size > MAX_EXTENSION {
            return Err(ErrorKind::TooLarge { what: "the bytes of a header".to_owned(), limit: MAX_EXTENSION });
        }
        let mut data = Vec::new();
        entry.read_to_end(&mut data).map_err(|error| ErrorKind::from_read(what, error))?;
        match kind {
            EntryType::GNULongName => self.name = Some(until_nul(data)),
            EntryType::GNULongLink => self.link = Some(until_nul(data)),
            _ => {
                for record in PaxExtensions::new(&data) {
                    let record = record.map_err(|error| ErrorKind::malformed(what, error))?;
                    match record.key_bytes() {
                        b"path" => self.name = Some(record.value_bytes().to_vec()),
                        b"linkpath" => self.link = Some(record.value_bytes().to_vec()),
                        b"size" => self.changes_data = true,
                        key if key.starts_with(b"GNU.sparse.") => self.changes_data = true,
                        _ => {}
                    }
                }
            }
        }
        Ok(true)
    }

    pub(super) fn name(&self, header: &Header) -> Vec<u8> {
        self.name.clone().unwrap_or_else(|| header.path_bytes().into_owned())
    }

    pub(super) fn link(&self, header: &Header) -> Vec<u8> {
        self.link.clone().or_else(|| header.link_name_bytes().map(std::borrow::Cow::into_owned)).unwrap_or_default()
    }
}

fn until_nul(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
        bytes.truncate(end);
    }
    bytes
}
