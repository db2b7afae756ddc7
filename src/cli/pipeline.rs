//! Arguments -> a plan and its findings: what `check`, `resolve`, `render`, `diff` and `lock` have in common.

use super::args::Compare;
use super::crds;
use super::failure::{Failure, bad};
use super::indexes::Indexes;
use super::settings::{Settings, place, today};
use super::side::Side;
use super::{Answer, End};
use crate::api::{Kind, Manifest};
use crate::config::Cluster;
use crate::crd::CrdFiles;
use crate::finding::Finding;
use crate::lint::{self, Reach};
use crate::lock::Lock;
use crate::plan::{
    self, Before, Coverage, Depth, ExtensionPlan, KnownInstalled, Plan, Refused, Scope, Snapshot, Status, Stories, World,
};
use crate::render::OwnerLabels;
use crate::report::{Ignored, Sources};
use crate::target::Target;
use crate::workspace::Source;
use crate::yaml;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// A plan, and what it was made from.
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    /// The snapshots after, a cluster each.
    pub(crate) after: Vec<Snapshot>,
    /// Findings on the manifests and on the plan, before the configuration has its say.
    pub(crate) findings: Vec<Finding>,
    pub(crate) sources: Sources,
    /// The lock beside the tree.
    pub(crate) lock: Option<Lock>,
    /// How much of the tree was read.
    pub(crate) coverage: Coverage,
    /// With `--locked`, where the tree no longer fits the lock.
    pub(crate) misfits: Vec<String>,
}

impl Planned {
    /// What is shown though the controller stops it, a line each, for commands that do not report findings.
    pub(crate) fn stopped(&self) -> Vec<String> {
        let stopped = self.plan.extensions.iter().filter(|e| e.status == Status::Unsafe);
        let line = |e: &ExtensionPlan| {
            format!("note: {}: the CRD upgrade safety check stops this upgrade; `olmplan check` says why", e.name)
        };
        stopped.map(line).collect()
    }

    /// Makes an answer of a command that reports no findings fail where the tree no longer fits the lock.
    pub(crate) fn hold_to_lock(&self, mut answer: Answer) -> Answer {
        answer.notes.extend(
            self.misfits
                .iter()
                .map(|m| format!("error: the tree no longer fits the lock: {m}; run `olmplan lock`, and read what changes")),
        );
        if !self.misfits.is_empty() && answer.end == End::Clean {
            answer.end = End::Findings;
        }
        answer
    }
}

/// How a plan is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct How {
    pub(crate) stories: Stories,
    pub(crate) owner_labels: OwnerLabels,
    pub(crate) depth: Depth,
    pub(crate) refused: Refused,
}

impl Default for How {
    fn default() -> Self {
        Self { stories: Stories::OfFailures, owner_labels: OwnerLabels::Add, depth: Depth::Rendered, refused: Refused::Stay }
    }
}

/// Reads, resolves, renders and compares.
pub(crate) fn plan(settings: &Settings, compare: &Compare, how: How) -> Result<Planned, Failure> {
    let side = Side::now(settings, &compare.paths.paths)?;
    let lock = settings.lock()?;
    if settings.global.locked && lock.is_none() {
        return Err(bad(settings.lock_path().display(), "--locked needs a lock, and there is none; `olmplan lock` writes it"));
    }
    let base = compare.base.as_deref();
    let before_side = base.map(|revision| before_side(settings, revision, &side)).transpose()?;
    let before_lock = match base {
        Some(revision) => settings.lock_of(revision)?,
        None => lock.clone(),
    };
    let coverage = match (settings.covers_home(), side.broken.is_empty()) {
        (false, _) => Coverage::Part,
        (true, true) => Coverage::Whole,
        (true, false) => Coverage::Damaged,
    };
    let images = settings.images()?;
    let indexes = Indexes(settings.store().join("indexes"));
    let world = World::new(&images, Some(&indexes)).with_folders(settings.image_folders());
    let pins = lock.as_ref().filter(|_| settings.global.locked);
    let clusters = clusters(settings)?;
    let after_scopes = scopes(settings, &side, &clusters, pins, how);

    let mut known = KnownInstalled { lock: before_lock.clone(), ..KnownInstalled::default() };
    if let Some(file) = &compare.installed {
        known.set_file(&installed(file)?);
    }
    let before = match &before_side {
        None => None,
        Some(before_side) => {
            let scopes = scopes(settings, before_side, &clusters, None, how);
            // What a lock says is installed needs no looking up.
            let resolve = before_lock.is_none();
            let each = scopes.iter().map(|scope| match resolve {
                true => plan::snapshot(scope, &world, &KnownInstalled::default()),
                false => plan::views(scope, &known),
            });
            let each: Vec<Snapshot> = each.collect();
            if resolve {
                each.iter().for_each(|snapshot| known.add_before_tree(snapshot));
            }
            each.iter().for_each(|snapshot| known.add_before_objects(snapshot));
            Some(merge(each))
        }
    };
    let after: Vec<Snapshot> = after_scopes.iter().map(|scope| plan::snapshot(scope, &world, &known)).collect();
    let label = match (base, &known.file, &before_lock) {
        (Some(revision), ..) => Some(revision.to_owned()),
        (None, Some(_), _) => Some("what is installed".to_owned()),
        (None, None, Some(_)) => Some(crate::lock::FILE_NAME.to_owned()),
        (None, None, None) => None,
    };
    let left_out = |path: &str| settings.is_image(path);
    let tree_crds = match (how.depth, base) {
        (Depth::Resolved, _) => CrdFiles::default(),
        (Depth::Rendered, None) => crds::of_source(&Source::Disk(settings.roots.clone()), "", &left_out)?,
        (Depth::Rendered, Some(revision)) => {
            let source = Side::source_of_revision(settings, revision)?;
            crds::of_source(&source, &format!("{revision}:"), &left_out)?
        }
    };
    let cluster_crds = match &compare.cluster_crds {
        // One without any is a dump that failed, not a cluster without CRDs.
        Some(file) => crds::open(&file.to_string_lossy(), "cluster")?,
        None => CrdFiles::default(),
    };
    let before = Before {
        label: label.as_deref(),
        snapshot: before.as_ref(),
        lock: before_lock.as_ref(),
        coverage,
        tree_crds: &tree_crds,
        cluster_crds: &cluster_crds,
        waivers: &settings.config.waivers,
        today: Some(today()),
    };
    let sides = after_scopes.iter().zip(after.iter().cloned()).collect();
    let plan = plan::build(sides, before, &world);
    let misfits = match &lock {
        Some(lock) if settings.global.locked => plan::misfits(&plan, lock),
        _ => Vec::new(),
    };
    let mut findings = manifest_findings(&side, &clusters, settings);
    findings.extend(lint::run_plan(&plan));
    Finding::sort(&mut findings);
    let mut sources = side.sources;
    sources.extend(plan.texts().map(|(name, text)| (name.clone(), Arc::clone(text))));
    Ok(Planned { plan, after, findings, sources, lock, coverage, misfits })
}

/// The same paths as of a revision, and, from elsewhere in it, extensions that were moved to where we look.
fn before_side(settings: &Settings, revision: &str, after: &Side) -> Result<Side, Failure> {
    let mut side = Side::of_revision(settings, revision)?;
    let extensions = |side: &Side| -> BTreeSet<String> {
        side.manifests.iter().filter(|m| m.kind() == Some(Kind::ClusterExtension)).map(|m| m.name().to_owned()).collect()
    };
    let there = extensions(&side);
    let wanted: BTreeSet<String> = extensions(after).difference(&there).cloned().collect();
    if wanted.is_empty() {
        return Ok(side);
    }
    let (elsewhere, top) = Side::of_whole_revision(settings, revision)?;
    for name in wanted {
        let found: Vec<&Manifest> = elsewhere
            .manifests
            .iter()
            .filter(|m| m.kind() == Some(Kind::ClusterExtension) && m.name() == name && !top.join(&m.path).exists())
            .collect();
        if let [only] = found.as_slice() {
            side.manifests.push((*only).clone());
        }
    }
    Ok(side)
}

/// A cluster of the configuration, with its target; one without a name where there is none.
pub(crate) struct ClusterTarget<'a> {
    cluster: Option<&'a Cluster>,
    pub(crate) target: Target,
}

/// The clusters of the configuration.
pub(crate) fn clusters(settings: &Settings) -> Result<Vec<ClusterTarget<'_>>, Failure> {
    if settings.config.clusters.is_empty() {
        return Ok(vec![ClusterTarget { cluster: None, target: settings.target(None)? }]);
    }
    let cluster = |c| Ok(ClusterTarget { cluster: Some(c), target: settings.target(Some(c))? });
    settings.config.clusters.iter().map(cluster).collect()
}

impl ClusterTarget<'_> {
    fn name(&self) -> Option<String> {
        self.cluster.map(|c| c.name.clone())
    }

    /// Whether the cluster sees a file, by its path from the configuration's folder.
    fn sees(&self, path: &str) -> bool {
        let Some(cluster) = self.cluster else { return true };
        let folder = cluster.path.trim_start_matches("./").trim_end_matches('/');
        folder.is_empty()
            || folder == "."
            || path == folder
            || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }
}

fn scopes<'a>(
    settings: &Settings,
    side: &'a Side,
    clusters: &[ClusterTarget<'_>],
    pins: Option<&'a Lock>,
    how: How,
) -> Vec<Scope<'a>> {
    let scope = |cluster: &ClusterTarget<'_>| Scope {
        cluster: cluster.name(),
        target: cluster.target.clone(),
        manifests: side.manifests.iter().filter(|m| cluster.sees(&settings.below_home(&m.path))).collect(),
        owner_labels: how.owner_labels,
        pins,
        stories: how.stories,
        depth: how.depth,
        refused: how.refused,
    };
    clusters.iter().map(scope).collect()
}

fn merge(snapshots: Vec<Snapshot>) -> Snapshot {
    let mut all = Snapshot::default();
    for snapshot in snapshots {
        all.catalogs.extend(snapshot.catalogs);
        all.extensions.extend(snapshot.extensions);
    }
    all
}

/// What can be said from the manifests alone, cluster by cluster.
pub(crate) fn manifest_findings(side: &Side, clusters: &[ClusterTarget<'_>], settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    for cluster in clusters {
        let sees = |path: &str| cluster.cluster.is_none() || cluster.sees(&settings.below_home(path));
        let manifests: Vec<Manifest> = side.manifests.iter().filter(|m| sees(&m.path)).cloned().collect();
        let broken: Vec<lint::Broken> = side.broken.iter().filter(|b| sees(&b.path)).cloned().collect();
        let input = lint::Input::new(&manifests, &broken, &cluster.target);
        let mut found = lint::run(&input);
        found.iter_mut().for_each(|f| f.cluster = cluster.name());
        findings.extend(found);
    }
    findings
}

#[allow(clippy::disallowed_methods)]
fn installed(file: &PathBuf) -> Result<Vec<serde_json::Value>, Failure> {
    let text = std::fs::read_to_string(file).map_err(|e| bad(file.display(), e))?;
    let documents = yaml::values(&text).map_err(|e| bad(file.display(), e))?;
    let mut extensions = Vec::new();
    let list = documents.iter().any(|d| d.get("items").is_some_and(serde_json::Value::is_array));
    for document in documents {
        match document.get("items").and_then(serde_json::Value::as_array) {
            Some(items) => extensions.extend(items.iter().cloned()),
            None => extensions.push(document),
        }
    }
    // Items of a list may leave the kind to the list.
    let named = |e: &serde_json::Value| e.pointer("/metadata/name").is_some();
    extensions.retain(|e| match e.get("kind").and_then(serde_json::Value::as_str) {
        Some(kind) => kind == "ClusterExtension",
        None => named(e),
    });
    if extensions.is_empty() && !list {
        return Err(bad(file.display(), "there is no ClusterExtension in it, and no empty list of them; did the dump fail?"));
    }
    Ok(extensions)
}

/// Applies the configuration to findings, and says what is to be said of the configuration itself.
pub(crate) fn settle(
    settings: &Settings,
    findings: Vec<Finding>,
    plan: Option<&Plan>,
    sources: &mut Sources,
) -> (Vec<Finding>, Vec<Ignored>) {
    let reach = if plan.is_some() { Reach::Plan } else { Reach::Manifests };
    let settled = lint::settle(findings, &settings.config, today(), reach, &|path| settings.below_home(path));
    let mut findings = settled.findings;
    let waivers = plan.into_iter().flat_map(lint::about_waivers);
    for (mut finding, span) in settled.about_config.into_iter().chain(waivers) {
        finding.path.clone_from(&settings.config_path);
        finding.place = span.map(|span| place(&settings.config_text, span));
        findings.push(finding);
    }
    if let Some(path) = &settings.config_path {
        sources.insert(path.clone(), settings.config_text.as_str().into());
    }
    Finding::sort(&mut findings);
    let ignored = settled.ignored.into_iter().map(|(finding, reason)| Ignored { finding, reason }).collect();
    (findings, ignored)
}
