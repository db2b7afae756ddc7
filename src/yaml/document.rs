//! One document, with the place of everything in it.

use std::sync::Arc;

use serde_json::Value;

use crate::place::{FieldPath, Place, Step};

use super::load::Duplicate;
use super::source::Source;
use super::spot::{Bytes, Spot};

/// A key that stands twice in one mapping. Kubernetes takes the last; `kubectl` and strict decoding refuse both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateKey {
    /// The field that is set twice.
    pub path: FieldPath,
    /// The key that counts for nothing.
    pub first: Place,
    /// The key that counts.
    pub again: Place,
}

/// A document of a text: its value, and where each part of it stands.
#[derive(Debug, Clone)]
pub struct Document {
    /// What the document says.
    pub value: Value,
    spot: Spot,
    duplicates: Vec<DuplicateKey>,
    strict: Vec<String>,
    source: Arc<Source>,
    start: usize,
    end: usize,
}

impl Document {
    pub(super) fn new(source: &Arc<Source>, start: usize, end: usize, loaded: super::load::Loaded<Spot>) -> Self {
        let place = |span: Bytes| source.place(start, span);
        let mut strict = Vec::new();
        let mut duplicates = Vec::new();
        for Duplicate { path, first, again, message } in loaded.duplicates {
            strict.push(message);
            duplicates.push(DuplicateKey { path: FieldPath(path), first: place(first), again: place(again) });
        }
        Self { value: loaded.value, spot: loaded.spot, duplicates, strict, source: Arc::clone(source), start, end }
    }

    /// The place of the value at `path`; `None` where there is none. What comes through an alias or a merge is placed where it is
    /// written, the alias itself where the alias is.
    pub fn place(&self, path: &FieldPath) -> Option<Place> {
        let (spot, walked) = self.walk(path);
        (walked == path.0.len()).then(|| self.source.place(self.start, spot.value))
    }

    /// The place of the key at `path`; `None` where there is none, as for an element of a list.
    pub fn key_place(&self, path: &FieldPath) -> Option<Place> {
        let (spot, walked) = self.walk(path);
        let (key, _) = spot.key.filter(|_| walked == path.0.len())?;
        Some(self.source.place(self.start, key))
    }

    /// The place to show for `path`, be it there or not: its value, else the key of the nearest field around it, else where the
    /// document begins.
    pub fn nearest_place(&self, path: &FieldPath) -> Place {
        let (spot, walked) = self.walk(path);
        let span = if walked == path.0.len() {
            spot.value
        } else if let Some((key, _)) = spot.key {
            key
        } else {
            let first = spot.children.first();
            first.map_or(spot.value, |child| child.key.map_or(child.value, |(key, _)| key))
        };
        self.source.place(self.start, span)
    }

    /// The keys that stand twice in one mapping, up to a hundred of them.
    pub fn duplicate_keys(&self) -> &[DuplicateKey] {
        &self.duplicates
    }

    /// What strict decoding says of this document, where it refuses it for its duplicate keys.
    pub fn strict_error(&self) -> Option<String> {
        if self.strict.is_empty() { None } else { Some(format!("yaml: unmarshal errors:\n  {}", self.strict.join("\n  "))) }
    }

    /// The place of the whole document, from its first character to its last.
    pub fn whole(&self) -> Place {
        let length = u32::try_from(self.end.saturating_sub(self.start)).unwrap_or(u32::MAX);
        self.source.place(self.start, (0, length))
    }

    /// The last spot along a path that is there, and how many steps lead to it.
    fn walk(&self, path: &FieldPath) -> (&Spot, usize) {
        let mut spot = &self.spot;
        let mut value = &self.value;
        for (walked, step) in path.0.iter().enumerate() {
            let next = match (step, value) {
                (Step::Index(index), Value::Array(list)) => list.get(*index).map(|held| (*index, held)),
                (Step::Key(key), Value::Object(map)) => {
                    map.get(key).and_then(|held| Some((map.keys().position(|k| k == key)?, held)))
                }
                _ => None,
            };
            let Some((held_spot, held)) = next.and_then(|(at, held)| Some((spot.children.get(at)?, held))) else {
                return (spot, walked);
            };
            spot = held_spot;
            value = held;
        }
        (spot, path.0.len())
    }
}
