//! One side of a comparison: the manifests of a tree, as of now or of a revision.

use super::failure::Failure;
use super::settings::{Settings, place};
use crate::api::Manifest;
use crate::lint;
use crate::parallel;
use crate::place::Span;
use crate::report::Sources;
use crate::workspace::{self, Root, Source, SourceFile};
use crate::yaml;
use std::io::Read as _;
use std::path::PathBuf;

/// What a file on stdin is called.
const STDIN: &str = "<stdin>";

/// Fewer files than this are read sooner than a thread is started.
const FILES_A_THREAD: usize = 16;

/// The manifests of a tree.
#[derive(Debug, Default)]
pub(crate) struct Side {
    pub(crate) manifests: Vec<Manifest>,
    pub(crate) broken: Vec<lint::Broken>,
    pub(crate) sources: Sources,
}

fn not_utf8(text: &str, at: usize) -> yaml::Error {
    let place = Some(place(text, Span { start: at, end: at }));
    yaml::Error {
        message: "yaml: the file is no UTF-8 from here on".to_owned(),
        place,
        kind: yaml::ErrorKind::Syntax,
        strict: None,
    }
}

impl Side {
    /// The tree as it is on disk, and on stdin where `-` is among the paths.
    pub(crate) fn now(settings: &Settings, paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut side = Self::read(&Source::Disk(settings.roots.clone()))?;
        if paths.iter().any(|p| p.as_os_str() == "-") {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).map_err(|e| Failure::io(STDIN.as_ref(), &e))?;
            let stdin = Self::read(&Source::Memory(vec![SourceFile { path: format!("{STDIN}.yaml"), bytes }]))?;
            side.manifests.extend(stdin.manifests);
            side.broken.extend(stdin.broken);
            side.sources.extend(stdin.sources);
        }
        Ok(side)
    }

    /// The same paths as of a revision.
    pub(crate) fn of_revision(settings: &Settings, revision: &str) -> Result<Self, Failure> {
        Self::read(&Self::source_of_revision(settings, revision)?)
    }

    /// All of a revision, by paths from the repository's root, and that root.
    pub(crate) fn of_whole_revision(settings: &Settings, revision: &str) -> Result<(Self, PathBuf), Failure> {
        let (repository, commit) = settings.commit(revision)?;
        let roots = vec![Root { at: PathBuf::new(), shown: String::new() }];
        Ok((Self::read(&Source::Revision { repository: repository.clone(), commit, roots })?, repository.root().to_owned()))
    }

    /// Where the same paths come from as of a revision.
    pub(crate) fn source_of_revision(settings: &Settings, revision: &str) -> Result<Source, Failure> {
        let (repository, commit) = settings.commit(revision)?;
        let roots = settings
            .roots
            .iter()
            .map(|root| Ok(Root { at: settings.in_repository(&root.at)?, shown: root.shown.clone() }))
            .collect::<Result<Vec<_>, Failure>>()?;
        Ok(Source::Revision { repository: repository.clone(), commit, roots })
    }

    fn read(source: &Source) -> Result<Self, Failure> {
        let texts = workspace::texts(source)?;
        let read: Vec<_> =
            parallel::map(texts.iter().collect(), FILES_A_THREAD, |t: &workspace::Text| Manifest::read(&t.path, &t.text));
        let mut side = Self::default();
        for (text, (manifests, errors)) in texts.into_iter().zip(read) {
            if let Some(at) = text.invalid {
                let error = not_utf8(&text.text, at);
                side.broken.push(lint::Broken { path: text.path.clone(), text: text.text.clone(), error });
                side.sources.insert(text.path, text.text);
                continue;
            }
            side.manifests.extend(manifests);
            let broken = errors.into_iter().map(|error| lint::Broken { path: text.path.clone(), text: text.text.clone(), error });
            side.broken.extend(broken);
            side.sources.insert(text.path, text.text);
        }
        Ok(side)
    }
}
