//! `olmplan check TREE --base REV` end to end: real Git, a real registry on loopback, real catalogs and real bundles.
//!
//! Needs Debian's `docker-registry` and the conformance cases; without them it says so and passes, but not with `CI=true`.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout
)]

#[path = "support/oci.rs"]
mod oci;
#[path = "support/registry.rs"]
mod registry;
mod support;

use oci::{CATALOG_LABEL, Item, Packing};
use registry::{Registry, conformance, has};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use support::{git, has_program, olmplan, parts};

/// A real catalog, its bundle images renamed to the registry's.
fn real_catalog(file: &Path, host: &str) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let rename = |line: &str| match line.strip_prefix("image: ") {
        Some(image) => format!("image: {host}/bundles/{}\n", image.rsplit('/').next().unwrap()),
        None => format!("{line}\n"),
    };
    text.lines().map(rename).collect()
}

/// Where a catalog says that a bundle's image is, from the registry's root: repository and digest or tag.
fn image_of(catalog: &str, bundle: &str) -> String {
    let documents = olmplan::yaml::values(catalog).unwrap();
    let found =
        documents.iter().find(|d| d["schema"] == "olm.bundle" && d["name"] == bundle).expect("the catalog has the bundle");
    found["image"].as_str().unwrap().to_owned()
}

/// Pushes a bundle folder so that `reference` (which names it by digest, or by tag) can be had, by the tag that it is pushed under.
fn push_bundle(registry: &Registry, repository: &str, tag: &str, folder: &Path) {
    let layers = vec![oci::folder_layer(Packing::Gzip, folder, "")];
    oci::push(&registry.host, repository, tag, &oci::image(&[], layers));
}

fn manifests(host: &str, extensions: &[(&str, &str, &str)]) -> String {
    let mut text = format!(
        "apiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog\nmetadata:\n  name: real\nspec:\n  source:\n    type: Image\n    image:\n      ref: {host}/catalogs/real:v1\n"
    );
    for (name, package, version) in extensions {
        text.push_str(&format!(
            "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: {name}\nspec:\n  namespace: {name}\n  serviceAccount:\n    name: installer\n  source:\n    sourceType: Catalog\n    catalog:\n      packageName: {package}\n      version: \"{version}\"\n"
        ));
    }
    text
}

struct Bench {
    registry: Registry,
    home: tempfile::TempDir,
    tree: PathBuf,
    _folder: tempfile::TempDir,
}

/// A registry with a real catalog (kepler and two more) and the real bundles that the cases have of it, and a Git repository.
fn bench(bundles: &Path, catalogs: &Path) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::start(folder.path(), "", "");
    let host = registry.host.clone();
    let mut texts = Vec::new();
    for (package, bundle) in [
        ("kepler-operator", "kepler-operator-0.23.0"),
        ("openstack-lightspeed-operator", "openstack-lightspeed-operator-0.0.2"),
        ("patterns-operator", "patterns-operator-0.0.79"),
    ] {
        let mut text = real_catalog(&catalogs.join(package).join("catalog.yaml"), &host);
        let version = bundle.strip_prefix(&format!("{package}-")).unwrap();
        let image = image_of(&text, &format!("{package}.v{version}"));
        // The image is another than the published one, so its digest is too: name it by a tag.
        let tagged = format!("{host}/bundles/{package}:v{version}");
        text = text.replace(&image, &tagged);
        push_bundle(&registry, &format!("bundles/{package}"), &format!("v{version}"), &bundles.join(bundle).join("bundle"));
        texts.push((format!("configs/{package}/catalog.yaml"), text));
    }
    let mut entries: Vec<(&str, Item)> = vec![("configs", Item::Directory)];
    entries.extend(texts.iter().map(|(path, text)| (path.as_str(), Item::File(text.clone().into_bytes()))));
    let image = oci::image(&[(CATALOG_LABEL, "/configs")], vec![oci::layer(Packing::Gzip, &entries)]);
    oci::push(&host, "catalogs/real", "v1", &oci::index(&[("linux/amd64", &image)]));

    let home = tempfile::tempdir().unwrap();
    let tree = home.path().join("repository");
    std::fs::create_dir(&tree).unwrap();
    git(&tree, &["init", "--quiet"]);
    Bench { registry, home, tree, _folder: folder }
}

impl Bench {
    fn commit(&self, text: &str, tag: &str) {
        std::fs::write(self.tree.join("olm.yaml"), text).unwrap();
        git(&self.tree, &["add", "--all"]);
        git(&self.tree, &["commit", "--quiet", "--allow-empty", "-m", tag]);
        git(&self.tree, &["tag", tag]);
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        parts(&olmplan(self.home.path(), &self.tree).args(arguments).output().unwrap())
    }
}

fn parts_at_hand() -> Option<(PathBuf, PathBuf)> {
    let (bundles, registry) = (conformance("render")?, has("docker-registry"));
    let catalogs = bundles.parent()?.parent()?.join("bench/catalog");
    (registry && has_program("git") && catalogs.is_dir()).then_some((bundles, catalogs))
}

#[test]
fn a_change_is_resolved_rendered_and_compared() {
    let Some((bundles, catalogs)) = parts_at_hand() else { return };
    let bench = bench(&bundles, &catalogs);
    let host = &bench.registry.host;
    bench.commit(&manifests(host, &[("kepler", "kepler-operator", "0.23.0")]), "before");
    let after = manifests(
        host,
        &[
            ("kepler", "kepler-operator", "0.23.x"),
            ("lightspeed", "openstack-lightspeed-operator", "0.0.2"),
            ("missing", "kepler-operator", ">=99"),
            ("patterns", "patterns-operator", "0.0.79"),
            // The catalog has this one, and the registry does not have its image.
            ("unpushed", "kepler-operator", "0.22.0"),
        ],
    );
    std::fs::write(bench.tree.join("olm.yaml"), after).unwrap();
    let (code, stdout, stderr) = bench.run(&["check", ".", "--base", "before", "--format", "json"]);
    assert_eq!(code, 1, "{stdout}{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let status = |name: &str| {
        let extensions = report["extensions"].as_array().unwrap();
        extensions.iter().find(|e| e["extension"] == name).map(|e| e["status"].as_str().unwrap().to_owned()).unwrap_or_default()
    };
    assert_eq!(status("kepler"), "unchanged", "{stdout}");
    assert_eq!((status("lightspeed"), status("patterns")), ("blocked".to_owned(), "new".to_owned()));
    assert_eq!((status("missing"), status("unpushed")), ("blocked".to_owned(), "unknown".to_owned()));
    let messages: Vec<&str> = report["findings"].as_array().unwrap().iter().map(|f| f["message"].as_str().unwrap()).collect();
    assert!(messages.contains(&"no bundles found for package \"kepler-operator\" matching version \">=99\""), "{messages:?}");
    // The controller's own answer to this bundle.
    let case = bundles.join("openstack-lightspeed-operator-0.0.2/cert-manager/want.json");
    let refused: Value = serde_json::from_str(&std::fs::read_to_string(case).unwrap()).unwrap();
    assert!(messages.contains(&refused["error"].as_str().unwrap()), "{messages:?}");
    assert!(messages.iter().any(|m| m.contains("kepler-operator.v0.22.0") && m.contains("not found in")), "{messages:?}");

    // The same again, to the byte, and with no registry at all from the store alone.
    assert_eq!(bench.run(&["check", ".", "--base", "before", "--format", "json"]).1, stdout);
    let (_, offline, _) = bench.run(&["check", ".", "--base", "before", "--format", "json", "--offline"]);
    let offline: Value = serde_json::from_str(&offline).unwrap();
    let of =
        |report: &Value, name: &str| report["extensions"].as_array().unwrap().iter().find(|e| e["extension"] == name).cloned();
    assert_eq!(of(&offline, "patterns"), of(&report, "patterns"));
}

#[test]
fn what_is_rendered_from_a_registry_is_what_the_controller_applies() {
    let Some((bundles, catalogs)) = parts_at_hand() else { return };
    let bench = bench(&bundles, &catalogs);
    bench.commit(&manifests(&bench.registry.host, &[("kepler", "kepler-operator", "0.23.0")]), "before");
    let (code, stdout, stderr) = bench.run(&["render", ".", "--format", "json"]);
    assert_eq!(code, 0, "{stderr}");
    let rendered: Value = serde_json::from_str(&stdout).unwrap();
    let case = bundles.join("kepler-operator-0.23.0/cert-manager/want.json");
    let mut want: Value = serde_json::from_str(&std::fs::read_to_string(case).unwrap()).unwrap();
    // The case's extension is another: the names that depend on it are put in place.
    let text = want["objects"].to_string().replace("op-ns", "kepler").replace("my-extension", "kepler");
    want = serde_json::from_str(&text).unwrap();
    let key = |object: &Value| {
        json!([object["apiVersion"], object["kind"], object["metadata"]["namespace"], object["metadata"]["name"]]).to_string()
    };
    let keys = |objects: &Value| {
        let mut keys: Vec<String> = objects.as_array().unwrap().iter().map(key).collect();
        keys.sort();
        keys
    };
    assert_eq!(keys(&rendered[0]["objects"]), keys(&want));

    let (code, stdout, stderr) = bench.run(&["render", ".", "--out", "out"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.ends_with("files written to out\n"), "{stdout}");
    assert!(bench.tree.join("out/kepler").is_dir());
}

#[test]
fn a_lock_pins_the_catalog_by_its_digest() {
    let Some((bundles, catalogs)) = parts_at_hand() else { return };
    let bench = bench(&bundles, &catalogs);
    let host = bench.registry.host.clone();
    bench.commit(&manifests(&host, &[("kepler", "kepler-operator", "<=0.23.0")]), "before");
    let (code, _, stderr) = bench.run(&["lock", "."]);
    assert_eq!(code, 0, "{stderr}");
    let lock = std::fs::read_to_string(bench.tree.join("olmplan.lock")).unwrap();
    assert!(lock.contains("digest = \"sha256:") && lock.contains("manifest = \"sha256:"), "{lock}");
    // The tag moves on to a catalog without the package; the pin does not.
    oci::push(&host, "catalogs/real", "v1", &oci::catalog("schema: olm.package\nname: other\n"));
    let (code, stdout, stderr) = bench.run(&["check", ".", "--locked"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let (code, stdout, _) = bench.run(&["check", "."]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("blocked"), "{stdout}");
}

#[test]
fn what_a_registry_can_do_wrong_is_said_and_the_rest_goes_on() {
    let Some((bundles, catalogs)) = parts_at_hand() else { return };
    let bench = bench(&bundles, &catalogs);
    let host = bench.registry.host.clone();
    oci::push(&host, "catalogs/unlabelled", "v1", &oci::image(&[], vec![oci::layer(Packing::Gzip, &[])]));
    let catalog = |name: &str, reference: &str| {
        format!(
            "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog\nmetadata:\n  name: {name}\nspec:\n  source:\n    type: Image\n    image:\n      ref: {reference}\n"
        )
    };
    let extension = |name: &str, catalog: &str| {
        format!(
            "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: {name}\nspec:\n  namespace: {name}\n  serviceAccount:\n    name: installer\n  source:\n    sourceType: Catalog\n    catalog:\n      packageName: kepler-operator\n      version: 0.23.0\n      selector:\n        matchLabels:\n          olm.operatorframework.io/metadata.name: {catalog}\n"
        )
    };
    // Blobs that are not what their digests say: the registry keeps them as files, and serves what is there.
    let damage = |repository: &str, change: fn(&mut Vec<u8>)| {
        let text = format!("schema: olm.package\nname: {}\n", repository.rsplit('/').next().unwrap());
        let image = oci::catalog(&text);
        oci::push(&host, repository, "v1", &image);
        let digest = image.layers[0].blob.digest.strip_prefix("sha256:").unwrap().to_owned();
        let file = bench
            .registry
            .folder
            .join(format!("storage/docker/registry/v2/blobs/sha256/{}/{digest}/data", digest.get(..2).unwrap()));
        let mut bytes = std::fs::read(&file).unwrap();
        change(&mut bytes);
        std::fs::write(&file, bytes).unwrap();
        format!("{host}/{repository}:v1")
    };
    let changed = damage("catalogs/changed", |bytes| bytes.iter_mut().for_each(|b| *b ^= 1));
    let cut_short = damage("catalogs/short", |bytes| bytes.truncate(bytes.len() / 2));
    let wrong = oci::sha256(b"something else");
    let faults = [
        ("absent", format!("{host}/catalogs/none:v1"), "not found in", 1),
        ("mislabelled", format!("{host}/catalogs/unlabelled:v1"), "missing the required label", 1),
        ("misdigested", format!("{host}/catalogs/real@{wrong}"), "not found in", 1),
        ("changed", changed, "has the digest", 1),
        ("short", cut_short, "cut short", 3),
        ("unreachable", "127.0.0.1:1/catalogs/real:v1".to_owned(), "cannot be reached", 3),
    ];
    for (name, reference, words, exit) in faults {
        let mut text = catalog("real", &format!("{host}/catalogs/real:v1")) + &catalog(name, &reference);
        text += &(extension("good", "real") + &extension("bad", name));
        std::fs::write(bench.tree.join("olm.yaml"), text).unwrap();
        let (code, stdout, stderr) = bench.run(&["check", ".", "--format", "json"]);
        assert_eq!(code, exit, "{name}: {stdout}{stderr}");
        let report: Value = serde_json::from_str(&stdout).unwrap();
        let findings = report["findings"].as_array().unwrap();
        let fault = findings.iter().find(|f| f["rule"] == "unreadable-image" && f["message"].as_str().unwrap().contains(words));
        let fault = fault.unwrap_or_else(|| panic!("{name}: {findings:#?}"));
        assert!(
            fault["message"].as_str().unwrap().contains(name) && fault["path"] == "olm.yaml" && fault["line"].is_u64(),
            "{fault}"
        );
        let extensions = report["extensions"].as_array().unwrap();
        let of = |n: &str| extensions.iter().find(|e| e["extension"] == n).unwrap()["status"].clone();
        assert_eq!((of("good"), of("bad")), (json!("new"), json!("unknown")), "{name}");
    }
}
