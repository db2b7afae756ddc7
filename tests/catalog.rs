//! Catalogs through the index, against loading everything and picking; with caches that lie; and made to do harm.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

use olmplan::catalog::{Catalog, DeprecatedReference, Error, Files, IndexCache, KeptIndex, Memory, Package, load, validate};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Cache(Mutex<BTreeMap<String, Vec<u8>>>);

impl IndexCache for Cache {
    fn get(&self, key: &str) -> Option<Box<dyn KeptIndex>> {
        Some(Box::new(self.0.lock().unwrap().get(key)?.clone()))
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        self.0.lock().unwrap().insert(key.to_owned(), bytes.to_vec());
    }
}

/// A package as plain values, to compare.
fn plain(package: &Package) -> Value {
    let deprecation = |r: &DeprecatedReference| format!("{} {}", r.schema(), r.name()).trim().to_owned();
    json!({
        "default": package.default_channel,
        "channels": package.channels.iter().map(|c| json!({
            "name": c.name,
            "entries": c.entries.iter().map(|e| json!([e.name, e.replaces, e.skips, e.skip_range])).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "bundles": package.bundles.iter().map(|b| json!({
            "name": b.name,
            "package": b.package,
            "image": b.image,
            "properties": b.properties.iter().map(|p| json!([p.kind, serde_json::from_str::<Value>(p.value.get()).unwrap()])).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "deprecations": package.deprecations().iter().map(|d| json!([deprecation(&d.reference), d.message])).collect::<Vec<_>>(),
    })
}

/// The slow, obvious way: store every document as the cluster does, then pick those of the package.
fn slowly(files: &Memory, name: &str) -> Option<Value> {
    let mut stored: BTreeMap<Vec<String>, Value> = BTreeMap::new();
    for document in load(files).unwrap() {
        let bytes = files.read_range(&document.path, document.offset, document.len).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let value = olmplan::yaml::read(&text).unwrap();
        let package = if document.schema == "olm.package" { &document.name } else { &document.package };
        let file = if document.name.is_empty() { &document.schema } else { &document.name };
        stored.insert(vec![package.clone(), document.schema.clone(), format!("{file}.json")], value);
    }
    let text = |v: &Value, key: &str| v.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let list = |v: &Value, key: &str| v.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let mine: Vec<&Value> = stored.iter().filter(|(path, _)| path[0] == name).map(|(_, value)| value).collect();
    if mine.is_empty() {
        return None;
    }
    let of = |schema: &str| mine.iter().filter(|v| text(v, "schema") == schema).copied().collect::<Vec<_>>();
    Some(json!({
        "default": of("olm.package").first().map(|v| text(v, "defaultChannel")).unwrap_or_default(),
        "channels": of("olm.channel").iter().map(|c| json!({
            "name": text(c, "name"),
            "entries": list(c, "entries").iter()
                .map(|e| json!([text(e, "name"), text(e, "replaces"), list(e, "skips"), text(e, "skipRange")]))
                .collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "bundles": of("olm.bundle").iter().map(|b| json!({
            "name": text(b, "name"),
            "package": text(b, "package"),
            "image": text(b, "image"),
            "properties": list(b, "properties").iter()
                .filter(|p| text(p, "type") != "olm.csv.metadata")
                .map(|p| json!([text(p, "type"), p["value"]]))
                .collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "deprecations": of("olm.deprecations").first().map(|d| list(d, "entries")).unwrap_or_default().iter()
            .map(|e| json!([
                format!("{} {}", text(&e["reference"], "schema"), text(&e["reference"], "name")).trim(),
                text(e, "message"),
            ]))
            .collect::<Vec<_>>(),
    }))
}

const PACKAGES: [&str; 3] = ["a", "b", "a-b"];

fn document() -> impl Strategy<Value = Value> {
    let package = prop::sample::select(PACKAGES.to_vec());
    let name =
        prop::sample::select(vec!["x.v1.0.0", "x.v2.0.0", "é \"q\" \\ /", "stable", "a"]).prop_map(|n| n.replace('/', "_"));
    let text = prop::sample::select(vec!["", "1.0.0", "<2.0.0", "tab\tand\nline", "\u{2028}<&>", "😀"]);
    let bundle = (package.clone(), name.clone(), text.clone(), prop::bool::ANY).prop_map(|(p, n, t, big)| {
        let mut properties = vec![json!({"type": "olm.package", "value": {"version": t, "packageName": p}})];
        if big {
            properties.push(json!({"type": "olm.csv.metadata", "value": {"description": "x{[\"\\".repeat(300)}}));
            properties.push(json!({"type": "olm.gvk.required", "value": {"z": [1, true, null], "a": {"k": -2.5}}}));
        }
        json!({"schema": "olm.bundle", "package": p, "name": n, "image": t, "properties": properties})
    });
    let channel =
        (package.clone(), name.clone(), prop::collection::vec((name.clone(), text.clone()), 0..4)).prop_map(|(p, n, e)| {
            let entries: Vec<Value> =
                e.iter().map(|(n, t)| json!({"name": n, "skipRange": t, "skips": [n, t], "replaces": t})).collect();
            json!({"name": n, "entries": entries, "package": p, "schema": "olm.channel"})
        });
    let deprecations = (package.clone(), name.clone(), text.clone()).prop_map(|(p, n, t)| {
        let entry = |schema: &str, name: &str| json!({"reference": {"schema": schema, "name": name}, "message": t});
        json!({"schema": "olm.deprecations", "package": p, "entries": [entry("olm.package", ""), entry("olm.bundle", &n)]})
    });
    prop_oneof![
        4 => bundle,
        3 => channel,
        1 => (package.clone(), text.clone()).prop_map(|(p, t)| json!({"schema": "olm.package", "name": p, "defaultChannel": t})),
        1 => deprecations,
        1 => (package, name).prop_map(|(p, n)| json!({"schema": "custom", "package": p, "name": n, "x": [[{}]]})),
    ]
}

/// How a file is written.
#[derive(Debug, Clone, Copy)]
enum Style {
    Json,
    PrettyJson,
    JsonLines,
    Yaml,
}

fn write(documents: &[Value], style: Style) -> String {
    let each = |f: &dyn Fn(&Value) -> String, between: &str| documents.iter().map(f).collect::<Vec<_>>().join(between);
    match style {
        Style::Json => each(&Value::to_string, ""),
        Style::PrettyJson => each(&|v| serde_json::to_string_pretty(v).unwrap(), "\n"),
        Style::JsonLines => each(&Value::to_string, "\n"),
        Style::Yaml => each(&olmplan::yaml::write, "---\n"),
    }
}

fn catalog() -> impl Strategy<Value = Memory> {
    let style = prop::sample::select(vec![Style::Json, Style::PrettyJson, Style::JsonLines, Style::Yaml]);
    let path = prop::sample::select(vec!["a/c.yaml", "a.json", "b", "z/deep/er.json", ".hidden"]);
    let file = (path, prop::collection::vec(document(), 0..6), style).prop_map(|(p, d, s)| (p, write(&d, s).into_bytes()));
    prop::collection::vec(file, 0..5).prop_map(|files| files.into_iter().collect())
}

proptest! {
    #[test]
    fn the_index_gives_what_loading_everything_gives(files in catalog()) {
        let cache = Cache::default();
        let first = Catalog::open(files.clone(), Some(&cache)).unwrap();
        let second = Catalog::open(files.clone(), Some(&cache)).unwrap();
        prop_assert_eq!(cache.0.lock().unwrap().len(), 1);
        prop_assert_eq!(first.package_names(), second.package_names());
        for name in PACKAGES.into_iter().chain(["custom", "c"]) {
            let want = slowly(&files, name);
            prop_assert_eq!(first.package(name).unwrap().as_ref().map(plain), want.clone());
            prop_assert_eq!(second.package(name).unwrap().as_ref().map(plain), want.clone());
            prop_assert_eq!(want.is_some(), first.package_names().contains(&name));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[\\{\\[\\]\\}\",:a-z0-9 \n\\-\\\\]{0,80}") {
        for bytes in [bytes, text.into_bytes()] {
            let files: Memory = [("c", bytes)].into_iter().collect();
            let loaded = load(&files).is_ok();
            let opened = Catalog::open(files.clone(), None);
            prop_assert!(loaded || opened.is_err());
            let not_stored = matches!(opened, Err(Error::Store { .. }));
            prop_assert!(!loaded || not_stored || opened.is_ok());
            let _ = validate(&files);
        }
    }
}

fn example() -> Memory {
    let text = r#"{"schema":"olm.package","name":"foo","defaultChannel":"stable"}
{"schema":"olm.channel","package":"foo","name":"stable","entries":[{"name":"foo.v1"}]}
{"schema":"olm.bundle","package":"foo","name":"foo.v1","image":"x","properties":[{"type":"olm.package","value":{"packageName":"foo","version":"1.0.0"}}]}
{"schema":"olm.package","name":"bar","defaultChannel":"other"}"#;
    let yaml = "schema: olm.bundle\npackage: bar\nname: bar.v1\nimage: quay.io/bar\n---\nschema: olm.channel\npackage: bar\nname: other\n";
    [("a.json", text), ("b.yaml", yaml)].into_iter().collect()
}

/// An example with a document that is read again each time, as it is refused.
fn example_with_refused() -> Memory {
    let mut files = example();
    files.files.insert("d.json".to_owned(), br#"{"schema":"olm.channel","package":"bad","entries":1}"#.to_vec());
    files
}

/// The same, and a document that is read again as it is too long to be kept with the index.
fn example_with_long() -> Memory {
    let mut files = example_with_refused();
    let long = "<1 ".repeat(100_000);
    let channel =
        json!({"schema": "olm.channel", "package": "long", "name": "c", "entries": [{"name": "l.v1", "skipRange": long}]});
    files.files.insert("c/long.json".to_owned(), channel.to_string().into_bytes());
    files
}

fn each(catalog: &Catalog) -> Vec<(String, Result<Value, String>)> {
    let names: Vec<String> = catalog.package_names().into_iter().map(str::to_owned).collect();
    let package = |name: &str| catalog.package(name).map(|p| plain(&p.unwrap())).map_err(|e| e.to_string());
    names.into_iter().map(|name| (name.clone(), package(&name))).collect()
}

/// Where the sections of an index begin: its prefix, its head, the list of files, and a part for each package.
fn sections(index: &[u8]) -> Vec<usize> {
    let number = |at: usize| usize::try_from(u64::from_le_bytes(index[at..at + 8].try_into().unwrap())).unwrap();
    let (mut at, end) = (48, 48 + number(40));
    let (mut starts, mut next) = (vec![0, at, end], end + number(at));
    at += 24;
    while at < end {
        starts.push(next);
        at += 8 + number(at) + 1;
        next += number(at);
        at += 24;
    }
    assert_eq!((at, next), (end, index.len()));
    starts
}

#[test]
fn a_damaged_index_is_made_again() {
    let cache = Cache::default();
    let want = each(&Catalog::open(example_with_refused(), Some(&cache)).unwrap());
    assert_eq!(
        want.iter().map(|(name, p)| (name.as_str(), p.is_ok())).collect::<Vec<_>>(),
        [("bad", false), ("bar", true), ("foo", true)]
    );
    let (key, good) = cache.0.lock().unwrap().first_key_value().map(|(k, v)| (k.clone(), v.clone())).unwrap();
    assert_eq!(sections(&good).len(), 6);
    let flipped = (0..good.len()).map(|n| {
        let mut bytes = good.clone();
        bytes[n] ^= 0x41;
        bytes
    });
    let cut = (0..good.len()).map(|n| good[..n].to_vec());
    let swapped = sections(&good)
        .windows(3)
        .map(|s| [&good[..s[0]], &good[s[1]..s[2]], &good[s[0]..s[1]], &good[s[2]..]].concat())
        .collect::<Vec<_>>();
    let longer = [[good.clone(), vec![0]].concat(), vec![0xff; 1000], b"OLMIDX03".repeat(100)];
    for bytes in flipped.chain(cut).chain(longer).chain(swapped) {
        cache.put(&key, &bytes);
        assert_eq!(each(&Catalog::open(example_with_refused(), Some(&cache)).unwrap()), want);
    }
}

/// Hands out an index that cannot be read from some byte on, and counts how often it is given up.
struct Failing {
    index: Vec<u8>,
    from: u64,
    discarded: Arc<AtomicUsize>,
}

impl IndexCache for Failing {
    fn get(&self, _: &str) -> Option<Box<dyn KeptIndex>> {
        let Self { index, from, discarded } = self;
        Some(Box::new(Self { index: index.clone(), from: *from, discarded: Arc::clone(discarded) }))
    }

    fn put(&self, _: &str, _: &[u8]) {}
}

impl KeptIndex for Failing {
    fn size(&self) -> u64 {
        self.index.size()
    }

    fn read(&self, offset: u64, len: usize) -> Option<Vec<u8>> {
        self.index.read(offset, len).filter(|_| offset + len as u64 <= self.from)
    }

    fn discard(&self) {
        self.discarded.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn an_index_whose_part_cannot_be_read_is_given_up() {
    let cache = Cache::default();
    let want = each(&Catalog::open(example_with_long(), Some(&cache)).unwrap());
    let index = cache.0.lock().unwrap().first_key_value().map(|(_, v)| v.clone()).unwrap();
    let starts = sections(&index);
    for (n, start) in starts.iter().enumerate() {
        let failing = Failing { index: index.clone(), from: *start as u64, discarded: Arc::default() };
        assert_eq!(each(&Catalog::open(example_with_long(), Some(&failing)).unwrap()), want);
        // What is no index at all is simply replaced.
        assert_eq!(failing.discarded.load(Ordering::Relaxed), usize::from(n > 1), "{n}");
    }
    let whole = Failing { from: index.size(), index, discarded: Arc::default() };
    assert_eq!(each(&Catalog::open(example_with_long(), Some(&whole)).unwrap()), want);
    assert_eq!(whole.discarded.load(Ordering::Relaxed), 0);
}

#[test]
fn a_package_is_read_without_the_others() {
    let cache = Cache::default();
    let want = each(&Catalog::open(example_with_long(), Some(&cache)).unwrap());
    let (key, mut index) = cache.0.lock().unwrap().first_key_value().map(|(k, v)| (k.clone(), v.clone())).unwrap();
    let starts = sections(&index);
    // All but the head and the part of the package `bar`.
    for n in (starts[2]..starts[4]).chain(starts[5]..index.len()) {
        index[n] ^= 1;
    }
    cache.put(&key, &index);
    let catalog = Catalog::open(example_with_long(), Some(&cache)).unwrap();
    assert_eq!(catalog.package("bar").map(|p| plain(&p.unwrap())).map_err(|e| e.to_string()), want[1].1);
    assert_eq!(cache.0.lock().unwrap()[&key], index);
    assert_eq!(each(&catalog), want);
}

fn files(files: &[(&str, &str)]) -> Memory {
    files.iter().copied().collect()
}

#[test]
fn names_lead_nowhere() {
    let hostile = r#"{"schema":"olm.package","name":"../../x"}{"schema":"olm.bundle","package":"p","name":"../../../../etc/passwd"}
        {"schema":"olm.bundle","package":"a/../p","name":"in"}{"schema":"olm.bundle","package":"p","name":"sub/in"}"#;
    let catalog = Catalog::open(files(&[("c.json", hostile)]), None).unwrap();
    assert_eq!(catalog.package_names(), ["p"]);
    let names: Vec<String> = catalog.package("p").unwrap().unwrap().bundles.into_iter().map(|b| b.name).collect();
    assert_eq!(names, ["in", "sub/in"]);
    for name in ["../../x", "", ".", "a//b", "/p", "p/"] {
        assert!(matches!(catalog.package(name), Err(Error::InvalidPackageName { .. })), "{name}");
    }
    assert!(catalog.package("p/olm.bundle").unwrap().is_none());
}

#[test]
fn what_the_cluster_cannot_store_fails_the_catalog() {
    let long = format!(r#"{{"schema":"s","package":"p","name":"{}"}}"#, "n".repeat(251));
    for text in [
        r#"{"schema":"s","package":"p","name":"a"}{"schema":"s","package":"p","name":"a.json/b"}"#,
        r#"{"schema":"s","package":"p","name":"a\u0000"}"#,
        &long,
    ] {
        assert!(matches!(Catalog::open(files(&[("c", text)]), None), Err(Error::Store { .. })), "{text}");
    }
    let just = format!(r#"{{"schema":"s","package":"p","name":"{}"}}"#, "n".repeat(250));
    assert!(Catalog::open(files(&[("c", &just)]), None).is_ok());
}

#[test]
fn a_bad_document_fails_its_package_alone() {
    let text = r#"{"schema":"olm.package","name":"p","icon":{"base64data":"***"}}{"schema":"olm.package","name":"q"}
        {"schema":"olm.bundle","package":"r","name":"x","properties":[{"type":"olm.bundle.object","value":{"data":"YTogW2I="}}]}
        {"package":"s"}"#;
    let catalog = Catalog::open(files(&[("c.json", text)]), None).unwrap();
    let message = |name| catalog.package(name).unwrap_err().to_string();
    assert_eq!(message("p"), "error loading package \"p\": parse package: illegal base64 data at input byte 0");
    assert!(message("r").starts_with("error loading package \"r\": read bundle objects: package \"r\", bundle \"x\": convert"));
    assert!(message("s").ends_with("object '{\"package\":\"s\"}\n' is missing root schema field"));
    assert!(catalog.package("q").unwrap().is_some());
    assert!(catalog.package("t").unwrap().is_none());
}

#[test]
fn the_author_is_told_in_the_words_of_go() {
    let told = |text: &str| validate(&files(&[("c.json", text)])).text.unwrap();
    let header = r#"{"schema":{"a":[true,1,"b",null],"c":{}}}"#;
    let want =
        "map[%!t(string=a):[true %!t(float64=1) %!t(string=b) <nil>] %!t(string=c):map[]]: map[a:[true 1 b <nil>] c:map[]]";
    assert!(told(header).ends_with(want), "{}", told(header));
    assert_eq!(told(r#"{"schema":"olm.package","name":"a.b"}"#), r#"invalid package name "a.b": [must not contain dots]"#);
    let priority = r#"{"schema":"olm.package","name":"p"}{"schema":"olm.bundle","package":"p","name":"b","properties":[
        {"type":"olm.channel","value":{"channelName":"c","priority":1.5}}]}"#;
    assert!(told(priority).ends_with("json: cannot unmarshal number 1.5 into Go struct field Channel.priority of type int"));
}

#[test]
fn deep_and_long_texts_do_no_harm() {
    let nested = |n: usize| format!(r#"{{"schema":"s","package":"p","name":"n","x":{}{}}}"#, "[".repeat(n), "]".repeat(n));
    assert!(Catalog::open(files(&[("c", &nested(100_000))]), None).is_err());
    let catalog = Catalog::open(files(&[("c", &nested(9_990))]), None).unwrap();
    assert!(catalog.package("p").unwrap().is_some());
    assert!(!validate(&files(&[("c", &nested(100_000))])).ok);
    let deep = format!(
        r#"{{"schema":"olm.bundle","package":"p","name":"n","properties":[{{"type":"t","value":{}"\ud800"{}}}]}}"#,
        "[".repeat(5_000),
        "]".repeat(5_000)
    );
    let cache = Cache::default();
    for _ in 0..2 {
        let catalog = Catalog::open(files(&[("c", &deep)]), Some(&cache)).unwrap();
        let bundle = catalog.package("p").unwrap().unwrap().bundles.remove(0);
        assert_eq!(bundle.properties[0].value.get().len(), 10_008);
    }
    let yaml = format!("schema: olm.bundle\npackage: p\nname: deep\nx: {}{}\n", "[".repeat(490), "]".repeat(490));
    let catalog = Catalog::open(files(&[("c", &yaml)]), None).unwrap();
    assert_eq!(catalog.package("p").unwrap().unwrap().bundles.len(), 1);
    assert!(validate(&files(&[("c", &"- ".repeat(490))])).text.unwrap().contains("cannot unmarshal array"));
    let keys: String = (0..100_000).map(|n| format!(",\"k{n}\":0")).collect();
    assert!(Catalog::open(files(&[("c", &format!(r#"{{"schema":"s"{keys}}}"#))]), None).is_ok());
    let same: String = (0..100_000).map(|_| r#"{"schema":"s","package":"p","name":"n"}"#).collect();
    assert!(Catalog::open(files(&[("c", &same)]), None).is_ok());
    let invalid: Vec<u8> = [&b"{\"schema\":\"s\",\"x\":\""[..], &vec![0xff; 1_000_000], b"\"}"].concat();
    assert!(Catalog::open([("c", invalid)].into_iter().collect::<Memory>(), None).is_ok());
}

#[test]
fn of_documents_with_one_name_the_last_counts() {
    let text = r#"{"schema":"olm.bundle","package":"p","name":"x","image":"first"}{"schema":"olm.bundle","package":"p","name":"x","image":"last"}"#;
    let catalog = Catalog::open(files(&[("c", text)]), None).unwrap();
    let bundles = catalog.package("p").unwrap().unwrap().bundles;
    assert_eq!(bundles.iter().map(|b| b.image.as_str()).collect::<Vec<_>>(), ["last"]);
}
