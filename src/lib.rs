//! `olmplan` shows, in a pull request, what OLM v1 (operator-controller) will do once a GitOps change is merged.
//!
//! The flow, top to bottom; a module uses what stands above it, never what stands below:
//!
//! | module | takes | gives |
//! | --- | --- | --- |
//! | [`place`], [`finding`], [`target`], [`nearest`] | - | the vocabulary: places, findings, releases of the controller; the name that was meant |
//! | `go` | values | the text and the refusals of Go's standard library |
//! | `parallel` | work on many things | what comes of each |
//! | [`yaml`] | text | values as Kubernetes reads them, with the place of every node |
//! | [`config`], [`lock`] | text | `olmplan.toml`, `olmplan.lock` |
//! | [`workspace`] | a Git tree, a folder, stdin | documents with places |
//! | [`api`] | documents | ClusterExtension, ClusterCatalog |
//! | [`version`] | text | versions, and the two range languages |
//! | [`image`] | a reference | image content |
//! | [`catalog`] | image content | packages, by an index over the bytes |
//! | [`resolve`] | extension, catalogs, installed bundle | the bundle, or why not |
//! | [`bundle`] | image content | a registry+v1 bundle, validated |
//! | [`render`] | bundle, configuration, target | the objects that the controller applies |
//! | [`crd`] | CRD before, CRD after | upgrade-safety findings |
//! | [`plan`] | workspace | a snapshot; two snapshots, a plan |
//! | [`lint`] | manifests; a plan | findings, a rule a file |
//! | [`report`] | plan, findings | text, JSON, Markdown |
//! | [`cli`] | arguments | all of the above; the only place that prints |

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, clippy::string_slice, reason = "tests make files and look at what comes out")
)]

pub mod api;
pub mod bundle;
pub mod catalog;
pub mod cli;
pub mod config;
pub mod crd;
pub mod finding;
mod go;
pub mod image;
pub mod lint;
pub mod lock;
pub mod nearest;
mod parallel;
pub mod place;
pub mod plan;
pub mod render;
pub mod report;
pub mod resolve;
pub mod target;
pub mod version;
pub mod workspace;
pub mod yaml;
