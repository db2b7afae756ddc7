//! Images from folders, layouts and archives, and what is kept of them.
#![allow(clippy::disallowed_methods, reason = "tests make the files that they open")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests fail the test")]

#[path = "support/oci.rs"]
mod oci;

use std::path::{Path, PathBuf};

use oci::{CATALOG_LABEL, Item, Packing};
use olmplan::image::{Content, EntryKind, Error, ErrorKind, Images, Kind, Limits, Mapping, Reach, Reference, Settings};
use serde_json::json;
use tempfile::TempDir;

const NAME: &str = "quay.io/test/image:v1";

/// A store, and something on disk that a reference is mapped to.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn settings(&self, target: &str) -> Settings {
        let mut settings = Settings::new(self.path("store"));
        settings.reach = Reach::Offline;
        settings.mappings = vec![Mapping { reference: NAME.to_owned(), path: self.path(target) }];
        settings
    }

    fn open(&self, target: &str, kind: Kind) -> Result<Content, Error> {
        Images::new(self.settings(target)).unwrap().open(&reference(NAME), kind)
    }
}

fn reference(text: &str) -> Reference {
    Reference::parse(text).unwrap()
}

fn file(text: &str) -> Item {
    Item::File(text.into())
}

/// Opens an image through a layout.
fn through_layout(image: &oci::Image, kind: Kind) -> Result<Content, Error> {
    let place = Place::new();
    oci::write_layout(&place.path("layout"), &[("v1", image)]);
    place.open("layout", kind)
}

fn catalog_of(layers: Vec<oci::Layer>) -> Result<Content, Error> {
    through_layout(&oci::image(&[(CATALOG_LABEL, "/configs")], layers), Kind::Catalog)
}

/// `path` of a file, `path/` of a directory, `path!` of what cannot be read.
fn names(content: &Content) -> Vec<String> {
    let mark = |kind: &EntryKind| match kind {
        EntryKind::File => "",
        EntryKind::Directory => "/",
        EntryKind::Unreadable(_) => "!",
    };
    content.list().iter().map(|entry| format!("{}{}", entry.path, mark(&entry.kind))).collect()
}

fn text(content: &Content, path: &str) -> String {
    String::from_utf8(content.read(path).unwrap()).unwrap()
}

#[test]
fn every_packing_gives_the_same_files() {
    for packing in [Packing::Plain, Packing::Gzip, Packing::Zstd] {
        let layers = vec![oci::layer(
            packing,
            &[("configs", Item::Directory), ("configs/a.yaml", file("a")), ("bin/opm", file("binary"))],
        )];
        let content = catalog_of(layers).unwrap();
        assert_eq!(names(&content), ["configs/", "configs/a.yaml"], "{packing:?}");
        assert_eq!(text(&content, "configs/a.yaml"), "a");
        assert_eq!(content.labels().get(CATALOG_LABEL).unwrap(), "/configs");
    }
}

#[test]
fn every_container_gives_the_same_image() {
    let image = oci::catalog("schema: olm.package");
    let place = Place::new();
    oci::write_layout(&place.path("layout"), &[("v1", &image)]);
    let archive = oci::oci_archive(&[("v1", &image)]);
    std::fs::write(place.path("oci.tar"), &archive).unwrap();
    std::fs::write(place.path("oci.tar.gz"), oci::gzip(&archive)).unwrap();
    let docker = oci::docker_archive(NAME, &image);
    std::fs::write(place.path("docker.tar"), &docker).unwrap();
    std::fs::write(place.path("docker.tar.gz"), oci::gzip(&docker)).unwrap();
    for target in ["layout", "oci.tar", "oci.tar.gz"] {
        let content = place.open(target, Kind::Catalog).unwrap();
        assert_eq!(content.digest().unwrap().as_str(), image.manifest.digest, "{target}");
        assert_eq!(content.index_digest(), content.digest());
        assert_eq!(content.identity(), format!("catalog:{}", image.manifest.digest));
        assert_eq!(text(&content, "configs/catalog.yaml"), "schema: olm.package");
    }
    let digests: Vec<_> = ["docker.tar", "docker.tar.gz"]
        .map(|target| {
            let content = place.open(target, Kind::Catalog).unwrap();
            assert_eq!(text(&content, "configs/catalog.yaml"), "schema: olm.package");
            content.digest().unwrap().clone()
        })
        .into();
    assert_eq!(digests[0], digests[1]);
}

#[test]
fn a_plain_folder_is_its_own_content() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("folder/sub")).unwrap();
    std::fs::write(place.path("folder/sub/a.yaml"), "a: 1\n").unwrap();
    let images = Images::new(place.settings("folder")).unwrap();
    let content = images.open(&reference(NAME), Kind::Catalog).unwrap();
    assert_eq!(names(&content), ["sub/", "sub/a.yaml"]);
    assert_eq!(content.read_range("sub/a.yaml", 3, 2).unwrap(), b"1\n");
    assert!(content.read_range("sub/a.yaml", 3, 3).is_err() && content.read_range("sub/a.yaml", 1, u64::MAX).is_err());
    assert_eq!((content.digest(), content.index_digest(), content.labels().len()), (None, None, 0));
    assert_eq!(images.lookup(&reference(NAME)).unwrap(), None);
    assert!(!place.path("store").exists(), "a folder is not copied");
    let identity = content.identity();
    std::fs::write(place.path("folder/sub/a.yaml"), "a: 10\n").unwrap();
    assert_ne!(images.open_path(&place.path("folder"), Kind::Catalog).unwrap().identity(), identity);
}

#[test]
fn layers_apply_in_order_with_whiteouts() {
    let content = catalog_of(vec![
        oci::layer(
            Packing::Gzip,
            &[
                ("configs/gone/a.yaml", file("1")),
                ("configs/hidden/old.yaml", file("1")),
                ("configs/changed.yaml", file("1")),
                ("configs/kept.yaml", file("1")),
                ("configs/was-folder/x", file("1")),
            ],
        ),
        oci::layer(
            Packing::Zstd,
            &[
                ("configs/.wh.gone", file("")),
                ("configs/hidden/new.yaml", file("2")),
                ("configs/hidden/.wh..wh..opq", file("")),
                ("configs/changed.yaml", file("22")),
                ("configs/was-folder", file("2")),
            ],
        ),
    ])
    .unwrap();
    assert_eq!(
        names(&content),
        [
            "configs/",
            "configs/changed.yaml",
            "configs/hidden/",
            "configs/hidden/new.yaml",
            "configs/kept.yaml",
            "configs/was-folder"
        ]
    );
    assert_eq!(text(&content, "configs/changed.yaml"), "22");
}

#[test]
fn of_a_catalog_only_the_folder_of_its_label_counts() {
    let entries = || {
        vec![oci::layer(
            Packing::Gzip,
            &[
                ("./configs/a.yaml", file("a")),
                ("/configs/b.yaml", file("b")),
                ("configs-old/c.yaml", file("c")),
                ("etc/d.yaml", file("d")),
                (".wh.configs", file("")),
                ("../configs/e.yaml", file("e")),
                ("/../configs/f.yaml", file("f")),
            ],
        )]
    };
    let with = |label: &str| {
        let content = through_layout(&oci::image(&[(CATALOG_LABEL, label)], entries()), Kind::Catalog).unwrap();
        names(&content)
    };
    for label in ["/configs", "configs", "/configs/", "./configs"] {
        assert_eq!(with(label), ["configs/", "configs/a.yaml", "configs/b.yaml", "configs/f.yaml"], "{label}");
    }
    assert_eq!(with("/nothing"), Vec::<String>::new(), "a cluster serves an empty catalog");
    let missing = through_layout(&oci::image(&[], entries()), Kind::Catalog).unwrap_err();
    assert!(
        missing.to_string().starts_with(&format!("{NAME}: catalog image is missing the required label {CATALOG_LABEL:?}")),
        "{missing}"
    );
}

#[test]
fn of_a_bundle_two_folders_count_whatever_its_labels_say() {
    let labels = [("operators.operatorframework.io.bundle.manifests.v1", "elsewhere/")];
    let image = oci::image(
        &labels,
        vec![oci::layer(
            Packing::Gzip,
            &[
                ("manifests/csv.yaml", file("csv")),
                ("manifests/sub/x.yaml", file("x")),
                ("metadata/annotations.yaml", file("annotations")),
                ("tests/scorecard/config.yaml", file("config")),
                ("elsewhere/csv.yaml", file("other")),
                ("manifests/linked.yaml", Item::Symlink("../elsewhere/csv.yaml")),
            ],
        )],
    );
    let content = through_layout(&image, Kind::Bundle).unwrap();
    assert_eq!(
        names(&content),
        [
            "manifests/",
            "manifests/csv.yaml",
            "manifests/linked.yaml!",
            "manifests/sub/",
            "manifests/sub/x.yaml",
            "metadata/",
            "metadata/annotations.yaml"
        ]
    );
    let error = content.read("manifests/linked.yaml").unwrap_err();
    assert!(error.to_string().contains("not supported"), "{error}");
    assert!(matches!(content.read("manifests/none.yaml").unwrap_err().kind, ErrorKind::NoFile(_)));
    assert!(matches!(content.read("manifests").unwrap_err().kind, ErrorKind::Unreadable { .. }));
}

#[test]
fn links_stay_inside() {
    let content = catalog_of(vec![oci::layer(
        Packing::Gzip,
        &[
            ("configs/real.yaml", file("real")),
            ("configs/hard.yaml", Item::Hardlink("configs/real.yaml")),
            ("configs/soft.yaml", Item::Symlink("real.yaml")),
            ("configs/passwd", Item::Symlink("/etc/passwd")),
            ("configs/up", Item::Symlink("../../../../etc/passwd")),
            ("configs/dir", Item::Symlink("../..")),
            ("configs/dir/etc/evil", file("evil")),
        ],
    )])
    .unwrap();
    assert_eq!(text(&content, "configs/hard.yaml"), "real");
    assert_eq!(text(&content, "configs/soft.yaml"), "real");
    for path in ["configs/passwd", "configs/up", "configs/dir"] {
        assert!(matches!(content.read(path).unwrap_err().kind, ErrorKind::Unreadable { .. }), "{path}");
    }
}

#[test]
fn long_names_are_whole() {
    let long = format!("configs/{}/{}.yaml", "a".repeat(120), "b".repeat(120));
    let content = catalog_of(vec![oci::layer(Packing::Gzip, &[(long.as_str(), file("long"))])]).unwrap();
    assert_eq!(text(&content, &long), "long");
}

#[test]
fn what_a_cluster_refuses_is_refused() {
    for (entries, why) in [
        (vec![("configs/pipe", Item::Fifo)], "device or a pipe"),
        (vec![("configs/l", Item::Hardlink("configs/none"))], "a hard link leads to configs/none"),
        (vec![("configs/f", file("f")), ("configs/f/x", file("x"))], "configs/f is not a directory"),
    ] {
        let error = catalog_of(vec![oci::layer(Packing::Gzip, &entries)]).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
    let artifact = json!({"config": {"Labels": {CATALOG_LABEL: "/configs"}}});
    let mut image = oci::image_with(artifact, vec![]);
    let manifest = String::from_utf8(image.manifest.bytes.clone()).unwrap().replace(oci::CONFIG, "application/vnd.example");
    image.manifest = oci::Blob::new(manifest.into_bytes());
    let error = through_layout(&image, Kind::Catalog).unwrap_err();
    assert!(error.to_string().contains("artifact"), "{error}");
}

#[test]
fn limits_hold() {
    let big = oci::layer(Packing::Gzip, &[("configs/zero", Item::File(vec![0; 3 << 20])), ("big", Item::File(vec![0; 3 << 20]))]);
    let place = Place::new();
    oci::write_layout(&place.path("layout"), &[("v1", &oci::image(&[(CATALOG_LABEL, "/configs")], vec![big]))]);
    let open = |limits: Limits| {
        let mut settings = place.settings("layout");
        settings.limits = limits;
        Images::new(settings).unwrap().open(&reference(NAME), Kind::Catalog)
    };
    let small = Limits::default;
    for limits in [
        Limits { unpacked: 5 << 20, ..small() },
        Limits { kept: 2 << 20, ..small() },
        Limits { entries: 1, ..small() },
        Limits { files: 1, ..small() },
        Limits { path: 5, ..small() },
        Limits { layer: 1000, ..small() },
        Limits { layers: 0, ..small() },
        Limits { manifest: 100, ..small() },
    ] {
        let error = open(limits.clone()).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::TooLarge { .. }), "{limits:?}: {error}");
    }
    assert!(
        !place.path("store/packs/catalog/sha256").exists()
            || std::fs::read_dir(place.path("store/packs/catalog/sha256")).unwrap().count() == 0
    );
    assert!(open(small()).is_ok());
}

/// Changes a blob of a layout on disk.
fn damage(layout: &Path, digest: &str, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
    let path = layout.join("blobs").join(digest.replace(':', "/"));
    std::fs::write(&path, change(std::fs::read(&path).unwrap())).unwrap();
}

#[test]
fn damaged_bytes_are_noticed_and_not_kept() {
    let image = oci::catalog(&"schema: olm.package\n".repeat(1000));
    type Change = fn(Vec<u8>) -> Vec<u8>;
    let flip: Change = |mut bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        bytes
    };
    let cut: Change = |bytes| bytes[..bytes.len() / 2].to_vec();
    let layer = &image.layers[0].blob.digest;
    for (digest, change, what) in [
        (&image.manifest.digest, flip, "the manifest has the digest"),
        (&image.config.digest, flip, "the image's configuration has the digest"),
        (layer, flip, "layer 1 of 1 has the digest"),
        (layer, cut, "layer 1 of 1 is cut short"),
    ] {
        let place = Place::new();
        oci::write_layout(&place.path("layout"), &[("v1", &image)]);
        damage(&place.path("layout"), digest, change);
        let error = place.open("layout", Kind::Catalog).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
        let found = walkdir::WalkDir::new(place.path("store")).into_iter().filter_map(Result::ok);
        assert_eq!(found.filter(|entry| entry.file_type().is_file()).count(), 0, "{what}");
    }
    let lying = json!({"config": {"Labels": {CATALOG_LABEL: "/configs"}}, "rootfs": {"diff_ids": [oci::sha256(b"other")]}});
    let error = through_layout(&oci::image_with(lying, image.layers.clone()), Kind::Catalog).unwrap_err();
    assert!(error.to_string().contains("layer 1 of 1, unpacked, has the digest"), "{error}");
}

#[test]
fn a_stored_image_is_opened_without_its_source() {
    let image = oci::catalog("schema: olm.package");
    let place = Place::new();
    oci::write_layout(&place.path("layout"), &[("v1", &image)]);
    place.open("layout", Kind::Catalog).unwrap();
    let layer = image.layers[0].blob.digest.replace(':', "/");
    std::fs::remove_file(place.path("layout/blobs").join(layer)).unwrap();
    let content = place.open("layout", Kind::Catalog).unwrap();
    assert_eq!(text(&content, "configs/catalog.yaml"), "schema: olm.package");
}

#[test]
fn a_damaged_pack_is_made_again() {
    let image = oci::catalog("schema: olm.package");
    let place = Place::new();
    oci::write_layout(&place.path("layout"), &[("v1", &image)]);
    place.open("layout", Kind::Catalog).unwrap();
    let pack = place.path("store/packs/catalog").join(image.manifest.digest.replace(':', "/"));
    let good = std::fs::read(&pack).unwrap();
    for bad in [b"".to_vec(), good[1..].to_vec(), good[..good.len() - 1].to_vec(), [b"x", &good[1..]].concat()] {
        std::fs::write(&pack, bad).unwrap();
        assert_eq!(text(&place.open("layout", Kind::Catalog).unwrap(), "configs/catalog.yaml"), "schema: olm.package");
        assert_eq!(std::fs::read(&pack).unwrap(), good);
    }
}

#[test]
fn the_platform_is_picked_out_of_an_index() {
    let (amd, arm) = (oci::catalog("amd64"), oci::catalog("arm64"));
    let index = oci::index(&[("linux/amd64", &amd), ("linux/arm64", &arm)]);
    let place = Place::new();
    oci::write_layout(&place.path("layout"), &[("v1", &index)]);
    let open = |platform: &str| {
        let mut settings = place.settings("layout");
        settings.platform = platform.parse().unwrap();
        Images::new(settings).unwrap().open(&reference(NAME), Kind::Catalog)
    };
    for (platform, image, expected) in [("linux/amd64", &amd, "amd64"), ("linux/arm64", &arm, "arm64")] {
        let content = open(platform).unwrap();
        assert_eq!(text(&content, "configs/catalog.yaml"), expected);
        assert_eq!(content.digest().unwrap().as_str(), image.manifest.digest);
        assert_eq!(content.index_digest().unwrap().as_str(), index.manifest.digest);
    }
    let error = open("linux/s390x").unwrap_err().to_string();
    assert!(error.contains("no image for linux/s390x among linux/amd64, linux/arm64"), "{error}");

    let nested = oci::index(&[("linux/amd64", &index)]);
    let error = through_layout(&nested, Kind::Catalog).unwrap_err().to_string();
    assert!(error.contains("names another index"), "{error}");
}

#[test]
fn an_image_of_several_is_found_by_name_or_digest() {
    let (one, two) = (oci::catalog("one"), oci::catalog("two"));
    let place = Place::new();
    oci::write_layout(&place.path("layout"), &[("v1", &one), ("v2", &two)]);
    let open = |text: &str| {
        let mut settings = place.settings("layout");
        settings.mappings[0].reference = text.to_owned();
        let content = Images::new(settings).unwrap().open(&reference(text), Kind::Catalog)?;
        Ok::<_, Error>(String::from_utf8(content.read("configs/catalog.yaml").unwrap()).unwrap())
    };
    assert_eq!(open("quay.io/test/image:v1").unwrap(), "one");
    assert_eq!(open("quay.io/test/image:v2").unwrap(), "two");
    assert_eq!(open(&format!("quay.io/test/image@{}", two.manifest.digest)).unwrap(), "two");
    let error = open("quay.io/test/image:v3").unwrap_err().to_string();
    assert!(error.contains("among v1, v2, not found in"), "{error}");
    assert!(matches!(open(&format!("quay.io/test/image@{}", oci::sha256(b""))).unwrap_err().kind, ErrorKind::NotFound { .. }));
}

#[test]
fn what_is_no_image_says_so() {
    let place = Place::new();
    assert!(matches!(place.open("missing", Kind::Catalog).unwrap_err().kind, ErrorKind::Io { .. }));
    std::fs::write(place.path("text"), "text").unwrap();
    assert!(place.open("text", Kind::Catalog).is_err());
    std::fs::write(place.path("other.tar"), oci::tar(&[("a", file("a"))])).unwrap();
    let error = place.open("other.tar", Kind::Catalog).unwrap_err().to_string();
    assert!(error.contains("neither an index.json (OCI) nor a manifest.json"), "{error}");
    let unmapped =
        Images::new(place.settings("text")).unwrap().open(&reference("quay.io/test/other:v1"), Kind::Catalog).unwrap_err();
    assert!(matches!(unmapped.kind, ErrorKind::Offline));
    assert!(unmapped.to_string().starts_with("quay.io/test/other:v1: not in the store, and offline"), "{unmapped}");
    let mut settings = place.settings("text");
    settings.mappings[0].reference = "NOT A REFERENCE".to_owned();
    assert!(matches!(Images::new(settings).map(|_| ()).unwrap_err().kind, ErrorKind::Reference(_)));
}
