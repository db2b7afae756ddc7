//! Arguments, environment and `olmplan.toml` -> settings, once.

use super::args::{CertProvider, Color, FailOn, Global};
use super::failure::{Failure, bad};
use crate::config::{self, Config, Date};
use crate::finding::{Finding, Level};
use crate::image::{self, Images, Mapping, Reach};
use crate::lock::{self, Lock};
use crate::place::{Place, Span};
use crate::report::{Sources, Style};
use crate::target::{CertificateProvider, Target};
use crate::workspace::{Repository, Root};
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// The settings of one run.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) global: Global,
    pub(crate) roots: Vec<Root>,
    pub(crate) config: Config,
    /// The folder that `olmplan.toml` and `olmplan.lock` stand in, and what it is called in findings.
    pub(crate) home: Root,
    /// The folder whose repository revisions are looked up in.
    folder: PathBuf,
    repository: OnceLock<Repository>,
    pub(crate) config_path: Option<String>,
    pub(crate) config_text: String,
}

impl Settings {
    /// Settles everything for a run over `paths`.
    pub(crate) fn new(global: &Global, paths: &[PathBuf]) -> Result<Self, Failure> {
        let roots = roots(paths)?;
        let first = roots.first().map_or_else(|| PathBuf::from("."), |r| r.at.clone());
        let folder = if first.is_file() { parent(&first) } else { first };
        // Without a repository, the folder that the program runs in is the top.
        let top = repository_root(&folder).or_else(|| current_folder().filter(|c| below(&folder, c)));
        let file = match &global.config {
            Some(file) => Some(file.clone()),
            None => find(&folder, top.as_deref(), config::FILE_NAME),
        };
        let lock_folder = find(&folder, top.as_deref(), lock::FILE_NAME).map(|f| parent(&f));
        let home = file.as_deref().map(parent).or(lock_folder).unwrap_or_else(|| folder.clone());
        let home = Root { shown: shown(&home), at: home };
        let (config, config_path, config_text) = match file {
            None => (Config::default(), None, String::new()),
            Some(file) => {
                let text = read(&file)?;
                let name = shown(&file);
                let config = config::parse(&text).map_err(|e| config_failure(&e, &name, &text))?;
                (config, Some(name), text)
            }
        };
        if let Some((message, span)) = wrong_in(&config, &home.at) {
            let error = config::Error { message, span, help: None };
            return Err(config_failure(&error, config_path.as_deref().unwrap_or_default(), &config_text));
        }
        Ok(Self { global: global.clone(), roots, config, home, folder, repository: OnceLock::new(), config_path, config_text })
    }

    /// The target, with a cluster's own settings where it has some.
    pub(crate) fn target(&self, cluster: Option<&config::Cluster>) -> Result<Target, Failure> {
        let name = self.global.target.as_ref().or_else(|| cluster?.target.as_ref()).or(self.config.target.as_ref());
        let mut target =
            name.map_or_else(|| Ok(Target::default()), |n| Target::named(n)).map_err(|e| Failure::usage(e.to_string()))?;
        let own = [
            self.config.feature_gates.as_ref(),
            cluster.and_then(|c| c.feature_gates.as_ref()),
            self.global.feature_gates.as_ref(),
        ];
        for gates in own.into_iter().flatten() {
            target.set_gates(gates).map_err(|e| Failure::usage(e.to_string()))?;
        }
        match self.global.cert_provider {
            Some(CertProvider::CertManager) => target.set_certificate_provider(Some(CertificateProvider::CertManager)),
            Some(CertProvider::Openshift) => target.set_certificate_provider(Some(CertificateProvider::OpenShiftServiceCa)),
            Some(CertProvider::None) => target.set_certificate_provider(None),
            None => {}
        }
        Ok(target)
    }

    /// The images that the run may open.
    pub(crate) fn images(&self) -> Result<Images, Failure> {
        let store = self.store();
        let registry = &self.config.registry;
        let mut settings = image::Settings::new(store);
        settings.platform = self.global.platform.parse().map_err(|e: image::PlatformError| bad("--platform", e))?;
        settings.reach = if self.global.offline { Reach::Offline } else { Reach::Online };
        let mapping = |m: &config::ImageMapping| Mapping { reference: m.reference.clone(), path: self.home.at.join(&m.path) };
        settings.mappings = self.config.images.iter().map(mapping).collect();
        settings.insecure.clone_from(&registry.insecure);
        settings.ca_files = registry.ca_file.iter().map(|f| self.home.at.join(f)).collect();
        settings.auth_files = match &registry.auth_file {
            Some(file) => vec![self.home.at.join(file)],
            None => auth_files(),
        };
        Ok(Images::new(settings)?)
    }

    /// What the paths that references are mapped to are called in findings; nothing absolute is.
    pub(crate) fn image_folders(&self) -> BTreeMap<String, String> {
        let folder = |m: &config::ImageMapping| {
            let reference = image::Reference::parse(&m.reference).ok()?.to_string();
            let written = Path::new(&m.path);
            let name = match self.home.shown.as_str() {
                "" => shown(written),
                home => shown(&Path::new(home).join(written)),
            };
            (!name.is_empty() && !written.is_absolute()).then_some((reference, name))
        };
        self.config.images.iter().filter_map(folder).collect()
    }

    /// The folder that images and indexes are kept in.
    pub(crate) fn store(&self) -> PathBuf {
        let below = |variable, below: &str| env(variable).map(|v| Path::new(&v).join(below));
        self.global
            .store
            .clone()
            .or_else(|| below("XDG_CACHE_HOME", "olmplan"))
            .or_else(|| below("LOCALAPPDATA", "olmplan"))
            .or_else(|| below("HOME", ".cache/olmplan"))
            .unwrap_or_else(|| std::env::temp_dir().join("olmplan"))
    }

    /// The commit of a revision, and the repository that has it.
    pub(crate) fn commit(&self, revision: &str) -> Result<(&Repository, String), Failure> {
        let repository = self.repository()?;
        Ok((repository, repository.commit(revision)?))
    }

    /// The repository that the first path stands in. Git is asked once, and only where a revision is.
    fn repository(&self) -> Result<&Repository, Failure> {
        if let Some(repository) = self.repository.get() {
            return Ok(repository);
        }
        let found = Repository::of(&self.folder)?;
        let found =
            found.ok_or_else(|| Failure::usage("--base: this is no Git repository, so there is no revision to compare with"))?;
        Ok(self.repository.get_or_init(|| found))
    }

    /// A path on disk as a path from the repository's root.
    pub(crate) fn in_repository(&self, path: &Path) -> Result<PathBuf, Failure> {
        let outside = || Failure::usage(format!("{}: not in the Git repository of the first path", path.display()));
        let top = self.repository()?.root().canonicalize().map_err(|_| outside())?;
        let path = path.canonicalize().map_err(|_| outside())?;
        path.strip_prefix(top).map(Path::to_owned).map_err(|_| outside())
    }

    /// Whether all that the lock speaks of is below what is read.
    pub(crate) fn covers_home(&self) -> bool {
        let Ok(home) = self.home.at.canonicalize() else { return false };
        self.roots.iter().filter_map(|r| r.at.canonicalize().ok()).any(|root| home.starts_with(root))
    }

    /// Whether a file, by the path that findings have, belongs to an image that is read from disk: it is no part of the tree.
    pub(crate) fn is_image(&self, shown: &str) -> bool {
        let path = self.below_home(shown);
        let below = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        self.config.images.iter().any(|i| below(i.path.trim_start_matches("./").trim_end_matches('/')))
    }

    /// A finding's path as a path from the folder of the configuration; as it is where it is not below that.
    pub(crate) fn below_home(&self, shown: &str) -> String {
        let home = self.home.at.canonicalize().unwrap_or_else(|_| self.home.at.clone());
        let inside = |root: &Root| {
            let rest = match shown.strip_prefix(root.shown.as_str()) {
                Some("") => return root.at.canonicalize().ok(),
                Some(rest) if root.shown.is_empty() => rest,
                Some(rest) => rest.strip_prefix('/')?,
                None => return None,
            };
            root.at.canonicalize().ok().map(|at| at.join(rest))
        };
        let path = self.roots.iter().find_map(inside);
        let below = path.as_deref().and_then(|p| p.strip_prefix(&home).ok());
        below.map_or_else(
            || shown.to_owned(),
            |p| p.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"),
        )
    }

    /// The path of the lock.
    pub(crate) fn lock_path(&self) -> PathBuf {
        self.home.at.join(lock::FILE_NAME)
    }

    /// The lock as it stands.
    pub(crate) fn lock(&self) -> Result<Option<Lock>, Failure> {
        let path = self.lock_path();
        if !path.is_file() {
            return Ok(None);
        }
        let text = read(&path)?;
        Lock::parse(&text).map(Some).map_err(|e| bad(shown(&path), e))
    }

    /// The lock as of a revision.
    pub(crate) fn lock_of(&self, revision: &str) -> Result<Option<Lock>, Failure> {
        let (repository, commit) = self.commit(revision)?;
        let path = self.in_repository(&self.home.at)?.join(lock::FILE_NAME);
        let path = path.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        let Some(file) = repository.files(&commit, &path, &|p| p == path)?.pop() else { return Ok(None) };
        let text = String::from_utf8_lossy(&file.bytes);
        Lock::parse(&text).map(Some).map_err(|e| bad(format!("{revision}:{path}"), e))
    }

    /// The level from which findings fail the run; `None` for never.
    pub(crate) fn fail_on(&self, argument: Option<FailOn>) -> Option<Level> {
        match argument {
            Some(FailOn::Error) => Some(Level::Error),
            Some(FailOn::Warning) => Some(Level::Warning),
            Some(FailOn::Note) => Some(Level::Note),
            Some(FailOn::Never) => None,
            None => match self.config.fail_on {
                Some(config::FailOn::From(level)) => Some(level),
                Some(config::FailOn::Never) => None,
                None => Some(Level::Error),
            },
        }
    }
}

/// How text is drawn on stdout or, with `stderr`, there.
pub(crate) fn style(global: &Global, stream: Stream) -> Style {
    let terminal = match stream {
        Stream::Stdout => std::io::stdout().is_terminal() && global.output.is_none(),
        Stream::Stderr => std::io::stderr().is_terminal(),
    };
    let color = match global.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && env("NO_COLOR").is_none_or(|v| v.is_empty()),
    };
    Style { color, width: width(terminal) }
}

/// Where text is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

/// A pipe or a file gets the same width everywhere.
fn width(terminal: bool) -> usize {
    const PIPED: usize = 120;
    let columns = || env("COLUMNS").and_then(|v| v.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(terminal_size::Width(w), _)| usize::from(w));
    if terminal { measured().or_else(columns).unwrap_or(PIPED).clamp(40, 200) } else { PIPED }
}

/// Today, for what expires. `SOURCE_DATE_EPOCH` pins it.
#[allow(clippy::disallowed_methods)]
pub(crate) fn today() -> Date {
    let pinned = env("SOURCE_DATE_EPOCH").and_then(|v| v.parse().ok());
    let seconds = pinned.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()));
    Date::from_days(seconds / 86_400)
}

#[allow(clippy::disallowed_methods)]
pub(super) fn env(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[allow(clippy::disallowed_methods)]
fn current_folder() -> Option<PathBuf> {
    std::env::current_dir().ok()
}

#[allow(clippy::disallowed_methods)]
fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::InvalidData => bad(path.display(), "no such file, or no text"),
        _ => Failure::io(path, &e),
    })
}

fn parent(path: &Path) -> PathBuf {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

fn below(folder: &Path, top: &Path) -> bool {
    match (folder.canonicalize(), top.canonicalize()) {
        (Ok(folder), Ok(top)) => folder.starts_with(top),
        _ => false,
    }
}

/// The nearest folder that a `.git` stands in: a file in a worktree, a folder elsewhere.
fn repository_root(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    folder.ancestors().find(|f| f.join(".git").exists()).map(Path::to_owned)
}

/// The file of that name in `folder` or the nearest parent, not above `top`.
fn find(folder: &Path, top: Option<&Path>, name: &str) -> Option<PathBuf> {
    let here = folder.join(name);
    if here.is_file() {
        return Some(here);
    }
    let top = top?.canonicalize().ok()?;
    let mut at = folder.canonicalize().ok()?;
    while at != top && at.starts_with(&top) {
        at = at.parent()?.to_owned();
        if at.join(name).is_file() {
            return Some(relative_to_current(&at).join(name));
        }
    }
    None
}

/// A folder above the current one as `..`, so that nothing absolute is shown.
fn relative_to_current(folder: &Path) -> PathBuf {
    let Some(current) = current_folder().and_then(|c| c.canonicalize().ok()) else { return folder.to_owned() };
    if let Ok(below) = folder.strip_prefix(&current) {
        return if below.as_os_str().is_empty() { PathBuf::from(".") } else { below.to_owned() };
    }
    match current.strip_prefix(folder) {
        Ok(rest) => rest.components().map(|_| "..").collect(),
        Err(_) => folder.to_owned(),
    }
}

fn roots(paths: &[PathBuf]) -> Result<Vec<Root>, Failure> {
    let mut roots: Vec<Root> = Vec::new();
    for path in paths.iter().filter(|p| p.as_os_str() != "-") {
        if !path.exists() {
            return Err(Failure::usage(format!("{}: no such file or folder", path.display())));
        }
        if in_chart_templates(path) {
            // No YAML before Helm has run.
            continue;
        }
        let mut root = Root { at: path.clone(), shown: shown(path) };
        if roots.iter().any(|r| r.at == root.at) {
            continue;
        }
        // Several folders from elsewhere must not be taken for one.
        if roots.iter().any(|r| r.shown == root.shown) {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            root.shown = format!("{}:{name}", roots.len() + 1);
        }
        roots.push(root);
    }
    Ok(roots)
}

/// Whether a path is in the templates of a Helm chart.
fn in_chart_templates(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let is_chart = |templates: &Path| {
        templates.file_name().is_some_and(|n| n == "templates")
            && templates.parent().is_some_and(|c| c.join("Chart.yaml").is_file())
    };
    path.ancestors().any(is_chart)
}

/// What a path is called: as it was written where that is relative, and never absolute.
fn shown(path: &Path) -> String {
    let below = match current_folder() {
        Some(current) if path.is_absolute() => path.strip_prefix(current).map(Path::to_owned).ok(),
        _ => Some(path.to_owned()),
    };
    let Some(below) = below else {
        // Elsewhere on this machine: a folder's files are called by their path in it, a file by its name.
        let name = path.file_name().filter(|_| path.is_file());
        return name.map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    };
    let part = |c: Component<'_>| match c {
        Component::CurDir => None,
        other => Some(other.as_os_str().to_string_lossy().into_owned()),
    };
    below.components().filter_map(part).collect::<Vec<_>>().join("/")
}

/// Where container tools keep credentials, the most particular first.
fn auth_files() -> Vec<PathBuf> {
    let below = |variable, below: &str| env(variable).map(|v| Path::new(&v).join(below));
    [
        env("REGISTRY_AUTH_FILE").map(PathBuf::from),
        below("DOCKER_CONFIG", "config.json"),
        below("XDG_RUNTIME_DIR", "containers/auth.json"),
        below("XDG_CONFIG_HOME", "containers/auth.json"),
        below("HOME", ".config/containers/auth.json"),
        below("HOME", ".docker/config.json"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What the text of a configuration alone does not show to be wrong: the first such thing, and where.
fn wrong_in(config: &Config, home: &Path) -> Option<(String, Span)> {
    for (n, cluster) in config.clusters.iter().enumerate() {
        let before = config.clusters.get(..n).unwrap_or_default();
        if before.iter().any(|c| c.name == cluster.name) {
            return Some((format!("there are two clusters of the name {:?}", cluster.name), cluster.span));
        }
        let path = Path::new(&cluster.path);
        let outside = path.is_absolute() || path.components().any(|c| matches!(c, Component::ParentDir));
        if outside || !home.join(path).is_dir() {
            return Some((
                format!("the cluster {:?} has no folder {:?} below this file", cluster.name, cluster.path),
                cluster.span,
            ));
        }
        let inside = |a: &str, b: &str| Path::new(a).starts_with(b.trim_start_matches("./"));
        if let Some(other) = before.iter().find(|c| inside(&c.path, &cluster.path) || inside(&cluster.path, &c.path)) {
            return Some((
                format!("the clusters {:?} and {:?} have manifests in common", other.name, cluster.name),
                cluster.span,
            ));
        }
    }
    let reference = |image: &&config::ImageMapping| image::Reference::parse(&image.reference).is_err();
    let image = config.images.iter().find(reference)?;
    Some((format!("{:?} is no image reference", image.reference), image.span))
}

fn config_failure(error: &config::Error, path: &str, text: &str) -> Failure {
    let mut finding = Finding::new("configuration", Level::Error, error.message.clone());
    finding.path = Some(path.to_owned());
    finding.place = Some(place(text, error.span));
    finding.help.clone_from(&error.help);
    Failure::in_text(finding, Sources::from([(path.to_owned(), text.into())]))
}

/// The place of bytes in a text.
pub(crate) fn place(text: &str, span: Span) -> Place {
    let at = |offset: usize| {
        let before = text.get(..offset.min(text.len())).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
    };
    let ((line, column), (end_line, end_column)) = (at(span.start), at(span.end));
    Place { line, column, end_line, end_column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_absolute_is_shown() {
        assert_eq!(shown(Path::new("./a/./b.yaml")), "a/b.yaml");
        assert_eq!(shown(Path::new(".")), "");
        assert_eq!(shown(Path::new("../x")), "../x");
        let elsewhere = tempfile::tempdir().unwrap();
        assert_eq!(shown(elsewhere.path()), "");
        let file = elsewhere.path().join("f.yaml");
        std::fs::write(&file, "").unwrap();
        assert_eq!(shown(&file), "f.yaml");
    }

    #[test]
    fn a_span_has_a_place() {
        let place = place("a = 1\nbé = 2\n", Span { start: 6, end: 9 });
        assert_eq!((place.line, place.column, place.end_line, place.end_column), (2, 1, 2, 3));
    }
}
