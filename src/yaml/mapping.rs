//! A mapping while it is read: of two equal keys the last one counts, in the place of the first.

use std::collections::HashMap;

use serde_json::map::Entry;
use serde_json::{Map, Value};

use super::spot::{Bytes, KeyKind, Spots};

/// Keys, values and spots.
pub(super) struct Mapping<P: Spots> {
    map: Map<String, Value>,
    spots: Vec<P::Spot>,
    /// Where each key is, once one came twice.
    index: HashMap<String, usize>,
}

impl<P: Spots> Mapping<P> {
    /// An empty mapping, with room for so many keys.
    pub(super) fn with_capacity(keys: usize) -> Self {
        Self { map: Map::with_capacity(keys), spots: Vec::new(), index: HashMap::new() }
    }

    /// Set a key; the key that was there before, where spots are noted.
    pub(super) fn set(&mut self, key: String, value: Value, spot: P::Spot) -> Option<(Bytes, KeyKind)> {
        match self.map.entry(key) {
            Entry::Vacant(entry) => {
                if !self.index.is_empty() {
                    self.index.insert(entry.key().clone(), self.spots.len());
                }
                entry.insert(value);
                self.spots.push(spot);
                None
            }
            Entry::Occupied(mut entry) => {
                entry.insert(value);
                if !P::TRACKED {
                    return None;
                }
                let key = entry.key().clone();
                if self.index.is_empty() {
                    self.index = self.map.keys().cloned().enumerate().map(|(at, key)| (key, at)).collect();
                }
                let place = self.index.get(&key).and_then(|&at| self.spots.get_mut(at))?;
                let earlier = P::key(place);
                *place = spot;
                earlier
            }
        }
    }

    /// The value, and the spots of what it holds.
    pub(super) fn finish(self) -> (Value, Vec<P::Spot>) {
        (Value::Object(self.map), self.spots)
    }
}
