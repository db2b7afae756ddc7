//! Where a bundle's files come from: [`BundleFiles`].

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The files of a bundle: image content, a folder, or a map in memory.
///
/// Paths are relative to the bundle's root, with `/` between their parts: `manifests/a.yaml`.
pub trait BundleFiles {
    /// The path of every file, in any order. A folder may be named too, with a `/` at its end; one that holds a listed file
    /// needs no naming.
    fn paths(&self) -> Vec<String>;

    /// The content of the file at `path`; `None` where there is no such file.
    ///
    /// # Errors
    /// Where the file cannot be read, in words for people.
    fn read(&self, path: &str) -> Result<Option<Cow<'_, [u8]>>, String>;
}

impl BundleFiles for BTreeMap<String, Vec<u8>> {
    fn paths(&self) -> Vec<String> {
        self.keys().cloned().collect()
    }

    fn read(&self, path: &str) -> Result<Option<Cow<'_, [u8]>>, String> {
        Ok(self.get(path).map(|content| Cow::Borrowed(content.as_slice())))
    }
}
