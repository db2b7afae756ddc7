//! The ways to read a text.

use std::sync::Arc;

use serde_json::Value;

use super::document::Document;
use super::error::{Error, Fault};
use super::load::load;
use super::source::Source;
use super::spot::{Everywhere, Nowhere};
use super::stream::{AfterError, Stream};

/// The first document of `text`, as `YAMLToJSON` of sigs.k8s.io/yaml v1.6.0 reads it. An empty text is `null`.
///
/// # Errors
/// Where Kubernetes refuses the text.
pub fn read(text: &str) -> Result<Value, Error> {
    match load::<Nowhere>(text) {
        Ok(loaded) => Ok(loaded.value),
        Err(fault) => Err(placed(&Source::new(text), fault, 0)),
    }
}

/// The first document of `text`, as [`read`], with places.
///
/// # Errors
/// Where Kubernetes refuses the text.
pub fn read_document(text: &str) -> Result<Document, Error> {
    let source = Arc::new(Source::new(text));
    match load::<Everywhere>(text) {
        Ok(loaded) => Ok(Document::new(&source, 0, text.len(), loaded)),
        Err(fault) => Err(placed(&source, fault, 0)),
    }
}

/// The documents of `text` as `kubectl` reads a file of manifests, JSON or YAML. It stops at the first error, which is then the last
/// item. A document that says nothing is `null`.
pub fn read_stream(text: &str) -> Vec<Result<Document, Error>> {
    documents(text, AfterError::Stop)
}

/// The documents of `text` as [`read_stream`], but going on with the next document after an error, as far as there is a way on.
pub fn read_all_documents(text: &str) -> Vec<Result<Document, Error>> {
    documents(text, AfterError::GoOn)
}

/// The values of the documents of `text`, as [`read_stream`], without places: for large texts.
///
/// # Errors
/// The first error.
pub fn values(text: &str) -> Result<Vec<Value>, Error> {
    let mut stream = Stream::new(text, AfterError::Stop);
    let mut values = Vec::new();
    while let Some(part) = stream.next::<Nowhere>() {
        match part {
            Ok(part) => values.push(part.loaded.value),
            Err((fault, base)) => return Err(placed(&Source::new(text), fault, base)),
        }
    }
    Ok(values)
}

fn documents(text: &str, after_error: AfterError) -> Vec<Result<Document, Error>> {
    let source = Arc::new(Source::new(text));
    let mut stream = Stream::new(text, after_error);
    let mut documents = Vec::new();
    while let Some(part) = stream.next::<Everywhere>() {
        documents.push(match part {
            Ok(part) => Ok(Document::new(&source, part.start, part.end, part.loaded)),
            Err((fault, base)) => Err(placed(&source, fault, base)),
        });
    }
    documents
}

fn placed(source: &Source, fault: Fault, base: usize) -> Error {
    let place = fault.offset.map(|offset| source.place(base, (offset, offset)));
    Error { message: fault.message, place, kind: fault.kind }
}
