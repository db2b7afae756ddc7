//! An OCI layout, as a folder or inside an archive.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::archive::Tar;
use super::digest::Digest;
use super::error::{ErrorKind, plain};
use super::manifest::{Descriptor, object};
use super::reference::Reference;
use super::settings::Limits;
use super::source::{Blob, Source, read_small};

const NAME: &str = "org.opencontainers.image.ref.name";
/// What containerd and docker write beside it.
const FULL_NAME: &str = "io.containerd.image.name";

/// What holds files by name.
pub(super) enum Holder {
    Folder(PathBuf),
    Tar(Tar),
}

impl Holder {
    /// Opens a file; `None` if there is none.
    pub(super) fn open(&self, name: &str) -> Result<Option<Box<dyn Read + Send>>, ErrorKind> {
        match self {
            Self::Tar(tar) => Ok(tar.open_boxed(name)),
            Self::Folder(root) => {
                let path = root.join(name);
                match File::open(&path) {
                    Ok(file) => Ok(Some(Box::new(file))),
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                    Err(error) => Err(ErrorKind::io(path, error)),
                }
            }
        }
    }

    pub(super) fn place(&self) -> &Path {
        match self {
            Self::Tar(tar) => tar.path(),
            Self::Folder(root) => root,
        }
    }

    /// All of a small file that has to be there.
    pub(super) fn small(&self, name: &str, limit: u64) -> Result<Vec<u8>, ErrorKind> {
        read_small(name, self.must_open(name)?, limit)
    }

    pub(super) fn must_open(&self, name: &str) -> Result<Box<dyn Read + Send>, ErrorKind> {
        let missing = || ErrorKind::NotFound { what: plain(name), place: self.place().display().to_string() };
        self.open(name)?.ok_or_else(missing)
    }
}

/// One image of a layout.
pub(super) struct Layout {
    holder: Holder,
    digest: Digest,
    limit: u64,
}

impl Layout {
    /// Finds the image that a reference means: by digest, else by name, else the only one.
    pub(super) fn open(holder: Holder, reference: Option<&Reference>, limits: &Limits) -> Result<Self, ErrorKind> {
        #[derive(Deserialize)]
        struct Index {
            #[serde(default)]
            manifests: Vec<Descriptor>,
        }
        let limit = limits.manifest;
        let index = holder.small("index.json", limit)?;
        let index: Index = object("index.json", &index)?;
        let digest = match reference.and_then(Reference::digest) {
            Some(digest) => digest.clone(),
            None => pick(&index.manifests, reference).ok_or_else(|| {
                let names: Vec<String> =
                    index.manifests.iter().filter_map(|entry| entry.annotations.get(NAME)).map(|name| plain(name)).collect();
                let what = match names.len() {
                    0 => "a single image".to_owned(),
                    _ => format!("an image of this name, among {},", names.join(", ")),
                };
                ErrorKind::NotFound { what, place: holder.place().display().to_string() }
            })?,
        };
        Ok(Self { holder, digest, limit })
    }

    fn blob(&self, digest: &Digest) -> Result<Box<dyn Read + Send>, ErrorKind> {
        self.holder.must_open(&format!("blobs/{}/{}", digest.algorithm(), digest.hex()))
    }
}

fn pick(entries: &[Descriptor], reference: Option<&Reference>) -> Option<Digest> {
    let named = reference.and_then(|reference| {
        let full = reference.to_string();
        entries.iter().find(|entry| {
            entry.annotations.get(FULL_NAME).is_some_and(|name| *name == full)
                || entry.annotations.get(NAME).is_some_and(|name| Some(name.as_str()) == reference.tag() || *name == full)
        })
    });
    let only = || match entries {
        [entry] => Some(entry),
        _ => None,
    };
    named.or_else(only).map(|entry| entry.digest.clone())
}

impl Source for Layout {
    fn named(&self) -> Result<(Digest, Vec<u8>), ErrorKind> {
        Ok((self.digest.clone(), self.manifest(&self.digest)?))
    }

    fn manifest(&self, digest: &Digest) -> Result<Vec<u8>, ErrorKind> {
        read_small("the manifest", self.blob(digest)?, self.limit)
    }

    fn config(&self, descriptor: &Descriptor) -> Result<Vec<u8>, ErrorKind> {
        read_small("the image's configuration", self.blob(&descriptor.digest)?, self.limit)
    }

    fn layer(&self, descriptor: &Descriptor) -> Result<Blob, ErrorKind> {
        let reader = self.blob(&descriptor.digest)?;
        Ok(Blob { reader, expected: Some((descriptor.digest.clone(), descriptor.size)) })
    }
}
