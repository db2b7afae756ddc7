//! Where the bundles of a channel are drawn: in layers, each above all that lead to it.

use super::edges::{ChannelGraph, Edge};

/// The layer of each node, 0 at the bottom, by the longest way of `replaces` and `skips` that leads to it. A circle is cut where
/// it is entered.
pub(super) fn layers(channel: &ChannelGraph) -> Vec<usize> {
    let count = channel.nodes.len();
    let mut layer = vec![0_usize; count];
    let mut waiting = vec![0_usize; count];
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    for Edge { from, to, .. } in channel.drawn().filter(|e| e.from != e.to) {
        if let (Some(targets), Some(waiting)) = (out.get_mut(*from), waiting.get_mut(*to)) {
            targets.push(*to);
            *waiting += 1;
        }
    }
    let mut done = vec![false; count];
    let mut ready: Vec<usize> = (0..count).filter(|n| waiting.get(*n) == Some(&0)).collect();
    // Nodes come newest first: a circle is entered at its oldest bundle.
    let mut rest = count;
    loop {
        let Some(node) = ready.pop() else {
            match (0..rest).rev().find(|n| done.get(*n) == Some(&false)) {
                Some(entered) => {
                    rest = entered;
                    ready.push(entered);
                    continue;
                }
                None => return layer,
            }
        };
        match done.get_mut(node) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        let above = layer.get(node).map_or(0, |n| n + 1);
        for &target in out.get(node).map_or(&[][..], Vec::as_slice) {
            let (Some(layer), Some(waiting), Some(false)) = (layer.get_mut(target), waiting.get_mut(target), done.get(target))
            else {
                continue;
            };
            *layer = above.max(*layer);
            *waiting = waiting.saturating_sub(1);
            if *waiting == 0 {
                ready.push(target);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::graph::{EdgeKind, Node};

    fn channel(count: usize, edges: &[(usize, usize)]) -> ChannelGraph {
        let node = |n: usize| Node {
            bundle: n.to_string(),
            version: None,
            in_channel: true,
            head: false,
            deprecated: None,
            skip_range: String::new(),
        };
        ChannelGraph {
            channel: "c".into(),
            deprecated: None,
            nodes: (0..count).map(node).collect(),
            edges: edges.iter().map(|(from, to)| Edge { from: *from, to: *to, kind: EdgeKind::Replaces }).collect(),
        }
    }

    #[test]
    fn targets_stand_above() {
        assert_eq!(layers(&channel(4, &[(3, 2), (2, 1), (1, 0), (3, 0)])), [3, 2, 1, 0]);
        assert_eq!(layers(&channel(3, &[])), [0, 0, 0]);
    }

    #[test]
    fn circles_end() {
        assert_eq!(layers(&channel(2, &[(0, 1), (1, 0)])), [1, 0]);
        assert_eq!(layers(&channel(1, &[(0, 0)])), [0]);
        let circle: Vec<_> = (0..20_000).map(|n| (n, (n + 1) % 20_000)).collect();
        assert_eq!(layers(&channel(20_000, &circle)).len(), 20_000);
    }
}
