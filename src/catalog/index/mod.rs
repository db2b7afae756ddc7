//! The index: for each package, where its documents stand, and what resolution needs of them.
//!
//! It is read by parts: a head that lists the packages, and a part for each package, read when that is asked for. The head is
//! checked whole when the index is opened, and has a checksum of every part: whatever does not add up is no index. The checksums
//! find damage; whoever can write the store can write an index that adds up, which may give other answers but does no harm.

mod build;
mod format;

use super::stream::Form;
pub(super) use build::build;
use std::fmt;
use std::sync::OnceLock;

/// An index that is kept somewhere.
pub trait KeptIndex: Send + Sync {
    /// How many bytes it has.
    fn size(&self) -> u64;

    /// Its bytes from `offset` on, `len` of them; never asked for more than there are. `None` where they cannot be read.
    fn read(&self, offset: u64, len: usize) -> Option<Vec<u8>>;

    /// It turned out to be damaged, or not to fit the catalog: it need not be kept any longer.
    fn discard(&self) {}
}

impl KeptIndex for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read(&self, offset: u64, len: usize) -> Option<Vec<u8>> {
        let start = usize::try_from(offset).ok()?;
        self.get(start..start.checked_add(len)?).map(<[u8]>::to_vec)
    }
}

/// The packages of a catalog, and where what is known of each is.
pub(super) struct Index {
    head: Head,
    kept: Box<dyn KeptIndex>,
    /// The files, in reading order; read where a document has to be.
    files: OnceLock<Option<Vec<String>>>,
}

/// What an index begins with.
#[derive(Debug, PartialEq, Eq)]
struct Head {
    files: Section,
    /// By name.
    packages: Vec<PackagePart>,
}

/// A stretch of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Section {
    offset: u64,
    len: usize,
    sum: Sum,
}

/// The first half of a SHA-256.
type Sum = [u8; 16];

/// A package, as the head lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PackagePart {
    name: String,
    /// Whether a document says that it belongs to the package; the others are there by what they are named.
    named: bool,
    section: Section,
}

/// What the index has of a package.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// The documents, in the order in which a cluster lists them: by the path that it stores them under.
    pub entries: Vec<Entry>,
    bytes: Vec<u8>,
    /// Where in `bytes` the essences begin. They follow one another, in the order of the entries.
    essences_from: usize,
}

/// Where a document stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The file, by its position among those of the catalog.
    pub file: u32,
    /// How the document is written.
    pub form: Form,
    /// The byte it starts at.
    pub offset: u64,
    /// Its length in bytes.
    pub len: u64,
    /// How long its essence is; 0 where it has none.
    pub essence: u32,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("packages", &self.head.packages.len()).finish_non_exhaustive()
    }
}

impl Index {
    /// The index that is kept under `key`; `None` where it is none, or that of another key.
    pub fn open(kept: Box<dyn KeptIndex>, key: &str) -> Option<Self> {
        let head = format::head(kept.as_ref(), key)?;
        Some(Self { head, kept, files: OnceLock::new() })
    }

    /// The names of the packages that documents say they belong to, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.head.packages.iter().filter(|package| package.named).map(|package| package.name.as_str())
    }

    /// What is known of the package of that name: `None` where there is none of it, an error where the index is damaged.
    pub fn part(&self, name: &str) -> Option<Result<Part, Damaged>> {
        let packages = &self.head.packages;
        let at = packages.binary_search_by(|package| package.name.as_str().cmp(name)).ok()?;
        let section = &packages.get(at)?.section;
        Some(self.section(section).and_then(format::part).ok_or(Damaged))
    }

    /// The file that a document stands in.
    pub fn path(&self, entry: &Entry) -> Option<&str> {
        let files = self.files.get_or_init(|| self.section(&self.head.files).and_then(|bytes| format::files(&bytes)));
        files.as_ref()?.get(usize::try_from(entry.file).ok()?).map(String::as_str)
    }

    /// Has it not kept any longer.
    pub fn discard(&self) {
        self.kept.discard();
    }

    fn section(&self, section: &Section) -> Option<Vec<u8>> {
        self.kept.read(section.offset, section.len).filter(|bytes| format::sum(bytes) == section.sum)
    }
}

/// An index that does not add up.
#[derive(Debug)]
pub(super) struct Damaged;

impl Part {
    /// The essences of the documents, one after the other.
    pub fn essences(&self) -> &[u8] {
        self.bytes.get(self.essences_from..).unwrap_or_default()
    }
}
