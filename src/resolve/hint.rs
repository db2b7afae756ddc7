//! The nearest thing that would work, where nothing is resolved.

use super::catalog::NAME_LABEL;
use super::near::nearest;
use super::path::{Hop, upgrade_path};
use super::predicates::{Entries, From, Query};
use super::resolver::{Offer, Step, deprecated_bundles};
use super::{Availability, CatalogEntry, Failure, Request, Resolution, unsupported_dependency, version_release};
use crate::catalog::{Bundle, Package};
use crate::version::VersionRelease;
use serde::Serialize;
use std::collections::BTreeSet;
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
        choices: Vec<(String, String)>,
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

impl Resolution<'_> {
    /// What would work instead: nothing where the resolution succeeded, or where nothing near is found. `package_names` gives
    /// the names of the packages of the catalogs; it is asked only where no selected catalog has the package.
    pub fn hints(&self, package_names: impl FnOnce() -> Vec<String>) -> Vec<Hint> {
        match &self.outcome {
            Err(Failure::NotFound(_)) => self.hints_not_found(package_names),
            Err(Failure::Ambiguous { .. }) => self.hints_ambiguous(),
            Err(Failure::Dependency { .. }) => self.hint_installable().into_iter().collect(),
            _ => Vec::new(),
        }
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
        let choices = offers().map(|(entry, offer)| (entry.catalog.name.clone(), offer.bundle.name.clone())).collect();
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

/// Looks for what would do in the catalogs that have the package.
struct Seeker<'q, 'a> {
    query: &'q Query<'a>,
    packages: Vec<(&'q str, &'q Package)>,
    /// By package: the entries of the channels that are asked for.
    asked: Vec<Entries<'q>>,
    /// By package: the entries of all channels.
    all: Vec<Entries<'q>>,
    /// The bundles that can be installed, the best first, each with the package that it is of.
    offers: Vec<(usize, Offer<'q>)>,
}

impl<'q, 'a> Seeker<'q, 'a> {
    fn new(query: &'q Query<'a>, packages: Vec<(&'q str, &'q Package)>) -> Self {
        let channels = query.request.channels.as_slice();
        let asked = |package| if channels.is_empty() { Entries::all(package) } else { Entries::of(package, channels) };
        let mut offers = Vec::new();
        for (n, (_, package)) in packages.iter().enumerate() {
            let deprecated = deprecated_bundles(package);
            let installable = package.bundles.iter().filter(|bundle| unsupported_dependency(bundle).is_none());
            offers.extend(installable.map(|bundle| {
                let version = version_release(bundle, query.releases());
                (n, Offer { bundle, version, deprecated: deprecated.contains(bundle.name.as_str()) })
            }));
        }
        offers.sort_by(|(n, a), (m, b)| a.order(b).then(n.cmp(m)));
        let entries = |read: &dyn Fn(&'q Package) -> Entries<'q>| packages.iter().map(|(_, package)| read(package)).collect();
        let (asked, all) = (entries(&asked), entries(&Entries::all));
        Self { query, packages, asked, all, offers }
    }

    fn request(&self) -> &'a Request {
        self.query.request
    }

    fn hints(&self) -> Vec<Hint> {
        let mut hints = self.unknown_channels();
        match self.query.from() {
            Some(from) => self.hints_for_upgrade(from, &mut hints),
            None => self.hints_for_install(&mut hints),
        }
        hints
    }

    fn unknown_channels(&self) -> Vec<Hint> {
        let channels = self.packages.iter().flat_map(|(_, package)| &package.channels);
        let known: BTreeSet<&str> = channels.map(|channel| channel.name.as_str()).collect();
        let unknown = self.request().channels.iter().filter(|channel| !known.contains(channel.as_str()));
        unknown
            .map(|channel| Hint::UnknownChannel {
                channel: channel.clone(),
                near: nearest(channel, known.iter().copied()).map(str::to_owned),
                channels: known.iter().map(|name| (*name).to_owned()).collect(),
            })
            .collect()
    }

    fn hints_for_upgrade(&self, from: &From<'_>, hints: &mut Vec<Hint>) {
        let Some(installed) = &self.request().installed else { return };
        let channels = self.request().channels.as_slice();
        let wanted = |_: &Bundle, version: &VersionRelease| self.in_range(version);
        let path = |channels| upgrade_path(&self.packages, channels, installed, self.query.releases(), wanted);
        if let Some(hops) = path(channels) {
            hints.push(Hint::UpgradePath { hops, in_channels: true });
        } else if !channels.is_empty() {
            match path(&[]).as_deref() {
                Some([hop]) => hints.push(Hint::OtherChannel {
                    channels: hop.channels.clone(),
                    bundle: hop.bundle.clone(),
                    version: hop.version.clone(),
                }),
                Some(hops) => hints.push(Hint::UpgradePath { hops: hops.to_vec(), in_channels: false }),
                None => {}
            }
        }
        let leads_to = |n, bundle: &Bundle, version: &VersionRelease| {
            let asked = self.asked.get(n).filter(|_| self.is_asked(n, bundle));
            asked.is_some_and(|entries| from.leads_to(bundle, &Ok(version.clone()), entries))
        };
        if let Some((bundle, version)) = self.best(leads_to) {
            let is_upgrade = bundle != installed.name;
            hints.push(Hint::NewestReachable { bundle, version, is_upgrade });
        }
        if let Some((bundle, version)) = self.best(|n, bundle, version| self.is_asked(n, bundle) && self.in_range(version)) {
            hints.push(Hint::SelfCertified { bundle, version });
        }
    }

    fn hints_for_install(&self, hints: &mut Vec<Hint>) {
        if !self.request().channels.is_empty() {
            let elsewhere =
                |n: usize, bundle: &Bundle| self.all.get(n).is_some_and(|all| all.of_bundle(&bundle.name).next().is_some());
            if let Some((bundle, version)) = self.best(|n, bundle, version| elsewhere(n, bundle) && self.in_range(version)) {
                hints.push(Hint::OtherChannel { channels: self.channels_with(&bundle), bundle, version });
            }
        }
        let Some(range) = self.query.range() else { return };
        let lets_in = |version: &VersionRelease| range.contains_with_prereleases(&version.version);
        if let Some((bundle, version)) = self.best(|n, bundle, version| self.is_asked(n, bundle) && lets_in(version)) {
            hints.push(Hint::Prerelease { bundle, version });
        }
        if let Some((bundle, version)) = self.best(|n, bundle, _| self.is_asked(n, bundle)) {
            hints.push(Hint::NewestReachable { bundle, version, is_upgrade: false });
        }
    }

    fn in_range(&self, version: &VersionRelease) -> bool {
        self.query.range().is_none_or(|range| range.contains(&version.version))
    }

    /// Whether the bundle is in a channel that is asked for.
    fn is_asked(&self, package: usize, bundle: &Bundle) -> bool {
        let in_one = || self.asked.get(package).is_some_and(|asked| asked.of_bundle(&bundle.name).next().is_some());
        self.request().channels.is_empty() || in_one()
    }

    /// The name and version of the bundle that comes first of those that are meant.
    fn best(&self, is_meant: impl Fn(usize, &Bundle, &VersionRelease) -> bool) -> Option<(String, String)> {
        self.offers.iter().find_map(|(n, offer)| {
            let version = offer.version.as_ref().ok().filter(|version| is_meant(*n, offer.bundle, version))?;
            Some((offer.bundle.name.clone(), version.legacy_text()))
        })
    }

    /// The channels, sorted, that have the bundle.
    fn channels_with(&self, bundle: &str) -> Vec<String> {
        let names = self.all.iter().flat_map(|all| all.with_channels(bundle)).map(|(channel, _)| channel);
        let names: BTreeSet<&str> = names.collect();
        names.into_iter().map(str::to_owned).collect()
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
                write!(f, "the newest that there is is {bundle} ({version})")
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
                    choices.iter().map(|(catalog, bundle)| format!("{label}: {catalog} ({bundle})")).collect();
                write!(f, "select one catalog by its label: {}", choices.join(" or "))
            }
            Self::RaisePriority { catalogs, above } => {
                write!(f, "or give {} a priority above {above}", catalogs.join(" or "))
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
