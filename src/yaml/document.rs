//! One document, with the place of everything in it.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::place::{FieldPath, Place, Step};

use super::load::{Duplicate, strict_error};
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
    strict: Option<String>,
    source: Arc<Source>,
    start: usize,
    end: usize,
    walked: Walked,
}

/// The way that was walked last, each step with its position among its siblings: places are asked for in the order of the text,
/// and finding a key again among thousands is what it would cost.
#[derive(Debug, Default)]
struct Walked(Mutex<Vec<(Step, usize)>>);

impl Clone for Walked {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Document {
    pub(super) fn new(source: &Arc<Source>, start: usize, end: usize, loaded: super::load::Loaded<Spot>) -> Self {
        let place = |span: Bytes| source.place(start, span);
        let strict = strict_error(&loaded.duplicates);
        let mut duplicates = Vec::new();
        for Duplicate { path, first, again, .. } in loaded.duplicates {
            duplicates.push(DuplicateKey { path: FieldPath(path), first: place(first), again: place(again) });
        }
        Self {
            value: loaded.value,
            spot: loaded.spot,
            duplicates,
            strict,
            source: Arc::clone(source),
            start,
            end,
            walked: Walked::default(),
        }
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
        self.strict.clone()
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
        let mut last = self.walked.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (walked, step) in path.0.iter().enumerate() {
            let known = last.get(walked).filter(|(known, _)| known == step).map(|(_, at)| *at);
            let next = match (step, value) {
                (Step::Index(index), Value::Array(list)) => list.get(*index).map(|held| (*index, held)),
                (Step::Key(key), Value::Object(map)) => {
                    let position = || known.or_else(|| map.keys().position(|k| k == key));
                    map.get(key).and_then(|held| Some((position()?, held)))
                }
                _ => None,
            };
            let Some((at, held_spot, held)) = next.and_then(|(at, held)| Some((at, spot.children.get(at)?, held))) else {
                return (spot, walked);
            };
            if known.is_none() {
                // What followed was below another.
                last.truncate(walked);
                last.push((step.clone(), at));
            }
            spot = held_spot;
            value = held;
        }
        (spot, path.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{read_document, read_stream};

    #[test]
    fn the_order_of_the_questions_does_not_matter() {
        let document = read_document("a: {x: 1, y: {z: 2}}\nb: {y: {x: 3, z: 4}, x: 5}\nc: [{z: 6, x: 7}, {x: 8}]\n").unwrap();
        let mut paths: Vec<FieldPath> =
            ["a", "a.x", "a.y", "a.y.z", "b", "b.x", "b.y", "b.y.x", "b.y.z", "b.y.q.z", "a.q", "q.x"].map(FieldPath::of).into();
        paths.extend([0, 1, 2].map(|n| FieldPath::of("c").index(n).key("x")));
        let fresh: Vec<_> = paths.iter().map(|path| document.clone().nearest_place(path)).collect();
        for seed in 0..500usize {
            let at = (seed * 7 + seed / 3) % paths.len();
            assert_eq!(document.nearest_place(&paths[at]), fresh[at], "{}", paths[at]);
            assert_eq!(document.key_place(&paths[at]), document.clone().key_place(&paths[at]));
        }
    }

    fn shown(place: Option<Place>) -> String {
        match place {
            Some(Place { line, column, end_line, end_column }) => format!("{line}:{column}-{end_line}:{end_column}"),
            None => "nowhere".to_owned(),
        }
    }

    #[test]
    fn places_values_keys_and_what_is_missing() {
        let text = "# é\nspec:\n  ünit: [a, 'b']  # c\n  text: |\n    x\n    y\n\nlast: {k: \"v\"}\n";
        let document = read_document(text).unwrap();
        let place = |path: &FieldPath| shown(document.place(path));
        let spec = FieldPath::of("spec");
        assert_eq!(place(&spec), "3:3-6:6");
        assert_eq!(place(&spec.key("ünit")), "3:9-3:17");
        assert_eq!(place(&spec.key("ünit").index(1)), "3:13-3:16");
        assert_eq!(place(&spec.key("text")), "4:9-6:6");
        assert_eq!(place(&FieldPath::of("last.k")), "8:11-8:14");
        assert_eq!(place(&FieldPath::of("last.q")), "nowhere");
        assert_eq!(place(&FieldPath::root()), "2:1-8:15");
        assert_eq!(shown(document.key_place(&spec.key("ünit"))), "3:3-3:7");
        assert_eq!(document.key_place(&spec.key("ünit").index(0)), None);
        assert_eq!(shown(Some(document.nearest_place(&FieldPath::of("spec.text.x")))), "4:3-4:7");
        assert_eq!(shown(Some(document.nearest_place(&FieldPath::of("none")))), "2:1-2:5");
        assert_eq!(shown(Some(document.whole())), "1:1-8:15");
    }

    #[test]
    fn places_what_comes_through_aliases() {
        let document = read_document("x: &x\n  a: 1\nw: *x\nz:\n  <<: *x\n  b: 2\n").unwrap();
        assert_eq!(shown(document.place(&FieldPath::of("w"))), "3:4-3:6");
        assert_eq!(shown(document.place(&FieldPath::of("w.a"))), "2:6-2:7");
        assert_eq!(shown(document.key_place(&FieldPath::of("z.a"))), "2:3-2:4");
        assert_eq!(shown(document.place(&FieldPath::of("z.b"))), "6:6-6:7");
    }

    #[test]
    fn tells_both_places_of_a_duplicate_key() {
        let document = read_document("a:\n- b: 1\n  c: 2\n  \"b\": 3\n").unwrap();
        let [duplicate] = document.duplicate_keys() else { panic!("one duplicate") };
        assert_eq!(duplicate.path.to_string(), "a[0].b");
        assert_eq!(shown(Some(duplicate.first)), "2:3-2:4");
        assert_eq!(shown(Some(duplicate.again)), "4:3-4:6");
        assert_eq!(document.strict_error().unwrap(), "yaml: unmarshal errors:\n  line 4: key \"b\" already set in map");
        assert_eq!(shown(document.place(&FieldPath::of("a").index(0).key("b"))), "4:8-4:9");
        assert_eq!(shown(document.place(&FieldPath::of("a").index(0).key("c"))), "3:6-3:7");
        let refused = read_document("~: a\n~: b\n").unwrap_err();
        assert_eq!(refused.message, "unsupported map key of type: %!s(<nil>), key: <nil>, value: \"b\"");
        assert_eq!(refused.strict_error(), "yaml: unmarshal errors:\n  line 2: key <nil> already set in map");
        assert!(read_document("1: a\n'1': b\n").unwrap().duplicate_keys().is_empty());
    }

    #[test]
    fn places_in_later_documents_and_in_json() {
        let documents = read_stream("a: 1\r\n---\r\nb:\r\n  c: 1\r\n");
        let second = documents[1].as_ref().unwrap();
        assert_eq!(shown(second.place(&FieldPath::of("b.c"))), "4:6-4:7");
        let documents = read_stream("{\"a\": 1}\n {\"b\": [\n true, {\"c\": \"\\ud83d\\ude00\", \"c\": 2}]}");
        let second = documents[1].as_ref().unwrap();
        let path = FieldPath::of("b").index(1).key("c");
        assert_eq!(shown(second.place(&path)), "3:35-3:36");
        assert_eq!(shown(second.key_place(&path)), "3:30-3:33");
        assert_eq!(shown(Some(second.duplicate_keys()[0].first)), "3:9-3:12");
    }
}
