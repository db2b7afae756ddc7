//! Archives: a tar file as a holder of files, and what `docker save` writes into one.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tar::EntryType;

use super::decompress::decompressed;
use super::digest::Digest;
use super::error::ErrorKind;
use super::layout::Holder;
use super::manifest::{Config, DOCKER_CONFIG, DOCKER_MANIFEST, Descriptor};
use super::pack::read_exact_at;
use super::path::Cleaned;
use super::reference::Reference;
use super::settings::Limits;
use super::source::{Blob, Source};
use super::store::Store;
use super::unpack::Extension;

const MAX_LINKS: usize = 8;
const DOCKER_LAYER: &str = "application/vnd.docker.image.rootfs.diff.tar.gzip";

/// A tar file, its members found once.
pub(super) struct Tar {
    path: PathBuf,
    file: Arc<File>,
    members: BTreeMap<String, Member>,
}

enum Member {
    File { offset: u64, len: u64 },
    Link(String),
}

impl Tar {
    /// Opens a tar file; a compressed one is unpacked into a temporary file first.
    pub(super) fn open(path: &Path, store: &Store, limits: &Limits) -> Result<Self, ErrorKind> {
        let failed = |error: io::Error| match error.downcast::<ErrorKind>() {
            Ok(kind) => kind,
            Err(error) => ErrorKind::io(path, error),
        };
        let mut file = File::open(path).map_err(failed)?;
        let mut head = [0; 4];
        let is_packed =
            file.read_exact(&mut head).is_ok() && (head.starts_with(&[0x1f, 0x8b]) || head == [0x28, 0xb5, 0x2f, 0xfd]);
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        if is_packed {
            let mut plain = store.temporary()?.into_file();
            let reader = decompressed(BufReader::with_capacity(256 << 10, file)).map_err(failed)?;
            let written = io::copy(&mut reader.take(limits.unpacked + 1), &mut plain)
                .map_err(|error| ErrorKind::from_read("the archive", error))?;
            if written > limits.unpacked {
                return Err(ErrorKind::TooLarge { what: "the bytes of the archive".to_owned(), limit: limits.unpacked });
            }
            plain.seek(SeekFrom::Start(0)).map_err(failed)?;
            file = plain;
        }
        let members = members(&file, limits)?;
        Ok(Self { path: path.to_owned(), file: Arc::new(file), members })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn holds(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// Opens a member; `None` if there is none. `docker save` writes a layer that it has already written as a link.
    pub(super) fn open_member(&self, name: &str) -> Option<Section> {
        let mut name = Cleaned::new(name).joined();
        for _ in 0..MAX_LINKS {
            match self.members.get(&name)? {
                Member::File { offset, len } => {
                    return Some(Section { file: Arc::clone(&self.file), offset: *offset, left: *len });
                }
                Member::Link(target) => {
                    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
                    name = Cleaned::new(&format!("{folder}/{target}")).joined();
                }
            }
        }
        None
    }
}

impl Tar {
    pub(super) fn open_boxed(&self, name: &str) -> Option<Box<dyn Read + Send>> {
        self.open_member(name).map(|section| Box::new(section) as Box<dyn Read + Send>)
    }
}

fn members(file: &File, limits: &Limits) -> Result<BTreeMap<String, Member>, ErrorKind> {
    let failed = |error| ErrorKind::from_read("the archive", error);
    let mut members = BTreeMap::new();
    let mut archive = tar::Archive::new(file);
    let mut extension = Extension::default();
    for entry in archive.entries_with_seek().map_err(failed)?.raw(true) {
        let mut entry = entry.map_err(failed)?;
        let kind = entry.header().entry_type();
        if extension.take("the archive", kind, &mut entry)? {
            continue;
        }
        let extension = std::mem::take(&mut extension);
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let name = Cleaned::new(&text(extension.name(entry.header()))).joined();
        let member = match kind {
            EntryType::Regular if !extension.changes_data => {
                Member::File { offset: entry.raw_file_position(), len: entry.size() }
            }
            EntryType::Symlink => Member::Link(text(extension.link(entry.header()))),
            EntryType::Link => Member::Link(format!("/{}", text(extension.link(entry.header())))),
            _ => continue,
        };
        members.insert(name, member);
        if members.len() > limits.files {
            return Err(ErrorKind::TooLarge { what: "the files of the archive".to_owned(), limit: limits.files as u64 });
        }
    }
    Ok(members)
}

/// A part of a file.
pub(super) struct Section {
    file: Arc<File>,
    offset: u64,
    left: u64,
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let Some(buffer) = buffer.get_mut(..len) else { return Ok(0) };
        read_exact_at(&self.file, buffer, self.offset)?;
        self.offset += len as u64;
        self.left -= len as u64;
        Ok(len)
    }
}

/// One image of what `docker save` wrote.
///
/// It has no manifest; one is made as containers/image v5 makes it (`docker/internal/tarfile/src.go`), of the unpacked layers, so
/// that its digest is the one that other tools show.
pub(super) struct DockerArchive {
    holder: Holder,
    manifest: Vec<u8>,
    config: Vec<u8>,
    layers: BTreeMap<Digest, String>,
}

impl DockerArchive {
    pub(super) fn open(holder: Holder, reference: Option<&Reference>, limits: &Limits) -> Result<Self, ErrorKind> {
        #[derive(Deserialize)]
        #[serde(rename_all = "PascalCase")]
        struct Item {
            config: String,
            #[serde(default)]
            repo_tags: Option<Vec<String>>,
            #[serde(default)]
            layers: Vec<String>,
        }
        let items = holder.small("manifest.json", limits.manifest)?;
        let items: Vec<Item> = serde_json::from_slice(&items).map_err(|error| ErrorKind::malformed("manifest.json", error))?;
        let is_named = |item: &&Item| {
            let tags = item.repo_tags.as_deref().unwrap_or_default();
            reference.is_some() && tags.iter().any(|tag| Reference::parse(tag).ok().as_ref() == reference)
        };
        let item = match (items.iter().find(is_named), items.as_slice()) {
            (Some(item), _) | (None, [item]) => item,
            _ => {
                let what = format!("an image of this name, among {},", items.len());
                return Err(ErrorKind::NotFound { what, place: holder.place().display().to_string() });
            }
        };
        let config = holder.small(&item.config, limits.manifest)?;
        let diff_ids = Config::read(&config)?.diff_ids;
        if diff_ids.len() != item.layers.len() {
            let reason = format!("it names {} layers, the configuration {}", item.layers.len(), diff_ids.len());
            return Err(ErrorKind::malformed("manifest.json", reason));
        }
        let mut described = Vec::new();
        for (digest, name) in diff_ids.iter().zip(&item.layers) {
            described.push(Described { media_type: DOCKER_LAYER, size: unpacked_size(holder.must_open(name)?, limits)?, digest });
        }
        let config_digest = Digest::sha256(&config);
        let manifest = Made {
            schema_version: 2,
            media_type: DOCKER_MANIFEST,
            config: Described { media_type: DOCKER_CONFIG, size: config.len() as u64, digest: &config_digest },
            layers: described,
        };
        let manifest = serde_json::to_vec(&manifest).map_err(|error| ErrorKind::malformed("manifest.json", error))?;
        let layers = diff_ids.iter().cloned().zip(item.layers.iter().cloned()).collect();
        Ok(Self { holder, manifest, config, layers })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Made<'a> {
    schema_version: u8,
    media_type: &'static str,
    config: Described<'a>,
    layers: Vec<Described<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Described<'a> {
    media_type: &'static str,
    size: u64,
    digest: &'a Digest,
}

fn unpacked_size(reader: Box<dyn Read + Send>, limits: &Limits) -> Result<u64, ErrorKind> {
    let failed = |error| ErrorKind::from_read("a layer", error);
    let reader = decompressed(BufReader::with_capacity(256 << 10, reader)).map_err(failed)?;
    io::copy(&mut reader.take(limits.unpacked), &mut io::sink()).map_err(failed)
}

impl Source for DockerArchive {
    fn named(&self) -> Result<(Digest, Vec<u8>), ErrorKind> {
        Ok((Digest::sha256(&self.manifest), self.manifest.clone()))
    }

    fn manifest(&self, digest: &Digest) -> Result<Vec<u8>, ErrorKind> {
        Err(ErrorKind::NotFound { what: digest.to_string(), place: self.holder.place().display().to_string() })
    }

    fn config(&self, _: &Descriptor) -> Result<Vec<u8>, ErrorKind> {
        Ok(self.config.clone())
    }

    fn layer(&self, descriptor: &Descriptor) -> Result<Blob, ErrorKind> {
        let name = self.layers.get(&descriptor.digest).map_or("", String::as_str);
        Ok(Blob { reader: self.holder.must_open(name)?, expected: None })
    }
}
