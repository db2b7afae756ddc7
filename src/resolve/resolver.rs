//! The resolution itself: from a request and catalogs to one bundle.

use super::bundle_property::unsupported_dependency;
use super::deprecation::{DeprecationConditions, deprecation_conditions};
use super::failure::Sought;
use super::predicates::{BundleVersion, Query};
use super::{Availability, CatalogEntry, Failure, InstalledBundle, ReleaseSupport, Request};
use crate::catalog::{Bundle, DeprecatedReference, Deprecations, Package};
use crate::target::Resolver;
use crate::version::VersionRelease;
use std::cmp::Ordering;
use std::collections::HashSet;

/// What became of a request. It borrows what it was made from, to tell the story when asked.
#[derive(Debug, Clone)]
pub struct Resolution<'a> {
    /// The bundle, or why there is none.
    pub outcome: Result<Resolved, Failure>,
    pub(super) request: &'a Request,
    /// By name of the catalog.
    pub(super) entries: Vec<&'a CatalogEntry<'a>>,
    /// What became of each catalog, as far as the walk came.
    pub(super) steps: Vec<Step<'a>>,
}

/// The bundle that is resolved to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The package.
    pub package: String,
    /// The bundle's name.
    pub bundle: String,
    /// Its version and release.
    pub version: VersionRelease,
    /// Its image's reference.
    pub image: String,
    /// The catalog that it is from.
    pub catalog: String,
    /// What the catalog says of the package's deprecations; `None` where it says nothing, not even that there are none. Where
    /// several catalogs had a bundle to offer, it is the last one's word, by name, as it is the controller's.
    pub deprecations: Option<Deprecations>,
}

/// What became of a catalog.
#[derive(Debug, Clone)]
pub(super) enum Step<'a> {
    /// The selector does not select it; what it asks for.
    NotSelected(String),
    /// It is not served.
    Unavailable,
    /// It cannot be read, and that ends the walk.
    Failed,
    /// It does not have the package.
    NoPackage,
    /// It has the package, but no bundle passes.
    NoCandidate,
    /// It offers a bundle.
    Offer(Offer<'a>),
}

/// The bundle that a catalog offers.
#[derive(Debug, Clone)]
pub(super) struct Offer<'a> {
    pub(super) bundle: &'a Bundle,
    pub(super) version: BundleVersion,
    pub(super) deprecated: bool,
}

/// Resolves a request as operator-controller does.
///
/// Follows `CatalogResolver.Resolve` and `CatalogWalker` of operator-controller df2c201d
/// internal/operator-controller/resolve/catalog.go, and what the releases before it do differently. See [the module](super) for what is fixed where that leaves the answer to
/// order.
pub fn resolve<'a>(request: &'a Request, entries: &'a [CatalogEntry<'a>]) -> Resolution<'a> {
    let mut entries: Vec<&CatalogEntry<'_>> = entries.iter().collect();
    entries.sort_by(|a, b| a.catalog.name.cmp(&b.catalog.name));
    let mut steps = Vec::with_capacity(entries.len());
    let outcome = Query::new(request).and_then(|query| {
        for entry in &entries {
            let (step, failure) = visit(&query, entry);
            steps.push(step);
            if let Some(failure) = failure {
                return Err(failure);
            }
        }
        choose(request, &entries, &steps)
    });
    Resolution { outcome, request, entries, steps }
}

impl Resolution<'_> {
    /// The deprecation conditions that the cluster sets, once the bundle that is resolved to is installed, or while what was
    /// installed before stays.
    pub fn deprecation_conditions(&self) -> DeprecationConditions {
        let channels = &self.request.channels;
        match &self.outcome {
            Ok(resolved) => {
                let deprecations = resolved.deprecations.as_ref().map(Deprecations::entries).unwrap_or_default();
                deprecation_conditions(channels, Some(&resolved.bundle), Some(deprecations))
            }
            Err(_) => {
                let installed = self.request.installed.as_ref().map(|installed| installed.name.as_str());
                deprecation_conditions(channels, installed, None)
            }
        }
    }

    /// Whether the cluster keeps what is installed and says nothing of the failure: where no catalog is left that the selector
    /// selects, and the extension asks for no other version than the one that is installed. Controllers before 1.8 never do.
    ///
    /// Follows `handleResolutionError` of operator-controller df2c201d
    /// internal/operator-controller/controllers/clusterextension_reconcile_steps.go.
    pub fn keeps_installed(&self) -> bool {
        let Some(installed) = &self.request.installed else { return false };
        let asks_for_it = self.request.version.is_empty() || self.request.version == installed.version;
        self.request.resolver >= Resolver::V1_8 && self.outcome.is_err() && asks_for_it && self.selects_nothing()
    }

    fn selects_nothing(&self) -> bool {
        let selects_none = |step: &Step<'_>| matches!(step, Step::NotSelected(_));
        !matches!(self.outcome, Err(Failure::Selector(_) | Failure::Range { .. })) && self.steps.iter().all(selects_none)
    }
}

impl Resolved {
    /// The bundle as the cluster has it in `status.install.bundle` once it is installed: the next upgrade starts from this.
    ///
    /// Follows `MetadataFor` of operator-controller df2c201d internal/operator-controller/bundleutil/bundle.go.
    pub fn installed(&self, releases: ReleaseSupport) -> InstalledBundle {
        let (version, release) = match releases {
            ReleaseSupport::None | ReleaseSupport::Legacy | ReleaseSupport::LegacyOfAnyLength => {
                (self.version.legacy_text(), None)
            }
            ReleaseSupport::Explicit | ReleaseSupport::ExplicitOfAnyLength => {
                (self.version.version.to_string(), self.version.release.as_ref().map(|release| release.to_string()))
            }
        };
        InstalledBundle { name: self.bundle.clone(), version, release }
    }
}

fn visit<'a>(query: &Query<'a>, entry: &CatalogEntry<'a>) -> (Step<'a>, Option<Failure>) {
    if let Some(unmet) = query.selector.first_unmet(&entry.catalog.labels) {
        return (Step::NotSelected(unmet.to_string()), None);
    }
    if entry.catalog.availability == Availability::Unavailable {
        return (Step::Unavailable, None);
    }
    let package = match &entry.content {
        Ok(package) => *package,
        Err(error) => {
            let (package, catalog) = (query.request.package.clone(), entry.catalog.name.clone());
            return (Step::Failed, Some(Failure::Catalog { package, catalog, error: error.clone() }));
        }
    };
    let Some(package) = package else {
        let fault = if query.request.resolver == Resolver::V1_0 { query.check_installed().err() } else { None };
        return (Step::NoPackage, fault);
    };
    match best(query, package) {
        Ok(Some(offer)) => (Step::Offer(offer), None),
        Ok(None) => (Step::NoCandidate, None),
        Err(failure) => (Step::NoCandidate, Some(failure)),
    }
}

/// The candidate that comes first in the catalog's order.
fn best<'a>(query: &Query<'a>, package: &'a Package) -> Result<Option<Offer<'a>>, Failure> {
    let entries = query.entries(package)?;
    let deprecated = deprecated_bundles(package);
    let offers = package.bundles.iter().filter_map(|bundle| {
        let version = query.examine_but_edge(bundle, &entries).ok()?;
        Some(Offer { bundle, version, deprecated: deprecated.contains(bundle.name.as_str()) })
    });
    if query.from().is_none() {
        return Ok(offers.min_by(Offer::order));
    }
    // The first that an edge leads to is the one: this comes to the same as asking for all edges first.
    let mut offers: Vec<Offer<'_>> = offers.collect();
    offers.sort_by(Offer::order);
    Ok(offers.into_iter().find(|offer| query.has_edge(offer.bundle, &offer.version, &entries)))
}

/// The names of the bundles that the catalog deprecates.
pub(super) fn deprecated_bundles(package: &Package) -> HashSet<&str> {
    let names = package.deprecations().iter().filter_map(|deprecation| match &deprecation.reference {
        DeprecatedReference::Bundle(name) => Some(name.as_str()),
        _ => None,
    });
    names.collect()
}

impl Offer<'_> {
    /// Which of two candidates of one catalog comes first: one that is not deprecated, then the newer one.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        self.deprecated.cmp(&other.deprecated).then_with(|| self.newest_first(other))
    }

    /// The newest version first, then the newest release; those whose version cannot be told are the oldest. Equals are told
    /// apart by the file that a cluster's cache has of them. Two bundles of one name never reach a cluster's resolver; their
    /// images only keep their order out of the answer.
    pub(super) fn newest_first(&self, other: &Self) -> Ordering {
        let version = match (&self.version, &other.version) {
            (Ok(a), Ok(b)) => b.precedence(a),
            (a, b) => a.is_err().cmp(&b.is_err()),
        };
        let file = || {
            let (a, b) = (self.bundle.cache_path().unwrap_or_default(), other.bundle.cache_path().unwrap_or_default());
            a.split('/').cmp(b.split('/'))
        };
        version.then_with(file).then_with(|| self.bundle.image.cmp(&other.bundle.image))
    }
}

/// Chooses among the catalogs' offers: not deprecated before deprecated, then by priority.
fn choose(request: &Request, entries: &[&CatalogEntry<'_>], steps: &[Step<'_>]) -> Result<Resolved, Failure> {
    let offers = entries.iter().zip(steps).filter_map(|(entry, step)| match step {
        Step::Offer(offer) => Some((*entry, offer)),
        _ => None,
    });
    let mut offers: Vec<(&CatalogEntry<'_>, &Offer<'_>)> = offers.collect();
    if offers.iter().any(|(_, offer)| !offer.deprecated) {
        offers.retain(|(_, offer)| !offer.deprecated);
    }
    // The last offer's word on deprecations is returned, whichever offer is chosen.
    let speaker = offers.last().map(|(entry, _)| *entry);
    let catalogs = || offers.iter().map(|(entry, _)| entry.catalog.name.clone()).collect();
    let highest = offers.iter().map(|(entry, _)| entry.catalog.priority).max();
    let mut preferred = offers.iter().filter(|(entry, _)| Some(entry.catalog.priority) == highest);
    let (entry, offer) = match (preferred.next(), preferred.next()) {
        (Some(only), None) => only,
        (None, _) => return Err(Failure::NotFound(sought(request))),
        (Some(_), Some(_)) => return Err(Failure::Ambiguous { sought: sought(request), catalogs: catalogs() }),
    };
    let name = || offer.bundle.name.clone();
    let version = offer.version.clone().map_err(|error| Failure::Version { bundle: name(), error })?;
    if let Some(property) = unsupported_dependency(offer.bundle) {
        return Err(Failure::Dependency { bundle: name(), property: property.to_owned() });
    }
    let package = speaker.and_then(|entry| entry.content.as_ref().ok().copied().flatten());
    Ok(Resolved {
        package: offer.bundle.package.clone(),
        bundle: name(),
        version,
        image: offer.bundle.image.clone(),
        catalog: entry.catalog.name.clone(),
        deprecations: package.and_then(|package| package.deprecations.clone()),
    })
}

fn sought(request: &Request) -> Sought {
    Sought {
        package: request.package.clone(),
        range: request.version.clone(),
        channels: request.channels.clone(),
        installed: request.installed.as_ref().map(|installed| installed.version.clone()),
    }
}
