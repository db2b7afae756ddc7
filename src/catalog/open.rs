//! [`Catalog`]: a catalog as a cluster has it, opened once and asked for packages.

use super::document;
use super::error::Error;
use super::essence::Essence;
use super::files::Files;
use super::index::{self, Entry, Index, KeptIndex};
use super::json::Json;
use super::meta::Header;
use super::model::{Deprecations, Package};
use super::stream::Form;
use std::fmt;
use std::sync::OnceLock;

/// Keeps indexes between runs. What it gives back is checked, and made again where it does not fit.
pub trait IndexCache: Sync {
    /// What was put under `key`, to be read by parts.
    fn get(&self, key: &str) -> Option<Box<dyn KeptIndex>>;
    /// Keeps `bytes` under `key`. A failure is nobody's problem.
    fn put(&self, key: &str, bytes: &[u8]);
}

/// A catalog as a cluster has it.
pub struct Catalog {
    files: Box<dyn Files>,
    index: Index,
    /// Made where the index came from a cache and was damaged, or did not fit the files.
    again: OnceLock<Index>,
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalog").field("packages", &self.package_names().len()).finish_non_exhaustive()
    }
}

/// What an index led to that does not fit it.
enum Trouble {
    Stale,
    Error(Error),
}

impl Catalog {
    /// Opens a catalog: reads all of its files, or the index that `cache` has of them.
    ///
    /// # Errors
    /// Where a cluster refuses the catalog.
    pub fn open(files: impl Files + 'static, cache: Option<&dyn IndexCache>) -> Result<Self, Error> {
        let files: Box<dyn Files> = Box::new(files);
        let key = cache.and_then(|_| files.identity());
        let cached = cache.zip(key.as_deref()).and_then(|(cache, key)| Index::open(cache.get(key)?, key));
        let index = match cached {
            Some(index) => index,
            None => {
                let bytes = index::build(files.as_ref(), key.as_deref().unwrap_or_default())?;
                if let Some((cache, key)) = cache.zip(key.as_deref()) {
                    cache.put(key, &bytes);
                }
                Self::made(bytes, key.as_deref().unwrap_or_default())?
            }
        };
        Ok(Self { files, index, again: OnceLock::new() })
    }

    /// The index that was just written down.
    fn made(bytes: Vec<u8>, key: &str) -> Result<Index, Error> {
        Index::open(Box::new(bytes), key).ok_or_else(|| Error::Changed { path: String::new() })
    }

    /// The names of the packages, sorted.
    pub fn package_names(&self) -> Vec<&str> {
        self.again.get().unwrap_or(&self.index).names().collect()
    }

    /// The package of that name; `None` where the catalog has nothing of it.
    ///
    /// Channels and bundles come in the order of their names, which is how the controller lists the files of its cache. Of several
    /// `olm.deprecations` documents only the first counts, as in resolution. Properties of the types `olm.csv.metadata` and
    /// `olm.bundle.object` are left out: they are for display, and are most of a catalog's bytes.
    ///
    /// Follows `GetPackage` of operator-controller df2c201d internal/operator-controller/catalogmetadata/client/client.go.
    ///
    /// # Errors
    /// Where the name is none that a package can have, where the cluster refuses a document of the package, and where the files
    /// have changed since the catalog was opened.
    pub fn package(&self, name: &str) -> Result<Option<Package>, Error> {
        if name.is_empty() || name.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err(Error::InvalidPackageName { name: name.to_owned() });
        }
        if self.again.get().is_none() {
            match self.package_by(&self.index, name) {
                Err(Trouble::Stale) => {}
                Err(Trouble::Error(error)) => return Err(error),
                Ok(package) => return Ok(package),
            }
        }
        let again = match self.again.get() {
            Some(index) => index,
            None => {
                self.index.discard();
                let index = Self::made(index::build(self.files.as_ref(), "")?, "")?;
                self.again.get_or_init(|| index)
            }
        };
        self.package_by(again, name).map_err(|trouble| match trouble {
            Trouble::Error(error) => error,
            Trouble::Stale => Error::Changed { path: name.to_owned() },
        })
    }

    fn package_by(&self, index: &Index, name: &str) -> Result<Option<Package>, Trouble> {
        let Some(part) = index.part(name) else { return Ok(None) };
        let part = part.map_err(|_| Trouble::Stale)?;
        let mut essences = part.essences();
        let mut reader = Reader { files: self.files.as_ref(), index, held: None };
        let mut package = Package { name: name.to_owned(), ..Package::default() };
        let mut found_package = false;
        for (n, entry) in part.entries.iter().enumerate() {
            let len = usize::try_from(entry.essence).map_err(|_| Trouble::Stale)?;
            let (kept, rest) = essences.split_at_checked(len).ok_or(Trouble::Stale)?;
            essences = rest;
            let essence = if kept.is_empty() {
                let path = index.path(entry).ok_or(Trouble::Stale)?;
                let bytes = reader.read(entry, part.entries.get(n..).unwrap_or_default())?;
                let (schema, value) = read_document(bytes, entry.form, name)?;
                Essence::of_value(&schema, &value).map_err(|message| {
                    Trouble::Error(Error::Package { package: name.to_owned(), path: path.to_owned(), message })
                })?
            } else {
                Essence::decode(kept).ok_or(Trouble::Stale)?
            };
            match essence {
                Essence::Package(default_channel) if !found_package => {
                    found_package = true;
                    package.default_channel = default_channel;
                }
                Essence::Channel(channel) => package.channels.push(channel),
                Essence::Bundle(bundle) => package.bundles.push(bundle),
                Essence::Deprecations(entries) if package.deprecations.is_none() => {
                    package.deprecations = Some(Deprecations { entries });
                }
                Essence::Package(_) | Essence::Deprecations(_) | Essence::Other => {}
            }
        }
        Ok(Some(package))
    }
}

/// The schema and value of a document, where it is one of `package`.
fn read_document(bytes: &[u8], form: Form, package: &str) -> Result<(String, Json), Trouble> {
    let value = document::value(bytes, form).map_err(|_| Trouble::Stale)?;
    let Json::Object(entries) = &value else { return Err(Trouble::Stale) };
    let header = Header::of_object(entries).map_err(|_| Trouble::Stale)?;
    let belongs = header.stored_path().is_some_and(|path| path.split('/').next() == Some(package));
    if belongs { Ok((header.schema, value)) } else { Err(Trouble::Stale) }
}

/// Reads stretches of files that hold several documents in one go.
struct Reader<'a> {
    files: &'a dyn Files,
    index: &'a Index,
    held: Option<Held>,
}

struct Held {
    file: u32,
    offset: u64,
    bytes: Vec<u8>,
}

/// A stretch is no longer than this, unless a document is.
const STRETCH: u64 = 8 << 20;

impl Reader<'_> {
    /// The bytes of `entry`; `ahead` are the entries from this one on.
    fn read(&mut self, entry: &Entry, ahead: &[Entry]) -> Result<&[u8], Trouble> {
        let end = entry.offset.checked_add(entry.len).ok_or(Trouble::Stale)?;
        let held = self.held.take().filter(|held| {
            held.file == entry.file && held.offset <= entry.offset && end - held.offset <= held.bytes.len() as u64
        });
        let held = match held {
            Some(held) => held,
            None => self.fetch(entry, end, ahead)?,
        };
        let held = self.held.insert(held);
        let start = usize::try_from(entry.offset - held.offset).map_err(|_| Trouble::Stale)?;
        let len = usize::try_from(entry.len).map_err(|_| Trouble::Stale)?;
        held.bytes.get(start..start.saturating_add(len)).ok_or(Trouble::Stale)
    }

    fn fetch(&self, entry: &Entry, end: u64, ahead: &[Entry]) -> Result<Held, Trouble> {
        // Documents of a package mostly lie side by side, in another order than they are listed in.
        let (mut low, mut high) = (entry.offset, end);
        let mut wanted = 0;
        for next in ahead.iter().filter(|next| next.file == entry.file) {
            let Some(next_end) = next.offset.checked_add(next.len) else { continue };
            let (wider_low, wider_high) = (low.min(next.offset), high.max(next_end));
            if wider_high - wider_low <= STRETCH {
                (low, high) = (wider_low, wider_high);
                wanted += next.len;
            }
        }
        if wanted < (high - low) / 2 {
            (low, high) = (entry.offset, end);
        }
        let path = self.index.path(entry).ok_or(Trouble::Stale)?;
        let bytes = self.files.read_range(path, low, high - low).map_err(|_| Trouble::Stale)?;
        Ok(Held { file: entry.file, offset: low, bytes })
    }
}
