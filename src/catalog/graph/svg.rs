//! The graph as an SVG that stands alone: no scripts, no fonts or styles from elsewhere, light or dark as the reader has it.

use super::edges::{ChannelGraph, EdgeKind, Graph, Node};
use super::layout::layers;
use crate::catalog::view::printable;
use std::fmt::Write;

const CHAR: usize = 7;
const LINE: usize = 16;
const PAD: usize = 8;
const GAP: usize = 36;
/// Longer lines are cut; the whole text is the title that a browser shows.
const MAX_LABEL: usize = 60;

const HEAD: &str = "<style>\
svg{color-scheme:light dark;background:#fff;color:#1f2328;font:12px ui-monospace,monospace}\
rect{fill:#f6f8fa;stroke:#59636e}.head rect{stroke-width:2.5}.deprecated rect{stroke:#b35900;stroke-dasharray:5 3}\
.absent rect{fill:none;stroke-dasharray:2 3}text{fill:currentColor}.title{font-weight:bold;font-size:14px}\
path{fill:none;stroke:#59636e}.skips{stroke-dasharray:5 3}.skipRange{stroke-dasharray:1 4}\
@media(prefers-color-scheme:dark){svg{background:#0d1117;color:#e6edf3}rect{fill:#161b22;stroke:#8b949e}path{stroke:#8b949e}}\
</style>\
<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
<path d=\"M0 0L8 4L0 8\"/></marker></defs>\n";

/// Where a node is drawn.
struct Place {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    layer: usize,
}

impl Graph {
    /// An SVG, the channels side by side, the newest bundles on top.
    pub fn to_svg(&self) -> String {
        let mut body = String::new();
        let mut left = PAD * 2;
        let mut bottom = 0;
        for channel in &self.channels {
            let places = place(channel, left, LINE * 3);
            let mut right = left + (self.title(channel).chars().count() + 2) * (CHAR + 1);
            // Writing to a String cannot fail.
            let title = escape(&self.title(channel));
            let _ = writeln!(body, "<text class=\"title\" x=\"{left}\" y=\"{}\">{title}</text>", LINE + PAD);
            let mut bow = 0;
            for edge in channel.drawn() {
                let (Some(from), Some(to)) = (places.get(edge.from), places.get(edge.to)) else { continue };
                bow = bow.max(draw_edge(&mut body, from, to, edge.kind));
            }
            for (node, at) in channel.nodes.iter().zip(&places) {
                draw_node(&mut body, node, at);
                right = right.max(at.x + at.width);
                bottom = bottom.max(at.y + at.height);
            }
            left = right + bow + GAP;
        }
        let (width, height) = (left, bottom + PAD * 2);
        let name = escape(&self.package);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\">\n<title>Upgrade graph of {name}</title>\n{HEAD}{body}</svg>\n"
        )
    }
}

fn lines(node: &Node) -> Vec<String> {
    node.label()
        .into_iter()
        .map(|line| match line.char_indices().nth(MAX_LABEL) {
            Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
            None => line,
        })
        .collect()
}

fn place(channel: &ChannelGraph, left: usize, top: usize) -> Vec<Place> {
    let layers = layers(channel);
    let count = layers.iter().max().map_or(0, |n| n + 1);
    let mut heights = vec![0; count];
    for (node, layer) in channel.nodes.iter().zip(&layers) {
        if let Some(height) = heights.get_mut(*layer) {
            *height = (lines(node).len() * LINE + PAD).max(*height);
        }
    }
    // The top layer is the last one.
    let mut tops = vec![0; count];
    let mut y = top;
    for (height, at) in heights.iter().zip(&mut tops).rev() {
        *at = y;
        y += height + GAP;
    }
    let mut next = vec![left; count];
    channel
        .nodes
        .iter()
        .zip(&layers)
        .map(|(node, layer)| {
            let label = lines(node);
            let width = label.iter().map(|line| line.chars().count()).max().unwrap_or(0) * CHAR + PAD * 3;
            let x = next.get(*layer).copied().unwrap_or(left);
            if let Some(next) = next.get_mut(*layer) {
                *next = x + width + GAP / 2;
            }
            let y = tops.get(*layer).copied().unwrap_or(top);
            Place { x, y, width, height: label.len() * LINE + PAD, layer: *layer }
        })
        .collect()
}

fn draw_node(out: &mut String, node: &Node, at: &Place) {
    let mut class = String::new();
    for (name, is) in [("head", node.head), ("deprecated", node.deprecated.is_some()), ("absent", !node.in_channel)] {
        if is {
            class.push_str(if class.is_empty() { "" } else { " " });
            class.push_str(name);
        }
    }
    let title: Vec<String> = node.label().into_iter().chain(node.deprecated.clone()).map(|line| escape(&line)).collect();
    let Place { x, y, width, height, .. } = at;
    let _ = write!(out, "<g class=\"{class}\"><title>{}</title>", title.join("\n"));
    let _ = write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>");
    for (n, line) in lines(node).iter().enumerate() {
        let _ = write!(out, "<text x=\"{}\" y=\"{}\">{}</text>", x + PAD, y + (n + 1) * LINE - 1, escape(line));
    }
    out.push_str("</g>\n");
}

/// Draws an edge and gives how far it reaches to the right of the nodes that it passes.
fn draw_edge(out: &mut String, from: &Place, to: &Place, kind: EdgeKind) -> usize {
    let class = match kind {
        EdgeKind::Replaces => "replaces",
        EdgeKind::Skips => "skips",
        EdgeKind::SkipRange => "skipRange",
    };
    if to.layer == from.layer + 1 {
        let (x1, y1) = (from.x + from.width / 2, from.y);
        let (x2, y2) = (to.x + to.width / 2, to.y + to.height);
        let middle = usize::midpoint(y1, y2);
        let _ = writeln!(
            out,
            "<path class=\"{class}\" marker-end=\"url(#tip)\" d=\"M{x1} {y1}C{x1} {middle} {x2} {middle} {x2} {y2}\"/>"
        );
        return 0;
    }
    // Past other layers, or back down in a circle: around the right side.
    let bow = (to.layer.abs_diff(from.layer) * 10 + 14).min(160);
    let (x1, y1) = (from.x + from.width, from.y + from.height / 2);
    let (x2, y2) = (to.x + to.width, to.y + to.height / 2);
    let side = x1.max(x2) + bow;
    let _ =
        writeln!(out, "<path class=\"{class}\" marker-end=\"url(#tip)\" d=\"M{x1} {y1}C{side} {y1} {side} {y2} {x2} {y2}\"/>");
    bow
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // What XML has no place for.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
