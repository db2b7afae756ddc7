//! What is installed before a change: the input to every upgrade.

use super::model::Snapshot;
use super::snapshot::installed_after;
use crate::api::ClusterExtension;
use crate::lock::{Lock, LockedExtension};
use crate::resolve::InstalledBundle;
use serde_json::Value;
use std::collections::BTreeMap;

/// A bundle that is installed, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The bundle.
    pub bundle: InstalledBundle,
    /// Its image, where that is known.
    pub image: Option<String>,
    /// How it is known.
    pub from: InstalledFrom,
}

impl Installed {
    /// What a lock has.
    pub fn of_lock(locked: &LockedExtension) -> Self {
        let (name, version, release) = (locked.bundle.clone(), locked.version.clone(), locked.release.clone());
        let image = Some(locked.image.clone());
        Self { bundle: InstalledBundle { name, version, release }, image, from: InstalledFrom::Lock }
    }
}

/// How it is known what is installed. Ordered: the first that says something counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InstalledFrom {
    /// A file of ClusterExtensions as read from a cluster.
    File,
    /// `status.install.bundle` in the YAML.
    Status,
    /// The lock.
    Lock,
    /// What the before tree resolves to from nothing.
    BeforeTree,
}

impl InstalledFrom {
    /// How reports say it.
    pub fn words(self) -> &'static str {
        match self {
            Self::File => "the file of installed extensions",
            Self::Status => "status.install.bundle",
            Self::Lock => "the lock",
            Self::BeforeTree => "what the tree before resolves to",
        }
    }
}

/// All that is known of what is installed.
#[derive(Debug, Clone, Default)]
pub struct KnownInstalled {
    /// ClusterExtensions as read from a cluster, by name; `Some` even where one has nothing installed.
    pub file: Option<BTreeMap<String, Option<InstalledBundle>>>,
    /// The same ClusterExtensions as they are, by name.
    pub file_objects: BTreeMap<String, Value>,
    /// The lock of before.
    pub lock: Option<Lock>,
    /// What the tree before resolves to from nothing, by cluster and name: bundle and image.
    pub before_tree: BTreeMap<(Option<String>, String), (InstalledBundle, String)>,
    /// ClusterExtensions of the tree before, by cluster and name.
    pub before_objects: BTreeMap<(Option<String>, String), Value>,
}

impl KnownInstalled {
    /// Takes ClusterExtensions as read from a cluster.
    pub fn set_file<'a>(&mut self, extensions: impl IntoIterator<Item = &'a Value>) {
        let mut bundles = BTreeMap::new();
        for extension in extensions {
            if let Some(name) = extension.pointer("/metadata/name").and_then(Value::as_str) {
                bundles.insert(name.to_owned(), InstalledBundle::from_status(extension));
                self.file_objects.insert(name.to_owned(), extension.clone());
            }
        }
        self.file = Some(bundles);
    }

    /// Takes the ClusterExtensions of a tree: they are what an update is compared with.
    pub fn add_before_objects(&mut self, snapshot: &Snapshot) {
        for extension in &snapshot.extensions {
            let key = (extension.cluster.clone(), extension.view.name().to_owned());
            self.before_objects.insert(key, extension.view.object.clone());
        }
    }

    /// An extension as the cluster has it before, as far as that is known.
    pub fn object_before(&self, cluster: Option<&str>, name: &str) -> Option<&Value> {
        let of_tree = || self.before_objects.get(&(cluster.map(str::to_owned), name.to_owned()));
        self.file_objects.get(name).or_else(of_tree)
    }

    /// Takes what a tree resolved to from nothing.
    pub fn add_before_tree(&mut self, snapshot: &Snapshot) {
        for extension in &snapshot.extensions {
            if let Some(after) = installed_after(extension) {
                self.before_tree.insert((extension.cluster.clone(), extension.view.name().to_owned()), after);
            }
        }
    }

    /// What is installed for an extension. A file or a lock that does not name it says that nothing is.
    pub fn of(&self, cluster: Option<&str>, extension: &ClusterExtension) -> Option<Installed> {
        let name = extension.name();
        if let Some(file) = &self.file {
            let bundle = file.get(name).cloned().flatten()?;
            return Some(Installed { bundle, image: None, from: InstalledFrom::File });
        }
        if let Some(bundle) = InstalledBundle::from_status(extension.manifest.object()) {
            return Some(Installed { bundle, image: None, from: InstalledFrom::Status });
        }
        if let Some(lock) = &self.lock {
            return lock.extension(cluster, name).map(Installed::of_lock);
        }
        let (bundle, image) = self.before_tree.get(&(cluster.map(str::to_owned), name.to_owned()))?;
        Some(Installed { bundle: bundle.clone(), image: Some(image.clone()), from: InstalledFrom::BeforeTree })
    }
}
