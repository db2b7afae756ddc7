//! The story of a resolution: what became of each catalog and of each bundle, and why.

use super::installed::start;
use super::predicates::{BundleVersion, Entries, Failed, Query};
use super::resolver::{Offer, Step, deprecated_bundles};
use super::{Failure, Resolution, version_release};
use crate::catalog::Package;
use crate::go::quote;
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

/// What became of every catalog, by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Story {
    /// The catalogs.
    pub catalogs: Vec<CatalogStory>,
}

/// What became of a catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CatalogStory {
    /// The catalog's name.
    pub catalog: String,
    /// Its priority.
    pub priority: i32,
    /// What became of it.
    pub verdict: CatalogVerdict,
    /// Why, in a sentence without a full stop.
    pub reason: String,
    /// Its bundles of the package, newest first; empty where it was not looked at.
    pub candidates: Vec<CandidateStory>,
}

/// What became of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CandidateStory {
    /// The catalog that has it.
    pub catalog: String,
    /// The bundle's name.
    pub bundle: String,
    /// Its version; `None` where it cannot be told.
    pub version: Option<String>,
    /// Its release.
    pub release: Option<String>,
    /// The channels that it is in.
    pub channels: Vec<String>,
    /// The first test that it failed, or what came of it.
    pub outcome: Fate,
    /// Why, in a sentence without a full stop.
    pub reason: String,
}

/// What becomes of a catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CatalogVerdict {
    /// The bundle is from this one.
    Chosen,
    /// Its bundle is the one that counts, and cannot be installed.
    Refused,
    /// Its bundle and another catalog's count the same.
    Ambiguous,
    /// Another catalog that offers a bundle has a higher priority.
    LowerPriority,
    /// The bundle that it offers is deprecated, and another catalog's is not.
    Deprecated,
    /// It offers a bundle, and resolution failed for another reason.
    Undecided,
    /// It has the package, but no bundle of it passes.
    NoCandidate,
    /// It does not have the package.
    NoPackage,
    /// It failed, and resolution with it.
    Failed,
    /// The selector does not select it.
    NotSelected,
    /// It is not served.
    Unavailable,
    /// Resolution failed before it was looked at.
    NotReached,
}

/// What becomes of a bundle: the first test that it fails, in the controller's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It is what is resolved to.
    Chosen,
    /// It is the one that counts, and cannot be installed.
    Refused,
    /// It and another catalog's count the same.
    Ambiguous,
    /// It passes, and resolution failed for another reason.
    Undecided,
    /// It is in none of the channels that are asked for.
    NotInChannels,
    /// Its version cannot be told.
    NoVersion,
    /// It is not in the range.
    OutOfRange,
    /// It is a prerelease in the range, and the range names no prerelease.
    PrereleaseLeftOut,
    /// No edge leads to it from what is installed.
    NoEdge,
    /// It is deprecated, and another candidate is not.
    Deprecated,
    /// Another candidate is newer.
    Older,
    /// Another candidate has the same version and release, and comes first by name.
    SameVersion,
    /// It is its catalog's first, and another catalog has a higher priority.
    LowerPriority,
}

impl Story {
    /// The bundles of all catalogs.
    pub fn candidates(&self) -> impl Iterator<Item = &CandidateStory> {
        self.catalogs.iter().flat_map(|catalog| &catalog.candidates)
    }
}

impl Resolution<'_> {
    /// Tells the story. This looks at every bundle of the package, so ask for it where it is shown.
    pub fn story(&self) -> Story {
        let query = Query::new(self.request).ok();
        let catalogs = self.entries.iter().enumerate().map(|(n, entry)| {
            let (verdict, reason) = self.verdict(n);
            let package = match self.steps.get(n) {
                Some(Step::NoCandidate | Step::Offer(_)) => entry.content.as_ref().ok().copied().flatten(),
                _ => None,
            };
            let mut candidates = Vec::new();
            if let (Some(query), Some(package), Some(step)) = (&query, package, self.steps.get(n)) {
                let teller = Teller::new(query, package, step, (verdict, &reason));
                candidates = teller.candidates(&entry.catalog.name);
            }
            let (catalog, priority) = (entry.catalog.name.clone(), entry.catalog.priority);
            CatalogStory { catalog, priority, verdict, reason, candidates }
        });
        Story { catalogs: catalogs.collect() }
    }

    fn verdict(&self, n: usize) -> (CatalogVerdict, String) {
        let package = || quote(&self.request.package);
        match self.steps.get(n) {
            None => (CatalogVerdict::NotReached, "resolution failed before it was looked at".to_owned()),
            Some(Step::NotSelected(unmet)) => (CatalogVerdict::NotSelected, format!("its labels do not meet {unmet}")),
            Some(Step::Unavailable) => (CatalogVerdict::Unavailable, "its availabilityMode is Unavailable".to_owned()),
            Some(Step::NoPackage) => (CatalogVerdict::NoPackage, format!("it does not have package {}", package())),
            Some(Step::Failed) => (CatalogVerdict::Failed, self.failure_words()),
            Some(Step::NoCandidate) => match &self.outcome {
                Err(Failure::InstalledVersion(_)) => (CatalogVerdict::Failed, self.failure_words()),
                _ => (CatalogVerdict::NoCandidate, format!("no bundle of package {} passes", package())),
            },
            Some(Step::Offer(offer)) => self.verdict_of_offer(n, offer),
        }
    }

    fn verdict_of_offer(&self, n: usize, offer: &Offer<'_>) -> (CatalogVerdict, String) {
        let name = |n: usize| self.entries.get(n).map_or("", |entry| entry.catalog.name.as_str());
        let priority = |n: usize| self.entries.get(n).map_or(0, |entry| entry.catalog.priority);
        let offers = || self.steps.iter().enumerate().filter_map(|(n, step)| Some((n, step.offer()?)));
        if matches!(self.outcome, Err(Failure::Catalog { .. } | Failure::InstalledVersion(_))) {
            return (CatalogVerdict::Undecided, "resolution failed at another catalog".to_owned());
        }
        if offer.deprecated
            && let Some((other, better)) = offers().find(|(_, other)| !other.deprecated)
        {
            let why = format!("{} is deprecated, {} of catalog {} is not", offer.bundle.name, better.bundle.name, name(other));
            return (CatalogVerdict::Deprecated, why);
        }
        let mut rivals = offers().filter(|(other, rival)| *other != n && rival.deprecated == offer.deprecated);
        if let Some((other, _)) = rivals.clone().find(|(other, _)| priority(*other) > priority(n)) {
            let why = format!("catalog {} has priority {}, this one {}", name(other), priority(other), priority(n));
            return (CatalogVerdict::LowerPriority, why);
        }
        if let Some((other, rival)) = rivals.find(|(other, _)| priority(*other) == priority(n)) {
            let why = format!("catalog {} offers {} with the same priority {}", name(other), rival.bundle.name, priority(n));
            return (CatalogVerdict::Ambiguous, why);
        }
        match &self.outcome {
            Err(_) => (CatalogVerdict::Refused, self.failure_words()),
            Ok(resolved) => (CatalogVerdict::Chosen, format!("{} is what the cluster gets", resolved.bundle)),
        }
    }

    fn failure_words(&self) -> String {
        self.outcome.as_ref().err().map(ToString::to_string).unwrap_or_default()
    }
}

impl<'a> Step<'a> {
    pub(super) fn offer(&self) -> Option<&Offer<'a>> {
        match self {
            Self::Offer(offer) => Some(offer),
            _ => None,
        }
    }
}

/// Tells of one package's bundles.
struct Teller<'q, 'a> {
    query: &'q Query<'a>,
    package: &'a Package,
    entries: Option<Entries<'a>>,
    /// The entries of all channels.
    all: Entries<'a>,
    best: Option<&'q Offer<'a>>,
    verdict: (CatalogVerdict, &'q str),
}

impl<'q, 'a> Teller<'q, 'a> {
    fn new(query: &'q Query<'a>, package: &'a Package, step: &'q Step<'a>, verdict: (CatalogVerdict, &'q str)) -> Self {
        Self { query, package, entries: query.entries(package).ok(), all: Entries::all(package), best: step.offer(), verdict }
    }

    fn candidates(&self, catalog: &str) -> Vec<CandidateStory> {
        let Some(entries) = &self.entries else { return Vec::new() };
        let channels = channels_of_bundles(self.package);
        let deprecated = deprecated_bundles(self.package);
        let mut offers: Vec<Offer<'_>> = self
            .package
            .bundles
            .iter()
            .map(|bundle| Offer {
                bundle,
                version: version_release(bundle, self.query.releases()),
                deprecated: deprecated.contains(bundle.name.as_str()),
            })
            .collect();
        offers.sort_by(|a, b| a.newest_first(b));
        let tell = |offer: &Offer<'_>| {
            let channels: Vec<&str> = channels.get(offer.bundle.name.as_str()).into_iter().flatten().copied().collect();
            let (outcome, reason) = self.fate(offer, entries, &channels);
            let version = offer.version.as_ref().ok();
            CandidateStory {
                catalog: catalog.to_owned(),
                bundle: offer.bundle.name.clone(),
                version: version.map(|v| v.version.to_string()),
                release: version.and_then(|v| v.release.as_ref()).map(ToString::to_string),
                channels: channels.into_iter().map(str::to_owned).collect(),
                outcome,
                reason,
            }
        };
        offers.iter().map(tell).collect()
    }

    fn fate(&self, offer: &Offer<'_>, entries: &Entries<'_>, channels: &[&str]) -> (Fate, String) {
        let request = self.query.request;
        match self.query.examine(offer.bundle, entries) {
            Ok(_) => self.fate_of_candidate(offer),
            Err(Failed::Channel) if channels.is_empty() => (Fate::NotInChannels, "it is in no channel".to_owned()),
            Err(Failed::Channel) => (
                Fate::NotInChannels,
                format!("it is in channels {}, not in {}", channels.join(", "), request.channels.join(", ")),
            ),
            Err(Failed::Version(error)) => (Fate::NoVersion, error.to_string()),
            Err(Failed::Range) => self.fate_out_of_range(&offer.version),
            Err(Failed::Edge) => (Fate::NoEdge, self.no_edge(offer)),
        }
    }

    fn fate_out_of_range(&self, version: &BundleVersion) -> (Fate, String) {
        let range = quote(&self.query.request.version);
        let Ok(version) = version else { return (Fate::OutOfRange, format!("it is not in {range}")) };
        let lets_in = |range: &crate::version::MastermindsRange| range.contains_with_prereleases(&version.version);
        if self.query.range().is_some_and(lets_in) {
            return (Fate::PrereleaseLeftOut, format!("it is a prerelease, and {range} names none"));
        }
        (Fate::OutOfRange, format!("{version} is not in {range}"))
    }

    fn no_edge(&self, offer: &Offer<'_>) -> String {
        let request = self.query.request;
        let Some(installed) = &request.installed else { return String::new() };
        let elsewhere: Vec<&str> = match request.channels.as_slice() {
            [] => Vec::new(),
            _ => {
                start(installed, request.releases).map(|from| from.channels_to(&offer.bundle.name, &self.all)).unwrap_or_default()
            }
        };
        match elsewhere.as_slice() {
            [] => format!("no edge leads to it from {}", installed.name),
            channels => format!("the edge from {} is in channel {} alone", installed.name, channels.join(", ")),
        }
    }

    fn fate_of_candidate(&self, offer: &Offer<'_>) -> (Fate, String) {
        let Some(best) = self.best else { return (Fate::Undecided, String::new()) };
        if !std::ptr::eq(best.bundle, offer.bundle) {
            return behind(offer, best);
        }
        let (verdict, reason) = self.verdict;
        let fate = match verdict {
            CatalogVerdict::Chosen => Fate::Chosen,
            CatalogVerdict::Refused => Fate::Refused,
            CatalogVerdict::Ambiguous => Fate::Ambiguous,
            CatalogVerdict::LowerPriority => Fate::LowerPriority,
            CatalogVerdict::Deprecated => Fate::Deprecated,
            _ => Fate::Undecided,
        };
        (fate, reason.to_owned())
    }
}

fn behind(offer: &Offer<'_>, best: &Offer<'_>) -> (Fate, String) {
    let better = &best.bundle.name;
    if offer.deprecated && !best.deprecated {
        return (Fate::Deprecated, format!("it is deprecated, {better} is not"));
    }
    match (&offer.version, &best.version) {
        (Err(error), _) => (Fate::NoVersion, error.to_string()),
        (Ok(mine), Ok(theirs)) if mine.precedence(theirs).is_eq() => {
            (Fate::SameVersion, format!("{better} has the same version and release, and comes first by name"))
        }
        _ => (Fate::Older, format!("{better} is newer")),
    }
}

/// The channels that each bundle is in, sorted.
fn channels_of_bundles(package: &Package) -> HashMap<&str, BTreeSet<&str>> {
    let mut channels: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for channel in &package.channels {
        for entry in &channel.entries {
            channels.entry(&entry.name).or_default().insert(&channel.name);
        }
    }
    channels
}
