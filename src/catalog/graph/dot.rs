//! The graph as DOT, for Graphviz.

use super::edges::{EdgeKind, Graph};
use crate::catalog::view::printable;
use std::fmt::Write;

impl Graph {
    /// A DOT digraph, a cluster for each channel.
    pub fn to_dot(&self) -> String {
        let mut out =
            format!("digraph {} {{\n  rankdir=BT;\n  node [shape=box, fontname=\"sans-serif\"];\n", quote(&self.package));
        for (c, channel) in self.channels.iter().enumerate() {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "  subgraph cluster_{c} {{\n    label={};", quote(&self.title(channel)));
            for (n, node) in channel.nodes.iter().enumerate() {
                let label: Vec<String> = node.label().iter().map(|line| escape(line)).collect();
                let style = match (node.deprecated.is_some(), node.in_channel, node.head) {
                    (true, _, _) => ", style=dashed, color=\"#b35900\"",
                    (_, false, _) => ", style=dotted",
                    (_, _, true) => ", style=bold",
                    _ => "",
                };
                let _ = writeln!(out, "    c{c}n{n} [label=\"{}\"{style}];", label.join("\\n"));
            }
            for edge in channel.drawn() {
                let style = match edge.kind {
                    EdgeKind::Replaces => "",
                    EdgeKind::Skips => " [style=dashed, label=\"skips\"]",
                    EdgeKind::SkipRange => " [style=dotted]",
                };
                let _ = writeln!(out, "    c{c}n{} -> c{c}n{}{style};", edge.from, edge.to);
            }
            out.push_str("  }\n");
        }
        out.push_str("}\n");
        out
    }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

fn escape(text: &str) -> String {
    printable(text).replace('\\', "\\\\").replace('"', "\\\"")
}
