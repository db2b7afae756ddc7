//! The nearest thing that would work, where nothing is resolved.

use super::catalog::NAME_LABEL;
use super::path::Hop;
use super::predicates::{Entries, Query};
use super::resolver::{Offer, Step};
use super::seeker::Seeker;
use super::{Availability, CatalogEntry, Failure, Resolution};
use crate::catalog::{Bundle, Package};
use crate::nearest::nearest;
use serde::Serialize;
use std::fmt;

/// Something near to what was asked for that would work. It shows as a sentence without a full stop.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Hint {
    /// The wanted version is some upgrades away, one after the other.
    UpgradePath {
        /// The upgrades.
        hops: Vec<Hop>,
        /// Whether the channels that are asked for have these edges.
        in_channels: bool,
    },
    /// Another channel has a bundle that would do.
    OtherChannel {
        /// The channels, sorted, that have it and, on an upgrade, the edge to it.
        channels: Vec<String>,
        /// The bundle.
        bundle: String,
        /// Its version.
        version: String,
    },
    /// The range leaves out what is there.
    NewestReachable {
        /// The newest bundle that passes all but the range.
        bundle: String,
        /// Its version.
        version: String,
        /// What is installed is upgraded to it.
        is_upgrade: bool,
    },
    /// Nothing but what is installed can be had, whatever the range.
    NothingNewer {
        /// The installed bundle.
        bundle: String,
        /// Its version.
        version: String,
    },
    /// The range would hold a prerelease if it named one.
    Prerelease {
        /// The newest such bundle.
        bundle: String,
        /// Its version.
        version: String,
    },
    /// The range holds bundles that no edge leads to: `upgradeConstraintPolicy: SelfCertified` takes no notice of edges.
    SelfCertified {
        /// The newest such bundle.
        bundle: String,
        /// Its version.
        version: String,
    },
    /// The bundle cannot be installed, but another candidate can, if the range is narrowed to it.
    Installable {
        /// The newest such bundle.
        bundle: String,
        /// Its version.
        version: String,
    },
    /// Selecting one of the catalogs settles the ambiguity.
    SelectCatalog {
        /// The label to select by.
        label: String,
        /// The catalogs, by name, with the bundle that each then gives.
        choices: Vec<Choice>,
    },
    /// Putting one of the catalogs above the others settles the ambiguity.
    RaisePriority {
        /// The catalogs, by name.
        catalogs: Vec<String>,
        /// The priority that they share.
        above: i32,
    },
    /// A catalog that the selector does not select has the package.
    OutsideSelector {
        /// The catalog.
        catalog: String,
        /// What the selector asks for.
        unmet: String,
    },
    /// A catalog that is not served has the package.
    UnavailableCatalog {
        /// The catalog.
        catalog: String,
    },
    /// No catalog has a package of that name.
    NearPackage {
        /// The nearest name that there is.
        name: String,
    },
    /// The package has no channel of that name.
    UnknownChannel {
        /// The name that is asked for.
        channel: String,
        /// The nearest name that there is, if one is near.
        near: Option<String>,
        /// The channels that there are, sorted.
        channels: Vec<String>,
    },
}

/// A catalog to decide for, and what it gives.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Choice {
    /// The catalog.
    pub catalog: String,
    /// The bundle that it gives.
    pub bundle: String,
}

impl Resolution<'_> {
    /// What would work instead: nothing where the resolution succeeded, or where nothing near is found. `package_names` gives
    /// the names of the packages of the catalogs; it is asked only where no selected catalog has the package.
    pub fn hints(&self, package_names: impl FnOnce() -> Vec<String>) -> Vec<Hint> {
        let hints = match &self.outcome {
            Err(Failure::NotFound(_)) => self.hints_not_found(package_names),
            Err(Failure::Ambiguous { .. }) => self.hints_ambiguous(),
            Err(Failure::Dependency { .. }) => self.hint_installable().into_iter().collect(),
            _ => Vec::new(),
        };
        hints.into_iter().filter_map(|hint| self.verified(hint)).collect()
    }

    fn hints_not_found(&self, package_names: impl FnOnce() -> Vec<String>) -> Vec<Hint> {
        let looked_at = self.packages(|step| matches!(step, Step::NoCandidate));
        if looked_at.is_empty() {
            return self.hints_without_package(package_names);
        }
        // Whatever was resolved was read well before.
        let Ok(query) = Query::new(self.request) else { return Vec::new() };
        Seeker::new(&query, looked_at).hints()
    }

    fn hints_without_package(&self, package_names: impl FnOnce() -> Vec<String>) -> Vec<Hint> {
        let elsewhere: Vec<Hint> = self
            .steps
            .iter()
            .zip(&self.entries)
            .filter(|(_, entry)| matches!(entry.content, Ok(Some(_))))
            .filter_map(|(step, entry)| match step {
                Step::NotSelected(unmet) if entry.catalog.availability == Availability::Available => {
                    Some(Hint::OutsideSelector { catalog: entry.catalog.name.clone(), unmet: unmet.clone() })
                }
                Step::NotSelected(_) | Step::Unavailable => {
                    Some(Hint::UnavailableCatalog { catalog: entry.catalog.name.clone() })
                }
                _ => None,
            })
            .collect();
        if !elsewhere.is_empty() {
            return elsewhere;
        }
        let names = package_names();
        let near = nearest(&self.request.package, names.iter().map(String::as_str));
        near.map(|name| Hint::NearPackage { name: name.to_owned() }).into_iter().collect()
    }

    fn hints_ambiguous(&self) -> Vec<Hint> {
        let offers: Vec<(&CatalogEntry<'_>, &Offer<'_>)> =
            self.entries.iter().zip(&self.steps).filter_map(|(entry, step)| Some((*entry, step.offer()?))).collect();
        let is_fresh = offers.iter().any(|(_, offer)| !offer.deprecated);
        let offers = || offers.iter().filter(|(_, offer)| !(is_fresh && offer.deprecated));
        let Some(above) = offers().map(|(entry, _)| entry.catalog.priority).max() else { return Vec::new() };
        let choice = |(entry, offer): &(&CatalogEntry<'_>, &Offer<'_>)| Choice {
            catalog: entry.catalog.name.clone(),
            bundle: offer.bundle.name.clone(),
        };
        let choices = offers().map(choice).collect();
        let highest = offers().filter(|(entry, _)| entry.catalog.priority == above);
        let catalogs = highest.map(|(entry, _)| entry.catalog.name.clone()).collect();
        vec![Hint::SelectCatalog { label: NAME_LABEL.to_owned(), choices }, Hint::RaisePriority { catalogs, above }]
    }

    /// The newest candidate that can be installed, from the catalog that was decided for.
    fn hint_installable(&self) -> Option<Hint> {
        let query = Query::new(self.request).ok()?;
        let Err(Failure::Dependency { bundle: refused, .. }) = &self.outcome else { return None };
        let offered = self.packages(|step| step.offer().is_some_and(|offer| offer.bundle.name == *refused));
        let passes = |n: usize, bundle: &Bundle, entries: &[Option<Entries<'_>>]| {
            entries.get(n).and_then(Option::as_ref).is_some_and(|entries| query.examine(bundle, entries).is_ok())
        };
        let entries: Vec<_> = offered.iter().map(|(_, package)| query.entries(package).ok()).collect();
        let (bundle, version) = Seeker::new(&query, offered).best(|n, bundle, _| passes(n, bundle, &entries))?;
        Some(Hint::Installable { bundle, version })
    }

    /// The packages of the catalogs of which this holds, with the names of their catalogs.
    fn packages(&self, is_meant: impl Fn(&Step<'_>) -> bool) -> Vec<(&str, &Package)> {
        let meant = self.entries.iter().zip(&self.steps).filter(|(_, step)| is_meant(step));
        meant
            .filter_map(|(entry, _)| Some((entry.catalog.name.as_str(), entry.content.as_ref().ok().copied().flatten()?)))
            .collect()
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UpgradePath { hops, in_channels } => {
                let hops: Vec<String> = hops.iter().map(ToString::to_string).collect();
                let count = if hops.len() == 1 { "1 upgrade".to_owned() } else { format!("{} upgrades", hops.len()) };
                write!(f, "the wanted version is {count} away: {}", hops.join(", then "))?;
                f.write_str(if *in_channels { "" } else { "; the channels that are asked for do not have all of these edges" })
            }
            Self::OtherChannel { channels, bundle, version } => {
                write!(f, "{} {bundle} ({version}), which would do", has(channels))
            }
            Self::NewestReachable { bundle, version, is_upgrade: true } => {
                write!(f, "the newest that can be upgraded to is {bundle} ({version})")
            }
            Self::NewestReachable { bundle, version, is_upgrade: false } => {
                write!(f, "the newest that can be had is {bundle} ({version})")
            }
            Self::NothingNewer { bundle, version } => {
                write!(f, "nothing but what is installed, {bundle} ({version}), can be reached from it")
            }
            Self::Prerelease { bundle, version } => {
                write!(f, "{bundle} ({version}) is a prerelease; a range has to name one to hold any, as in \">={version}\"")
            }
            Self::SelfCertified { bundle, version } => {
                write!(f, "with upgradeConstraintPolicy SelfCertified, {bundle} ({version}) would be taken without an edge to it")
            }
            Self::Installable { bundle, version } => {
                write!(f, "version \"{version}\" gives {bundle}, which has no such dependency")
            }
            Self::SelectCatalog { label, choices } => {
                let choices: Vec<String> =
                    choices.iter().map(|choice| format!("{label}: {} ({})", choice.catalog, choice.bundle)).collect();
                write!(f, "select one catalog by its label: {}", choices.join(" or "))
            }
            Self::RaisePriority { catalogs, above } => {
                write!(f, "give {} a priority above {above}", catalogs.join(" or "))
            }
            Self::OutsideSelector { catalog, unmet } => {
                write!(f, "catalog {catalog} has the package, but the selector asks for {unmet}")
            }
            Self::UnavailableCatalog { catalog } => {
                write!(f, "catalog {catalog} has the package, but its availabilityMode is Unavailable")
            }
            Self::NearPackage { name } => write!(f, "there is a package named {name}"),
            Self::UnknownChannel { channel, near: Some(near), .. } => {
                write!(f, "there is no channel {channel}; there is one named {near}")
            }
            Self::UnknownChannel { channel, near: None, channels } => {
                write!(f, "there is no channel {channel}; the channels are {}", channels.join(", "))
            }
        }
    }
}

impl fmt::Display for Hop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.bundle, self.version)
    }
}

fn has(channels: &[String]) -> String {
    match channels {
        [only] => format!("channel {only} has"),
        _ => format!("channels {} have", channels.join(", ")),
    }
}
