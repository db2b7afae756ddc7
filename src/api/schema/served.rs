//! A [`Schema`]: what it knows, and the API server's answer by it.

use super::node::{Node, Type};
use super::verdict::{At, Dropped, ErrorKind, SchemaError, Verdict};
use super::{fill, load, metadata, prune, rule, structure};
use crate::api::{GROUP, Kind, VERSION, crds};
use crate::go::quote;
use crate::place::{FieldPath, Step};
use crate::target::Target;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// Which set of CRDs a cluster serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Set {
    /// What every cluster serves.
    Standard,
    /// What clusters with feature gates on serve.
    Experimental,
}

/// The schema of one kind, as one release serves it.
#[derive(Debug)]
pub struct Schema {
    pub(super) kind: Kind,
    pub(super) root: Node,
    /// What of the schema itself was not understood; a test holds it empty for every schema here.
    pub(super) unread: Option<String>,
}

impl Schema {
    /// How many 1.x releases there are schemas of, from 1.0 on.
    pub const RELEASES: u32 = 12;

    /// The schema of a kind that a target serves.
    pub fn of(kind: Kind, target: &Target) -> &'static Self {
        let set = if target.experimental_schema() { Set::Experimental } else { Set::Standard };
        Self::served(kind, target.schema_minor(), set)
    }

    /// The schema of a kind that the 1.`minor` release serves; the newest one's for a release after it.
    pub fn served(kind: Kind, minor: u32, set: Set) -> &'static Self {
        static PARSED: [[[OnceLock<Schema>; 2]; crds::CLUSTEREXTENSIONS.len()]; 2] =
            [const { [const { [const { OnceLock::new() }; 2] }; crds::CLUSTEREXTENSIONS.len()] }; 2];
        static NONE: OnceLock<Schema> = OnceLock::new();
        let (texts, parsed) = match kind {
            Kind::ClusterExtension => (&crds::CLUSTEREXTENSIONS, &PARSED[0]),
            Kind::ClusterCatalog => (&crds::CLUSTERCATALOGS, &PARSED[1]),
        };
        let row = usize::try_from(minor).unwrap_or(usize::MAX).min(texts.len() - 1);
        let (Some((standard, experimental)), Some([first, second])) = (texts.get(row), parsed.get(row)) else {
            return NONE.get_or_init(|| load::schema(kind, ""));
        };
        match set {
            Set::Standard => first.get_or_init(|| load::schema(kind, standard)),
            Set::Experimental => second.get_or_init(|| load::schema(kind, experimental)),
        }
    }

    /// The kind that it describes.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The fields that the schema knows in the object at `path`, sorted; none where anything goes.
    pub fn fields(&self, path: &FieldPath) -> Vec<&str> {
        if path.0 == [Step::Key("metadata".to_owned())] {
            return metadata::FIELDS.to_vec();
        }
        self.node(path).map(|node| node.properties.keys().map(String::as_str).collect()).unwrap_or_default()
    }

    /// Whether the schema has a field at `path`.
    pub fn has(&self, path: &FieldPath) -> bool {
        self.node(path).is_some()
    }

    /// The values that the field at `path` may have, where the schema counts them out.
    pub fn allowed(&self, path: &FieldPath) -> &[String] {
        self.node(path).map_or(&[], |node| &node.one_of)
    }

    /// Whether the field at `path` must be text.
    pub fn is_text(&self, path: &FieldPath) -> bool {
        self.node(path).is_some_and(|node| node.kind == Type::String)
    }

    /// Where in `spec` the schema knows a field of that name, lists left out.
    pub fn elsewhere(&self, name: &str) -> Vec<FieldPath> {
        fn search(node: &Node, here: &FieldPath, name: &str, found: &mut Vec<FieldPath>) {
            for (key, property) in &node.properties {
                let path = here.key(key);
                search(property, &path, name, found);
                if key == name {
                    found.push(path);
                }
            }
        }
        let mut found = Vec::new();
        if let Some(spec) = self.root.properties.get("spec") {
            search(spec, &FieldPath::of("spec"), name, &mut found);
        }
        found
    }

    fn node(&self, path: &FieldPath) -> Option<&Node> {
        path.0.iter().try_fold(&self.root, |node, step| match step {
            Step::Key(key) => node.field(key),
            Step::Index(_) => node.items.as_deref(),
        })
    }

    /// The API server's answer to creating this object.
    ///
    /// Follows apiextensions-apiserver v0.36.2: `pkg/apiserver/customresource_handler.go` (`unstructuredSchemaCoercer.apply`)
    /// and `pkg/registry/customresource/strategy.go` (`PrepareForCreate`, `Validate`).
    pub fn validate(&self, object: &Value) -> Verdict {
        let mut verdict = Verdict::default();
        if let Some(unread) = &self.unread {
            verdict.errors.push(SchemaError::at(&At::ROOT, ErrorKind::Internal, unread.clone()));
            return verdict;
        }
        let decoded = match metadata::decode(object, &mut verdict.dropped) {
            Ok(decoded) => decoded,
            Err(malformed) => {
                verdict.errors.push(malformed);
                verdict.dropped.clear();
                return verdict;
            }
        };
        let stored = self.stored(object, &mut verdict.dropped);
        verdict.dropped.sort();
        self.check_type(object, &mut verdict.errors);
        if !verdict.errors.is_empty() {
            return verdict;
        }
        metadata::check(&decoded, &mut verdict.errors);
        structure::check(&self.root, &stored, &At::ROOT, &mut verdict);
        if verdict.errors.iter().any(|e| e.kind.hides_rules()) {
            verdict.unplaced.push(
                "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"
                    .to_owned(),
            );
        } else {
            rule::check(&self.root, &stored, None, &At::ROOT, &mut verdict.errors);
        }
        verdict
    }

    /// What the API server says beyond [`Schema::validate`] where the object is there already: what must not change and does.
    /// For objects that it would let be created.
    pub fn transition_errors(&self, object: &Value, before: &Value) -> Vec<SchemaError> {
        let stored = |object| self.stored(object, &mut Vec::new());
        let mut errors = Vec::new();
        rule::check(&self.root, &stored(object), Some(&stored(before)), &At::ROOT, &mut errors);
        errors
    }

    /// The object as the cluster would store it: without the fields that the schema does not know, without nulls, with defaults
    /// filled in. `status` stays, for the sake of objects that were read from a cluster.
    pub fn default(&self, object: &Value) -> Value {
        self.shaped(object, &mut Vec::new())
    }

    fn shaped(&self, object: &Value, dropped: &mut Vec<Dropped>) -> Value {
        let mut out = prune::known(object, &self.root, dropped);
        fill::drop_nulls(&mut out, &self.root);
        fill::defaults(&mut out, &self.root);
        out
    }

    fn stored(&self, object: &Value, dropped: &mut Vec<Dropped>) -> Value {
        let mut out = self.shaped(object, dropped);
        if let Value::Object(map) = &mut out {
            map.remove("status");
            // The API server sets the generation, and with it makes `metadata` where there was none.
            map.insert("metadata".to_owned(), Value::Object(Map::new()));
        }
        out
    }

    fn check_type(&self, object: &Value, errors: &mut Vec<SchemaError>) {
        let group_version = format!("{GROUP}/{VERSION}");
        for (key, want) in [("kind", self.kind.name()), ("apiVersion", group_version.as_str())] {
            let found = object.get(key).and_then(Value::as_str).unwrap_or_default();
            if found != want {
                let at = At::ROOT.key(key);
                errors.push(SchemaError::invalid(&at, &quote(found), &format!("must be {want}")));
            }
        }
    }
}
