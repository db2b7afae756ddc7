//! Two Go values side by side, and what is within them.

use super::super::schema::{Schema, Schemas};
use super::edit::{Edit, Likeness, edits};
use super::value::{Kind, Struct, Type, Value};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// Bounds how many values are looked at, and remembers how many a schema has.
pub(crate) struct Budget {
    left: Cell<u64>,
    leaves: RefCell<HashMap<*const Schema, u64>>,
}

impl Budget {
    pub(crate) fn new(budget: u64) -> Self {
        Self { left: Cell::new(budget), leaves: RefCell::new(HashMap::new()) }
    }

    /// Whether there is anything left, so that what was found is all there is.
    pub(super) fn left(&self) -> bool {
        self.left.get() > 0
    }

    /// A part of what is left.
    pub(super) fn part(&self, most: u64) -> Self {
        Self::new(self.left.get().min(most))
    }

    /// Takes off what a part has used up.
    pub(super) fn settle(&self, most: u64, part: &Self) {
        let used = self.left.get().min(most).saturating_sub(part.left.get());
        self.left.set(self.left.get().saturating_sub(used));
    }

    pub(super) fn exhaust(&self) {
        self.left.set(0);
    }

    pub(super) fn spend(&self, cost: usize) -> bool {
        self.left.set(self.left.get().saturating_sub(u64::try_from(cost).unwrap_or(u64::MAX)));
        self.left()
    }
}

/// What a value is called within its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key<'a> {
    Field(&'static str),
    Entry(&'a str),
    Element,
}

/// Two values of one type; one of them can be missing in a list or map.
pub(super) struct Node<'a> {
    pub(super) of: &'static Type,
    pub(super) before: Option<Value<'a>>,
    pub(super) after: Option<Value<'a>>,
    /// The kind of the type that holds it.
    pub(super) parent: Option<Kind>,
    pub(super) different: bool,
    depth: u32,
}

/// How deep values may be nested; a schema within a schema is up to four values deep.
const DEPTH_LIMIT: u32 = 200;

/// What is within a node.
pub(super) type Children<'a> = Vec<(Key<'a>, Node<'a>)>;

impl<'a> Node<'a> {
    pub(super) fn new(of: &'static Type, before: Option<Value<'a>>, after: Option<Value<'a>>, parent: Option<Kind>) -> Self {
        let different = match (&before, &after) {
            (Some(before), Some(after)) => !before.equal(after),
            _ => true,
        };
        Self { of, before, after, parent, different, depth: 0 }
    }

    /// What is within; `None` for a leaf.
    pub(super) fn children(&self, schemas: &'a Schemas, budget: &Budget) -> Option<Children<'a>> {
        let (Some(before), Some(after)) = (&self.before, &self.after) else { return None };
        if self.depth > DEPTH_LIMIT {
            budget.exhaust();
            return None;
        }
        let kind = Some(self.of.kind());
        let within = |of, before, after| Node { depth: self.depth + 1, ..Node::new(of, before, after, kind) };
        let children: Children<'a> = match (before, after) {
            (Value::Pointer(Some(before)), Value::Pointer(Some(after))) => {
                vec![(Key::Element, within(self.of.element(), Some((**before).clone()), Some((**after).clone())))]
            }
            (Value::Struct(before), Value::Struct(after)) => before
                .fields(schemas)
                .into_iter()
                .zip(after.fields(schemas))
                .map(|(before, after)| (Key::Field(before.name), within(before.of, Some(before.value), Some(after.value))))
                .collect(),
            (Value::List(before), Value::List(after)) => self.elements(before, after, schemas, budget),
            (Value::Bytes(before), Value::Bytes(after)) => {
                let bytes = |bytes: &[u8]| bytes.iter().map(|byte| Value::Byte(*byte)).collect::<Vec<_>>();
                self.elements(&bytes(before), &bytes(after), schemas, budget)
            }
            (Value::Map(before), Value::Map(after)) => entries(before, after)
                .into_iter()
                .map(|(name, before, after)| (Key::Entry(name), within(self.of.element(), before, after)))
                .collect(),
            _ => return None,
        };
        if !budget.spend(children.len()) {
            return None;
        }
        Some(children)
    }

    fn elements(&self, before: &[Value<'a>], after: &[Value<'a>], schemas: &'a Schemas, budget: &Budget) -> Children<'a> {
        let of = self.of.element();
        let kind = Some(self.of.kind());
        let within = |before, after| Node { depth: self.depth + 1, ..Node::new(of, before, after, kind) };
        let pair = |x: usize, y: usize| within(before.get(x).cloned(), after.get(y).cloned());
        let script = edits(before.len(), after.len(), |x, y| {
            if !budget.spend(1) {
                return Likeness::of(true);
            }
            pair(x, y).likeness(schemas, budget)
        });
        let (mut x, mut y) = (0, 0);
        let mut children = Vec::new();
        for edit in script {
            let node = match edit {
                Edit::Removed => within(before.get(x).cloned(), None),
                Edit::Inserted => within(None, after.get(y).cloned()),
                Edit::Same | Edit::Modified => pair(x, y),
            };
            x += usize::from(edit != Edit::Inserted);
            y += usize::from(edit != Edit::Removed);
            children.push((Key::Element, node));
        }
        children
    }

    /// How many of the leaves within are equal, and how many are not.
    pub(super) fn likeness(&self, schemas: &'a Schemas, budget: &Budget) -> Likeness {
        if !self.different {
            return Likeness { same: self.before.as_ref().map_or(0, |value| leaves(value, schemas, budget)), different: 0 };
        }
        match self.children(schemas, budget) {
            None => Likeness { same: 0, different: 1 },
            Some(children) => children.iter().fold(Likeness { same: 0, different: 0 }, |sum, (_, child)| {
                let likeness = child.likeness(schemas, budget);
                Likeness {
                    same: sum.same.saturating_add(likeness.same),
                    different: sum.different.saturating_add(likeness.different),
                }
            }),
        }
    }

    /// Whether nothing within has more than one thing within.
    pub(super) fn is_chain(&self, schemas: &'a Schemas, budget: &Budget) -> bool {
        let many = |value: &Option<Value<'a>>| match value {
            Some(Value::Struct(Struct::Json(_))) => false,
            Some(Value::Struct(_)) => true,
            Some(Value::List(items)) => items.len() > 1,
            Some(Value::Map(entries)) => entries.len() > 1,
            Some(Value::Bytes(bytes)) => bytes.len() > 1,
            _ => false,
        };
        let is_leaf = self.before.is_none()
            || self.after.is_none()
            || matches!(self.before, Some(Value::Nil))
            || matches!(self.after, Some(Value::Nil));
        if !is_leaf && (many(&self.before) || many(&self.after)) {
            return false;
        }
        match self.children(schemas, budget) {
            None => true,
            Some(children) => match children.as_slice() {
                [] => true,
                [(_, only)] => only.is_chain(schemas, budget),
                _ => false,
            },
        }
    }
}

/// The leaves of a value.
fn leaves<'a>(value: &Value<'a>, schemas: &'a Schemas, budget: &Budget) -> u64 {
    if !budget.spend(1) {
        return 1;
    }
    match value {
        Value::Pointer(Some(to)) => leaves(to, schemas, budget),
        Value::Struct(of) => {
            let known = match of {
                Struct::Schema(schema) => Some(std::ptr::from_ref(*schema)),
                _ => None,
            };
            if let Some(count) = known.and_then(|schema| budget.leaves.borrow().get(&schema).copied()) {
                return count;
            }
            let count =
                of.fields(schemas).iter().fold(0u64, |sum, field| sum.saturating_add(leaves(&field.value, schemas, budget)));
            if let Some(schema) = known {
                budget.leaves.borrow_mut().insert(schema, count);
            }
            count
        }
        Value::List(items) => items.iter().fold(0u64, |sum, item| sum.saturating_add(leaves(item, schemas, budget))),
        Value::Map(items) => items.iter().fold(0u64, |sum, (_, item)| sum.saturating_add(leaves(item, schemas, budget))),
        Value::Bytes(bytes) => u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        _ => 1,
    }
}

/// The entries of two maps together, by name.
#[allow(clippy::type_complexity)]
fn entries<'a>(
    before: &[(&'a str, Value<'a>)],
    after: &[(&'a str, Value<'a>)],
) -> Vec<(&'a str, Option<Value<'a>>, Option<Value<'a>>)> {
    let mut merged = Vec::new();
    let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
    loop {
        match (before.peek(), after.peek()) {
            (None, None) => return merged,
            (Some((name, value)), Some((other, _))) if name < other => {
                merged.push((*name, Some(value.clone()), None));
                before.next();
            }
            (Some((name, value)), Some((other, with))) if name == other => {
                merged.push((*name, Some(value.clone()), Some(with.clone())));
                before.next();
                after.next();
            }
            (Some((name, value)), None) => {
                merged.push((*name, Some(value.clone()), None));
                before.next();
            }
            (_, Some((name, value))) => {
                merged.push((*name, None, Some(value.clone())));
                after.next();
            }
        }
    }
}
