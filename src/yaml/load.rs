//! Nodes -> values, as go-yaml v2.4.4 (`decode.go`) and sigs.k8s.io/yaml v1.6.0 (`yaml.go`) make them.
//!
//! Of two equal keys the last one counts; a merge (`<<`) sets its keys where it stands, over those before it. Aliases are copied
//! out, as far as the reference's rule against bombs allows.

use std::collections::HashSet;

use serde_json::Value;

use super::budget::Budget;
use super::error::{ErrorKind, Fault};
use super::go;
use super::gonumber::float_key;
use super::mapping::Mapping;
use super::scalar::{Scalar, resolve};
use super::spot::{Bytes, KeyKind, Spots};
use super::tree::{Children, MAX_DEPTH, Node, NodeId, NodeKind, ScalarText, Tree, too_deep};
use crate::go::number::from_float;
use crate::place::Step;

/// How many repeated keys are told of.
pub(super) const MAX_DUPLICATES: usize = 100;

/// A key that was set again.
#[derive(Debug)]
pub(super) struct Duplicate {
    pub(super) path: Vec<Step>,
    /// The two keys, in bytes.
    pub(super) first: (u32, u32),
    pub(super) again: (u32, u32),
    /// What the reference's strict mode says of it.
    pub(super) message: String,
}

/// What strict decoding says of duplicate keys; `None` where there are none.
pub(super) fn strict_error(duplicates: &[Duplicate]) -> Option<String> {
    let messages: Vec<&str> = duplicates.iter().map(|duplicate| duplicate.message.as_str()).collect();
    if messages.is_empty() { None } else { Some(format!("yaml: unmarshal errors:\n  {}", messages.join("\n  "))) }
}

/// A document's value, and what was noticed on the way.
#[derive(Debug)]
pub(super) struct Loaded<S> {
    pub(super) value: Value,
    pub(super) spot: S,
    pub(super) duplicates: Vec<Duplicate>,
}

/// The value of the first document of `text`; null where there is none.
pub(super) fn load<P: Spots>(text: &str) -> Result<Loaded<P::Spot>, Fault> {
    let Some(tree) = Tree::read(text)? else {
        return Ok(Loaded { value: Value::Null, spot: P::leaf((0, 0)), duplicates: Vec::new() });
    };
    let mut loader = Loader::<P> {
        tree: &tree,
        budget: Budget::default(),
        open: Vec::new(),
        active: HashSet::new(),
        depth: 0,
        suspect: false,
        path: Vec::new(),
        duplicates: Vec::new(),
    };
    loader.budget.count(0)?;
    let (value, spot) = loader.read(0)?;
    let duplicates = loader.duplicates;
    if loader.suspect {
        go::check(&tree).map_err(|fault| Fault { strict: strict_error(&duplicates), ..fault })?;
    }
    Ok(Loaded { value, spot, duplicates })
}

/// A merge of something else than mappings.
pub(super) fn unmergeable(at: u32) -> Fault {
    Fault::at(ErrorKind::Value, "yaml: map merge requires map or sequence of maps as the value", at)
}

/// Whether a key is `<<`.
pub(super) fn is_merge(node: &Node<'_>) -> bool {
    match &node.kind {
        NodeKind::Scalar(scalar) => {
            let (value, tag, implicit) = scalar.parts();
            value == "<<" && (implicit || tag == Some("tag:yaml.org,2002:merge"))
        }
        _ => false,
    }
}

/// A step of the path to where we are; keys by their nodes, read only when a path is wanted.
#[derive(Debug, Clone)]
enum Piece {
    Key(NodeId),
    Index(usize),
}

/// A node that is being read, and what there is of it so far.
enum Open<'a, 't, P: Spots> {
    Sequence {
        rest: Children<'a, 't>,
        list: Vec<Value>,
        spots: Vec<P::Spot>,
        span: Bytes,
    },
    Mapping {
        /// Where its entries come from: itself, and on top of that the merge that is being read.
        sources: Vec<Source<'a, 't>>,
        into: Mapping<P>,
        /// The entry whose value comes next.
        entry: Option<Entry>,
        span: Bytes,
    },
    Alias {
        id: NodeId,
        span: Bytes,
    },
    /// A key that is none; but what is wrong inside of it is told first.
    Key(NodeId),
}

/// A mapping whose entries go into another.
enum Source<'a, 't> {
    /// Its entries, and the alias through which we came.
    Entries(Children<'a, 't>, Option<NodeId>),
    /// One yet to be looked at.
    Merge(NodeId),
}

/// An entry of a mapping: its key, as a node and as text, and the node of its value.
struct Entry {
    key: NodeId,
    text: String,
    kind: KeyKind,
    value: NodeId,
}

/// What to do after a step.
enum Next<S> {
    Read(NodeId),
    Done(Value, S),
}

/// Reads nodes with a stack of its own, so that depth costs memory and not the stack of the thread.
struct Loader<'a, 't, P: Spots> {
    tree: &'a Tree<'t>,
    open: Vec<Open<'a, 't, P>>,
    budget: Budget,
    /// The aliases we are inside of.
    active: HashSet<NodeId>,
    depth: usize,
    /// Something was met that the reference refuses at its last step, unless a later key of the same name takes its place.
    suspect: bool,
    path: Vec<Piece>,
    duplicates: Vec<Duplicate>,
}

impl<'a, 't, P: Spots> Loader<'a, 't, P> {
    fn node(&self, id: NodeId) -> Result<&'a Node<'t>, Fault> {
        self.tree.node(id).ok_or_else(|| Fault::at(ErrorKind::Syntax, "yaml: unexpected end", 0))
    }

    fn enter(&mut self, at: u32) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(too_deep(at)) } else { Ok(()) }
    }

    /// Go into the node that an alias names.
    fn enter_alias(&mut self, id: NodeId, name: &str, at: u32) -> Result<(), Fault> {
        if !self.active.insert(id) {
            return Err(Fault::at(ErrorKind::Value, format!("yaml: anchor '{name}' value contains itself"), at));
        }
        self.budget.depth += 1;
        self.enter(at)
    }

    fn leave_alias(&mut self, id: NodeId) {
        self.depth -= 1;
        self.budget.depth -= 1;
        self.active.remove(&id);
    }

    /// The value of a node and of all in it.
    fn read(&mut self, root: NodeId) -> Result<(Value, P::Spot), Fault> {
        let mut step = self.start(root)?;
        loop {
            step = match step {
                Next::Read(id) => self.start(id)?,
                Next::Done(value, spot) => match self.open.pop() {
                    None => return Ok((value, spot)),
                    Some(open) => self.take(open, value, spot)?,
                },
            };
        }
    }

    /// Begin a node.
    fn start(&mut self, id: NodeId) -> Result<Next<P::Spot>, Fault> {
        let node = self.node(id)?;
        let at = node.start;
        let span = (node.start, node.end);
        self.budget.count(at)?;
        match &node.kind {
            NodeKind::Scalar(scalar) => {
                let value = match self.scalar(scalar, at)? {
                    Scalar::Null => Value::Null,
                    Scalar::Bool(truth) => Value::Bool(truth),
                    Scalar::Int(whole) => Value::from(whole),
                    Scalar::Uint(whole) => Value::from(whole),
                    Scalar::Float(float) => {
                        self.suspect |= !float.is_finite();
                        from_float(float)
                    }
                    Scalar::Text(text) => Value::String(text.into_owned()),
                };
                Ok(Next::Done(value, P::leaf(span)))
            }
            NodeKind::Alias(alias) => {
                self.enter_alias(id, alias.name, at)?;
                self.open.push(Open::Alias { id, span });
                Ok(Next::Read(alias.target))
            }
            NodeKind::Sequence => {
                self.enter(at)?;
                let rest = self.tree.children(id);
                let list = Vec::with_capacity(rest.clone().count());
                self.next_item(rest, list, Vec::new(), span)
            }
            NodeKind::Mapping => {
                self.enter(at)?;
                let entries = self.tree.children(id);
                let into = Mapping::with_capacity(entries.clone().count() / 2);
                self.next_entry(vec![Source::Entries(entries, None)], into, span)
            }
        }
    }

    /// Put a value where it belongs.
    fn take(&mut self, open: Open<'a, 't, P>, value: Value, spot: P::Spot) -> Result<Next<P::Spot>, Fault> {
        match open {
            Open::Sequence { rest, mut list, mut spots, span } => {
                self.path.pop();
                list.push(value);
                spots.push(spot);
                self.next_item(rest, list, spots, span)
            }
            Open::Mapping { sources, mut into, entry, span } => {
                if let Some(entry) = entry {
                    self.set(&mut into, entry, value, spot)?;
                    self.path.pop();
                }
                self.next_entry(sources, into, span)
            }
            Open::Alias { id, span } => {
                self.leave_alias(id);
                Ok(Next::Done(value, P::moved(spot, span)))
            }
            Open::Key(id) => Err(go::invalid_key(self.tree, id)),
        }
    }

    fn next_item(
        &mut self,
        mut rest: Children<'a, 't>,
        list: Vec<Value>,
        spots: Vec<P::Spot>,
        span: Bytes,
    ) -> Result<Next<P::Spot>, Fault> {
        match rest.next() {
            Some(item) => {
                self.path.push(Piece::Index(list.len()));
                self.open.push(Open::Sequence { rest, list, spots, span });
                Ok(Next::Read(item))
            }
            None => {
                self.depth -= 1;
                Ok(Next::Done(Value::Array(list), P::branch(span, spots)))
            }
        }
    }

    fn next_entry(&mut self, mut sources: Vec<Source<'a, 't>>, into: Mapping<P>, span: Bytes) -> Result<Next<P::Spot>, Fault> {
        while let Some(source) = sources.pop() {
            let (mut entries, alias) = match source {
                Source::Merge(id) => {
                    sources.push(self.merge(id)?);
                    continue;
                }
                Source::Entries(entries, alias) => (entries, alias),
            };
            let (Some(key), Some(value)) = (entries.next(), entries.next()) else {
                self.depth -= 1;
                if let Some(alias) = alias {
                    self.leave_alias(alias);
                }
                continue;
            };
            sources.push(Source::Entries(entries, alias));
            if is_merge(self.node(key)?) {
                match self.node(value)?.kind {
                    // Backwards, so that the earlier ones win.
                    NodeKind::Sequence => sources.extend(self.tree.children(value).map(Source::Merge)),
                    _ => sources.push(Source::Merge(value)),
                }
                continue;
            }
            let Some(name) = self.key(key)? else {
                self.open.push(Open::Key(key));
                return Ok(Next::Read(key));
            };
            self.suspect |= matches!(name, Scalar::Null | Scalar::Uint(_));
            let kind = KeyKind::of(&name);
            let entry = Some(Entry { key, text: scalar_text(name), kind, value });
            self.path.push(Piece::Key(key));
            self.open.push(Open::Mapping { sources, into, entry, span });
            return Ok(Next::Read(value));
        }
        let (value, spots) = into.finish();
        Ok(Next::Done(value, P::branch(span, spots)))
    }

    fn set(&mut self, into: &mut Mapping<P>, entry: Entry, value: Value, spot: P::Spot) -> Result<(), Fault> {
        let key = self.node(entry.key)?;
        let span = (key.start, key.end);
        let earlier = into.set(entry.text, value, P::keyed(spot, span, entry.kind));
        if let Some((first, kind)) = earlier
            && kind == entry.kind
            && kind != KeyKind::Unequal
            && self.duplicates.len() < MAX_DUPLICATES
        {
            let line = self.node(entry.value)?.line + 1;
            let syntax = self.key_scalar(entry.key).map(|key| go::key_syntax(&key)).unwrap_or_default();
            let message = format!("line {line}: key {syntax} already set in map");
            self.duplicates.push(Duplicate { path: self.steps(), first, again: span, message });
        }
        Ok(())
    }

    /// A scalar key; `None` for a list or a mapping, which is none.
    fn key(&mut self, id: NodeId) -> Result<Option<Scalar<'a>>, Fault> {
        let node = self.node(id)?;
        match &node.kind {
            NodeKind::Scalar(scalar) => {
                self.budget.count(node.start)?;
                self.scalar(scalar, node.start).map(Some)
            }
            NodeKind::Alias(alias) => {
                if !matches!(self.node(alias.target)?.kind, NodeKind::Scalar(_)) {
                    return Ok(None);
                }
                self.budget.count(node.start)?;
                self.enter_alias(id, alias.name, node.start)?;
                let key = self.key(alias.target)?;
                self.leave_alias(id);
                Ok(key)
            }
            NodeKind::Sequence | NodeKind::Mapping => Ok(None),
        }
    }

    fn scalar<'s>(&mut self, scalar: &'s ScalarText<'_>, at: u32) -> Result<Scalar<'s>, Fault> {
        let (value, tag, implicit) = scalar.parts();
        self.budget.copy(value, at)?;
        resolve(value, tag, implicit).map_err(|message| Fault::at(ErrorKind::Value, message, at))
    }

    /// The entries of what is merged.
    fn merge(&mut self, id: NodeId) -> Result<Source<'a, 't>, Fault> {
        let node = self.node(id)?;
        let at = node.start;
        match &node.kind {
            NodeKind::Mapping => {
                self.budget.count(at)?;
                self.enter(at)?;
                Ok(Source::Entries(self.tree.children(id), None))
            }
            NodeKind::Alias(alias) if matches!(self.node(alias.target)?.kind, NodeKind::Mapping) => {
                self.budget.count(at)?;
                self.enter_alias(id, alias.name, at)?;
                self.budget.count(at)?;
                self.enter(at)?;
                Ok(Source::Entries(self.tree.children(alias.target), Some(id)))
            }
            _ => Err(unmergeable(at)),
        }
    }

    /// The path to where we are.
    fn steps(&self) -> Vec<Step> {
        let step = |piece: &Piece| match piece {
            Piece::Index(index) => Step::Index(*index),
            Piece::Key(id) => Step::Key(self.key_scalar(*id).map(scalar_text).unwrap_or_default()),
        };
        self.path.iter().map(step).collect()
    }

    /// A key that was read before.
    fn key_scalar(&self, id: NodeId) -> Option<Scalar<'_>> {
        match &self.tree.node(id)?.kind {
            NodeKind::Alias(alias) => self.key_scalar(alias.target),
            NodeKind::Scalar(scalar) => {
                let (value, tag, implicit) = scalar.parts();
                resolve(value, tag, implicit).ok()
            }
            _ => None,
        }
    }
}

/// A key as text.
pub(super) fn scalar_text(key: Scalar<'_>) -> String {
    match key {
        Scalar::Text(text) => text.into_owned(),
        Scalar::Int(whole) => whole.to_string(),
        Scalar::Uint(whole) => whole.to_string(),
        Scalar::Float(float) => float_key(float),
        Scalar::Bool(truth) => truth.to_string(),
        Scalar::Null => "null".to_owned(),
    }
}
