//! The shortest way from what is installed to a version that no edge leads to directly.

use super::bundle_property::{unsupported_dependency, version_release};
use super::installed::start;
use super::predicates::{Entries, From};
use super::{InstalledBundle, ReleaseSupport};
use crate::catalog::{Bundle, Package};
use crate::version::{BlangRange, VersionRelease};
use serde::Serialize;
use std::collections::{HashMap, VecDeque};

/// One upgrade of several.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Hop {
    /// The bundle to upgrade to.
    pub bundle: String,
    /// Its version, with its release in the place of build metadata.
    pub version: String,
    /// The catalog that has it.
    pub catalog: String,
    /// The channels, sorted, whose edges lead to it; empty where it has the version that it is reached from.
    pub channels: Vec<String>,
}

/// How many skip ranges are looked at before the search is given up: no real catalog comes near.
const BUDGET: usize = 2_000_000;

/// The shortest chain of upgrades to the newest bundle that is wanted and can be reached. `packages` are the catalogs to look at with what they have of the package,
/// `channels` those whose edges count; all of them where it is empty. Bundles that cannot be installed are no stops.
///
/// `None` where no wanted bundle can be reached, or where the search would take too long.
pub fn upgrade_path(
    packages: &[(&str, &Package)],
    channels: &[String],
    installed: &InstalledBundle,
    releases: ReleaseSupport,
    wanted: impl Fn(&Bundle, &VersionRelease) -> bool,
) -> Option<Vec<Hop>> {
    let graph = Graph::new(packages, channels, releases);
    let from = start(installed, releases).ok()?;
    let before = graph.search(&from);
    let goal = (0..graph.nodes.len()).find(|n| {
        let is_wanted = graph.nodes.get(*n).is_some_and(|node| wanted(node.bundle, &node.version));
        is_wanted && before.get(*n).copied().flatten().is_some()
    })?;
    let mut chain = vec![goal];
    let mut at = goal;
    while let Some(Some(Reached::From(previous))) = before.get(at) {
        chain.push(*previous);
        at = *previous;
    }
    chain.reverse();
    Some(graph.hops(&from, &chain))
}

/// How a bundle was reached first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reached {
    /// From what is installed.
    Directly,
    /// From another bundle.
    From(usize),
}

struct Node<'a> {
    /// Which of the packages it is of.
    package: usize,
    bundle: &'a Bundle,
    version: VersionRelease,
}

/// The bundles of a package, newest first, and the edges between them.
struct Graph<'a> {
    nodes: Vec<Node<'a>>,
    /// By the name of a bundle: those that replace or skip it.
    followers: HashMap<&'a str, Vec<usize>>,
    skip_ranges: Vec<(usize, BlangRange)>,
    /// By package: its catalog, and the channel entries that count.
    packages: Vec<(&'a str, Entries<'a>)>,
}

impl<'a> Graph<'a> {
    fn new(packages: &[(&'a str, &'a Package)], channels: &[String], releases: ReleaseSupport) -> Self {
        let mut graph = Self { nodes: Vec::new(), followers: HashMap::new(), skip_ranges: Vec::new(), packages: Vec::new() };
        for (n, &(catalog, package)) in packages.iter().enumerate() {
            let entries = match channels {
                [] => Entries::all(package),
                _ => Entries::of(package, channels),
            };
            // A bundle outside the channels that are asked for is never resolved to, nor is one that cannot be installed.
            let stops = package.bundles.iter().filter(|bundle| {
                unsupported_dependency(bundle).is_none()
                    && (channels.is_empty() || entries.of_bundle(&bundle.name).next().is_some())
            });
            graph.nodes.extend(
                stops.filter_map(|bundle| Some(Node { package: n, bundle, version: version_release(bundle, releases).ok()? })),
            );
            graph.packages.push((catalog, entries));
        }
        graph.nodes.sort_by(|a, b| {
            let identity = |node: &Node<'a>| (node.package, &node.bundle.name, &node.bundle.image);
            b.version.precedence(&a.version).then_with(|| identity(a).cmp(&identity(b)))
        });
        graph.add_edges();
        graph
    }

    fn add_edges(&mut self) {
        for (n, node) in self.nodes.iter().enumerate() {
            let Some((_, entries)) = self.packages.get(node.package) else { continue };
            for entry in entries.of_bundle(&node.bundle.name) {
                for before in entry.skips.iter().chain([&entry.replaces]) {
                    self.followers.entry(before).or_default().push(n);
                }
                if !entry.skip_range.is_empty() {
                    self.skip_ranges.extend(BlangRange::parse(&entry.skip_range).ok().map(|range| (n, range)));
                }
            }
        }
    }

    /// Reaches out from what is installed, hop by hop, newest first.
    fn search(&self, from: &From<'_>) -> Vec<Option<Reached>> {
        let mut before: Vec<Option<Reached>> = vec![None; self.nodes.len()];
        let mut ranges: Vec<&(usize, BlangRange)> = self.skip_ranges.iter().collect();
        let mut budget = BUDGET;
        let mut queue = VecDeque::new();
        let mut stop = Some((from.clone(), Reached::Directly));
        while let Some((at, reached)) = stop {
            let mut next: Vec<usize> = self.followers.get(at.name).cloned().unwrap_or_default();
            budget = match budget.checked_sub(ranges.len() + next.len()) {
                Some(left) => left,
                None => break,
            };
            next.extend(ranges.iter().filter(|(_, range)| range.contains(&at.version)).map(|(n, _)| *n));
            next.extend(self.equals(&at.release));
            next.sort_unstable();
            for n in next {
                if let Some(unreached @ None) = before.get_mut(n) {
                    *unreached = Some(reached);
                    queue.push_back(n);
                }
            }
            ranges.retain(|(n, _)| before.get(*n).is_some_and(Option::is_none));
            stop = queue.pop_front().and_then(|n| {
                let node = self.nodes.get(n)?;
                Some((From::bundle(&node.bundle.name, &node.version), Reached::From(n)))
            });
        }
        before
    }

    /// The bundles of that version and release: whatever is installed of them, the others will do as well.
    fn equals(&self, release: &VersionRelease) -> std::ops::Range<usize> {
        let start = self.nodes.partition_point(|node| node.version.precedence(release).is_gt());
        let end = self.nodes.partition_point(|node| node.version.precedence(release).is_ge());
        start..end
    }

    fn hops(&self, from: &From<'_>, chain: &[usize]) -> Vec<Hop> {
        let mut hops = Vec::new();
        let mut from = from.clone();
        for node in chain.iter().filter_map(|n| self.nodes.get(*n)) {
            let Some((catalog, entries)) = self.packages.get(node.package) else { continue };
            let channels = from.channels_to(&node.bundle.name, entries);
            hops.push(Hop {
                bundle: node.bundle.name.clone(),
                version: node.version.legacy_text(),
                catalog: (*catalog).to_owned(),
                channels: channels.into_iter().map(str::to_owned).collect(),
            });
            from = From::bundle(&node.bundle.name, &node.version);
        }
        hops
    }
}
