//! Everything outside the tree that a snapshot asks for: images, and indexes of catalogs that are kept between runs.

use super::model::{Problem, ProblemKind};
use crate::bundle::{self, Bundle, BundleError, BundleFiles};
use crate::catalog::{Catalog, FileInfo, Files, IndexCache};
use crate::crd::CrdFiles;
use crate::image::{Content, Digest, EntryKind, ErrorKind, Images, Kind, Reference};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex, OnceLock};

/// What is asked for once, and kept for the rest of the run.
type Once<T> = Mutex<BTreeMap<String, Arc<OnceLock<Result<Arc<T>, Problem>>>>>;

/// Images, opened once each.
pub struct World<'a> {
    images: &'a Images,
    indexes: Option<&'a dyn IndexCache>,
    catalogs: Once<OpenCatalog>,
    bundles: Once<OpenBundle>,
    crd_files: Once<CrdFiles>,
    folders: BTreeMap<String, String>,
}

/// A bundle, and the files that it was read from.
#[derive(Debug)]
pub struct OpenBundle {
    /// The bundle.
    pub bundle: Bundle,
    content: Content,
}

/// A catalog's content, and what it was read from.
#[derive(Debug)]
pub struct OpenCatalog {
    pub(super) catalog: Catalog,
    pub(super) digest: Option<String>,
    pub(super) manifest: Option<String>,
}

impl<'a> World<'a> {
    /// A world with these images, and this place for indexes.
    pub fn new(images: &'a Images, indexes: Option<&'a dyn IndexCache>) -> Self {
        let (catalogs, bundles, crd_files) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { images, indexes, catalogs, bundles, crd_files, folders: BTreeMap::new() }
    }

    /// The same world, with names for the paths that references are mapped to.
    #[must_use]
    pub fn with_folders(self, folders: BTreeMap<String, String>) -> Self {
        Self { folders, ..self }
    }

    /// The catalog that an image holds; looked up by `pin`, a digest, where there is one.
    pub(super) fn catalog(&self, reference: &str, pin: Option<&str>) -> Result<Arc<OpenCatalog>, Problem> {
        let key = format!("{reference}@{}", pin.unwrap_or_default());
        once(&self.catalogs, &key, || {
            let content = self.open(reference, pin, Kind::Catalog)?;
            let digest = content.index_digest().map(|d| d.as_str().to_owned());
            let manifest = content.digest().map(|d| d.as_str().to_owned()).filter(|m| Some(m) != digest.as_ref());
            let catalog = Catalog::open(CatalogFiles(content), self.indexes)
                .map_err(|e| Problem { message: format!("{reference}: {e}"), kind: ProblemKind::Input })?;
            Ok(OpenCatalog { catalog, digest, manifest })
        })
    }

    fn open(&self, reference: &str, pin: Option<&str>, kind: Kind) -> Result<Content, Problem> {
        let malformed = |reason: String| Problem {
            message: format!("error parsing image reference {reference:?}: {reason}"),
            kind: ProblemKind::Input,
        };
        let mut parsed = Reference::parse_as_controller(reference).map_err(|e| malformed(e.to_string()))?;
        if let Some(pin) = pin {
            parsed = parsed.at(&Digest::parse(pin).map_err(|e| malformed(e.to_string()))?);
        }
        self.images.open(&parsed, kind).map_err(|e| image_problem(&e))
    }

    /// The bundle that an image holds.
    pub fn bundle(&self, reference: &str) -> Result<Arc<OpenBundle>, Problem> {
        once(&self.bundles, reference, || {
            let content = self.open(reference, None, Kind::Bundle)?;
            let bundle = Self::bundle_of(&content)
                .map_err(|e| Problem { message: format!("{reference}: {e}"), kind: ProblemKind::Refused })?;
            Ok(OpenBundle { bundle, content })
        })
    }

    /// The CRDs of a bundle as they stand in its files; `None` where it cannot be read.
    pub(super) fn crd_files(&self, reference: &str) -> Option<Arc<CrdFiles>> {
        let files = once(&self.crd_files, reference, || {
            let open = self.bundle(reference)?;
            let paths: BTreeSet<&str> = open.bundle.crds.iter().map(|crd| crd.file.as_str()).collect();
            let mut files = CrdFiles::default();
            for path in paths {
                let bytes = open.content.read(path).map_err(|e| image_problem(&e))?;
                // It was read as a bundle's file before; where it cannot be read with places, there are none.
                let _ = files.add(path, &String::from_utf8_lossy(&bytes));
            }
            Ok(files)
        });
        files.ok()
    }

    /// The name of the plain folder that a bundle's reference is mapped to.
    pub(super) fn folder(&self, reference: &str) -> Option<&str> {
        self.bundle(reference).ok().filter(|open| open.content.digest().is_none())?;
        let reference = Reference::parse_as_controller(reference).ok()?.to_string();
        self.folders.get(&reference).map(String::as_str)
    }

    /// The bundle that content holds.
    ///
    /// # Errors
    /// Where the controller refuses to load it.
    pub fn bundle_of(content: &Content) -> Result<Bundle, BundleError> {
        bundle::read(&BundleContent(content))
    }
}

fn once<T>(kept: &Once<T>, key: &str, make: impl FnOnce() -> Result<T, Problem>) -> Result<Arc<T>, Problem> {
    let cell = {
        let mut kept = kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Arc::clone(kept.entry(key.to_owned()).or_default())
    };
    cell.get_or_init(|| make().map(Arc::new)).clone()
}

fn image_problem(error: &crate::image::Error) -> Problem {
    let kind = match &error.kind {
        ErrorKind::Reference(_)
        | ErrorKind::NotFound { .. }
        | ErrorKind::DigestMismatch { .. }
        | ErrorKind::Malformed { .. }
        | ErrorKind::NoPlatform { .. }
        | ErrorKind::MissingLabel(_)
        | ErrorKind::NoFile(_)
        | ErrorKind::Unreadable { .. } => ProblemKind::Input,
        _ => ProblemKind::Incomplete,
    };
    Problem { message: error.to_string(), kind }
}

/// An image's content, as `catalog` asks for it.
pub struct CatalogFiles(pub Content);

impl Files for CatalogFiles {
    fn list(&self) -> Vec<FileInfo> {
        let file = |e: &crate::image::Entry| e.kind != EntryKind::Directory;
        self.0.list().iter().filter(|e| file(e)).map(|e| FileInfo { path: e.path.clone(), len: e.len, stamp: None }).collect()
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(path).map_err(io::Error::other)
    }

    fn read_range(&self, path: &str, offset: u64, len: u64) -> io::Result<Vec<u8>> {
        self.0.read_range(path, offset, len).map_err(io::Error::other)
    }

    fn identity(&self) -> Option<String> {
        Some(self.0.identity())
    }
}

/// An image's content, as `bundle` asks for it.
struct BundleContent<'a>(&'a Content);

impl BundleFiles for BundleContent<'_> {
    fn paths(&self) -> Vec<String> {
        let path = |e: &crate::image::Entry| if e.kind == EntryKind::Directory { format!("{}/", e.path) } else { e.path.clone() };
        self.0.list().iter().map(path).collect()
    }

    fn read(&self, path: &str) -> Result<Option<Cow<'_, [u8]>>, String> {
        match self.0.read(path) {
            Ok(bytes) => Ok(Some(Cow::Owned(bytes))),
            Err(error) if matches!(error.kind, ErrorKind::NoFile(_)) => Ok(None),
            Err(error) => Err(error.kind.to_string()),
        }
    }
}
