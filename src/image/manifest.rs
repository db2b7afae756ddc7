//! Manifests, indexes and configurations, as far as they are needed to find the files.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use super::digest::Digest;
use super::error::{ErrorKind, plain};
use super::platform::Platform;

/// The label of a catalog image that names the folder of its content.
pub const CATALOG_LABEL: &str = "operators.operatorframework.io.index.configs.v1";

pub(super) const OCI_INDEX: &str = "application/vnd.oci.image.index.v1+json";
pub(super) const OCI_MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
pub(super) const OCI_CONFIG: &str = "application/vnd.oci.image.config.v1+json";
pub(super) const DOCKER_LIST: &str = "application/vnd.docker.distribution.manifest.list.v2+json";
pub(super) const DOCKER_MANIFEST: &str = "application/vnd.docker.distribution.manifest.v2+json";
pub(super) const DOCKER_CONFIG: &str = "application/vnd.docker.container.image.v1+json";

/// What a registry is asked for.
pub(super) const ACCEPTED: [&str; 4] = [OCI_INDEX, OCI_MANIFEST, DOCKER_LIST, DOCKER_MANIFEST];

/// Names some bytes: their digest, their number, what they are.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Descriptor {
    #[serde(default, rename = "mediaType", deserialize_with = "null_is_default")]
    pub(super) media_type: String,
    pub(super) digest: Digest,
    pub(super) size: u64,
    #[serde(default)]
    platform: Option<PlatformEntry>,
    #[serde(default, deserialize_with = "null_is_default")]
    pub(super) annotations: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
struct PlatformEntry {
    #[serde(default, deserialize_with = "null_is_default")]
    os: String,
    #[serde(default, deserialize_with = "null_is_default")]
    architecture: String,
    #[serde(default, deserialize_with = "null_is_default")]
    variant: String,
}

/// The manifest of one image.
#[derive(Debug, Clone)]
pub(super) struct Manifest {
    pub(super) config: Descriptor,
    pub(super) layers: Vec<Descriptor>,
}

/// What a digest or a tag can name.
#[derive(Debug)]
pub(super) enum Document {
    Image(Manifest),
    Index(Index),
}

/// An image for many platforms.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) manifests: Vec<Descriptor>,
    docker: bool,
}

/// What is read of an image's configuration.
#[derive(Debug, Default)]
pub(super) struct Config {
    pub(super) labels: BTreeMap<String, String>,
    /// The digests of the unpacked layers; empty where the configuration names none.
    pub(super) diff_ids: Vec<Digest>,
}

impl Document {
    /// Reads a manifest or an index; which of the two is told by its media type or else by its fields.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ErrorKind> {
        #[derive(Deserialize)]
        struct Any {
            #[serde(default, rename = "schemaVersion")]
            schema_version: u64,
            #[serde(default, rename = "mediaType", deserialize_with = "null_is_default")]
            media_type: String,
            config: Option<Descriptor>,
            layers: Option<Vec<Descriptor>>,
            manifests: Option<Vec<Descriptor>>,
        }
        let any: Any = object("the manifest", bytes)?;
        if any.schema_version != 2 {
            return Err(ErrorKind::Unsupported(format!(
                "the manifest has schema version {}, which is not supported: push the image again with a current tool",
                any.schema_version
            )));
        }
        let is_index = match any.media_type.as_str() {
            OCI_INDEX | DOCKER_LIST => true,
            OCI_MANIFEST | DOCKER_MANIFEST => false,
            "" => any.manifests.is_some() && any.config.is_none(),
            other => {
                return Err(ErrorKind::Unsupported(format!(
                    "the manifest has media type {:?}, which is no image's",
                    plain(other)
                )));
            }
        };
        if is_index {
            let manifests = any.manifests.ok_or_else(|| ErrorKind::malformed("the index", "it has no manifests"))?;
            return Ok(Self::Index(Index { manifests, docker: any.media_type == DOCKER_LIST }));
        }
        let config = any.config.ok_or_else(|| ErrorKind::malformed("the manifest", "it names no configuration"))?;
        Ok(Self::Image(Manifest { config, layers: any.layers.unwrap_or_default() }))
    }
}

impl Index {
    /// The image for a platform.
    ///
    /// Follows containers/image v5, `internal/manifest/oci_index.go` and `docker_schema2_list.go` (`ChooseInstance`): the best
    /// variant, then (OCI) what is compressed with zstd, then the first; an entry of an OCI index without a platform is the last resort.
    pub(super) fn choose(&self, platform: &Platform) -> Result<&Descriptor, ErrorKind> {
        let variants = platform.variants();
        let rank = |descriptor: &Descriptor| match &descriptor.platform {
            None if self.docker => None,
            None => Some(usize::MAX),
            Some(entry) if entry.os == platform.os && entry.architecture == platform.architecture => {
                variants.iter().position(|variant| *variant == entry.variant)
            }
            Some(_) => None,
        };
        let zstd = |descriptor: &Descriptor| {
            !self.docker
                && descriptor.annotations.get("io.github.containers.compression.zstd").map(String::as_str) == Some("true")
        };
        self.manifests
            .iter()
            .enumerate()
            .filter_map(|(position, descriptor)| Some(((rank(descriptor)?, !zstd(descriptor), position), descriptor)))
            .min_by_key(|(key, _)| *key)
            .map(|(_, descriptor)| descriptor)
            .ok_or_else(|| ErrorKind::NoPlatform { platform: platform.clone(), offered: self.offered() })
    }

    fn offered(&self) -> String {
        let mut offered: Vec<String> = self
            .manifests
            .iter()
            .filter_map(|descriptor| descriptor.platform.clone())
            .filter(|entry| entry.os != "unknown")
            .map(|PlatformEntry { os, architecture, variant }| Platform { os, architecture, variant }.to_string())
            .map(|text| plain(&text))
            .collect();
        offered.sort();
        offered.dedup();
        if offered.is_empty() { "none".to_owned() } else { offered.join(", ") }
    }
}

impl Config {
    /// Reads the configuration that a manifest names.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ErrorKind> {
        #[derive(Default, Deserialize)]
        struct Inner {
            #[serde(default, rename = "Labels", deserialize_with = "null_is_default")]
            labels: BTreeMap<String, String>,
        }
        #[derive(Default, Deserialize)]
        struct RootFs {
            #[serde(default, deserialize_with = "null_is_default")]
            diff_ids: Vec<Digest>,
        }
        #[derive(Deserialize)]
        struct Outer {
            #[serde(default, deserialize_with = "null_is_default")]
            config: Inner,
            #[serde(default, deserialize_with = "null_is_default")]
            rootfs: RootFs,
        }
        let outer: Outer = object("the image's configuration", bytes)?;
        Ok(Self { labels: outer.config.labels, diff_ids: outer.rootfs.diff_ids })
    }
}

/// Reads a JSON object; an array, which serde would take for one, is refused.
pub(super) fn object<'de, T: Deserialize<'de>>(what: &str, bytes: &'de [u8]) -> Result<T, ErrorKind> {
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(ErrorKind::malformed(what, "it is no JSON object"));
    }
    serde_json::from_slice(bytes).map_err(|error| ErrorKind::malformed(what, error))
}

/// Go reads `null` as the empty value.
fn null_is_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn digest(n: u8) -> String {
        format!("sha256:{}", format!("{n:02x}").repeat(32))
    }

    fn index(media_type: &str, entries: &[serde_json::Value]) -> Index {
        let text = json!({"schemaVersion": 2, "mediaType": media_type, "manifests": entries}).to_string();
        match Document::read(text.as_bytes()).unwrap() {
            Document::Index(index) => index,
            Document::Image(_) => panic!("an index was wanted"),
        }
    }

    fn entry(n: u8, platform: Option<&str>) -> serde_json::Value {
        let mut value = json!({"mediaType": OCI_MANIFEST, "digest": digest(n), "size": 3});
        if let Some(platform) = platform {
            let platform: Platform = platform.parse().unwrap();
            value["platform"] = json!({"os": platform.os, "architecture": platform.architecture, "variant": platform.variant});
        }
        value
    }

    #[test]
    fn chooses_as_containers_image_does() {
        let chosen = |index: &Index, platform: &str| index.choose(&platform.parse().unwrap()).map(|d| d.digest.to_string()).ok();
        let oci = index(
            OCI_INDEX,
            &[entry(0, None), entry(1, Some("linux/arm64/v8")), entry(2, Some("linux/amd64")), entry(3, Some("linux/amd64"))],
        );
        assert_eq!(chosen(&oci, "linux/amd64"), Some(digest(2)));
        assert_eq!(chosen(&oci, "linux/arm64"), Some(digest(1)));
        assert_eq!(chosen(&oci, "linux/s390x"), Some(digest(0)), "an entry without a platform is the last resort");
        let list = index(DOCKER_LIST, &[entry(0, None), entry(1, Some("linux/arm64/v8"))]);
        assert_eq!(chosen(&list, "linux/s390x"), None);
        let error = list.choose(&"linux/s390x".parse().unwrap()).unwrap_err().to_string();
        assert_eq!(error, "no image for linux/s390x among linux/arm64/v8: choose one of these with --platform");
        let mut zstd = entry(5, Some("linux/amd64"));
        zstd["annotations"] = json!({"io.github.containers.compression.zstd": "true"});
        assert_eq!(chosen(&index(OCI_INDEX, &[entry(4, Some("linux/amd64")), zstd]), "linux/amd64"), Some(digest(5)));
    }

    #[test]
    fn refuses_what_is_no_image() {
        let error = |text: serde_json::Value| Document::read(text.to_string().as_bytes()).unwrap_err().to_string();
        assert!(error(json!({"schemaVersion": 1})).contains("schema version 1"));
        assert!(error(json!({"schemaVersion": 2, "mediaType": "text/html"})).contains("no image's"));
        assert!(error(json!({"schemaVersion": 2})).contains("names no configuration"));
        assert!(error(json!({"schemaVersion": 2, "config": {"digest": "sha256:xx", "size": 1}})).contains("malformed"));
        assert!(error(json!({"schemaVersion": 2, "config": {"digest": digest(1), "size": -1}})).contains("malformed"));
        assert!(Document::read(b"<html>").is_err());
    }

    #[test]
    fn reads_labels_and_passes_over_nulls() {
        let config = Config::read(br#"{"config":{"Labels":{"a":"b"}},"rootfs":null}"#).unwrap();
        assert_eq!((config.labels.get("a").map(String::as_str), config.diff_ids.len()), (Some("b"), 0));
        assert!(Config::read(br#"{"config":null}"#).unwrap().labels.is_empty());
        assert!(Config::read(b"[]").is_err());
    }
}
