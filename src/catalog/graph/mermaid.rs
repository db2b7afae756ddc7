//! The graph as Mermaid, which code forges draw in comments.

use super::edges::{EdgeKind, Graph};
use crate::catalog::view::printable;
use std::fmt::Write;

impl Graph {
    /// A Mermaid flowchart, a subgraph for each channel. Replaced bundles hang on a line, skipped ones on a dotted line.
    pub fn to_mermaid(&self) -> String {
        let mut out = String::from("flowchart BT\n");
        for (c, channel) in self.channels.iter().enumerate() {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "  subgraph c{c}[\"{}\"]", escape(&self.title(channel)));
            for (n, node) in channel.nodes.iter().enumerate() {
                let label: Vec<String> = node.label().iter().map(|line| escape(line)).collect();
                let (open, close) = if node.head { ("([", "])") } else { ("[", "]") };
                let _ = writeln!(out, "    c{c}n{n}{open}\"{}\"{close}", label.join("<br/>"));
            }
            for edge in channel.drawn() {
                let line = match edge.kind {
                    EdgeKind::Replaces => "-->",
                    EdgeKind::Skips => "-.->|skips|",
                    EdgeKind::SkipRange => "-.->",
                };
                let _ = writeln!(out, "    c{c}n{} {line} c{c}n{}", edge.from, edge.to);
            }
            out.push_str("  end\n");
            let class = |name: &str, wanted: &dyn Fn(usize) -> bool, out: &mut String| {
                let ids: Vec<String> = (0..channel.nodes.len()).filter(|n| wanted(*n)).map(|n| format!("c{c}n{n}")).collect();
                if !ids.is_empty() {
                    let _ = writeln!(out, "  class {} {name}", ids.join(","));
                }
            };
            class("deprecated", &|n| channel.nodes.get(n).is_some_and(|node| node.deprecated.is_some()), &mut out);
            class("absent", &|n| channel.nodes.get(n).is_some_and(|node| !node.in_channel), &mut out);
        }
        out.push_str("  classDef deprecated stroke:#b35900,stroke-dasharray:4 2\n");
        out.push_str("  classDef absent stroke-dasharray:2 2,opacity:0.6\n");
        out
    }
}

/// Mermaid's entities for all that could mean something to it or to the page.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable(text).chars() {
        if c.is_alphanumeric() || " .,-_+/()".contains(c) {
            out.push(c);
        } else {
            let _ = write!(out, "#{};", u32::from(c));
        }
    }
    out
}
