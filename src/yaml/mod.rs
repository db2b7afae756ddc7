//! Text -> values as Kubernetes reads them (sigs.k8s.io/yaml v1.6.0), with the place of every node; and values -> text.

mod chars;
mod document;
mod error;
mod event;
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
pub use read::{read, read_all_documents, read_document, read_stream, values};
pub use write::{write, write_documents};
