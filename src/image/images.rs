//! References -> content: the one door to this module.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use super::archive::{DockerArchive, Tar};
use super::content::{Content, Files};
use super::digest::Digest;
use super::error::{Error, ErrorKind, plain};
use super::folder::Folder;
use super::layer;
use super::layout::{Holder, Layout};
use super::manifest::{CATALOG_LABEL, Config, DOCKER_CONFIG, Descriptor, Document, Manifest, OCI_CONFIG};
use super::pack::{Pack, PackWriter};
use super::reference::Reference;
use super::registry::Registry;
use super::session::lock;
use super::settings::{Kind, Reach, Settings};
use super::source::{Blob, Source, check};
use super::store::{Store, make_parent};
use super::unpack::{Filter, Unpacker};

/// As many images are fetched at once.
const AT_ONCE: usize = 4;
/// A pack of so many bytes is checked as a whole when it is opened.
const SMALL_PACK: u64 = 1 << 20;

/// All images, under one set of settings. To be shared between threads: an image that two ask for is fetched once.
///
/// Within one `Images` a tag means the same to all who ask.
pub struct Images {
    settings: Settings,
    store: Store,
    mappings: BTreeMap<Reference, PathBuf>,
    registry: OnceLock<Result<Registry, String>>,
    seen: Mutex<HashMap<Reference, Digest>>,
    busy: Mutex<HashMap<String, Arc<Mutex<()>>>>,
}

/// What a reference names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The digest of what it names: an index, or the manifest itself. A cluster reports this one.
    pub index: Digest,
    /// The digest of the manifest for the platform.
    pub manifest: Digest,
}

/// An image, as far as its manifest.
struct Image {
    resolved: Resolved,
    manifest: Manifest,
}

/// Where a reference leads.
enum Origin<'a> {
    Folder(PathBuf),
    Source(Box<dyn Source + 'a>),
}

impl Images {
    /// Takes the settings; nothing is read, written or asked yet.
    pub fn new(settings: Settings) -> Result<Self, Error> {
        let mut mappings = BTreeMap::new();
        for mapping in &settings.mappings {
            let reference =
                Reference::parse(&mapping.reference).map_err(|error| ErrorKind::from(error).of(&mapping.reference))?;
            mappings.insert(reference, mapping.path.clone());
        }
        let store = Store::new(settings.store.clone());
        Ok(Self { settings, store, mappings, registry: OnceLock::new(), seen: Mutex::default(), busy: Mutex::default() })
    }

    /// The files of an image: from what the reference is mapped to, from the store, or from the registry.
    pub fn open(&self, reference: &Reference, kind: Kind) -> Result<Content, Error> {
        let image = reference.to_string();
        self.origin(reference).and_then(|origin| self.content(&image, origin, kind)).map_err(|error| error.of(image))
    }

    /// The files of a plain folder, an OCI layout or an archive that no reference names.
    pub fn open_path(&self, path: &Path, kind: Kind) -> Result<Content, Error> {
        let image = path.display().to_string();
        self.mapped(path, None).and_then(|origin| self.content(&image, origin, kind)).map_err(|error| error.of(image))
    }

    /// What a reference names; `None` for one that is mapped to a plain folder. No layer is fetched.
    pub fn lookup(&self, reference: &Reference) -> Result<Option<Resolved>, Error> {
        let found = || match self.origin(reference)? {
            Origin::Folder(_) => Ok(None),
            Origin::Source(source) => self.image(&*source).map(|image| Some(image.resolved)),
        };
        found().map_err(|error: ErrorKind| error.of(reference.to_string()))
    }

    /// Fills the store, several images at a time; the answers, as of [`Images::lookup`], are in the order of the questions.
    pub fn prefetch(&self, wanted: &[(Reference, Kind)]) -> Vec<Result<Option<Resolved>, Error>> {
        let next = AtomicUsize::new(0);
        let results: Vec<OnceLock<_>> = wanted.iter().map(|_| OnceLock::new()).collect();
        thread::scope(|scope| {
            for _ in 0..AT_ONCE.min(wanted.len()) {
                scope.spawn(|| {
                    loop {
                        let position = next.fetch_add(1, Ordering::Relaxed);
                        let (Some((reference, kind)), Some(result)) = (wanted.get(position), results.get(position)) else {
                            return;
                        };
                        let found = self
                            .open(reference, *kind)
                            .map(|content| content.digests.map(|(index, manifest)| Resolved { index, manifest }));
                        let _ = result.set(found);
                    }
                });
            }
        });
        let missing = |reference: &Reference| Err(ErrorKind::Client("it stopped".to_owned()).of(reference.to_string()));
        results
            .into_iter()
            .zip(wanted)
            .map(|(result, (reference, _))| result.into_inner().unwrap_or_else(|| missing(reference)))
            .collect()
    }

    fn origin(&self, reference: &Reference) -> Result<Origin<'_>, ErrorKind> {
        match self.mappings.get(reference) {
            Some(path) => self.mapped(path, Some(reference)),
            None => Ok(Origin::Source(Box::new(Remote { images: self, reference: reference.clone() }))),
        }
    }

    fn mapped(&self, path: &Path, reference: Option<&Reference>) -> Result<Origin<'_>, ErrorKind> {
        let limits = &self.settings.limits;
        let metadata = std::fs::metadata(path).map_err(|error| ErrorKind::io(path, error))?;
        if metadata.is_dir() {
            if !path.join("oci-layout").is_file() || !path.join("index.json").is_file() {
                return Ok(Origin::Folder(path.to_owned()));
            }
            let layout = Layout::open(Holder::Folder(path.to_owned()), reference, limits)?;
            return Ok(Origin::Source(Box::new(layout)));
        }
        let tar = Tar::open(path, &self.store, limits)?;
        if tar.holds("index.json") {
            return Ok(Origin::Source(Box::new(Layout::open(Holder::Tar(tar), reference, limits)?)));
        }
        if tar.holds("manifest.json") {
            return Ok(Origin::Source(Box::new(DockerArchive::open(Holder::Tar(tar), reference, limits)?)));
        }
        let reason = "it holds neither an index.json (OCI) nor a manifest.json (Docker)";
        Err(ErrorKind::Unsupported(format!("{} is no image archive: {reason}", path.display())))
    }

    fn content(&self, image: &str, origin: Origin<'_>, kind: Kind) -> Result<Content, ErrorKind> {
        let (digests, files) = match origin {
            Origin::Folder(path) => (None, Files::Folder(Folder::open(&path, &self.settings.limits)?)),
            Origin::Source(source) => {
                let found = self.image(&*source)?;
                let pack = self.pack(&*source, &found, kind)?;
                (Some((found.resolved.index, found.resolved.manifest)), Files::Pack(pack, kind.name()))
            }
        };
        Ok(Content { image: image.to_owned(), digests, files })
    }

    /// Goes from what is named to the manifest for the platform.
    ///
    /// As containers/image v5 does (`copy/copy.go`): an index is chosen from, one index deep; a single manifest is taken for whatever
    /// platform it is.
    fn image(&self, source: &dyn Source) -> Result<Image, ErrorKind> {
        let (index, bytes) = source.named()?;
        check("the manifest", &index, &bytes)?;
        match Document::read(&bytes)? {
            Document::Image(manifest) => Ok(Image { resolved: Resolved { manifest: index.clone(), index }, manifest }),
            Document::Index(list) => {
                let chosen = &list.choose(&self.settings.platform)?.digest;
                let bytes = source.manifest(chosen)?;
                check("the manifest", chosen, &bytes)?;
                match Document::read(&bytes)? {
                    Document::Image(manifest) => Ok(Image { resolved: Resolved { index, manifest: chosen.clone() }, manifest }),
                    Document::Index(_) => Err(ErrorKind::Unsupported(
                        "the index names another index for the platform, which a cluster refuses".to_owned(),
                    )),
                }
            }
        }
    }

    /// Opens an image's pack, made first if there is none that is whole.
    fn pack(&self, source: &dyn Source, image: &Image, kind: Kind) -> Result<Pack, ErrorKind> {
        let manifest = &image.resolved.manifest;
        let path = self.store.pack(kind, manifest);
        self.alone(&format!("{} {manifest}", kind.name()), || {
            match Pack::open(&path, kind, manifest) {
                Ok(Some(pack)) if pack.data() > SMALL_PACK || pack.is_whole() => return Ok(pack),
                Ok(None) => {}
                Ok(Some(_)) | Err(ErrorKind::Damaged) => {
                    std::fs::remove_file(&path).map_err(|error| ErrorKind::io(&path, error))?
                }
                Err(other) => return Err(other),
            }
            self.fetch(source, image, kind, &path)?;
            Pack::open(&path, kind, manifest)?.ok_or(ErrorKind::Damaged)
        })
    }

    fn fetch(&self, source: &dyn Source, image: &Image, kind: Kind, path: &Path) -> Result<(), ErrorKind> {
        let limits = &self.settings.limits;
        let Manifest { config, layers } = &image.manifest;
        if !matches!(config.media_type.as_str(), OCI_CONFIG | DOCKER_CONFIG | "") {
            let media_type = plain(&config.media_type);
            return Err(ErrorKind::Unsupported(format!(
                "this is an artifact with a configuration of type {media_type:?}, not an image"
            )));
        }
        if layers.len() > limits.layers {
            return Err(ErrorKind::TooLarge { what: "the layers of the image".to_owned(), limit: limits.layers as u64 });
        }
        let bytes = source.config(config)?;
        check("the image's configuration", &config.digest, &bytes)?;
        let Config { labels, diff_ids } = Config::read(&bytes)?;
        let filter = Filter::new(kind, labels.get(CATALOG_LABEL).map(String::as_str), CATALOG_LABEL)?;
        // A cluster does not look at the digests of the unpacked layers, so a configuration without them is no reason to refuse.
        let diff_id = |position: usize| if diff_ids.len() == layers.len() { diff_ids.get(position) } else { None };

        let mut unpacker = Unpacker::new(&filter, limits, PackWriter::new(self.store.temporary()?));
        let mut left = limits.unpacked;
        for (position, descriptor) in layers.iter().enumerate() {
            let what = format!("layer {} of {}", position + 1, layers.len());
            if descriptor.size > limits.layer {
                return Err(ErrorKind::TooLarge { what: format!("the bytes of {what}"), limit: limits.layer });
            }
            let blob = source.layer(descriptor)?;
            let ((), unpacked) = layer::stream(&what, blob, diff_id(position), left, |reader| unpacker.apply(&what, reader))
                .map_err(|error| match error {
                    ErrorKind::TooLarge { what, limit } if limit == left => ErrorKind::TooLarge { what, limit: limits.unpacked },
                    other => other,
                })?;
            left = left.saturating_sub(unpacked);
        }
        let entries = unpacker.tree.entries(|path| filter.keeps(path));
        make_parent(path)?;
        unpacker.pack.finish(path, kind, &image.resolved.manifest, labels, entries)
    }

    /// Does something while nobody else does it for the same key.
    fn alone<T>(&self, key: &str, work: impl FnOnce() -> T) -> T {
        let turn = Arc::clone(lock(&self.busy).entry(key.to_owned()).or_default());
        let _turn = lock(&turn);
        work()
    }

    fn registry(&self) -> Result<&Registry, ErrorKind> {
        if self.settings.reach == Reach::Offline {
            return Err(ErrorKind::Offline);
        }
        let started = self.registry.get_or_init(|| Registry::start(&self.settings).map_err(|error| error.to_string()));
        started.as_ref().map_err(|reason| ErrorKind::Client(reason.clone()))
    }
}

/// An image in a registry, behind the store.
struct Remote<'a> {
    images: &'a Images,
    reference: Reference,
}

impl Remote<'_> {
    fn stored(&self, digest: &Digest, fetch: impl FnOnce() -> Result<Vec<u8>, ErrorKind>) -> Result<Vec<u8>, ErrorKind> {
        let store = &self.images.store;
        self.images.alone(digest.as_str(), || {
            if let Some(bytes) = store.blob(digest)? {
                return Ok(bytes);
            }
            let bytes = fetch()?;
            check("the manifest", digest, &bytes)?;
            store.put_blob(digest, &bytes)?;
            Ok(bytes)
        })
    }

    /// Asks what the tag means, once.
    fn tagged(&self) -> Result<(Digest, Vec<u8>), ErrorKind> {
        let Images { store, seen, settings, .. } = self.images;
        self.images.alone(&self.reference.to_string(), || {
            let known = lock(seen).get(&self.reference).cloned();
            let known = match settings.reach {
                Reach::Offline => Some(store.seen(&self.reference)?.ok_or(ErrorKind::Offline)?),
                Reach::Online => known,
            };
            if let Some(digest) = known {
                let bytes = self.manifest(&digest)?;
                return Ok((digest, bytes));
            }
            let bytes = self.images.registry()?.manifest(&self.reference)?;
            let digest = Digest::sha256(&bytes);
            if store.blob(&digest)?.is_none() {
                store.put_blob(&digest, &bytes)?;
            }
            if store.seen(&self.reference)?.as_ref() != Some(&digest) {
                store.put_seen(&self.reference, &digest)?;
            }
            lock(seen).insert(self.reference.clone(), digest.clone());
            Ok((digest, bytes))
        })
    }
}

impl Source for Remote<'_> {
    fn named(&self) -> Result<(Digest, Vec<u8>), ErrorKind> {
        match self.reference.digest() {
            Some(digest) => Ok((digest.clone(), self.manifest(digest)?)),
            None => self.tagged(),
        }
    }

    fn manifest(&self, digest: &Digest) -> Result<Vec<u8>, ErrorKind> {
        self.stored(digest, || self.images.registry()?.manifest(&self.reference.at(digest)))
    }

    fn config(&self, descriptor: &Descriptor) -> Result<Vec<u8>, ErrorKind> {
        self.images.registry()?.config(&self.reference, descriptor)
    }

    fn layer(&self, descriptor: &Descriptor) -> Result<Blob, ErrorKind> {
        Ok(self.images.registry()?.layer(&self.reference, descriptor))
    }
}
