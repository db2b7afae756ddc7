//! Holds each hint to the resolver: what is said to work is tried, and what does not work is not said.

use super::hint::{Choice, Hint};
use super::path::Hop;
use super::resolver::{Resolution, Resolved, resolve};
use super::{CatalogEntry, Request, UpgradeConstraintPolicy};

impl Resolution<'_> {
    /// The hint as the resolver bears it out; `None` where it does not.
    pub(super) fn verified(&self, hint: Hint) -> Option<Hint> {
        match hint {
            Hint::UpgradePath { hops, in_channels } => {
                self.walks(&hops, in_channels).then_some(Hint::UpgradePath { hops, in_channels })
            }
            Hint::OtherChannel { mut channels, bundle, version } => {
                let gives = |channel: &String| {
                    self.with(|r| r.channels = vec![channel.clone()]).is_some_and(|found| found.bundle == bundle)
                };
                channels.retain(gives);
                (!channels.is_empty()).then_some(Hint::OtherChannel { channels, bundle, version })
            }
            Hint::NewestReachable { is_upgrade, .. } => {
                let found = self.with(|r| r.version = String::new())?;
                let stays = self.request.installed.as_ref().is_some_and(|installed| installed.name == found.bundle);
                let (version, bundle) = (found.version.to_string(), found.bundle);
                Some(if stays {
                    Hint::NothingNewer { bundle, version }
                } else {
                    Hint::NewestReachable { bundle, version, is_upgrade }
                })
            }
            Hint::SelfCertified { .. } => {
                let found = self.with(|r| r.policy = UpgradeConstraintPolicy::SelfCertified)?;
                Some(Hint::SelfCertified { version: found.version.to_string(), bundle: found.bundle })
            }
            Hint::Installable { bundle, version } => {
                let found = self.with(|r| r.version.clone_from(&version))?;
                (found.bundle == bundle).then_some(Hint::Installable { bundle, version })
            }
            Hint::SelectCatalog { label, choices } => {
                let choice = |choice: Choice| Some(Choice { bundle: self.alone(&choice.catalog)?.bundle, ..choice });
                let choices: Vec<Choice> = choices.into_iter().filter_map(choice).collect();
                (!choices.is_empty()).then_some(Hint::SelectCatalog { label, choices })
            }
            Hint::RaisePriority { mut catalogs, above } => {
                catalogs.retain(|catalog| self.alone(catalog).is_some());
                (!catalogs.is_empty()).then_some(Hint::RaisePriority { catalogs, above })
            }
            other => Some(other),
        }
    }

    /// What the changed request resolves to.
    fn with(&self, change: impl FnOnce(&mut Request)) -> Option<Resolved> {
        let mut request = self.request.clone();
        change(&mut request);
        let entries: Vec<CatalogEntry<'_>> = self.entries.iter().map(|entry| (*entry).clone()).collect();
        resolve(&request, &entries).outcome.ok()
    }

    /// What one catalog alone gives.
    fn alone(&self, catalog: &str) -> Option<Resolved> {
        let entries: Vec<CatalogEntry<'_>> =
            self.entries.iter().filter(|entry| entry.catalog.name == catalog).map(|entry| (*entry).clone()).collect();
        resolve(self.request, &entries).outcome.ok()
    }

    /// Whether each hop, asked for by its version, is where the cluster goes.
    fn walks(&self, hops: &[Hop], in_channels: bool) -> bool {
        let mut installed = self.request.installed.clone();
        for hop in hops {
            let found = self.with(|r| {
                r.installed.clone_from(&installed);
                r.version.clone_from(&hop.version);
                if !in_channels {
                    r.channels.clear();
                }
            });
            match found {
                Some(found) if found.bundle == hop.bundle && installed.as_ref().is_none_or(|i| i.name != hop.bundle) => {
                    installed = Some(found.installed(self.request.releases));
                }
                _ => return false,
            }
        }
        !hops.is_empty()
    }
}
