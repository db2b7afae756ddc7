//! Events -> the nodes of one document, with aliases tied to what they name.

use std::borrow::Cow;
use std::collections::HashMap;

use super::error::{ErrorKind, Fault};
use super::parse::{Event, Parser};

/// How deep a document may nest, aliases followed. The reference stops at 10,000; values that deep would overflow the stack of
/// whoever walks, prints or drops them.
pub(super) const MAX_DEPTH: usize = 500;

/// A node's number in its [`Tree`].
pub(super) type NodeId = usize;

/// What a node is.
#[derive(Debug)]
pub(super) enum NodeKind<'t> {
    Scalar(ScalarText<'t>),
    Sequence,
    Mapping,
    Alias(Box<Alias<'t>>),
}

/// What an alias says, and the node that it names.
#[derive(Debug)]
pub(super) struct Alias<'t> {
    pub(super) name: &'t str,
    pub(super) target: NodeId,
}

/// A scalar: most are in the text as they are, and have no tag. There are so many of them that their size counts.
#[derive(Debug)]
pub(super) enum ScalarText<'t> {
    AsWritten { value: &'t str, implicit: bool },
    Other(Box<OtherScalar<'t>>),
}

#[derive(Debug)]
pub(super) struct OtherScalar<'t> {
    value: Cow<'t, str>,
    tag: Option<Box<str>>,
    implicit: bool,
}

impl<'t> ScalarText<'t> {
    fn new(value: Cow<'t, str>, tag: Option<Box<str>>, implicit: bool) -> Self {
        match (value, tag) {
            (Cow::Borrowed(value), None) => Self::AsWritten { value, implicit },
            (value, tag) => Self::Other(Box::new(OtherScalar { value, tag, implicit })),
        }
    }

    /// The text; the tag, in full, where one was given; whether the text may be read as another type than text.
    pub(super) fn parts(&self) -> (&str, Option<&str>, bool) {
        match self {
            Self::AsWritten { value, implicit } => (value, None, *implicit),
            Self::Other(other) => (&other.value, other.tag.as_deref(), other.implicit),
        }
    }
}

/// A node, and where it stands.
#[derive(Debug)]
pub(super) struct Node<'t> {
    pub(super) kind: NodeKind<'t>,
    /// The number of the first node that is not inside this one.
    after: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// In line breaks of YAML 1.1, from 0.
    pub(super) line: u32,
}

/// The nodes of a document, each before what it holds.
#[derive(Debug)]
pub(super) struct Tree<'t> {
    nodes: Vec<Node<'t>>,
}

impl<'t> Tree<'t> {
    /// The first document of a text; `None` where there is none.
    pub(super) fn read(text: &'t str) -> Result<Option<Self>, Fault> {
        if i32::try_from(text.len()).is_err() {
            return Err(Fault {
                message: "the text is longer than 2 GiB".to_owned(),
                offset: None,
                kind: ErrorKind::Limit,
                strict: None,
            });
        }
        let mut parser = Parser::new(text);
        parser.next()?;
        match parser.next()? {
            Event::StreamEnd => return Ok(None),
            event => debug_assert_eq!(event, Event::DocumentStart),
        }
        let nodes = Vec::with_capacity((text.len() / 32).min(1 << 16));
        let tree = Builder { nodes, ..Builder::default() }.build(&mut parser)?;
        Ok(Some(tree))
    }

    /// The node with that number.
    pub(super) fn node(&self, id: NodeId) -> Option<&Node<'t>> {
        self.nodes.get(id)
    }

    /// What a node holds, in order: for a mapping, keys and values by turns.
    pub(super) fn children(&self, id: NodeId) -> Children<'_, 't> {
        let after = self.node(id).map_or(0, |node| index(node.after));
        Children { tree: self, next: id + 1, after }
    }
}

/// The nodes directly inside another.
#[derive(Debug, Clone)]
pub(super) struct Children<'a, 't> {
    tree: &'a Tree<'t>,
    next: NodeId,
    after: NodeId,
}

impl Iterator for Children<'_, '_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.after {
            return None;
        }
        let id = self.next;
        self.next = index(self.tree.node(id)?.after);
        Some(id)
    }
}

#[derive(Debug, Default)]
struct Builder<'t> {
    nodes: Vec<Node<'t>>,
    anchors: HashMap<&'t str, NodeId>,
    open: Vec<NodeId>,
    /// Where the node that was finished last ends.
    last_end: u32,
}

impl<'t> Builder<'t> {
    /// Read up to the end of the document, as far as the reference looks: one token beyond it.
    fn build(mut self, parser: &mut Parser<'t>) -> Result<Tree<'t>, Fault> {
        loop {
            match parser.next()? {
                Event::Alias { name, start, end, line } => {
                    let Some(&target) = self.anchors.get(name) else {
                        let message = format!("yaml: unknown anchor '{name}' referenced");
                        return Err(Fault::at(ErrorKind::Value, message, start));
                    };
                    self.add(NodeKind::Alias(Box::new(Alias { name, target })), None, start, end, line);
                }
                Event::Scalar { value, tag, implicit, anchor, start, end, line } => {
                    self.add(NodeKind::Scalar(ScalarText::new(value, tag, implicit)), anchor, start, end, line);
                }
                Event::SequenceStart { anchor, start, line } => self.open(NodeKind::Sequence, anchor, start, line)?,
                Event::MappingStart { anchor, start, line } => self.open(NodeKind::Mapping, anchor, start, line)?,
                Event::SequenceEnd { end } | Event::MappingEnd { end } => self.close(end),
                Event::DocumentEnd | Event::StreamEnd => return Ok(Tree { nodes: self.nodes }),
                Event::StreamStart | Event::DocumentStart => {}
            }
        }
    }

    fn add(&mut self, kind: NodeKind<'t>, anchor: Option<&'t str>, start: u32, end: u32, line: u32) {
        let id = self.nodes.len();
        self.nodes.push(Node { kind, after: number(id + 1), start, end, line });
        self.last_end = end;
        if let Some(name) = anchor {
            self.anchors.insert(name, id);
        }
    }

    fn open(&mut self, kind: NodeKind<'t>, anchor: Option<&'t str>, start: u32, line: u32) -> Result<(), Fault> {
        if self.open.len() >= MAX_DEPTH {
            return Err(too_deep(start));
        }
        self.open.push(self.nodes.len());
        self.add(kind, anchor, start, start, line);
        Ok(())
    }

    /// A block collection is known to have ended only where something else begins; it ends where the last node inside does.
    fn close(&mut self, end: Option<u32>) {
        let after = self.nodes.len();
        if let Some(node) = self.open.pop().and_then(|id| self.nodes.get_mut(id)) {
            node.after = number(after);
            node.end = end.unwrap_or(self.last_end).max(node.start);
            self.last_end = node.end;
        }
    }
}

/// A text shorter than 2 GiB has fewer nodes than 32 bits count.
fn number(id: NodeId) -> u32 {
    u32::try_from(id).unwrap_or(u32::MAX)
}

fn index(number: u32) -> NodeId {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The error for nesting beyond [`MAX_DEPTH`].
pub(super) fn too_deep(offset: u32) -> Fault {
    Fault::at(ErrorKind::Limit, format!("nested deeper than {MAX_DEPTH} levels, which is not read"), offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_small() {
        assert!(size_of::<Node<'_>>() <= 40);
    }
}
