//! documents -> [`Manifest`]s: the objects in them that concern us, each with the place of every field.

use super::{GROUP, Kind};
use crate::place::{FieldPath, Place, Step};
use crate::yaml::{self, Document};
use serde_json::Value;
use std::sync::Arc;

/// How deep lists may stand in lists.
const LISTS: usize = 8;

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
    /// The document that it stands in.
    pub document: Arc<Document>,
    /// Where in the document it stands; the root unless it is an item of a list.
    pub item: FieldPath,
    /// What it has to do with us.
    pub concern: Concern,
    /// The object of an item that leaves out what its list says, with that filled in.
    filled: Option<Arc<Value>>,
}

impl Manifest {
    /// The objects of a file that concern us, and what of the file could not be read.
    pub fn read(path: &str, text: &Arc<str>) -> (Vec<Self>, Vec<yaml::Error>) {
        let (mut manifests, mut errors) = (Vec::new(), Vec::new());
        if Self::may_concern(text) {
            for document in yaml::read_all_documents(Arc::clone(text)) {
                match document {
                    Ok(document) => manifests.extend(Self::all(path, text, &Arc::new(document))),
                    Err(error) => errors.push(error),
                }
            }
        }
        (manifests, errors)
    }

    /// The objects of a document that concern us, lists taken apart.
    ///
    /// Follows apimachinery v0.36.2 `pkg/apis/meta/v1/unstructured/helpers.go` (`decodeToList`).
    pub fn all(path: &str, text: &Arc<str>, document: &Arc<Document>) -> Vec<Self> {
        let mut found = Vec::new();
        collect(&document.value, FieldPath::root(), None, 0, &mut found);
        let manifest = |found: Found| Self {
            path: path.to_owned(),
            text: text.clone(),
            document: document.clone(),
            item: found.item,
            concern: found.concern,
            filled: found.filled.map(Arc::new),
        };
        found.into_iter().map(manifest).collect()
    }

    /// The object, as written; an item that leaves out what its list says has that filled in.
    pub fn object(&self) -> &Value {
        match &self.filled {
            Some(object) => object,
            None => node(&self.document.value, &self.item).unwrap_or(&Value::Null),
        }
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
        self.object().get("apiVersion").and_then(Value::as_str).unwrap_or_default()
    }

    /// `metadata.name`, or nothing.
    pub fn name(&self) -> &str {
        self.object().pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default()
    }

    /// A field of the object, as a path from the document's root: `items[3].spec.namespace`.
    pub fn field(&self, path: &FieldPath) -> FieldPath {
        FieldPath(self.item.0.iter().chain(&path.0).cloned().collect())
    }

    /// The place of a field of the object that shows best: of a scalar, the value; of anything else, the key; of a field that is
    /// not there, the key of what it would stand in.
    pub fn place(&self, path: &FieldPath) -> Place {
        let full = self.field(path);
        match node(&self.document.value, &full) {
            Some(Value::Object(_) | Value::Array(_)) => {
                self.document.key_place(&full).unwrap_or_else(|| self.document.nearest_place(&full))
            }
            _ => self.document.nearest_place(&full),
        }
    }

    /// The place of the key of a field of the object.
    pub fn key_place(&self, path: &FieldPath) -> Place {
        self.document.key_place(&self.field(path)).unwrap_or_else(|| self.place(path))
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

/// An object that concerns us.
struct Found {
    item: FieldPath,
    concern: Concern,
    filled: Option<Value>,
}

fn collect(value: &Value, here: FieldPath, inherited: Option<Inherited<'_>>, depth: usize, found: &mut Vec<Found>) {
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
    let filled = nameless.then(|| {
        let mut object = value.clone();
        if let Value::Object(map) = &mut object {
            map.insert("apiVersion".to_owned(), Value::String(api_version.to_owned()));
            map.insert("kind".to_owned(), Value::String(kind.to_owned()));
        }
        object
    });
    found.push(Found { item: here, concern, filled });
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
    //! Manifests from values.

    use super::*;

    /// The objects of a document that concern us.
    pub(crate) fn all(document: &Value) -> Vec<Manifest> {
        let text: Arc<str> = Arc::from(document.to_string());
        let document = crate::yaml::read_stream(&text).remove(0).unwrap();
        Manifest::all("a.yaml", &text, &Arc::new(document))
    }

    /// The only object of a document.
    pub(crate) fn manifest(object: &Value) -> Manifest {
        let mut all = all(object);
        assert_eq!(all.len(), 1);
        all.remove(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn all(document: &Value) -> Vec<(String, String, Concern)> {
        let found = testing::all(document);
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
    fn an_item_has_what_its_list_says() {
        let list = json!({"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterCatalogList", "items": [
            {"metadata": {"name": "a"}},
        ]});
        let want = json!({"metadata": {"name": "a"}, "apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterCatalog"});
        assert_eq!(testing::manifest(&list).object(), &want);
    }

    #[test]
    fn places_are_those_of_the_file() {
        let text: Arc<str> = Arc::from(
            "apiVersion: v1\nkind: List\nitems:\n- apiVersion: olm.operatorframework.io/v1\n  kind: ClusterExtension\n  spec:\n    \
             source:\n      catalog: x\n",
        );
        let document = crate::yaml::read_stream(&text).remove(0).unwrap();
        let manifest = Manifest::all("a.yaml", &text, &Arc::new(document)).remove(0);
        let line_and_column = |place: Place| (place.line, place.column);
        assert_eq!(line_and_column(manifest.place(&FieldPath::of("spec.source.catalog"))), (8, 16));
        assert_eq!(line_and_column(manifest.key_place(&FieldPath::of("spec.source.catalog"))), (8, 7));
        assert_eq!(line_and_column(manifest.place(&FieldPath::of("spec.source"))), (7, 5));
        assert_eq!(line_and_column(manifest.place(&FieldPath::of("spec.source.missing"))), (7, 5));
        assert_eq!(line_and_column(manifest.place(&FieldPath::of("metadata.name"))), (4, 3));
        assert_eq!(manifest.field(&FieldPath::of("spec")).to_string(), "items[0].spec");
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
