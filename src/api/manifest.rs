//! documents -> [`Manifest`]s: the objects in them that concern us, each with the place of every field.

use super::{GROUP, Kind};
use crate::place::{FieldPath, Place, Step};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// How deep lists may stand in lists.
const LISTS: usize = 8;

/// Where the nodes of a document stand.
pub trait Places: fmt::Debug + Send + Sync {
    /// The place of the node at a path.
    fn value(&self, path: &FieldPath) -> Option<Place>;
    /// The place of the key that leads to the node at a path.
    fn key(&self, path: &FieldPath) -> Option<Place>;
    /// The keys that stand twice in one mapping, in the order of the text.
    fn duplicate_keys(&self) -> Vec<DuplicateKey>;
}

/// A key that stands twice in one mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateKey {
    /// The path that both lead to.
    pub path: FieldPath,
    /// The key that stood there already.
    pub first: Place,
    /// The key that stands there again.
    pub again: Place,
}

/// What an object has to do with us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Concern {
    /// A kind of the API, in whatever version of its group.
    Known(Kind),
    /// Of the group, and of no kind that we know.
    UnknownKind,
    /// Of a kind that we know, in a group whose name is almost ours.
    UnknownGroup(Kind),
}

/// One object of a manifest file that concerns us.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// The file, relative to the checked folder, with `/` between its parts.
    pub path: String,
    /// The text of the file.
    pub text: Arc<str>,
    /// Where the nodes of its document stand.
    pub places: Arc<dyn Places>,
    /// Where in the document the object stands; the root unless it is an item of a list.
    pub item: FieldPath,
    /// The object as written; an item that leaves out what its list says has that filled in.
    pub object: Arc<Value>,
    /// What it has to do with us.
    pub concern: Concern,
}

impl Manifest {
    /// The objects of a document that concern us, lists taken apart.
    ///
    /// Follows apimachinery v0.36.2 `pkg/apis/meta/v1/unstructured/helpers.go` (`decodeToList`).
    pub fn all(path: &str, text: &Arc<str>, document: &Value, places: &Arc<dyn Places>) -> Vec<Self> {
        let mut found = Vec::new();
        collect(document, FieldPath::root(), None, 0, &mut found);
        let manifest = |(item, object, concern)| Self {
            path: path.to_owned(),
            text: text.clone(),
            places: places.clone(),
            item,
            object: Arc::new(object),
            concern,
        };
        found.into_iter().map(manifest).collect()
    }

    /// Whether a text may hold an object that concerns us; a text that does not need not be read.
    pub fn may_concern(text: &str) -> bool {
        [GROUP, Kind::ClusterExtension.name(), Kind::ClusterCatalog.name()]
            .into_iter()
            .any(|word| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some())
    }

    /// The kind of the API that it is, in whatever version.
    pub fn kind(&self) -> Option<Kind> {
        match self.concern {
            Concern::Known(kind) => Some(kind),
            Concern::UnknownKind | Concern::UnknownGroup(_) => None,
        }
    }

    /// `apiVersion`, as written.
    pub fn api_version(&self) -> &str {
        self.object.get("apiVersion").and_then(Value::as_str).unwrap_or_default()
    }

    /// `metadata.name`, or nothing.
    pub fn name(&self) -> &str {
        self.object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default()
    }

    /// A field of the object, as a path from the document's root: `items[3].spec.namespace`.
    pub fn field(&self, path: &FieldPath) -> FieldPath {
        FieldPath(self.item.0.iter().chain(&path.0).cloned().collect())
    }

    /// The place of a field of the object that shows best: of a scalar, the value; of anything else, the key; of a field that is
    /// not there, that of what it would stand in.
    pub fn place(&self, path: &FieldPath) -> Option<Place> {
        let mut here = path.clone();
        loop {
            let full = self.field(&here);
            let node = node(&self.object, &here);
            let key = || self.places.key(&full);
            let found = match node {
                Some(Value::Object(_) | Value::Array(_)) => key().or_else(|| self.places.value(&full)),
                Some(_) => self.places.value(&full).or_else(key),
                None => None,
            };
            if found.is_some() {
                return found;
            }
            here = here.parent()?;
        }
    }

    /// The place of the key of a field of the object.
    pub fn key_place(&self, path: &FieldPath) -> Option<Place> {
        self.places.key(&self.field(path)).or_else(|| self.place(path))
    }
}

fn node<'a>(object: &'a Value, path: &FieldPath) -> Option<&'a Value> {
    path.0.iter().try_fold(object, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
    })
}

/// What a list says for its items that do not say it themselves.
#[derive(Clone, Copy)]
struct Inherited<'a> {
    api_version: &'a str,
    kind: &'a str,
}

fn collect(
    value: &Value,
    here: FieldPath,
    inherited: Option<Inherited<'_>>,
    depth: usize,
    found: &mut Vec<(FieldPath, Value, Concern)>,
) {
    let text = |key| value.get(key).and_then(Value::as_str).unwrap_or_default();
    let (mut api_version, mut kind) = (text("apiVersion"), text("kind"));
    let nameless = kind.is_empty() && api_version.is_empty();
    if let Some(list) = inherited
        && nameless
    {
        (api_version, kind) = (list.api_version, list.kind);
    }
    if let Some(items) = value.get("items").and_then(Value::as_array)
        && let Some(item_kind) = kind.strip_suffix("List")
    {
        let inherited = Inherited { api_version, kind: item_kind };
        for (index, item) in items.iter().enumerate().filter(|_| depth < LISTS) {
            collect(item, here.key("items").index(index), Some(inherited), depth + 1, found);
        }
        return;
    }
    let Some(concern) = concern(api_version, kind) else { return };
    let mut object = value.clone();
    if let Value::Object(map) = &mut object
        && nameless
    {
        map.insert("apiVersion".to_owned(), Value::String(api_version.to_owned()));
        map.insert("kind".to_owned(), Value::String(kind.to_owned()));
    }
    found.push((here, object, concern));
}

fn concern(api_version: &str, kind: &str) -> Option<Concern> {
    let group = api_version.split_once('/').map_or(api_version, |(group, _)| group);
    match (group == GROUP, Kind::named(kind)) {
        (true, Some(kind)) => Some(Concern::Known(kind)),
        (true, None) => Some(Concern::UnknownKind),
        (false, Some(kind)) => Some(Concern::UnknownGroup(kind)),
        (false, None) => None,
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Manifests without a text.

    use super::*;

    /// The places of a document that no text holds.
    #[derive(Debug)]
    pub(crate) struct Nowhere;

    impl Places for Nowhere {
        fn value(&self, _: &FieldPath) -> Option<Place> {
            None
        }
        fn key(&self, _: &FieldPath) -> Option<Place> {
            None
        }
        fn duplicate_keys(&self) -> Vec<DuplicateKey> {
            Vec::new()
        }
    }

    /// The only object of a document.
    pub(crate) fn manifest(object: &Value) -> Manifest {
        let places: Arc<dyn Places> = Arc::new(Nowhere);
        let mut all = Manifest::all("a.yaml", &Arc::from(""), object, &places);
        assert_eq!(all.len(), 1);
        all.remove(0)
    }
}

#[cfg(test)]
mod tests {
    use super::testing::Nowhere;
    use super::*;
    use serde_json::json;

    fn all(document: &Value) -> Vec<(String, String, Concern)> {
        let places: Arc<dyn Places> = Arc::new(Nowhere);
        let found = Manifest::all("a.yaml", &Arc::from(""), document, &places);
        found.iter().map(|m| (m.item.to_string(), m.name().to_owned(), m.concern)).collect()
    }

    #[test]
    fn finds_what_concerns_us() {
        let extension = |name: &str| json!({"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension", "metadata": {"name": name}});
        let known = Concern::Known(Kind::ClusterExtension);
        assert_eq!(all(&extension("a")), [(String::new(), "a".to_owned(), known)]);
        assert!(all(&json!({"apiVersion": "v1", "kind": "ConfigMap"})).is_empty());
        assert!(all(&json!(null)).is_empty());
        assert!(all(&json!([extension("a")])).is_empty());
        let list = json!({"apiVersion": "v1", "kind": "List", "items": [
            {"apiVersion": "v1", "kind": "ConfigMap"}, extension("b"),
            {"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtensionList", "items": [{"metadata": {"name": "c"}}]},
        ]});
        assert_eq!(
            all(&list),
            [("items[1]".to_owned(), "b".to_owned(), known), ("items[2].items[0]".to_owned(), "c".to_owned(), known)]
        );
        let odd = json!({"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtention"});
        assert_eq!(all(&odd)[0].2, Concern::UnknownKind);
        let odd = json!({"apiVersion": "olm.operatorframwork.io/v1", "kind": "ClusterExtension"});
        assert_eq!(all(&odd)[0].2, Concern::UnknownGroup(Kind::ClusterExtension));
    }

    #[test]
    fn passes_over_texts_of_others() {
        assert!(!Manifest::may_concern("kind: ConfigMap"));
        assert!(Manifest::may_concern("apiVersion: olm.operatorframework.io/v1"));
        assert!(Manifest::may_concern("kind: ClusterExtension"));
    }

    #[test]
    fn lists_in_lists_come_to_an_end() {
        let mut value = json!({"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension"});
        for _ in 0..LISTS + 1 {
            value = json!({"apiVersion": "v1", "kind": "List", "items": [value]});
        }
        assert!(all(&value).is_empty());
    }
}
