//! The documents of a catalog, read into what the later steps need of them.

use super::property::{self, PackageProperty};
use super::{Counts, Problem};
use crate::catalog::decode::{self, Blob, ChannelBlob, DeprecationsBlob, PackageBlob, RelatedImageBlob};
use crate::catalog::document;
use crate::catalog::error::Error;
use crate::catalog::files::Files;
use crate::catalog::load::paths;
use crate::catalog::stream::documents;
use rayon::prelude::*;
use std::error::Error as _;
use std::sync::Arc;

/// Where a document stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    /// The file.
    pub path: Arc<str>,
    /// Which document of the file; the first is 1.
    pub document: usize,
}

/// A document with its place.
#[derive(Debug)]
pub(super) struct Placed<T> {
    pub blob: T,
    pub origin: Origin,
}

/// A bundle, its properties read.
#[derive(Debug)]
pub(super) struct BundleRead {
    pub name: String,
    pub package: String,
    pub image: String,
    pub properties: Result<Vec<PackageProperty>, String>,
    pub related_images: Vec<RelatedImageBlob>,
    pub objects: usize,
}

/// All documents of a catalog, by schema, in reading order.
#[derive(Debug, Default)]
pub(super) struct Config {
    pub packages: Vec<Placed<PackageBlob>>,
    pub channels: Vec<Placed<ChannelBlob>>,
    pub bundles: Vec<Placed<BundleRead>>,
    pub deprecations: Vec<Placed<DeprecationsBlob>>,
    pub others: usize,
}

impl Config {
    /// How many there are.
    pub fn counts(&self) -> Counts {
        Counts {
            packages: self.packages.len(),
            channels: self.channels.len(),
            bundles: self.bundles.len(),
            deprecations: self.deprecations.len(),
            others: self.others,
        }
    }

    fn add(&mut self, blob: Blob, origin: Origin) {
        match blob {
            Blob::Package(blob) => self.packages.push(Placed { blob, origin }),
            Blob::Channel(blob) => self.channels.push(Placed { blob, origin }),
            Blob::Bundle(bundle) => {
                let blob = BundleRead {
                    properties: property::parse(&bundle.properties),
                    name: bundle.name,
                    package: bundle.package,
                    image: bundle.image,
                    related_images: bundle.related_images,
                    objects: bundle.objects,
                };
                self.bundles.push(Placed { blob, origin });
            }
            Blob::Deprecations(blob) => self.deprecations.push(Placed { blob, origin }),
            Blob::Other => self.others += 1,
        }
    }

    fn append(&mut self, other: Self) {
        self.packages.extend(other.packages);
        self.channels.extend(other.channels);
        self.bundles.extend(other.bundles);
        self.deprecations.extend(other.deprecations);
        self.others += other.others;
    }
}

/// Reads every document.
///
/// # Errors
/// The first fault of each file, in the order of a walk.
pub(super) fn load(files: &dyn Files) -> Result<Config, Vec<Problem>> {
    let paths = paths(files).map_err(|error| vec![of_error(&error)])?;
    let read: Vec<Result<Config, Problem>> = paths.into_par_iter().map(|path| load_file(files, &path)).collect();
    let mut config = Config::default();
    let mut problems = Vec::new();
    for file in read {
        match file {
            Ok(file) => config.append(file),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(config) } else { Err(problems) }
}

fn of_error(error: &Error) -> Problem {
    let message = error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}"));
    Problem { path: None, document: None, message }
}

fn load_file(files: &dyn Files, path: &str) -> Result<Config, Problem> {
    let problem = |document, message| Problem { path: Some(path.to_owned()), document, message };
    let bytes = files.read(path).map_err(|error| problem(None, error.to_string()))?;
    let (found, stop) = documents(&bytes);
    let mut config = Config::default();
    let shared: Arc<str> = path.into();
    for (n, found) in found.iter().enumerate() {
        let number = n + 1;
        let Some(header) = &found.header else {
            return Err(problem(Some(number), "object '' is missing root schema field".to_owned()));
        };
        let bytes = bytes.get(found.range.clone()).unwrap_or_default();
        let blob = document::value(bytes, found.form).and_then(|value| decode::blob(&header.schema, &value));
        let blob = blob.map_err(|message| problem(Some(number), message))?;
        config.add(blob, Origin { path: Arc::clone(&shared), document: number });
    }
    match stop {
        None => Ok(config),
        Some(stop) => Err(problem(Some(found.len() + 1), stop.message)),
    }
}
