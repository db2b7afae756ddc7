//! What `catalog list`, `show` and `graph` make of a catalog.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

use olmplan::catalog::{Catalog, EdgeKind, Memory, Package, graph, list, show, validate};
use serde_json::{Value, json};

fn bundle(name: &str, version: &str) -> Value {
    json!({
        "schema": "olm.bundle", "package": "foo", "name": name, "image": format!("quay.io/x/foo:{version}"),
        "properties": [
            {"type": "olm.package", "value": {"packageName": "foo", "version": version}},
            {"type": "olm.gvk.required", "value": {"group": "g", "version": "v1", "kind": "K"}},
            {"type": "olm.csv.metadata", "value": {"description": "long"}},
        ],
    })
}

fn catalog() -> Catalog {
    let documents = [
        json!({"schema": "olm.package", "name": "foo", "defaultChannel": "stable-1.10"}),
        json!({"schema": "olm.channel", "package": "foo", "name": "stable-1.10", "entries": [
            {"name": "foo.v1.0.0", "replaces": "foo.v0.9.0"},
            {"name": "foo.v1.2.0", "replaces": "foo.v1.0.0", "skips": ["foo.v1.1.0"]},
            {"name": "foo.v1.1.0"},
            {"name": "foo.v1.10.0", "replaces": "foo.v1.2.0", "skipRange": ">=1.0.0 <1.10.0"},
        ]}),
        json!({"schema": "olm.channel", "package": "foo", "name": "stable-1.9", "entries": [{"name": "foo.v1.0.0"}]}),
        bundle("foo.v1.0.0", "1.0.0"),
        bundle("foo.v1.1.0", "1.1.0"),
        bundle("foo.v1.2.0", "1.2.0"),
        bundle("foo.v1.10.0", "1.10.0"),
        json!({"schema": "olm.deprecations", "package": "foo", "entries": [
            {"reference": {"schema": "olm.bundle", "name": "foo.v1.1.0"}, "message": "broken"},
            {"reference": {"schema": "olm.channel", "name": "stable-1.9"}, "message": "old"},
        ]}),
    ];
    let text: String = documents.iter().map(|d| d.to_string() + "\n").collect();
    Catalog::open([("catalog.json", text)].into_iter().collect::<Memory>(), None).unwrap()
}

fn package() -> Package {
    catalog().package("foo").unwrap().unwrap()
}

#[test]
fn a_listing_names_every_version() {
    let listing = list(&catalog()).unwrap();
    let value = serde_json::to_value(&listing).unwrap();
    assert_eq!(value[0]["package"], "foo");
    assert_eq!(value[0]["defaultChannel"], "stable-1.10");
    let channels: Vec<&Value> = value[0]["channels"].as_array().unwrap().iter().map(|c| &c["channel"]).collect();
    assert_eq!(channels, ["stable-1.9", "stable-1.10"]);
    assert_eq!(value[0]["channels"][0]["deprecated"], "old");
    let versions: Vec<&Value> = value[0]["channels"][1]["versions"].as_array().unwrap().iter().map(|v| &v["version"]).collect();
    assert_eq!(versions, ["1.10.0", "1.2.0", "1.1.0", "1.0.0"]);
    assert_eq!(
        value[0]["channels"][1]["versions"][2],
        json!({"version": "1.1.0", "bundle": "foo.v1.1.0", "image": "quay.io/x/foo:1.1.0", "deprecated": "broken"})
    );
    assert_eq!(
        listing.to_string(),
        "PACKAGE  CHANNEL        NEWEST  VERSIONS\n\
         foo      stable-1.9     1.0.0   1         deprecated\n\
         foo      stable-1.10 *  1.10.0  4\n"
    );
}

#[test]
fn a_package_is_shown_in_full() {
    let shown = show(&package());
    let value = serde_json::to_value(&shown).unwrap();
    assert_eq!(
        value["channels"][1]["entries"][0],
        json!({"bundle": "foo.v1.10.0", "version": "1.10.0", "replaces": "foo.v1.2.0", "skipRange": ">=1.0.0 <1.10.0"})
    );
    assert_eq!(value["bundles"][3]["properties"].as_array().unwrap().len(), 2);
    let text = shown.to_string();
    assert!(text.contains("default channel: stable-1.10\n"), "{text}");
    assert!(text.contains("  1.10.0  foo.v1.10.0  replaces foo.v1.2.0; skips versions >=1.0.0 <1.10.0\n"), "{text}");
    assert!(text.contains("requires g v1 K; deprecated: broken"), "{text}");
}

#[test]
fn the_graph_has_every_edge() {
    let graph = graph(&package(), Some("stable-1.10"));
    let channel = &graph.channels[0];
    let names: Vec<&str> = channel.nodes.iter().map(|n| n.bundle.as_str()).collect();
    assert_eq!(names, ["foo.v1.10.0", "foo.v1.2.0", "foo.v1.1.0", "foo.v1.0.0", "foo.v0.9.0"]);
    let edges: Vec<_> = channel.edges.iter().map(|e| (e.from, e.to, e.kind)).collect();
    assert_eq!(
        edges,
        [
            (1, 0, EdgeKind::Replaces),
            (2, 0, EdgeKind::SkipRange),
            (2, 1, EdgeKind::Skips),
            (3, 0, EdgeKind::SkipRange),
            (3, 1, EdgeKind::Replaces),
            (4, 3, EdgeKind::Replaces),
        ]
    );
    assert!(channel.nodes[0].head && !channel.nodes[4].in_channel);
}

#[test]
fn the_graph_draws_itself() {
    let graph = graph(&package(), Some("stable-1.10"));
    let mermaid = graph.to_mermaid();
    assert!(mermaid.starts_with("flowchart BT\n  subgraph c0[\"stable-1.10 (default)\"]\n"), "{mermaid}");
    assert!(mermaid.contains("    c0n0([\"foo.v1.10.0<br/>skips #62;#61;1.0.0 #60;1.10.0\"])\n"), "{mermaid}");
    assert!(mermaid.contains("    c0n2 -.->|skips| c0n1\n"), "{mermaid}");
    let dot = graph.to_dot();
    assert!(dot.contains("    c0n4 [label=\"foo.v0.9.0\\nnot in this channel\", style=dotted];\n"), "{dot}");
    assert!(dot.contains("    c0n3 -> c0n1;\n"), "{dot}");
    let svg = graph.to_svg();
    assert_eq!(svg.matches("<rect ").count(), 5);
    assert_eq!(svg.matches("<path class=").count(), 6);
}

#[test]
fn a_verdict_names_places() {
    let text = r#"{"schema":"olm.package","name":"p","defaultChannel":"c"}
        {"schema":"olm.channel","package":"p","name":"c","entries":[{"name":"a","skipRange":"nonsense"},{"name":"b"}]}
        {"schema":"olm.bundle","package":"p","name":"a","properties":[{"type":"olm.package","value":{"packageName":"p","version":"1.0.0"}}]}
        {"schema":"olm.bundle","package":"p","name":"b","image":"i","properties":[{"type":"olm.package","value":{"packageName":"p","version":"1.1.0"}}]}"#;
    let verdict = validate(&[("c.json", text)].into_iter().collect::<Memory>());
    assert_eq!(
        verdict.text.as_deref(),
        Some(
            "invalid index:\n\
             └── invalid package \"p\":\n    \
             └── invalid channel \"c\":\n        \
             ├── multiple channel heads found in graph: a, b\n        \
             └── invalid bundle \"a\":\n            \
             ├── invalid skipRange \"nonsense\": Could not get version from string: \"nonsense\"\n            \
             └── bundle image must be set"
        )
    );
    let places: Vec<_> = verdict.errors.iter().map(|e| e.document).collect();
    assert_eq!(places, [Some(2), Some(3), Some(3)]);
    assert_eq!(
        serde_json::to_value(&verdict).unwrap()["errors"][2],
        json!({"path": "c.json", "document": 3, "message": "invalid package \"p\": invalid channel \"c\": invalid bundle \"a\": bundle image must be set"})
    );
}

#[test]
fn names_of_others_do_no_harm() {
    let name = "x\"]<script>alert(1)</script>&'\\\u{1b}[31m\n\u{202e}";
    let documents = [
        json!({"schema": "olm.package", "name": "p", "defaultChannel": name}),
        json!({"schema": "olm.channel", "package": "p", "name": name.replace('/', "_"), "entries": [
            {"name": name, "replaces": name, "skips": [name, ""], "skipRange": name},
        ]}),
    ];
    let text: String = documents.iter().map(Value::to_string).collect();
    let catalog = Catalog::open([("c", text)].into_iter().collect::<Memory>(), None).unwrap();
    let package = catalog.package("p").unwrap().unwrap();
    let graph = graph(&package, None);
    let drawings =
        [graph.to_mermaid(), graph.to_svg(), graph.to_dot(), list(&catalog).unwrap().to_string(), show(&package).to_string()];
    for text in &drawings {
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }
    assert!(!drawings[0].contains("<script") && !drawings[1].contains("<script"), "{drawings:?}");
    assert!(drawings[2].contains("x\\\"]<script>"), "{}", drawings[2]);
}
