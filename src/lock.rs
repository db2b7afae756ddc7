//! `olmplan.lock`: what the tree resolved to when it was last looked at, made to be read in review.
//!
//! Promises: sorted, one blank line between entries, the same lock gives the same bytes; what is read is what was written.
//! Leaves to others: what goes into it (`plan`), and where it stands (`cli`).

use serde::Deserialize;
use std::fmt::Write as _;

/// The name of the file.
pub const FILE_NAME: &str = "olmplan.lock";

/// The format that is written, and the newest that is read.
const VERSION: u32 = 1;

/// A whole lock.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    version: u32,
    /// The catalogs, by cluster and name.
    #[serde(default, rename = "catalog")]
    pub catalogs: Vec<LockedCatalog>,
    /// The extensions, by cluster and name.
    #[serde(default, rename = "extension")]
    pub extensions: Vec<LockedExtension>,
}

/// A catalog, and what its reference named.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedCatalog {
    /// The cluster, where `olmplan.toml` names several.
    pub cluster: Option<String>,
    /// The ClusterCatalog's name.
    pub name: String,
    /// The reference as the ClusterCatalog has it.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The digest of what the reference named: an index, or a manifest. Absent where it was a folder.
    pub digest: Option<String>,
    /// The digest of the platform's manifest, where that is another.
    pub manifest: Option<String>,
}

/// An extension, and the bundle that it resolved to.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedExtension {
    /// The cluster, where `olmplan.toml` names several.
    pub cluster: Option<String>,
    /// The ClusterExtension's name.
    pub name: String,
    /// The package.
    pub package: String,
    /// The bundle.
    pub bundle: String,
    /// The bundle's version.
    pub version: String,
    /// The bundle's release, where it has one.
    pub release: Option<String>,
    /// The catalog that has it.
    pub catalog: String,
    /// The bundle's image, as the catalog has it.
    pub image: String,
}

/// A lock that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is no lock.
    #[error("line {line}: {message}")]
    Malformed {
        /// Where, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A newer olmplan wrote it.
    #[error("it has version {found}; this olmplan reads version {VERSION}")]
    Version {
        /// The version in the text.
        found: u32,
    },
    /// Something is locked twice, as after a merge.
    #[error("the {kind} {name} stands twice; let `olmplan lock` write it anew")]
    Twice {
        /// `catalog` or `extension`.
        kind: &'static str,
        /// Its name, after its cluster's where it has one.
        name: String,
    },
}

impl Lock {
    /// A lock of these entries.
    pub fn new(mut catalogs: Vec<LockedCatalog>, mut extensions: Vec<LockedExtension>) -> Self {
        catalogs.sort();
        extensions.sort();
        Self { version: VERSION, catalogs, extensions }
    }

    /// Reads the text of a lock.
    ///
    /// # Errors
    /// Where it is malformed, of a version that is not known, or says two things of one extension or catalog.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let lock: Self = toml::from_str(text).map_err(|e| Error::Malformed {
            line: e.span().map_or(1, |s| text.bytes().take(s.start).filter(|b| *b == b'\n').count() + 1),
            message: e.message().to_owned(),
        })?;
        if lock.version != VERSION {
            return Err(Error::Version { found: lock.version });
        }
        let catalogs = lock.catalogs.iter().map(|c| (c.cluster.as_deref(), c.name.as_str()));
        let extensions = lock.extensions.iter().map(|e| (e.cluster.as_deref(), e.name.as_str()));
        match (twice(catalogs), twice(extensions)) {
            (Some(name), _) => Err(Error::Twice { kind: "catalog", name }),
            (None, Some(name)) => Err(Error::Twice { kind: "extension", name }),
            (None, None) => Ok(lock),
        }
    }

    /// The extension of that name.
    pub fn extension(&self, cluster: Option<&str>, name: &str) -> Option<&LockedExtension> {
        self.extensions.iter().find(|e| e.cluster.as_deref() == cluster && e.name == name)
    }

    /// The catalog of that name.
    pub fn catalog(&self, cluster: Option<&str>, name: &str) -> Option<&LockedCatalog> {
        self.catalogs.iter().find(|c| c.cluster.as_deref() == cluster && c.name == name)
    }

    /// The text, as it is written to the file.
    pub fn to_text(&self) -> String {
        let mut text =
            format!("# Written by `olmplan lock`; read it in review, and let `olmplan lock` change it.\nversion = {VERSION}\n");
        for c in &self.catalogs {
            text.push_str("\n[[catalog]]\n");
            field(&mut text, "cluster", c.cluster.as_deref());
            field(&mut text, "name", Some(&c.name));
            field(&mut text, "ref", Some(&c.reference));
            field(&mut text, "digest", c.digest.as_deref());
            field(&mut text, "manifest", c.manifest.as_deref());
        }
        for e in &self.extensions {
            text.push_str("\n[[extension]]\n");
            field(&mut text, "cluster", e.cluster.as_deref());
            field(&mut text, "name", Some(&e.name));
            field(&mut text, "package", Some(&e.package));
            field(&mut text, "bundle", Some(&e.bundle));
            field(&mut text, "version", Some(&e.version));
            field(&mut text, "release", e.release.as_deref());
            field(&mut text, "catalog", Some(&e.catalog));
            field(&mut text, "image", Some(&e.image));
        }
        text
    }
}

/// What stands twice among names with their clusters.
fn twice<'a>(names: impl Iterator<Item = (Option<&'a str>, &'a str)>) -> Option<String> {
    let mut seen = std::collections::BTreeSet::new();
    let mut names = names;
    let (cluster, name) = names.find(|name| !seen.insert(*name))?;
    Some(cluster.map_or_else(|| name.to_owned(), |cluster| format!("{cluster}/{name}")))
}

fn field(text: &mut String, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        let _ = writeln!(text, "{key} = {}", toml::Value::String(value.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extension(name: &str) -> LockedExtension {
        LockedExtension {
            name: name.to_owned(),
            package: "p".to_owned(),
            bundle: "p.v1.0.0".to_owned(),
            version: "1.0.0".to_owned(),
            catalog: "c".to_owned(),
            image: "registry.example/\"p\"\n@sha256:0".to_owned(),
            ..LockedExtension::default()
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let catalog = LockedCatalog { name: "c".to_owned(), reference: "r:v1".to_owned(), ..LockedCatalog::default() };
        let lock = Lock::new(vec![catalog], vec![extension("b"), extension("a")]);
        let text = lock.to_text();
        assert!(text.find("\"a\"") < text.find("\"b\""), "{text}");
        let read = Lock::parse(&text).unwrap();
        assert_eq!(read, lock);
        assert_eq!(read.to_text(), text);
        assert!(read.extension(None, "a").is_some() && read.extension(Some("prod"), "a").is_none());
    }

    #[test]
    fn a_foreign_lock_is_refused() {
        assert!(matches!(Lock::parse("version = 2"), Err(Error::Version { found: 2 })));
        assert!(matches!(Lock::parse("version = 1\n[[extension]]\nname = 3"), Err(Error::Malformed { line: 3, .. })));
        assert!(Lock::parse("").is_err());
        let twice = Lock { version: 1, catalogs: Vec::new(), extensions: vec![extension("a"), extension("b"), extension("a")] };
        assert!(matches!(Lock::parse(&twice.to_text()), Err(Error::Twice { kind: "extension", name }) if name == "a"));
    }
}
