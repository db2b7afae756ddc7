//! Before + after -> [`Plan`].

use super::compared::{CrdVerdict, ExtensionPlan, Plan, Status};
use super::crds::{self, Applied};
use super::installed::{Installed, InstalledFrom};
use super::model::{Coverage, ExtensionState, Outcome, Problem, ProblemKind, Snapshot};
use super::objects::{ObjectChange, changes};
use super::snapshot::{self, Depth, Scope};
use super::world::World;
use crate::api::ClusterExtension;
use crate::crd::{self, CrdFiles, Date, Waiver};
use crate::lock::Lock;
use crate::parallel;
use crate::version::VersionRelease;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What there was before.
#[derive(Debug, Clone, Copy)]
pub struct Before<'a> {
    /// What it is called in reports.
    pub label: Option<&'a str>,
    /// The tree before, where there is one.
    pub snapshot: Option<&'a Snapshot>,
    /// The lock before, where there is one.
    pub lock: Option<&'a Lock>,
    /// How much of the tree after was read.
    pub coverage: Coverage,
    /// CRDs of the tree before: what is there where nothing else is known.
    pub tree_crds: &'a CrdFiles,
    /// CRDs as read from a cluster; they count before all else.
    pub cluster_crds: &'a CrdFiles,
    /// CRD findings that are known and accepted.
    pub waivers: &'a [Waiver],
    /// The day on which waivers are looked at; `None` where it is not to count.
    pub today: Option<Date>,
}

/// Compares what each cluster sees with what there was before.
pub fn build(sides: Vec<(&Scope<'_>, Snapshot)>, before: Before<'_>, world: &World<'_>) -> Plan {
    let mut plan = Plan { compared_with: before.label.map(str::to_owned), ..Plan::default() };
    let targets: BTreeSet<String> = sides.iter().map(|(scope, _)| scope.target.to_string()).collect();
    plan.targets = targets.into_iter().collect();
    for (scope, after) in sides {
        let gone = gone(scope, &after, before, world);
        plan.catalogs.extend(after.catalogs);
        let planned: Vec<ExtensionPlan> = parallel::map(after.extensions, 2, |e| extension(scope, e, before, world));
        plan.extensions.extend(planned);
        plan.extensions.extend(gone);
    }
    plan.extensions.sort_by(|a, b| (&a.cluster, &a.name).cmp(&(&b.cluster, &b.name)));
    waive(&mut plan, before);
    plan
}

/// Marks the CRD findings that a waiver accepts. A waiver is unused where no extension has a finding for it.
fn waive(plan: &mut Plan, before: Before<'_>) {
    plan.waivers = before.waivers.to_vec();
    let findings = plan.extensions.iter().flat_map(|e| e.crds.findings());
    let waived = crd::apply_waivers(findings.map(|f| &f.finding), before.waivers, before.today);
    (plan.unused_waivers, plan.expired_waivers) = (waived.unused, waived.expired);
    let findings = plan.extensions.iter_mut().flat_map(|e| match &mut e.crds {
        CrdVerdict::Checked { findings, .. } => findings.as_mut_slice(),
        CrdVerdict::NotApplicable | CrdVerdict::Unknown(_) => &mut [],
    });
    for (finding, waiver) in findings.zip(waived.accepted) {
        finding.waiver = waiver;
    }
}

/// Extensions that were there before and are no more.
fn gone(scope: &Scope<'_>, after: &Snapshot, before: Before<'_>, world: &World<'_>) -> Vec<ExtensionPlan> {
    let there: BTreeSet<&str> = after.extensions.iter().map(|e| e.view.name()).collect();
    let mut names: BTreeSet<String> = BTreeSet::new();
    match (before.snapshot, before.lock) {
        // What was not read is not gone; a revision was read at the same paths, so what is missing there is.
        (None, _) if before.coverage == Coverage::Part => {}
        // The tree before knows best which extensions there were; the lock alone stands in for it.
        (Some(snapshot), _) => {
            names.extend(snapshot.extensions.iter().filter(|e| e.cluster == scope.cluster).map(|e| e.view.name().to_owned()));
        }
        (None, Some(lock)) => names.extend(lock.extensions.iter().filter(|e| e.cluster == scope.cluster).map(|e| e.name.clone())),
        (None, None) => {}
    }
    names.retain(|name| !there.contains(name.as_str()));
    names.into_iter().map(|name| removed(scope, name, before, world)).collect()
}

fn removed(scope: &Scope<'_>, name: String, before: Before<'_>, world: &World<'_>) -> ExtensionPlan {
    let state = before_state(scope, &name, before);
    let locked = before.lock.and_then(|lock| lock.extension(scope.cluster.as_deref(), &name));
    let resolved = || {
        let (bundle, image) = snapshot::installed_after(state?)?;
        Some(Installed { bundle, image: Some(image), from: InstalledFrom::BeforeTree })
    };
    let installed = locked.map(Installed::of_lock).or_else(|| state.and_then(|s| s.installed.clone())).or_else(resolved);
    let changes = match (&installed, state) {
        _ if before.coverage == Coverage::Damaged => Err("a manifest cannot be read; it may be in there".to_owned()),
        _ if scope.depth == Depth::Resolved => Err("nothing was rendered".to_owned()),
        (None, _) => Ok(Vec::new()),
        (Some(_), None) => Err("the extension itself is not known, so what it had installed cannot be rendered".to_owned()),
        (Some(installed), Some(was)) => {
            let before = objects_before(scope, installed, was, &was.view, world);
            before.map(|before| changes(&before.objects, &[])).map_err(|p| p.message)
        }
    };
    ExtensionPlan {
        cluster: scope.cluster.clone(),
        name,
        installed,
        after: None,
        changes,
        crds: CrdVerdict::NotApplicable,
        status: if before.coverage == Coverage::Damaged { Status::Unknown } else { Status::Removed },
    }
}

fn before_state<'a>(scope: &Scope<'_>, name: &str, before: Before<'a>) -> Option<&'a ExtensionState> {
    before.snapshot?.extensions.iter().find(|e| e.cluster == scope.cluster && e.view.name() == name)
}

fn extension(scope: &Scope<'_>, after: ExtensionState, before: Before<'_>, world: &World<'_>) -> ExtensionPlan {
    let name = after.view.name().to_owned();
    let installed = after.installed.clone();
    let was = before_state(scope, &name, before);
    let objects_before = match &installed {
        _ if matches!(after.outcome, Outcome::Resolved(_)) => Err(not_known("nothing was rendered")),
        None => Ok(Applied::default()),
        Some(installed) => objects_before(scope, installed, was.unwrap_or(&after), was.map_or(&after.view, |w| &w.view), world),
    };
    let changes: Result<Vec<ObjectChange>, String> = match (after.outcome.objects(), &objects_before) {
        (None, _) => Err("nothing is applied".to_owned()),
        (Some(_), Err(problem)) => Err(problem.message.clone()),
        (Some(objects), Ok(before)) => Ok(changes(&before.objects, objects)),
    };
    let crds = crds::verdict(&after, &objects_before, before, world);
    let status = status(&after, installed.as_ref(), &changes, &crds);
    ExtensionPlan { cluster: after.cluster.clone(), name, installed, after: Some(after), changes, crds, status }
}

/// The objects of what is installed, under the extension as it was before, or as it is now where that is not known.
fn objects_before(
    scope: &Scope<'_>,
    installed: &Installed,
    was: &ExtensionState,
    view: &ClusterExtension,
    world: &World<'_>,
) -> Result<Applied, Problem> {
    if let Outcome::Rendered { resolved, objects } = &was.outcome
        && resolved.bundle == installed.bundle.name
    {
        return Ok(Applied { objects: Arc::clone(objects), image: Some(resolved.image.clone()) });
    }
    let bundle = &installed.bundle.name;
    let image = installed.image.as_ref();
    let image = image.ok_or_else(|| {
        not_known(&format!("the image of the installed bundle {bundle} is not known: no catalog and no lock names it"))
    })?;
    let because = |what: &str, message: &str, kind| Problem {
        message: format!("the installed bundle {bundle} cannot be {what}: {message}"),
        kind,
    };
    let read = world.bundle(image).map_err(|problem| because("read", &problem.message, problem.kind))?;
    let objects =
        snapshot::objects(scope, view, &read.bundle).map_err(|e| because("rendered", &e.to_string(), ProblemKind::Input))?;
    Ok(Applied { objects: Arc::new(objects), image: Some(image.clone()) })
}

fn not_known(message: &str) -> Problem {
    Problem { message: message.to_owned(), kind: ProblemKind::NotKnown }
}

fn status(
    after: &ExtensionState,
    installed: Option<&Installed>,
    changes: &Result<Vec<ObjectChange>, String>,
    crds: &CrdVerdict,
) -> Status {
    let resolved = match &after.outcome {
        Outcome::Refused => return Status::Refused,
        Outcome::Unasked => return Status::Unknown,
        Outcome::Unreadable { problem, .. } if problem.kind == ProblemKind::Refused => return Status::Blocked,
        Outcome::Unanswered(_) | Outcome::Unreadable { .. } => return Status::Unknown,
        Outcome::Unresolved { keeps_installed: true, .. } => return Status::Unchanged,
        Outcome::Unresolved { .. } | Outcome::NotRendered { .. } => return Status::Blocked,
        Outcome::Resolved(resolved) | Outcome::Rendered { resolved, .. } => resolved,
    };
    match crds {
        CrdVerdict::Unknown(problem) if problem.kind != ProblemKind::NotKnown => return Status::Unknown,
        _ if crds.stops() => return Status::Unsafe,
        _ => {}
    }
    let Some(installed) = installed else { return Status::New };
    if installed.bundle.name == resolved.bundle {
        return if changes.as_ref().is_ok_and(Vec::is_empty) { Status::Unchanged } else { Status::Changed };
    }
    if is_older(&resolved.version, installed) { Status::Downgrade } else { Status::Upgrade }
}

/// Whether a version is older than what is installed; not where that has no version that can be told.
fn is_older(version: &VersionRelease, installed: &Installed) -> bool {
    let bundle = &installed.bundle;
    let was = match &bundle.release {
        Some(release) => VersionRelease::explicit(&bundle.version, release),
        None => VersionRelease::legacy(&bundle.version),
    };
    was.is_ok_and(|was| version.precedence(&was) == Ordering::Less)
}
