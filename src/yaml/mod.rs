//! Text -> values as Kubernetes reads them, with the place of everything; and values -> text.
//!
//! YAML means what it means to Kubernetes: to sigs.k8s.io/yaml v1.6.0, that is to go-yaml v2.4.4, that is to libyaml and YAML 1.1,
//! and where a text is a stream, to the decoder of manifests in k8s.io/apimachinery. `yes` is true, `010` is eight, of two equal keys
//! the last one counts. Promised: the same value, or an error where Kubernetes has one, in its words; no panic, no deep recursion, no
//! work or memory out of proportion to the text. What goes beyond: nesting deeper than 500 levels, aliases that repeat more than
//! 64 MiB of text, and documents longer than 2 GiB are refused with [`ErrorKind::Limit`].
//!
//! The scanner and the parser are our own. Parsers of YAML 1.2 (granit-parser, saphyr) differ from libyaml in what they accept, in
//! ways that cannot be told from their events: where a tab may stand, what `?` and `:` mean inside brackets, how far a key may
//! reach, which characters break lines, how an indentation is found. They stand behind `parse::Parser`, and everything after
//! them behind the `tree::Tree`, so that either can be swapped.
//!
//! | file | step |
//! | --- | --- |
//! | `scan/`, `parse/` | text -> tokens -> events |
//! | `tree` | events -> nodes of one document, aliases tied |
//! | `scalar`, `gonumber`, `timestamp` | what type a scalar is |
//! | `load`, `mapping`, `budget` | nodes -> values |
//! | `go` | Go's own values, for its last checks and its words |
//! | `json/`, `stream` | many documents in a text |
//! | `spot`, `source`, `document` | places |
//! | `read`, `write` | the ways in and out |

mod budget;
mod chars;
mod document;
mod error;
mod go;
mod gonumber;
mod json;
mod load;
mod mapping;
mod parse;
mod read;
mod scalar;
mod scan;
mod source;
mod spot;
mod stream;
mod timestamp;
mod tree;
mod write;

pub use document::{Document, DuplicateKey};
pub use error::{Error, ErrorKind};
pub(crate) use json::{Broken, next_value as next_json, only_value as only_json};
pub(crate) use read::read_json;
pub use read::{read, read_all_documents, read_document, read_stream, values};
pub use write::{write, write_documents};
