//! The tests that a bundle has to pass to be a candidate: channel, range, successor, in this order.

use super::bundle_property::{BundleVersionError, version_release};
use super::{Failure, ReleaseSupport, Request, UpgradeConstraintPolicy, installed};
use crate::api::Selector;
use crate::catalog::{Bundle, ChannelEntry, Package};
use crate::version::{BlangRange, MastermindsRange, Version, VersionRelease};
use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;

/// A request, its texts read.
#[derive(Debug, Clone)]
pub(super) struct Query<'a> {
    pub(super) request: &'a Request,
    pub(super) selector: Selector,
    range: Option<MastermindsRange>,
    /// What an upgrade starts from; `None` where nothing is installed, or where edges do not bind.
    from: Option<Result<From<'a>, String>>,
}

/// What an upgrade starts from.
#[derive(Debug, Clone)]
pub(super) struct From<'a> {
    pub(super) name: &'a str,
    /// The version as skip ranges see it.
    pub(super) version: Version,
    /// The version as bundles are ordered by it.
    pub(super) release: VersionRelease,
}

/// The first test that a bundle fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failed {
    /// It is in none of the channels that are asked for.
    Channel,
    /// Its version cannot be told, so it is in no range.
    Version(BundleVersionError),
    /// It is not in the range.
    Range,
    /// No edge leads to it from what is installed.
    Edge,
}

/// A package's channel entries, as far as the request looks at them.
#[derive(Debug)]
pub(super) struct Entries<'a> {
    /// With the names of their channels, in the catalog's order.
    plain: Vec<(&'a str, &'a ChannelEntry)>,
    /// The same, by the name of the bundle: made once a few bundles have been looked up, since often one is all it takes.
    sorted: OnceCell<Vec<(&'a str, &'a ChannelEntry)>>,
    lookups: Cell<u8>,
    /// The channels that the entries are of.
    scope: Scope,
}

/// Which channels a set of entries is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Those that are asked for; what is in none of them fails.
    Asked,
    /// All of them; being in none is no fault.
    All,
}

/// A bundle's version, or why it cannot be told.
pub(super) type BundleVersion = Result<VersionRelease, BundleVersionError>;

impl<'a> Query<'a> {
    /// Reads selector and range, in the controller's order.
    pub(super) fn new(request: &'a Request) -> Result<Self, Failure> {
        let selector = match &request.selector {
            Some(selector) => selector.selector().map_err(Failure::Selector)?,
            None => Selector::default(),
        };
        let range = match request.version.as_str() {
            "" => None,
            text => {
                let refused = |error| Failure::Range { range: text.to_owned(), error };
                Some(MastermindsRange::parse_as(text, request.masterminds).map_err(refused)?)
            }
        };
        let from = match (request.policy, &request.installed) {
            (UpgradeConstraintPolicy::CatalogProvided, Some(installed)) => Some(installed::read(installed, request)),
            _ => None,
        };
        Ok(Self { request, selector, range, from })
    }

    /// The entries that the request looks at. Where it names channels, only their edges count.
    ///
    /// # Errors
    /// Where the version of what is installed is none: the controller finds out at the first package that it sees.
    pub(super) fn entries(&self, package: &'a Package) -> Result<Entries<'a>, Failure> {
        self.check_installed()?;
        Ok(match (self.request.channels.as_slice(), &self.from) {
            ([], None) => Entries::new(Vec::new(), Scope::All),
            ([], Some(_)) => Entries::all(package),
            (channels, _) => Entries::of(package, channels),
        })
    }

    /// Whether the version of what is installed can be told, where that counts.
    pub(super) fn check_installed(&self) -> Result<(), Failure> {
        match &self.from {
            Some(Err(why)) => Err(Failure::InstalledVersion(why.clone())),
            _ => Ok(()),
        }
    }

    pub(super) fn releases(&self) -> ReleaseSupport {
        self.request.releases
    }

    pub(super) fn range(&self) -> Option<&MastermindsRange> {
        self.range.as_ref()
    }

    /// What an upgrade starts from, where edges bind and its version can be told.
    pub(super) fn from(&self) -> Option<&From<'a>> {
        self.from.as_ref()?.as_ref().ok()
    }

    /// The bundle's version, if it passes all tests.
    pub(super) fn examine(&self, bundle: &Bundle, entries: &Entries<'_>) -> Result<BundleVersion, Failed> {
        let version = self.examine_but_edge(bundle, entries)?;
        if self.has_edge(bundle, &version, entries) { Ok(version) } else { Err(Failed::Edge) }
    }

    /// The bundle's version, if it passes all tests but the last, which takes the longest.
    pub(super) fn examine_but_edge(&self, bundle: &Bundle, entries: &Entries<'_>) -> Result<BundleVersion, Failed> {
        if entries.scope == Scope::Asked && entries.of_bundle(&bundle.name).next().is_none() {
            return Err(Failed::Channel);
        }
        let version = version_release(bundle, self.releases());
        self.in_range(&version)?;
        Ok(version)
    }

    /// The last test: whether the bundle may follow what is installed.
    pub(super) fn has_edge(&self, bundle: &Bundle, version: &BundleVersion, entries: &Entries<'_>) -> bool {
        self.from().is_none_or(|from| from.leads_to(bundle, version, entries))
    }

    /// Follows `InSemverRange` of operator-controller df2c201d
    /// internal/operator-controller/catalogmetadata/filter/bundle_predicates.go.
    pub(super) fn in_range(&self, version: &BundleVersion) -> Result<(), Failed> {
        match (&self.range, version) {
            (None, _) => Ok(()),
            (Some(_), Err(error)) => Err(Failed::Version(error.clone())),
            (Some(range), Ok(version)) if range.contains(&version.version) => Ok(()),
            (Some(_), Ok(_)) => Err(Failed::Range),
        }
    }
}

impl<'a> From<'a> {
    /// As an upgrade would start from a bundle of a catalog.
    pub(super) fn bundle(name: &'a str, release: &VersionRelease) -> Self {
        // Build metadata has no say in a range, so the version serves skip ranges as it is.
        Self { name, version: release.version.clone(), release: release.clone() }
    }

    /// Whether an edge leads to the bundle: its entries name what is installed, or it has the same version and release.
    ///
    /// Follows `SuccessorsOf` of operator-controller df2c201d
    /// internal/operator-controller/catalogmetadata/filter/successors.go.
    pub(super) fn leads_to<'e>(&self, bundle: &Bundle, version: &BundleVersion, entries: &Entries<'e>) -> bool {
        let is_same = || version.as_ref().is_ok_and(|version| self.release.precedence(version).is_eq());
        // The entries of a bundle mostly have the same skip range in each channel.
        let mut missed = "";
        let mut follows = |entry: &'e ChannelEntry| {
            let follows = self.is_named_by(entry) || entry.skip_range != missed && self.is_skipped_by(entry);
            missed = &entry.skip_range;
            follows
        };
        entries.of_bundle(&bundle.name).any(&mut follows) || is_same()
    }

    /// The channels, sorted, whose entries lead to the bundle of that name.
    pub(super) fn channels_to<'p>(&self, bundle: &str, entries: &Entries<'p>) -> Vec<&'p str> {
        let leading = entries.with_channels(bundle).filter(|(_, entry)| self.is_followed_by(entry));
        let names: BTreeSet<&str> = leading.map(|(channel, _)| channel).collect();
        names.into_iter().collect()
    }

    fn is_followed_by(&self, entry: &ChannelEntry) -> bool {
        self.is_named_by(entry) || self.is_skipped_by(entry)
    }

    fn is_named_by(&self, entry: &ChannelEntry) -> bool {
        entry.replaces == self.name || entry.skips.iter().any(|skip| skip == self.name)
    }

    fn is_skipped_by(&self, entry: &ChannelEntry) -> bool {
        !entry.skip_range.is_empty() && BlangRange::parse(&entry.skip_range).is_ok_and(|range| range.contains(&self.version))
    }
}

impl<'a> Entries<'a> {
    /// The entries of all channels.
    pub(super) fn all(package: &'a Package) -> Self {
        Self::of_channels(package, Scope::All, |_| true)
    }

    /// The entries of these channels alone.
    pub(super) fn of(package: &'a Package, channels: &[String]) -> Self {
        Self::of_channels(package, Scope::Asked, |name| channels.iter().any(|channel| channel == name))
    }

    fn of_channels(package: &'a Package, scope: Scope, is_asked: impl Fn(&str) -> bool) -> Self {
        let channels = package.channels.iter().filter(|channel| is_asked(&channel.name));
        let entries = channels.flat_map(|channel| channel.entries.iter().map(|entry| (channel.name.as_str(), entry)));
        Self::new(entries.collect(), scope)
    }

    fn new(plain: Vec<(&'a str, &'a ChannelEntry)>, scope: Scope) -> Self {
        Self { plain, sorted: OnceCell::new(), lookups: Cell::new(0), scope }
    }

    /// The entries of a bundle.
    pub(super) fn of_bundle(&self, bundle: &str) -> impl Iterator<Item = &'a ChannelEntry> {
        self.with_channels(bundle).map(|(_, entry)| entry)
    }

    /// The entries of a bundle, with the names of their channels.
    pub(super) fn with_channels(&self, bundle: &str) -> impl Iterator<Item = (&'a str, &'a ChannelEntry)> {
        let near = self.near(bundle);
        near.iter().filter(move |(_, entry)| entry.name == bundle).copied()
    }

    /// Entries that hold all of the bundle's: those and no others, once lookups are many.
    fn near(&self, bundle: &str) -> &[(&'a str, &'a ChannelEntry)] {
        const MANY: u8 = 8;
        if self.lookups.get() < MANY {
            self.lookups.set(self.lookups.get() + 1);
            return &self.plain;
        }
        let sorted = self.sorted.get_or_init(|| {
            let mut sorted = self.plain.clone();
            sorted.sort_by_key(|(_, entry)| entry.name.as_str());
            sorted
        });
        let start = sorted.partition_point(|(_, entry)| entry.name.as_str() < bundle);
        let end = sorted.partition_point(|(_, entry)| entry.name.as_str() <= bundle);
        sorted.get(start..end).unwrap_or_default()
    }
}
