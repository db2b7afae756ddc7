//! The documents of a catalog, in the order in which a cluster reads them.

use super::error::Error;
use super::files::Files;
use super::ignore::{FILE_NAME, Ignore};
use super::meta::Header;
use super::stream::{Found, documents};
use rayon::prelude::*;

/// A document of a catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The file that it stands in.
    pub path: String,
    /// Which document of the file it is; the first is 1.
    pub number: usize,
    /// The byte of the file that it starts at.
    pub offset: u64,
    /// Its length in bytes.
    pub len: u64,
    /// `schema`
    pub schema: String,
    /// `package`
    pub package: String,
    /// `name`
    pub name: String,
}

/// Every document of a catalog.
///
/// # Errors
/// Where a cluster refuses the catalog, with the first reason in reading order.
pub fn load(files: &dyn Files) -> Result<Vec<Document>, Error> {
    let mut all = Vec::new();
    for file in read(files, |_, found| (found.header.unwrap_or_default(), found.range))? {
        for (n, (header, range)) in file.documents.into_iter().enumerate() {
            let Header { schema, package, name } = header;
            let (offset, len) = (range.start as u64, range.len() as u64);
            all.push(Document { path: file.path.clone(), number: n + 1, offset, len, schema, package, name });
        }
    }
    Ok(all)
}

/// A file with what was kept of its documents.
#[derive(Debug)]
pub(super) struct FileDocuments<T> {
    /// The file.
    pub path: String,
    /// Its documents.
    pub documents: Vec<T>,
}

/// Every file that is read, in the order of a walk, with what `keep` makes of its bytes and each of its documents. Files are read
/// side by side and let go of at once.
///
/// Follows `WalkMetasFS` of operator-registry v1.73.0 alpha/declcfg/load.go as catalogd calls it: one file after another, up to
/// the first that fails.
pub(super) fn read<T: Send>(files: &dyn Files, keep: impl Fn(&[u8], Found) -> T + Sync) -> Result<Vec<FileDocuments<T>>, Error> {
    let paths = paths(files)?;
    let read: Vec<Result<FileDocuments<T>, Error>> = paths
        .into_par_iter()
        .map(|path| {
            let bytes = match files.read(&path) {
                Ok(bytes) => bytes,
                Err(source) => return Err(Error::Read { path, source }),
            };
            let (found, stop) = documents(&bytes);
            match stop {
                None => {
                    let documents = found.into_iter().map(|found| keep(&bytes, found)).collect();
                    Ok(FileDocuments { path, documents })
                }
                Some(stop) => {
                    Err(Error::Document { path, document: found.len() + 1, offset: stop.at as u64, message: stop.message })
                }
            }
        })
        .collect();
    read.into_iter().collect()
}

/// The files that are read, in the order of Go's `fs.WalkDir`: by name, folder by folder.
pub(super) fn paths(files: &dyn Files) -> Result<Vec<String>, Error> {
    let mut paths: Vec<String> = files.list().into_iter().map(|f| f.path).collect();
    paths.sort_by(|a, b| a.split('/').cmp(b.split('/')));
    paths.dedup();
    let ignore = Ignore::read(files, &paths)?;
    paths.retain(|path| path.rsplit('/').next() != Some(FILE_NAME) && !ignore.matches(path));
    Ok(paths)
}
