//! The upgrade graph of a package: [`graph`] gives it as a value, which draws itself as Mermaid, DOT and SVG.

mod dot;
mod edges;
mod layout;
mod mermaid;
mod svg;

pub use edges::{ChannelGraph, Edge, EdgeKind, Graph, Node, graph};
