//! The search behind the hints: the bundles that would do, if one thing were asked for differently.

use super::path::upgrade_path;
use super::predicates::{Entries, From, Query};
use super::resolver::{Offer, deprecated_bundles};
use super::{Hint, Request, unsupported_dependency, version_release};
use crate::catalog::{Bundle, Package};
use crate::nearest::nearest;
use crate::version::VersionRelease;
use std::collections::BTreeSet;

/// Looks for what would do in the catalogs that have the package.
pub(super) struct Seeker<'q, 'a> {
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
    pub(super) fn new(query: &'q Query<'a>, packages: Vec<(&'q str, &'q Package)>) -> Self {
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

    /// What would do instead of nothing.
    pub(super) fn hints(&self) -> Vec<Hint> {
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
    pub(super) fn best(&self, is_meant: impl Fn(usize, &Bundle, &VersionRelease) -> bool) -> Option<(String, String)> {
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
