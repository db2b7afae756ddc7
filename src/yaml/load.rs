//! Nodes -> values, as go-yaml v2.4.4 (`decode.go`) and sigs.k8s.io/yaml v1.6.0 (`yaml.go`) make them.
//!
//! Of two equal keys the last one counts; a merge (`<<`) sets its keys where it stands, over those before it. Aliases are copied
//! out, as far as the reference's rule against bombs allows.

use std::collections::HashSet;

use serde_json::Value;

use super::error::{ErrorKind, Fault};
use super::go;
use super::gonumber::{float_key, json_number};
use super::mapping::Mapping;
use super::scalar::{Scalar, resolve};
use super::spot::{KeyKind, Spots};
use super::tree::{MAX_DEPTH, Node, NodeId, NodeKind, Tree, too_deep};
use crate::place::Step;

/// How much text aliases may repeat. The reference shares it and need not count.
const MAX_COPIED: usize = 64 << 20;
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
        active: HashSet::new(),
        depth: 0,
        copied: 0,
        suspect: false,
        path: Vec::new(),
        duplicates: Vec::new(),
        spots: std::marker::PhantomData,
    };
    loader.budget.count(0)?;
    let (value, spot) = loader.value(0)?;
    if loader.suspect {
        go::check(&tree)?;
    }
    let duplicates = loader.duplicates;
    Ok(Loaded { value, spot, duplicates })
}

/// The rule against alias bombs.
#[derive(Debug, Default)]
pub(super) struct Budget {
    decoded: u32,
    aliased: u32,
    /// How many aliases we are inside of.
    pub(super) depth: u32,
}

impl Budget {
    /// One node more.
    pub(super) fn count(&mut self, at: u32) -> Result<(), Fault> {
        self.decoded = self.decoded.saturating_add(1);
        if self.depth > 0 {
            self.aliased = self.aliased.saturating_add(1);
        }
        if self.aliased > 100 && self.decoded > 1000 {
            let ratio = f64::from(self.aliased) / f64::from(self.decoded);
            if ratio > allowed_ratio(self.decoded) {
                return Err(excessive(at));
            }
        }
        Ok(())
    }
}

/// From 99 % of a small document down to 10 % of a large one may come from aliases.
fn allowed_ratio(decoded: u32) -> f64 {
    const LOW: u32 = 400_000;
    const HIGH: u32 = 4_000_000;
    match decoded {
        0..=LOW => 0.99,
        HIGH.. => 0.10,
        _ => 0.99 - 0.89 * (f64::from(decoded - LOW) / f64::from(HIGH - LOW)),
    }
}

fn excessive(at: u32) -> Fault {
    Fault::at(ErrorKind::Limit, "yaml: document contains excessive aliasing", at)
}

/// A merge of something else than mappings.
pub(super) fn unmergeable(at: u32) -> Fault {
    Fault::at(ErrorKind::Value, "yaml: map merge requires map or sequence of maps as the value", at)
}

/// Whether a key is `<<`.
pub(super) fn is_merge(node: &Node<'_>) -> bool {
    match &node.kind {
        NodeKind::Scalar { value, tag, implicit } => {
            value == "<<" && (*implicit || tag.as_deref() == Some("tag:yaml.org,2002:merge"))
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

struct Loader<'a, 't, P> {
    tree: &'a Tree<'t>,
    budget: Budget,
    /// The aliases we are inside of.
    active: HashSet<NodeId>,
    depth: usize,
    /// The bytes of text that aliases repeated.
    copied: usize,
    /// Something was met that the reference refuses at its last step, unless a later key of the same name takes its place.
    suspect: bool,
    path: Vec<Piece>,
    duplicates: Vec<Duplicate>,
    spots: std::marker::PhantomData<P>,
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

    fn value(&mut self, id: NodeId) -> Result<(Value, P::Spot), Fault> {
        let node = self.node(id)?;
        let at = node.start;
        let span = (node.start, node.end);
        self.budget.count(at)?;
        match &node.kind {
            NodeKind::Scalar { value, tag, implicit } => {
                let scalar = self.scalar(value, tag.as_deref(), *implicit, at)?;
                let value = match scalar {
                    Scalar::Null => Value::Null,
                    Scalar::Bool(truth) => Value::Bool(truth),
                    Scalar::Int(whole) => Value::from(whole),
                    Scalar::Uint(whole) => Value::from(whole),
                    Scalar::Float(float) => {
                        self.suspect |= !float.is_finite();
                        json_number(float)
                    }
                    Scalar::Text(text) => Value::String(text.into_owned()),
                };
                Ok((value, P::leaf(span)))
            }
            NodeKind::Alias { name, target } => {
                self.enter_alias(id, name, at)?;
                let (value, spot) = self.value(*target)?;
                self.leave_alias(id);
                Ok((value, P::moved(spot, span)))
            }
            NodeKind::Sequence => {
                self.enter(at)?;
                let mut list = Vec::with_capacity(self.tree.children(id).count());
                let mut spots = Vec::new();
                for child in self.tree.children(id) {
                    self.path.push(Piece::Index(list.len()));
                    let (value, spot) = self.value(child)?;
                    self.path.pop();
                    list.push(value);
                    spots.push(spot);
                }
                self.depth -= 1;
                Ok((Value::Array(list), P::branch(span, spots)))
            }
            NodeKind::Mapping => {
                let mut into = Mapping::<P>::with_capacity(self.tree.children(id).count() / 2);
                self.mapping(id, &mut into)?;
                let (value, spots) = into.finish();
                Ok((value, P::branch(span, spots)))
            }
        }
    }

    fn scalar<'s>(&mut self, value: &'s str, tag: Option<&str>, implicit: bool, at: u32) -> Result<Scalar<'s>, Fault> {
        if self.budget.depth > 0 {
            self.copied += value.len();
            if self.copied > MAX_COPIED {
                return Err(excessive(at));
            }
        }
        resolve(value, tag, implicit).map_err(|message| Fault::at(ErrorKind::Value, message, at))
    }

    fn mapping(&mut self, id: NodeId, into: &mut Mapping<P>) -> Result<(), Fault> {
        self.enter(self.node(id)?.start)?;
        let mut children = self.tree.children(id);
        while let (Some(key), Some(value)) = (children.next(), children.next()) {
            if is_merge(self.node(key)?) {
                self.merge(value, into)?;
                continue;
            }
            let name = self.key(key)?;
            self.suspect |= matches!(name, Scalar::Null | Scalar::Uint(_));
            let kind = KeyKind::of(&name);
            self.path.push(Piece::Key(key));
            let (found, spot) = self.value(value)?;
            let span = (self.node(key)?.start, self.node(key)?.end);
            let earlier = into.set(scalar_text(name), found, P::keyed(spot, span, kind));
            if let Some((first, earlier)) = earlier
                && earlier == kind
                && kind != KeyKind::Unequal
                && self.duplicates.len() < MAX_DUPLICATES
            {
                let line = self.node(value)?.line + 1;
                let syntax = self.key_scalar(key).map(|key| go::key_syntax(&key)).unwrap_or_default();
                let message = format!("line {line}: key {syntax} already set in map");
                self.duplicates.push(Duplicate { path: self.steps(), first, again: span, message });
            }
            self.path.pop();
        }
        self.depth -= 1;
        Ok(())
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
            NodeKind::Alias { target, .. } => self.key_scalar(*target),
            NodeKind::Scalar { value, tag, implicit } => resolve(value, tag.as_deref(), *implicit).ok(),
            _ => None,
        }
    }

    fn key(&mut self, id: NodeId) -> Result<Scalar<'a>, Fault> {
        let tree = self.tree;
        let node = self.node(id)?;
        let at = node.start;
        if matches!(node.kind, NodeKind::Sequence | NodeKind::Mapping) {
            // No key; but what is wrong inside of it is told first.
            self.value(id)?;
            return Err(go::invalid_key(tree, id));
        }
        self.budget.count(at)?;
        match &node.kind {
            NodeKind::Scalar { value, tag, implicit } => self.scalar(value, tag.as_deref(), *implicit, at),
            NodeKind::Alias { name, target } => {
                self.enter_alias(id, name, at)?;
                let key = self.key(*target)?;
                self.leave_alias(id);
                Ok(key)
            }
            NodeKind::Sequence | NodeKind::Mapping => Err(go::invalid_key(tree, id)),
        }
    }

    fn merge(&mut self, id: NodeId, into: &mut Mapping<P>) -> Result<(), Fault> {
        let tree = self.tree;
        let at = self.node(id)?.start;
        match &self.node(id)?.kind {
            NodeKind::Sequence => {
                // Backwards, so that the earlier ones win.
                let parts: Vec<NodeId> = tree.children(id).collect();
                for part in parts.into_iter().rev() {
                    if matches!(self.node(part)?.kind, NodeKind::Sequence) {
                        return Err(unmergeable(at));
                    }
                    self.merge_one(part, into)?;
                }
                Ok(())
            }
            _ => self.merge_one(id, into),
        }
    }

    fn merge_one(&mut self, id: NodeId, into: &mut Mapping<P>) -> Result<(), Fault> {
        let node = self.node(id)?;
        let at = node.start;
        match &node.kind {
            NodeKind::Mapping => {
                self.budget.count(at)?;
                self.mapping(id, into)
            }
            NodeKind::Alias { name, target } if matches!(self.node(*target)?.kind, NodeKind::Mapping) => {
                self.budget.count(at)?;
                self.enter_alias(id, name, at)?;
                self.budget.count(at)?;
                self.mapping(*target, into)?;
                self.leave_alias(id);
                Ok(())
            }
            _ => Err(unmergeable(at)),
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
