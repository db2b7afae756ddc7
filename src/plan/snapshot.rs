//! Documents -> [`Snapshot`]: which catalogs are read, and what each extension comes to.

use super::installed::{Installed, KnownInstalled};
use super::model::{CatalogContent, CatalogState, ExtensionState, Outcome, Problem, Snapshot};
use super::world::{OpenCatalog, World};
use crate::api::schema::{Schema, SchemaError};
use crate::api::{ClusterCatalog, ClusterExtension, Kind, Manifest};
use crate::catalog::Package;
use crate::lock::Lock;
use crate::parallel;
use crate::render::{self, OwnerLabels, RenderOptions};
use crate::resolve::{self, Availability, Catalog, CatalogEntry, ReleaseSupport, Request, RequestError};
use crate::target::Target;
use serde_json::Value;
use std::sync::Arc;

/// Of which resolutions the whole story is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stories {
    /// Of those that fail.
    OfFailures,
    /// Of all.
    OfAll,
}

/// How far a snapshot goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// To the bundle: no bundle's image is opened.
    Resolved,
    /// To the objects that are applied.
    Rendered,
}

/// What becomes of extensions that the API server refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// They come to nothing, as in a cluster.
    Stay,
    /// They are resolved as if they were let through: the controller's answer to what they say.
    AreResolved,
}

/// A part of the tree that one cluster sees.
#[derive(Debug, Clone)]
pub struct Scope<'a> {
    /// The cluster, where there are several.
    pub cluster: Option<String>,
    /// The release that it runs.
    pub target: Target,
    /// The objects that concern us.
    pub manifests: Vec<&'a Manifest>,
    /// Whether the objects say who owns them.
    pub owner_labels: OwnerLabels,
    /// The lock whose digests stand for tags.
    pub pins: Option<&'a Lock>,
    /// Of which resolutions the whole story is told.
    pub stories: Stories,
    /// How far it goes.
    pub depth: Depth,
    /// What becomes of extensions that the API server refuses.
    pub refused: Refused,
}

/// Resolves and renders what a cluster sees.
pub fn snapshot(scope: &Scope<'_>, world: &World<'_>, known: &KnownInstalled) -> Snapshot {
    let extensions = extensions(scope, known);
    let catalogs = catalogs(scope, world, &extensions);
    let states: Vec<ExtensionState> = parallel::map(extensions, 2, |e| state(scope, world, &catalogs, e));
    let catalogs = catalogs.into_iter().map(|c| c.state).collect();
    Snapshot { catalogs, extensions: states }
}

/// Reads what a cluster sees, and asks nothing of it: no catalog is opened.
pub fn views(scope: &Scope<'_>, known: &KnownInstalled) -> Snapshot {
    let state = |asking: Asking| {
        let told = Told { outcome: Outcome::Unasked, story: None, hints: Vec::new(), deprecation: Value::Null, conditions: None };
        told.of(scope, asking.view, asking.installed, asking.frozen)
    };
    Snapshot { catalogs: Vec::new(), extensions: extensions(scope, known).into_iter().map(state).collect() }
}

/// An extension, and what it asks for; `None` where the API server refuses it.
struct Asking {
    view: ClusterExtension,
    installed: Option<Installed>,
    frozen: Vec<SchemaError>,
    request: Option<Result<Request, RequestError>>,
}

fn extensions(scope: &Scope<'_>, known: &KnownInstalled) -> Vec<Asking> {
    let asking = |manifest: &Manifest| {
        let view = ClusterExtension::read(manifest, &scope.target)?;
        let installed = known.of(scope.cluster.as_deref(), &view);
        let bundle = installed.as_ref().map(|i| i.bundle.clone());
        let valid = accepted(manifest, Kind::ClusterExtension, &scope.target);
        let frozen = match known.object_before(scope.cluster.as_deref(), view.name()) {
            Some(before) if valid => {
                Schema::of(Kind::ClusterExtension, &scope.target).transition_errors(manifest.object(), before)
            }
            _ => Vec::new(),
        };
        let accepted = scope.refused == Refused::AreResolved || (valid && frozen.is_empty());
        let request = accepted.then(|| Request::from_extension(&view.object, bundle, &scope.target));
        Some(Asking { view, installed, frozen, request })
    };
    let mut extensions: Vec<Asking> =
        parallel::map(of_kind(scope, Kind::ClusterExtension), 32, asking).into_iter().flatten().collect();
    extensions.sort_by(|a, b| (a.view.name(), &a.view.manifest.path).cmp(&(b.view.name(), &b.view.manifest.path)));
    extensions
}

fn of_kind<'a>(scope: &Scope<'a>, kind: Kind) -> Vec<&'a Manifest> {
    scope.manifests.iter().copied().filter(|manifest| manifest.kind() == Some(kind)).collect()
}

fn accepted(manifest: &Manifest, kind: Kind, target: &Target) -> bool {
    Schema::of(kind, target).validate(manifest.object()).errors.is_empty()
}

/// A catalog, and its content where it was read.
struct Open {
    state: CatalogState,
    catalog: Catalog,
    content: Option<Result<Arc<OpenCatalog>, Problem>>,
}

fn catalogs(scope: &Scope<'_>, world: &World<'_>, extensions: &[Asking]) -> Vec<Open> {
    let selectors: Vec<_> = extensions
        .iter()
        .filter_map(|e| e.request.as_ref()?.as_ref().ok())
        .filter_map(|r| r.selector.as_ref().map(crate::api::LabelSelector::selector).transpose().ok())
        .collect();
    let open = |manifest: &Manifest| {
        let view = ClusterCatalog::read(manifest, &scope.target)?;
        let catalog = Catalog::from_object(&view.object);
        let selected = selectors.iter().any(|s| s.as_ref().is_none_or(|s| s.matches(&catalog.labels)));
        let reference = view.image().map(|f| f.value.to_owned());
        let mut content = None;
        let found = match reference {
            _ if !accepted(manifest, Kind::ClusterCatalog, &scope.target) => CatalogContent::Refused,
            None => CatalogContent::Refused,
            Some(_) if catalog.availability == Availability::Unavailable => CatalogContent::Unavailable,
            Some(_) if !selected => CatalogContent::Unselected,
            Some(reference) => {
                let read = world.catalog(&reference, pin(scope, &catalog.name, &reference));
                let found = match &read {
                    Ok(open) => CatalogContent::Read { digest: open.digest.clone(), manifest: open.manifest.clone() },
                    Err(problem) => CatalogContent::Failed(problem.clone()),
                };
                content = Some(read);
                found
            }
        };
        let state = CatalogState { cluster: scope.cluster.clone(), view, content: found };
        Some(Open { state, catalog, content })
    };
    let mut catalogs: Vec<Open> = parallel::map(of_kind(scope, Kind::ClusterCatalog), 1, open).into_iter().flatten().collect();
    catalogs.sort_by(|a, b| (&a.catalog.name, &a.state.view.manifest.path).cmp(&(&b.catalog.name, &b.state.view.manifest.path)));
    catalogs
}

/// The digest to look up in place of a tag, where the lock is used and is of this reference.
fn pin<'a>(scope: &Scope<'a>, name: &str, reference: &str) -> Option<&'a str> {
    let locked = scope.pins?.catalog(scope.cluster.as_deref(), name).filter(|l| l.reference == reference)?;
    locked.digest.as_deref()
}

/// What a resolution came to.
struct Told {
    outcome: Outcome,
    story: Option<Arc<resolve::Story>>,
    hints: Vec<resolve::Hint>,
    deprecation: Value,
    conditions: Option<resolve::DeprecationConditions>,
}

impl Told {
    fn of(
        self,
        scope: &Scope<'_>,
        view: ClusterExtension,
        installed: Option<Installed>,
        frozen: Vec<SchemaError>,
    ) -> ExtensionState {
        let Self { outcome, story, hints, deprecation, conditions } = self;
        let (cluster, target) = (scope.cluster.clone(), scope.target.clone());
        ExtensionState { cluster, target, view, installed, frozen, outcome, story, hints, deprecation, conditions }
    }
}

fn state(scope: &Scope<'_>, world: &World<'_>, catalogs: &[Open], asking: Asking) -> ExtensionState {
    let Asking { view, mut installed, frozen, request } = asking;
    let refused = Told { outcome: Outcome::Refused, story: None, hints: Vec::new(), deprecation: Value::Null, conditions: None };
    let told = match &request {
        None => refused,
        Some(Err(error)) => {
            Told { outcome: Outcome::Unresolved { message: error.to_string(), keeps_installed: false }, ..refused }
        }
        Some(Ok(request)) => {
            let packages: Vec<_> = catalogs.iter().map(|c| package(c, &request.package)).collect();
            let entries: Vec<CatalogEntry<'_>> = catalogs
                .iter()
                .zip(&packages)
                .filter(|(c, _)| !matches!(c.state.content, CatalogContent::Refused))
                .map(|(c, p)| CatalogEntry {
                    catalog: &c.catalog,
                    content: p.as_ref().map(Option::as_ref).map_err(|problem| problem.message.clone()),
                })
                .collect();
            if let Some(installed) = &mut installed
                && installed.image.is_none()
            {
                installed.image = image_of(&installed.bundle.name, &packages);
            }
            let resolution = resolve::resolve(request, &entries);
            let failed = resolution.outcome.is_err();
            let hints = if failed { hints(world, catalogs, request, &resolution) } else { Vec::new() };
            let story = (failed || scope.stories == Stories::OfAll).then(|| Arc::new(resolution.story()));
            let outcome = match &resolution.outcome {
                Ok(resolved) if scope.depth == Depth::Resolved => Outcome::Resolved(resolved.clone()),
                Ok(resolved) => rendered(scope, world, &view, resolved.clone()),
                Err(resolve::Failure::Catalog { catalog, .. }) => {
                    let problem = catalogs.iter().zip(&packages).find(|(c, _)| c.catalog.name == *catalog);
                    match problem.and_then(|(_, p)| p.as_ref().err()) {
                        Some(problem) => Outcome::Unanswered(problem.clone()),
                        None => unresolved(&resolution),
                    }
                }
                Err(_) => unresolved(&resolution),
            };
            let deprecations = resolution.outcome.as_ref().ok().and_then(|r| r.deprecations.as_ref());
            let deprecation = deprecations.map_or(Value::Null, |d| resolve::deprecation_document(&request.package, d));
            Told { outcome, story, hints, deprecation, conditions: Some(resolution.deprecation_conditions()) }
        }
    };
    told.of(scope, view, installed, frozen)
}

/// What would work instead. Where no catalog that was read has the package, the others are read as well, for what they could tell:
/// one that cannot be had tells nothing.
fn hints(world: &World<'_>, catalogs: &[Open], request: &Request, resolution: &resolve::Resolution<'_>) -> Vec<resolve::Hint> {
    let found = matches!(resolution.outcome, Err(resolve::Failure::NotFound(_)));
    let read: Vec<Option<Arc<OpenCatalog>>> = catalogs
        .iter()
        .map(|c| match (&c.content, c.state.view.image()) {
            (Some(content), _) => content.as_ref().ok().cloned(),
            (None, Some(image)) if found && !matches!(c.state.content, CatalogContent::Refused) => {
                world.catalog(image.value, None).ok()
            }
            (None, _) => None,
        })
        .collect();
    let packages: Vec<Option<Package>> =
        read.iter().map(|c| c.as_ref().and_then(|c| c.catalog.package(&request.package).ok().flatten())).collect();
    let entries: Vec<CatalogEntry<'_>> = catalogs
        .iter()
        .zip(&packages)
        .filter(|(c, _)| !matches!(c.state.content, CatalogContent::Refused))
        .map(|(c, p)| CatalogEntry { catalog: &c.catalog, content: Ok(p.as_ref()) })
        .collect();
    let names = || read.iter().flatten().flat_map(|c| c.catalog.package_names()).map(str::to_owned).collect();
    resolve::resolve(request, &entries).hints(names)
}

fn unresolved(resolution: &resolve::Resolution<'_>) -> Outcome {
    let message = resolution.outcome.as_ref().err().map(ToString::to_string).unwrap_or_default();
    Outcome::Unresolved { message, keeps_installed: resolution.keeps_installed() }
}

/// The image of a bundle, from the first catalog by name that knows the bundle.
fn image_of(bundle: &str, packages: &[Result<Option<Package>, Problem>]) -> Option<String> {
    let packages = packages.iter().filter_map(|p| p.as_ref().ok()?.as_ref());
    packages.flat_map(|p| &p.bundles).find(|b| b.name == bundle).map(|b| b.image.clone())
}

fn package(open: &Open, name: &str) -> Result<Option<Package>, Problem> {
    match &open.content {
        None => Ok(None),
        Some(Err(problem)) => Err(problem.clone()),
        Some(Ok(content)) => {
            content.catalog.package(name).map_err(|e| Problem { message: e.to_string(), kind: super::model::ProblemKind::Input })
        }
    }
}

fn rendered(scope: &Scope<'_>, world: &World<'_>, view: &ClusterExtension, resolved: resolve::Resolved) -> Outcome {
    let bundle = match world.bundle(&resolved.image) {
        Ok(bundle) => bundle,
        Err(problem) => return Outcome::Unreadable { resolved, problem },
    };
    match objects(scope, view, &bundle.bundle) {
        Ok(objects) => Outcome::Rendered { resolved, objects: Arc::new(objects) },
        Err(error) => Outcome::NotRendered { resolved, error },
    }
}

/// The annotation by which early releases are told what to watch.
const WATCH_NAMESPACE: &str = "olm.operatorframework.io/watch-namespace";

/// The objects that the controller applies for a bundle under an extension.
pub(super) fn objects(
    scope: &Scope<'_>,
    view: &ClusterExtension,
    bundle: &crate::bundle::Bundle,
) -> Result<Vec<Value>, render::RenderError> {
    let annotations = view.object.pointer("/metadata/annotations");
    let options = RenderOptions {
        extension: view.name(),
        install_namespace: view.namespace().map(|f| f.value).unwrap_or_default(),
        config: view.object.pointer("/spec/config"),
        watch_namespace_annotation: annotations.and_then(|a| a.get(WATCH_NAMESPACE)).and_then(Value::as_str),
        target: &scope.target,
        owner_labels: scope.owner_labels,
    };
    render::render(bundle, &options)
}

/// What an extension that was resolved from nothing has installed afterwards.
pub(super) fn installed_after(state: &ExtensionState) -> Option<(resolve::InstalledBundle, String)> {
    let resolved = state.outcome.resolved()?;
    Some((resolved.installed(ReleaseSupport::of(&state.target)), resolved.image.clone()))
}
