//! The graph as a value: per channel, the bundles and what leads from one to the next.

use crate::catalog::model::{Channel, Package};
use crate::catalog::view::{Deprecations, by_name, newest_first};
use crate::version::BlangRange;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A picture of a channel with more entries than this draws no edges for `skipRange`: there can be one for every pair. The range
/// stands at the entry in any case, and the title says so.
const DRAWN_FOR_RANGES: usize = 40;

/// A channel with more entries than this has no edges for `skipRange` at all: no real one comes near.
const MAX_FOR_RANGES: usize = 2_000;

/// The upgrade graph of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Graph {
    /// The package.
    pub package: String,
    /// The channel that its author offers first.
    pub default_channel: String,
    /// The author's message, where the package is deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Its channels, by name; numbers in names are ordered by value.
    pub channels: Vec<ChannelGraph>,
}

/// The graph of one channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChannelGraph {
    /// The channel's name.
    pub channel: String,
    /// The author's message, where the channel is deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// The bundles, newest first; then what is only replaced or skipped, by name.
    pub nodes: Vec<Node>,
    /// What leads from one to the other, sorted.
    pub edges: Vec<Edge>,
}

/// A bundle of a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// The bundle's name.
    pub bundle: String,
    /// Its version, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Whether it is an entry of the channel; if not, an entry replaces or skips it.
    pub in_channel: bool,
    /// Whether no other entry replaces or skips it.
    pub head: bool,
    /// The author's message, where it is deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// The range of versions that it can be reached from.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub skip_range: String,
}

/// A way from one bundle to another. Nodes are counted from 0 in [`ChannelGraph::nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Edge {
    /// Where it starts: what is installed.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// What makes it one.
    pub kind: EdgeKind,
}

/// What makes a way from one bundle to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum EdgeKind {
    /// `replaces`
    Replaces,
    /// `skips`
    Skips,
    /// `skipRange`
    SkipRange,
}

/// The upgrade graph of a package: of all channels, or of the one that is named.
pub fn graph(package: &Package, channel: Option<&str>) -> Graph {
    let deprecations = Deprecations::of(package);
    let mut channels: Vec<ChannelGraph> = package
        .channels
        .iter()
        .filter(|c| channel.is_none_or(|name| c.name == name))
        .map(|c| of_channel(package, c, &deprecations))
        .collect();
    channels.sort_by(|a, b| by_name(&a.channel, &b.channel));
    Graph {
        package: package.name.clone(),
        default_channel: package.default_channel.clone(),
        deprecated: deprecations.package.map(str::to_owned),
        channels,
    }
}

fn of_channel(package: &Package, channel: &Channel, deprecations: &Deprecations<'_>) -> ChannelGraph {
    let versions = newest_first(package);
    let rank: BTreeMap<&str, usize> = versions.iter().enumerate().map(|(n, v)| (v.bundle.name.as_str(), n)).collect();
    let entries: BTreeSet<&str> = channel.entries.iter().map(|e| e.name.as_str()).collect();
    let passed = |e: &'_ crate::catalog::ChannelEntry| -> Vec<String> {
        let replaces = Some(e.replaces.clone()).filter(|name| !name.is_empty());
        e.skips.iter().filter(|name| !name.is_empty()).cloned().chain(replaces).collect()
    };
    let passed: BTreeSet<String> = channel.entries.iter().flat_map(passed).collect();
    let mut names: Vec<&str> = entries.iter().copied().collect();
    names.sort_by_key(|name| (rank.get(name).copied().unwrap_or(usize::MAX), *name));
    names.extend(passed.iter().map(String::as_str).filter(|name| !entries.contains(name)));
    let position: BTreeMap<&str, usize> = names.iter().enumerate().map(|(n, name)| (*name, n)).collect();

    let mut skip_ranges: BTreeMap<&str, &str> = BTreeMap::new();
    let mut edges = BTreeSet::new();
    let mut joined = BTreeSet::new();
    for entry in &channel.entries {
        let Some(&to) = position.get(entry.name.as_str()) else { continue };
        let mut join = |from: &str, kind| {
            if let Some(&from) = position.get(from).filter(|_| !from.is_empty()) {
                edges.insert(Edge { from, to, kind });
                joined.insert((from, to));
            }
        };
        join(&entry.replaces, EdgeKind::Replaces);
        entry.skips.iter().for_each(|skip| join(skip, EdgeKind::Skips));
        if !entry.skip_range.is_empty() {
            skip_ranges.insert(&entry.name, &entry.skip_range);
        }
    }
    if entries.len() <= MAX_FOR_RANGES {
        for (name, range) in &skip_ranges {
            let Ok(range) = BlangRange::parse(range) else { continue };
            let Some(&to) = position.get(name) else { continue };
            for (from, other) in names.iter().enumerate().filter(|(from, _)| *from != to && !joined.contains(&(*from, to))) {
                let order = rank.get(other).and_then(|n| versions.get(*n)).and_then(|v| v.order.as_ref());
                if order.is_some_and(|order| range.contains(&order.version)) {
                    edges.insert(Edge { from, to, kind: EdgeKind::SkipRange });
                }
            }
        }
    }
    let nodes = names.iter().map(|name| Node {
        bundle: (*name).to_owned(),
        version: rank.get(name).and_then(|n| versions.get(*n)).map(|v| v.version.clone()).filter(|v| !v.is_empty()),
        in_channel: entries.contains(name),
        head: entries.contains(name) && !passed.contains(*name),
        deprecated: deprecations.bundle(name),
        skip_range: skip_ranges.get(name).map(|r| (*r).to_owned()).unwrap_or_default(),
    });
    ChannelGraph {
        channel: channel.name.clone(),
        deprecated: deprecations.channel(&channel.name),
        nodes: nodes.collect(),
        edges: edges.into_iter().collect(),
    }
}

impl Node {
    /// What the drawings write at the bundle.
    pub(super) fn label(&self) -> Vec<String> {
        let mut lines = vec![self.bundle.clone()];
        if let Some(version) = self.version.as_ref().filter(|version| !self.bundle.ends_with(version.as_str())) {
            lines.push(version.clone());
        }
        if !self.skip_range.is_empty() {
            lines.push(format!("skips {}", self.skip_range));
        }
        if !self.in_channel {
            lines.push("not in this channel".to_owned());
        }
        if self.deprecated.is_some() {
            lines.push("deprecated".to_owned());
        }
        lines
    }
}

impl ChannelGraph {
    /// The edges that a picture shows.
    pub(super) fn drawn(&self) -> impl Iterator<Item = &Edge> {
        let ranges = self.nodes.iter().filter(|n| n.in_channel).count() <= DRAWN_FOR_RANGES;
        self.edges.iter().filter(move |edge| ranges || edge.kind != EdgeKind::SkipRange)
    }
}

impl Graph {
    /// What the drawings write over a channel.
    pub(super) fn title(&self, channel: &ChannelGraph) -> String {
        let default = if channel.channel == self.default_channel { " (default)" } else { "" };
        let deprecated = if channel.deprecated.is_some() { " (deprecated)" } else { "" };
        let hidden = channel.edges.len() - channel.drawn().count();
        let note = if hidden == 0 { String::new() } else { format!(" ({hidden} edges of skipRange are not drawn)") };
        format!("{}{default}{deprecated}{note}", channel.channel)
    }
}
