//! What only the reference's error messages and last checks need: values as Go holds them, and how Go prints them.
//!
//! The loader makes JSON values at once. The reference first makes Go values, in which a key may be null and a number infinite, and
//! refuses those at its last step. Where the loader meets one, [`check`] goes through the document again, the slow way.

use std::collections::HashMap;

use super::error::{ErrorKind, Fault};
use super::load::{is_merge, scalar_text, unmergeable};
use super::scalar::{Scalar, resolve};
use super::tree::{NodeId, NodeKind, Tree};
use crate::go::{float, quote};

/// The longest value that an error message shows.
const MAX_SHOWN: usize = 4096;

#[derive(Debug)]
enum Go<'a> {
    Scalar(Scalar<'a>, u32),
    List(Vec<Go<'a>>),
    Map(Box<GoMap<'a>>),
}

#[derive(Debug, Default)]
struct GoMap<'a> {
    entries: Vec<(Scalar<'a>, u32, Go<'a>)>,
    index: HashMap<String, usize>,
}

impl<'a> GoMap<'a> {
    fn add(&mut self, tree: &Tree<'_>, id: NodeId, key: Go<'a>, value: Go<'a>) -> Result<(), Box<Fault>> {
        let at = tree.node(id).map_or(0, |node| node.start);
        match key {
            Go::Scalar(key, _) => self.set(key, at, value),
            key => return Err(Box::new(invalid(&key, at))),
        }
        Ok(())
    }

    fn set(&mut self, key: Scalar<'a>, at: u32, value: Go<'a>) {
        let next = self.entries.len();
        let place = if matches!(key, Scalar::Float(float) if float.is_nan()) {
            next
        } else {
            let kind = if matches!(key, Scalar::Float(_)) { "float " } else { "" };
            *self.index.entry(format!("{kind}{}", key_syntax(&key))).or_insert(next)
        };
        match self.entries.get_mut(place) {
            Some(entry) => *entry = (key, at, value),
            None => self.entries.push((key, at, value)),
        }
    }
}

/// The error for a key that is a list or a mapping.
pub(super) fn invalid_key(tree: &Tree<'_>, id: NodeId) -> Fault {
    match value(tree, id) {
        Ok(key) => invalid(&key, tree.node(id).map_or(0, |node| node.start)),
        Err(fault) => *fault,
    }
}

fn invalid(key: &Go<'_>, at: u32) -> Fault {
    let mut shown = String::new();
    show(key, &mut shown);
    Fault::at(ErrorKind::Value, format!("yaml: invalid map key: {shown}"), at)
}

/// Refuse what JSON has no place for: keys that are null or too large, and numbers that are infinite or none.
pub(super) fn check(tree: &Tree<'_>) -> Result<(), Fault> {
    let value = value(tree, 0).map_err(|fault| *fault)?;
    check_keys(&value)?;
    check_numbers(&value)
}

fn check_keys(value: &Go<'_>) -> Result<(), Fault> {
    match value {
        Go::Scalar(..) => Ok(()),
        Go::List(list) => list.iter().try_for_each(check_keys),
        Go::Map(map) => map.entries.iter().try_for_each(|(key, at, value)| {
            if matches!(key, Scalar::Null | Scalar::Uint(_)) {
                let (kind, key) = match key {
                    Scalar::Uint(whole) => ("uint64".to_owned(), format!("{whole:#x}")),
                    _ => ("%!s(<nil>)".to_owned(), "<nil>".to_owned()),
                };
                let mut shown = String::new();
                match value {
                    Go::Scalar(Scalar::Null, _) => shown.push_str("<nil>"),
                    value => show(value, &mut shown),
                }
                let message = format!("unsupported map key of type: {kind}, key: {key}, value: {shown}");
                return Err(Fault::at(ErrorKind::Value, message, *at));
            }
            check_keys(value)
        }),
    }
}

fn check_numbers(value: &Go<'_>) -> Result<(), Fault> {
    match value {
        Go::Scalar(Scalar::Float(float), at) if !float.is_finite() => {
            let message = format!("json: unsupported value: {}", float::general(*float));
            Err(Fault::at(ErrorKind::Value, message, *at))
        }
        Go::Scalar(..) => Ok(()),
        Go::List(list) => list.iter().try_for_each(check_numbers),
        Go::Map(map) => {
            let mut entries: Vec<_> = map.entries.iter().map(|(key, _, value)| (scalar_text(key.clone()), value)).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            entries.into_iter().try_for_each(|(_, value)| check_numbers(value))
        }
    }
}

/// A node's value. The loader has been here before: depth and aliases are bounded. The parts are apart so that each step takes little
/// of the stack.
fn value<'a>(tree: &'a Tree<'_>, id: NodeId) -> Result<Go<'a>, Box<Fault>> {
    match tree.node(id).map(|node| &node.kind) {
        Some(NodeKind::Alias(alias)) => value(tree, alias.target),
        Some(NodeKind::Sequence) => list(tree, id),
        Some(NodeKind::Mapping) => {
            let mut map = Box::default();
            fill(tree, id, &mut map)?;
            Ok(Go::Map(map))
        }
        _ => scalar(tree, id),
    }
}

fn scalar<'a>(tree: &'a Tree<'_>, id: NodeId) -> Result<Go<'a>, Box<Fault>> {
    let Some(node) = tree.node(id) else { return Ok(Go::Scalar(Scalar::Null, 0)) };
    let NodeKind::Scalar(scalar) = &node.kind else { return Ok(Go::Scalar(Scalar::Null, 0)) };
    let (value, tag, implicit) = scalar.parts();
    match resolve(value, tag, implicit) {
        Ok(scalar) => Ok(Go::Scalar(scalar, node.start)),
        Err(message) => Err(Box::new(Fault::at(ErrorKind::Value, message, node.start))),
    }
}

fn list<'a>(tree: &'a Tree<'_>, id: NodeId) -> Result<Go<'a>, Box<Fault>> {
    let mut list = Vec::new();
    for child in tree.children(id) {
        list.push(value(tree, child)?);
    }
    Ok(Go::List(list))
}

fn fill<'a>(tree: &'a Tree<'_>, id: NodeId, map: &mut GoMap<'a>) -> Result<(), Box<Fault>> {
    let mut children = tree.children(id);
    while let (Some(key), Some(held)) = (children.next(), children.next()) {
        if tree.node(key).is_some_and(is_merge) {
            merge(tree, held, map)?;
        } else {
            let key_value = value(tree, key)?;
            map.add(tree, key, key_value, value(tree, held)?)?;
        }
    }
    Ok(())
}

fn merge<'a>(tree: &'a Tree<'_>, id: NodeId, map: &mut GoMap<'a>) -> Result<(), Box<Fault>> {
    let Some(node) = tree.node(id) else { return Ok(()) };
    match &node.kind {
        NodeKind::Mapping => fill(tree, id, map),
        NodeKind::Alias(alias) => merge(tree, alias.target, map),
        NodeKind::Sequence => {
            let parts: Vec<NodeId> = tree.children(id).collect();
            parts.into_iter().rev().try_for_each(|part| merge(tree, part, map))
        }
        NodeKind::Scalar(_) => Err(Box::new(unmergeable(node.start))),
    }
}

/// A value in Go's own syntax (`%#v`).
fn show(value: &Go<'_>, into: &mut String) {
    if into.len() > MAX_SHOWN {
        return;
    }
    match value {
        Go::Scalar(Scalar::Null, _) => into.push_str("interface {}(nil)"),
        Go::Scalar(scalar, _) => into.push_str(&key_syntax(scalar)),
        Go::List(list) => {
            into.push_str("[]interface {}{");
            for (n, item) in list.iter().enumerate() {
                if n > 0 {
                    into.push_str(", ");
                }
                show(item, into);
            }
            into.push('}');
        }
        Go::Map(map) => {
            into.push_str("map[interface {}]interface {}{");
            let mut entries: Vec<_> = map.entries.iter().collect();
            entries.sort_by_cached_key(|entry| rank(&entry.0));
            for (n, (key, _, held)) in entries.into_iter().enumerate() {
                if n > 0 {
                    into.push_str(", ");
                }
                match key {
                    Scalar::Null => into.push_str("interface {}(nil)"),
                    key => into.push_str(&key_syntax(key)),
                }
                into.push(':');
                show(held, into);
            }
            into.push('}');
        }
    }
}

/// The order in which Go prints the keys of a map, nearly: by type, then by value.
fn rank(key: &Scalar<'_>) -> (u8, i128, String) {
    match key {
        Scalar::Null => (0, 0, String::new()),
        Scalar::Text(text) => (1, 0, text.to_string()),
        Scalar::Int(whole) => (2, i128::from(*whole), String::new()),
        Scalar::Uint(whole) => (3, i128::from(*whole), String::new()),
        Scalar::Float(float) => (4, 0, float::general(*float)),
        Scalar::Bool(truth) => (5, i128::from(*truth), String::new()),
    }
}

/// A scalar in Go's own syntax.
pub(super) fn key_syntax(key: &Scalar<'_>) -> String {
    match key {
        Scalar::Null => "<nil>".to_owned(),
        Scalar::Bool(truth) => truth.to_string(),
        Scalar::Int(whole) => whole.to_string(),
        Scalar::Uint(whole) => format!("{whole:#x}"),
        Scalar::Float(float) => float::general(*float),
        Scalar::Text(text) => quote(text),
    }
}
