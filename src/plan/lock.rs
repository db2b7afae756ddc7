//! What a tree resolves to -> its lock, and where a tree no longer fits the lock that it has.

use super::compared::Plan;
use super::model::{CatalogContent, Coverage, Snapshot};
use super::snapshot::installed_after;
use crate::api::ClusterCatalog;
use crate::lock::{Lock, LockedCatalog, LockedExtension};
use std::collections::BTreeSet;

/// The lock of these snapshots. What could not be resolved is kept from `earlier`: it is still what is installed. So is what was
/// not read.
pub fn lock_of(snapshots: &[Snapshot], earlier: Option<&Lock>, coverage: Coverage) -> Lock {
    let mut catalogs = Vec::new();
    let mut extensions = Vec::new();
    for snapshot in snapshots {
        for catalog in &snapshot.catalogs {
            let reference = image(&catalog.view);
            match &catalog.content {
                CatalogContent::Read { digest, manifest } => catalogs.push(LockedCatalog {
                    cluster: catalog.cluster.clone(),
                    name: catalog.view.name().to_owned(),
                    reference,
                    digest: digest.clone(),
                    manifest: manifest.clone(),
                }),
                _ => catalogs.extend(earlier.and_then(|l| l.catalog(catalog.cluster.as_deref(), catalog.view.name())).cloned()),
            }
        }
        for extension in &snapshot.extensions {
            let name = extension.view.name();
            match (installed_after(extension), extension.outcome.resolved()) {
                (Some((bundle, image)), Some(resolved)) => extensions.push(LockedExtension {
                    cluster: extension.cluster.clone(),
                    name: name.to_owned(),
                    package: resolved.package.clone(),
                    bundle: bundle.name,
                    version: bundle.version,
                    release: bundle.release,
                    catalog: resolved.catalog.clone(),
                    image,
                }),
                _ => extensions.extend(earlier.and_then(|l| l.extension(extension.cluster.as_deref(), name)).cloned()),
            }
        }
    }
    if let Some(earlier) = earlier.filter(|_| coverage != Coverage::Whole) {
        let read = snapshots.iter().flat_map(|s| &s.catalogs).map(|c| (&c.cluster, c.view.name()));
        let read: BTreeSet<_> = read.map(|(c, n)| (c.as_deref(), n)).collect();
        catalogs.extend(earlier.catalogs.iter().filter(|c| !read.contains(&(c.cluster.as_deref(), c.name.as_str()))).cloned());
        let read = snapshots.iter().flat_map(|s| &s.extensions).map(|e| (&e.cluster, e.view.name()));
        let read: BTreeSet<_> = read.map(|(c, n)| (c.as_deref(), n)).collect();
        extensions
            .extend(earlier.extensions.iter().filter(|e| !read.contains(&(e.cluster.as_deref(), e.name.as_str()))).cloned());
    }
    Lock::new(catalogs, extensions)
}

fn image(view: &ClusterCatalog) -> String {
    view.image().map(|f| f.value.to_owned()).unwrap_or_default()
}

/// Where the tree no longer fits the lock: what the lock lacks, has besides, or has otherwise. Empty where it fits.
pub fn misfits(plan: &Plan, lock: &Lock) -> Vec<String> {
    let mut misfits = Vec::new();
    for catalog in &plan.catalogs {
        let name = catalog.view.name();
        let CatalogContent::Read { .. } = catalog.content else { continue };
        match lock.catalog(catalog.cluster.as_deref(), name) {
            None => misfits.push(format!("catalog {name} is not in the lock")),
            Some(locked) if locked.reference != image(&catalog.view) => {
                misfits.push(format!(
                    "catalog {name} is {} in the tree, and {} in the lock",
                    image(&catalog.view),
                    locked.reference
                ));
            }
            Some(_) => {}
        }
    }
    for extension in &plan.extensions {
        let name = &extension.name;
        let locked = lock.extension(extension.cluster.as_deref(), name);
        let resolved = extension.after.as_ref().and_then(|a| a.outcome.resolved());
        match (resolved, locked) {
            (Some(resolved), Some(locked)) if resolved.bundle != locked.bundle || resolved.image != locked.image => {
                misfits.push(format!("{name} resolves to {}, and the lock has {}", resolved.bundle, locked.bundle));
            }
            (Some(resolved), None) => misfits.push(format!("{name} resolves to {}, and is not in the lock", resolved.bundle)),
            (None, Some(_)) if extension.after.is_none() => {
                misfits.push(format!("{name} is in the lock, and no longer in the tree"))
            }
            _ => {}
        }
    }
    misfits
}
