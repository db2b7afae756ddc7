//! Makes images out of folders and lists of files: as OCI layouts, as archives, and in a registry.
//!
//! Included by the tests and benchmarks that need it with `#[path]`; each uses a part.
#![allow(dead_code, missing_docs, reason = "each test uses a part")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot make its image has to fail")]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub const CATALOG_LABEL: &str = "operators.operatorframework.io.index.configs.v1";
pub const INDEX: &str = "application/vnd.oci.image.index.v1+json";
pub const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
pub const CONFIG: &str = "application/vnd.oci.image.config.v1+json";

/// An entry of a layer.
pub enum Item {
    File(Vec<u8>),
    Directory,
    Symlink(&'static str),
    Hardlink(&'static str),
    Fifo,
}

/// How a layer is packed.
#[derive(Clone, Copy, Debug)]
pub enum Packing {
    Plain,
    Gzip,
    Zstd,
}

/// Bytes and their digest.
#[derive(Clone)]
pub struct Blob {
    pub digest: String,
    pub bytes: Vec<u8>,
}

impl Blob {
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { digest: sha256(&bytes), bytes }
    }

    fn descriptor(&self, media_type: &str) -> Value {
        json!({"mediaType": media_type, "digest": self.digest, "size": self.bytes.len()})
    }
}

/// A layer, packed and not.
#[derive(Clone)]
pub struct Layer {
    pub blob: Blob,
    pub tar: Blob,
}

/// An image: its manifest or index, and all that it names.
#[derive(Clone)]
pub struct Image {
    pub manifest: Blob,
    pub media_type: &'static str,
    pub blobs: Vec<Blob>,
    /// The manifests that an index names.
    pub children: Vec<Image>,
    pub layers: Vec<Layer>,
    pub config: Blob,
}

pub fn sha256(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

/// A tar archive of some entries, in their order.
pub fn tar(entries: &[(&str, Item)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, item) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o644);
        let (kind, data): (_, &[u8]) = match item {
            Item::File(bytes) => (tar::EntryType::Regular, bytes),
            Item::Directory => (tar::EntryType::Directory, &[]),
            Item::Symlink(_) => (tar::EntryType::Symlink, &[]),
            Item::Hardlink(_) => (tar::EntryType::Link, &[]),
            Item::Fifo => (tar::EntryType::Fifo, &[]),
        };
        header.set_entry_type(kind);
        header.set_size(data.len() as u64);
        if let Item::Symlink(target) | Item::Hardlink(target) = item {
            header.set_link_name_literal(target).unwrap();
        }
        // Written by hand: the builder refuses the paths that hostile images have.
        if path.len() < 100 {
            let name = &mut header.as_gnu_mut().unwrap().name;
            name.fill(0);
            name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_cksum();
            builder.append(&header, data).unwrap();
        } else {
            builder.append_data(&mut header, path, data).unwrap();
        }
    }
    builder.into_inner().unwrap()
}

/// A layer of some entries.
pub fn layer(packing: Packing, entries: &[(&str, Item)]) -> Layer {
    packed(packing, tar(entries))
}

pub fn packed(packing: Packing, tar: Vec<u8>) -> Layer {
    let bytes = match packing {
        Packing::Plain => tar.clone(),
        Packing::Gzip => gzip(&tar),
        Packing::Zstd => ruzstd::encoding::compress_to_vec(tar.as_slice(), ruzstd::encoding::CompressionLevel::Fastest),
    };
    Layer { blob: Blob::new(bytes), tar: Blob::new(tar) }
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A layer of all files of a folder, below `at`.
pub fn folder_layer(packing: Packing, folder: &Path, at: &str) -> Layer {
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.unwrap();
        let inside = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
        let path = format!("{at}/{inside}").trim_matches('/').to_owned();
        if entry.file_type().is_file() {
            files.push((path, Item::File(std::fs::read(entry.path()).unwrap())));
        } else if !path.is_empty() {
            files.push((path, Item::Directory));
        }
    }
    let entries: Vec<(&str, Item)> =
        files.iter_mut().map(|(path, item)| (path.as_str(), std::mem::replace(item, Item::Directory))).collect();
    layer(packing, &entries)
}

/// An image of some layers.
pub fn image(labels: &[(&str, &str)], layers: Vec<Layer>) -> Image {
    let diff_ids: Vec<&str> = layers.iter().map(|layer| layer.tar.digest.as_str()).collect();
    let labels: BTreeMap<&str, &str> = labels.iter().copied().collect();
    let config = json!({"architecture": "amd64", "os": "linux", "config": {"Labels": labels}, "rootfs": {"type": "layers", "diff_ids": diff_ids}});
    image_with(config, layers)
}

/// An image of some layers, with a configuration of one's own.
pub fn image_with(config: Value, layers: Vec<Layer>) -> Image {
    let config = Blob::new(config.to_string().into_bytes());
    let described: Vec<Value> =
        layers.iter().map(|layer| layer.blob.descriptor("application/vnd.oci.image.layer.v1.tar+gzip")).collect();
    let manifest = json!({"schemaVersion": 2, "mediaType": MANIFEST, "config": config.descriptor(CONFIG), "layers": described});
    let mut blobs = vec![config.clone()];
    blobs.extend(layers.iter().map(|layer| layer.blob.clone()));
    Image {
        manifest: Blob::new(manifest.to_string().into_bytes()),
        media_type: MANIFEST,
        blobs,
        children: Vec::new(),
        layers,
        config,
    }
}

/// A catalog image of one file.
pub fn catalog(text: &str) -> Image {
    image(&[(CATALOG_LABEL, "/configs")], vec![layer(Packing::Gzip, &[("configs/catalog.yaml", Item::File(text.into()))])])
}

/// An index over images, each with its platform as `os/architecture`.
pub fn index(images: &[(&str, &Image)]) -> Image {
    let manifests: Vec<Value> = images
        .iter()
        .map(|(platform, image)| {
            let (os, architecture) = platform.split_once('/').unwrap();
            let mut descriptor = image.manifest.descriptor(image.media_type);
            descriptor["platform"] = json!({"os": os, "architecture": architecture});
            descriptor
        })
        .collect();
    let manifest = json!({"schemaVersion": 2, "mediaType": INDEX, "manifests": manifests});
    Image {
        manifest: Blob::new(manifest.to_string().into_bytes()),
        media_type: INDEX,
        blobs: images.iter().flat_map(|(_, image)| image.blobs.clone()).collect(),
        children: images.iter().map(|(_, image)| (*image).clone()).collect(),
        layers: Vec::new(),
        config: Blob::new(Vec::new()),
    }
}

impl Image {
    fn manifests(&self) -> Vec<&Image> {
        let mut all: Vec<&Image> = self.children.iter().flat_map(Image::manifests).collect();
        all.push(self);
        all
    }

    fn all_blobs(&self) -> Vec<Blob> {
        self.blobs.iter().cloned().chain(self.manifests().into_iter().map(|image| image.manifest.clone())).collect()
    }
}

/// The files of an OCI layout.
fn layout_files(images: &[(&str, &Image)]) -> Vec<(String, Vec<u8>)> {
    let manifests: Vec<Value> = images
        .iter()
        .map(|(name, image)| {
            let mut descriptor = image.manifest.descriptor(image.media_type);
            descriptor["annotations"] = json!({"org.opencontainers.image.ref.name": name});
            descriptor
        })
        .collect();
    let mut files = vec![
        ("oci-layout".to_owned(), br#"{"imageLayoutVersion":"1.0.0"}"#.to_vec()),
        ("index.json".to_owned(), json!({"schemaVersion": 2, "manifests": manifests}).to_string().into_bytes()),
    ];
    for blob in images.iter().flat_map(|(_, image)| image.all_blobs()) {
        files.push((format!("blobs/{}", blob.digest.replace(':', "/")), blob.bytes));
    }
    files
}

/// Writes an OCI layout of images under names.
pub fn write_layout(folder: &Path, images: &[(&str, &Image)]) {
    for (path, bytes) in layout_files(images) {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// An OCI archive of images under names.
pub fn oci_archive(images: &[(&str, &Image)]) -> Vec<u8> {
    let files = layout_files(images);
    let entries: Vec<(&str, Item)> = files.iter().map(|(path, bytes)| (path.as_str(), Item::File(bytes.clone()))).collect();
    tar(&entries)
}

/// What `docker save` writes for an image, its layers unpacked.
pub fn docker_archive(name: &str, image: &Image) -> Vec<u8> {
    let config = format!("{}.json", image.config.digest.replace("sha256:", ""));
    let names: Vec<String> =
        image.layers.iter().map(|layer| format!("{}/layer.tar", layer.tar.digest.replace("sha256:", ""))).collect();
    let manifest = json!([{"Config": config, "RepoTags": [name], "Layers": names}]).to_string();
    let mut entries =
        vec![(config.as_str(), Item::File(image.config.bytes.clone())), ("manifest.json", Item::File(manifest.into_bytes()))];
    for (name, layer) in names.iter().zip(&image.layers) {
        entries.push((name, Item::File(layer.tar.bytes.clone())));
    }
    tar(&entries)
}

/// Puts an image into a registry without TLS and credentials, under a tag.
pub fn push(registry: &str, repository: &str, tag: &str, image: &Image) {
    for blob in image.blobs.iter().chain(image.children.iter().flat_map(|child| &child.blobs)) {
        let (status, headers, _) = http(registry, "POST", &format!("/v2/{repository}/blobs/uploads/"), "", &[]);
        assert_eq!(status, 202, "starting an upload");
        let location = header(&headers, "location").unwrap();
        let location = location.strip_prefix(&format!("http://{registry}")).unwrap_or(&location).to_owned();
        let joint = if location.contains('?') { '&' } else { '?' };
        let target = format!("{location}{joint}digest={}", blob.digest);
        let (status, _, body) = http(registry, "PUT", &target, "application/octet-stream", &blob.bytes);
        assert_eq!(status, 201, "uploading: {}", String::from_utf8_lossy(&body));
    }
    for part in image.manifests() {
        let name = if part.manifest.digest == image.manifest.digest { tag } else { &part.manifest.digest };
        let (status, _, body) =
            http(registry, "PUT", &format!("/v2/{repository}/manifests/{name}"), part.media_type, &part.manifest.bytes);
        assert_eq!(status, 201, "putting a manifest: {}", String::from_utf8_lossy(&body));
    }
}

fn header(headers: &str, name: &str) -> Option<String> {
    headers.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    })
}

/// One HTTP request; gives status, headers and body.
pub fn http(host: &str, method: &str, target: &str, content_type: &str, body: &[u8]) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect(host).unwrap();
    write!(
        stream,
        "{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .unwrap();
    stream.write_all(body).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let headers = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
    (status, headers, answer[end + 4..].to_vec())
}
