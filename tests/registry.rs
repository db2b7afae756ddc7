//! Images from registries: a real one on loopback, and small ones of our own for faults that a real one does not show.
//!
//! Needs Debian's `docker-registry` for the former; without it they say so and pass, but not with `CI=true`.
#![allow(clippy::disallowed_methods, reason = "tests start programs, make files and look at the environment")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests fail the test, and say what they skip"
)]

#[path = "support/oci.rs"]
mod oci;
#[path = "support/registry.rs"]
mod registry;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use oci::{CATALOG_LABEL, Packing};
use olmplan::image::{Error, ErrorKind, Images, Kind, Mirror, MirrorScope, Reach, Reference, Settings, SourcePolicy};
use registry::{Registry, conformance, has};
use tempfile::TempDir;

fn open(settings: Settings, reference: &Reference, kind: Kind) -> Result<olmplan::image::Content, Error> {
    Images::new(settings).unwrap().open(reference, kind)
}

fn text(settings: Settings, reference: &Reference) -> String {
    let content = open(settings, reference, Kind::Catalog).unwrap();
    String::from_utf8(content.read("configs/catalog.yaml").unwrap()).unwrap()
}

fn offline(mut settings: Settings) -> Settings {
    settings.reach = Reach::Offline;
    settings
}

#[test]
fn by_tag_and_by_digest_and_again_offline() {
    if !has("docker-registry") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::start(folder.path(), "", "");
    let image = oci::catalog("schema: olm.package");
    oci::push(&registry.host, "test/catalog", "v1", &image);
    let tag = registry.reference("test/catalog:v1");
    let digest = registry.reference(&format!("test/catalog@{}", image.manifest.digest));

    let before = open(offline(registry.settings()), &tag, Kind::Catalog).unwrap_err();
    assert!(matches!(before.kind, ErrorKind::Offline), "{before}");
    let resolved = Images::new(registry.settings()).unwrap().lookup(&tag).unwrap().unwrap();
    assert_eq!((resolved.index.as_str(), &resolved.index), (image.manifest.digest.as_str(), &resolved.manifest));
    assert_eq!(text(registry.settings(), &tag), "schema: olm.package");
    assert_eq!(text(registry.settings(), &digest), "schema: olm.package");

    let settings = registry.settings();
    drop(registry);
    assert_eq!(text(offline(settings.clone()), &tag), "schema: olm.package");
    assert_eq!(text(offline(settings.clone()), &digest), "schema: olm.package");
    assert_eq!(text(settings.clone(), &digest), "schema: olm.package", "a digest needs no registry");
    let gone = open(settings, &tag, Kind::Catalog).unwrap_err();
    assert!(matches!(gone.kind, ErrorKind::Unreachable { .. }), "{gone}");
}

#[test]
fn what_is_missing_is_not_found() {
    if !has("docker-registry") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::start(folder.path(), "", "");
    let image = oci::catalog("");
    oci::push(&registry.host, "test/catalog", "v1", &image);
    let missing = oci::sha256(b"missing");
    for (rest, what) in [
        ("test/catalog:v2".to_owned(), "the tag v2 not found".to_owned()),
        ("test/none:v1".to_owned(), "the tag v1 not found".to_owned()),
        (format!("test/catalog@{missing}"), format!("the manifest {missing} not found")),
    ] {
        let error = open(registry.settings(), &registry.reference(&rest), Kind::Catalog).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::NotFound { .. }), "{error}");
        assert!(error.to_string().starts_with(&format!("{}/{rest}: {what} in {}", registry.host, registry.host)), "{error}");
    }
}

#[test]
fn the_platform_is_picked_out_of_an_index() {
    if !has("docker-registry") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::start(folder.path(), "", "");
    let (amd, arm) = (oci::catalog("amd64"), oci::catalog("arm64"));
    let index = oci::index(&[("linux/amd64", &amd), ("linux/arm64", &arm)]);
    oci::push(&registry.host, "test/many", "v1", &index);
    let reference = registry.reference("test/many:v1");
    for (platform, image) in [("linux/amd64", &amd), ("linux/arm64", &arm)] {
        let mut settings = registry.settings();
        settings.platform = platform.parse().unwrap();
        let content = open(settings, &reference, Kind::Catalog).unwrap();
        assert_eq!(content.read("configs/catalog.yaml").unwrap(), platform.split_once('/').unwrap().1.as_bytes());
        assert_eq!(content.digest().unwrap().as_str(), image.manifest.digest);
        assert_eq!(content.index_digest().unwrap().as_str(), index.manifest.digest);
    }
}

#[test]
fn real_catalogs_and_bundles_come_back_as_they_are() {
    let (Some(bundles), Some(catalogs), true) =
        (conformance("render"), conformance("resolve/real/catalogs"), has("docker-registry"))
    else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::start(folder.path(), "", "");
    let mut wanted = Vec::new();
    let mut folders = Vec::new();
    let entries = |folder: &Path| {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        entries
    };
    let sources = entries(&bundles)
        .into_iter()
        .map(|path| (path.join("bundle"), Kind::Bundle))
        .chain(entries(&catalogs).into_iter().map(|path| (path, Kind::Catalog)));
    for (position, (source, kind)) in sources.filter(|(source, _)| source.is_dir()).enumerate() {
        let packing = [Packing::Gzip, Packing::Zstd, Packing::Plain][position % 3];
        let (image, at) = match kind {
            Kind::Bundle => (oci::image(&[], vec![oci::folder_layer(packing, &source, "")]), ""),
            Kind::Catalog => {
                (oci::image(&[(CATALOG_LABEL, "/configs")], vec![oci::folder_layer(packing, &source, "configs")]), "configs/")
            }
        };
        oci::push(&registry.host, &format!("real/n{position}"), "v1", &image);
        wanted.push((registry.reference(&format!("real/n{position}:v1")), kind));
        folders.push((source, at));
    }
    assert!(wanted.len() > 40);
    let images = Images::new(registry.settings()).unwrap();
    let fetched = images.prefetch(&wanted);
    for (((reference, kind), fetched), (source, at)) in wanted.iter().zip(fetched).zip(folders) {
        let content = images.open(reference, *kind).unwrap();
        assert_eq!(content.digest(), fetched.unwrap().as_ref().map(|resolved| &resolved.manifest));
        let plain = images.open_path(&source, Kind::Bundle).unwrap();
        let shown: Vec<_> = content.list().iter().filter_map(|entry| entry.path.strip_prefix(at)).collect();
        let expected: Vec<_> = plain.list().iter().map(|entry| entry.path.as_str()).collect();
        assert_eq!(shown, expected, "{}", source.display());
        for path in plain.list().iter().filter(|entry| source.join(&entry.path).is_file()).map(|entry| &entry.path) {
            assert_eq!(content.read(&format!("{at}{path}")).unwrap(), std::fs::read(source.join(path)).unwrap(), "{path}");
        }
    }
}

#[test]
fn credentials_are_used_and_not_shown() {
    if !has("docker-registry") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let image = oci::catalog("guarded");
    let open_registry = Registry::start(folder.path(), "", "");
    oci::push(&open_registry.host, "test/catalog", "v1", &image);
    drop(open_registry);
    let htpasswd = folder.path().join("htpasswd");
    // bcrypt of "s3cret"
    std::fs::write(&htpasswd, "user:$2b$04$abcdefghijklmnopqrstuuLZYjhNQAOdpbzt4WxWlUHjv1wsyH5DG\n").unwrap();
    let registry = Registry::start(folder.path(), "", &format!("auth: {{htpasswd: {{realm: test, path: {htpasswd:?}}}}}"));
    let reference = registry.reference("test/catalog:v1");
    let with = |auth: &str| {
        let path = folder.path().join("auth.json");
        std::fs::write(&path, format!(r#"{{"auths":{{"{}":{auth}}}}}"#, registry.host)).unwrap();
        let mut settings = registry.settings();
        settings.auth_files = vec![path];
        open(settings, &reference, Kind::Catalog)
    };
    let refused = open(registry.settings(), &reference, Kind::Catalog).unwrap_err();
    assert!(matches!(refused.kind, ErrorKind::Unauthorized { .. }), "{refused}");
    assert!(refused.to_string().contains("without credentials"), "{refused}");
    // user:wr0ng
    let wrong = with(r#"{"auth":"dXNlcjp3cjBuZw=="}"#).unwrap_err();
    assert!(matches!(wrong.kind, ErrorKind::Unauthorized { .. }), "{wrong}");
    for secret in ["wr0ng", "dXNlcjp3cjBuZw=="] {
        assert!(!format!("{wrong} {wrong:?}").contains(secret), "{wrong:?}");
    }
    assert!(wrong.to_string().contains("auth.json"), "{wrong}");
    // user:s3cret
    assert_eq!(with(r#"{"auth":"dXNlcjpzM2NyZXQ="}"#).unwrap().read("configs/catalog.yaml").unwrap(), b"guarded");
}

#[test]
fn a_certificate_is_trusted_only_when_told() {
    if !has("docker-registry") || !has("openssl") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let openssl = |arguments: &str| {
        let status = Command::new("openssl")
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .status();
        assert!(status.unwrap().success(), "openssl {arguments}");
    };
    openssl(
        "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=authority -addext basicConstraints=critical,CA:true",
    );
    openssl("req -newkey rsa:2048 -nodes -keyout tls.key -out tls.csr -subj /CN=registry");
    std::fs::write(folder.path().join("ext"), "subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:false\n").unwrap();
    openssl("x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out tls.crt");
    let image = oci::catalog("over TLS");
    let plain = Registry::start(folder.path(), "", "");
    oci::push(&plain.host, "test/catalog", "v1", &image);
    drop(plain);
    let (certificate, key) = (folder.path().join("tls.crt"), folder.path().join("tls.key"));
    let registry = Registry::start(folder.path(), &format!("  tls: {{certificate: {certificate:?}, key: {key:?}}}"), "");
    let reference = registry.reference("test/catalog:v1");

    let untrusted = open(registry.settings(), &reference, Kind::Catalog).unwrap_err();
    assert!(matches!(untrusted.kind, ErrorKind::Untrusted { .. }), "{untrusted}");
    let mut settings = registry.settings();
    settings.ca_files = vec![folder.path().join("ca.crt")];
    assert_eq!(text(settings.clone(), &reference), "over TLS");
    settings.ca_files = vec![folder.path().join("tls.key")];
    let no_certificate = open(settings, &reference, Kind::Bundle).unwrap_err();
    assert!(no_certificate.to_string().contains("holds no certificate"), "{no_certificate}");
    let mut settings = registry.settings();
    settings.insecure = vec![registry.host.clone()];
    assert_eq!(text(settings, &reference), "over TLS");
}

#[test]
fn mirrors_are_asked_in_order() {
    if !has("docker-registry") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::start(folder.path(), "", "");
    let image = oci::catalog("mirrored");
    oci::push(&registry.host, "mirror/test/catalog", "v1", &image);
    let mut settings = registry.settings();
    settings.mirrors = vec![Mirror {
        source: "registry.invalid/test".to_owned(),
        mirrors: vec![format!("{}/nothing", registry.host), format!("{}/mirror/test", registry.host)],
        scope: MirrorScope::Digests,
        source_policy: SourcePolicy::Never,
    }];
    let reference = Reference::parse(&format!("registry.invalid/test/catalog@{}", image.manifest.digest)).unwrap();
    assert_eq!(text(settings, &reference), "mirrored");
}

#[test]
fn skopeo_makes_and_shows_the_same() {
    if !has("skopeo") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let image = oci::catalog(&"schema: olm.package\n".repeat(5000));
    oci::write_layout(&folder.path().join("layout"), &[("v1", &image)]);
    let skopeo = |arguments: &[&str]| {
        let output = Command::new("skopeo").args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "skopeo {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let policy = "--insecure-policy";
    skopeo(&[policy, "copy", "oci:layout:v1", "docker-archive:docker.tar:quay.io/test/image:v1"]);
    skopeo(&[policy, "copy", "oci:layout:v1", "oci-archive:oci.tar:v1"]);
    skopeo(&[policy, "copy", "--dest-compress-format", "zstd", "oci:layout:v1", "oci:zstd:v1"]);
    skopeo(&[policy, "copy", "--dest-compress-format", "zstd:chunked", "oci:layout:v1", "oci:chunked:v1"]);
    let images = Images::new(Settings::new(folder.path().join("store"))).unwrap();
    for (transport, name) in [("docker-archive", "docker.tar"), ("oci-archive", "oci.tar"), ("oci", "zstd"), ("oci", "chunked")] {
        let content = images.open_path(&folder.path().join(name), Kind::Catalog).unwrap();
        assert_eq!(content.read("configs/catalog.yaml").unwrap().len(), 20 * 5000, "{name}");
        let shown = skopeo(&["inspect", "--raw", &format!("{transport}:{name}")]);
        assert_eq!(content.digest().unwrap().as_str(), oci::sha256(&shown), "{name}");
    }
}

/// A registry of our own that answers as `answer` says: headers and body for a path, and how many requests came before.
struct Mock {
    host: String,
    folder: TempDir,
    requests: Arc<AtomicUsize>,
}

type Answer = dyn Fn(&Request) -> Vec<u8> + Send + Sync;

struct Request {
    path: String,
    head: String,
    number: usize,
}

impl Mock {
    fn start(answer: Box<Answer>) -> Self {
        Self::start_with(|_| ok(b"{}"), answer)
    }

    /// One that answers the ping, with which a client begins, in its own way; `ping` gets the host.
    fn start_with(ping: impl Fn(&str) -> Vec<u8>, answer: Box<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let requests = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&requests);
        let pong = ping(&host);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let mut head = Vec::new();
                let mut byte = [0];
                while !head.ends_with(b"\r\n\r\n") && head.len() < 1 << 16 {
                    match stream.read(&mut byte) {
                        // The first byte of TLS: this one does not speak it.
                        Ok(1) if byte[0] != 0x16 || !head.is_empty() => head.push(byte[0]),
                        _ => break,
                    }
                }
                let head = String::from_utf8_lossy(&head).into_owned();
                let Some(path) = head.split(' ').nth(1).map(str::to_owned) else {
                    let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
                    continue;
                };
                let number = if path == "/v2/" { 0 } else { counter.fetch_add(1, Ordering::SeqCst) };
                let answer = if path == "/v2/" { pong.clone() } else { answer(&Request { path, head, number }) };
                let _ = stream.write_all(&answer);
            }
        });
        Self { host, folder: tempfile::tempdir().unwrap(), requests }
    }

    fn settings(&self) -> Settings {
        let mut settings = Settings::new(self.folder.path().join("store"));
        settings.backoff = Duration::from_millis(1);
        settings.read_timeout = Duration::from_secs(2);
        settings
    }

    fn open(&self, tag: &str) -> Result<String, Error> {
        let reference = Reference::parse(&format!("{}/test/catalog{tag}", self.host)).unwrap();
        let content = open(self.settings(), &reference, Kind::Catalog)?;
        Ok(String::from_utf8(content.read("configs/catalog.yaml").unwrap()).unwrap())
    }
}

fn status(line: &str) -> Vec<u8> {
    format!("HTTP/1.1 {line}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").into_bytes()
}

fn ok(body: &[u8]) -> Vec<u8> {
    with_length(body.len(), body)
}

fn with_length(length: usize, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n").as_bytes(), body].concat()
}

/// What an honest registry answers.
fn honest(image: &oci::Image, request: &Request) -> Vec<u8> {
    if request.path.contains("/manifests/") {
        return ok(&image.manifest.bytes);
    }
    let blob = image.blobs.iter().find(|blob| request.path.ends_with(&blob.digest));
    blob.map_or_else(|| status("404 Not Found"), |blob| ok(&blob.bytes))
}

fn is_layer(image: &oci::Image, request: &Request) -> bool {
    request.path.ends_with(&image.layers[0].blob.digest)
}

fn big_catalog() -> oci::Image {
    let lines: String = (0..40_000_u64).map(|n| format!("{:x}\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    oci::catalog(&lines)
}

#[test]
fn a_failure_that_passes_is_passed_over() {
    for line in ["503 Service Unavailable", "429 Too Many Requests", "500 Internal Server Error"] {
        let image = oci::catalog("at last");
        let mock =
            Mock::start(Box::new(move |request| if request.number % 3 < 2 { status(line) } else { honest(&image, request) }));
        assert_eq!(mock.open(":v1").unwrap(), "at last");
        assert_eq!(mock.requests.load(Ordering::SeqCst), 9, "manifest, configuration and layer, three requests each");
    }
}

#[test]
fn a_failure_that_stays_is_reported() {
    let mock = Mock::start(Box::new(|_| status("502 Bad Gateway")));
    let error = mock.open(":v1").unwrap_err();
    assert!(error.to_string().contains("it answers 502"), "{error}");
    assert_eq!(mock.requests.load(Ordering::SeqCst), 4);
    let mock = Mock::start(Box::new(|_| status("403 Forbidden")));
    assert!(matches!(mock.open(":v1").unwrap_err().kind, ErrorKind::Unauthorized { .. }));
}

#[test]
fn a_download_goes_on_where_it_broke_off() {
    let image = big_catalog();
    let expected = String::from_utf8(image.layers[0].tar.bytes[512..].to_vec()).unwrap();
    let layer = image.layers[0].blob.clone();
    let half = layer.bytes.len() / 2;
    let mock = Mock::start(Box::new(move |request| {
        if !is_layer(&image, request) {
            return honest(&image, request);
        }
        match request.head.lines().find_map(|line| line.strip_prefix("range: bytes=")) {
            None => with_length(layer.bytes.len(), &layer.bytes[..half]),
            Some(range) => {
                assert_eq!(range, format!("{half}-"));
                let rest = &layer.bytes[half..];
                [
                    format!("HTTP/1.1 206 Partial Content\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", rest.len())
                        .as_bytes(),
                    rest,
                ]
                .concat()
            }
        }
    }));
    let text = mock.open(":v1").unwrap();
    assert!(text.len() > 100_000 && expected.starts_with(&text));
}

#[test]
fn a_download_starts_over_where_ranges_are_not_known() {
    let image = big_catalog();
    let layer = image.layers[0].blob.clone();
    let failed = AtomicUsize::new(0);
    let mock = Mock::start(Box::new(move |request| {
        if is_layer(&image, request) && failed.fetch_add(1, Ordering::SeqCst) == 0 {
            return with_length(layer.bytes.len(), &layer.bytes[..layer.bytes.len() / 2]);
        }
        honest(&image, request)
    }));
    assert!(mock.open(":v1").unwrap().len() > 100_000);
}

#[test]
fn a_layer_that_stays_cut_is_reported() {
    for announced in [true, false] {
        let image = big_catalog();
        let mock = Mock::start(Box::new(move |request| {
            let bytes = &image.layers[0].blob.bytes;
            let half = bytes.len() / 2;
            match is_layer(&image, request) {
                true if announced => with_length(bytes.len(), &bytes[..half]),
                true => ok(&bytes[..half]),
                false => honest(&image, request),
            }
        }));
        let error = mock.open(":v1").unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Truncated { .. }), "{error:?}");
        assert!(!mock.folder.path().join("store/packs/catalog/sha256").exists());
    }
}

#[test]
fn bytes_that_are_not_the_digests_are_refused() {
    let image = oci::catalog("good");
    let other = oci::catalog("evil");
    let (served, bad) = (image.clone(), other.clone());
    let mock = Mock::start(Box::new(move |request| {
        if is_layer(&served, request) {
            let mut bytes = served.layers[0].blob.bytes.clone();
            bytes[30] ^= 1;
            return ok(&bytes);
        }
        if request.path.contains("/manifests/sha256:") { ok(&bad.manifest.bytes) } else { honest(&served, request) }
    }));
    let layer = mock.open(":v1").unwrap_err();
    assert!(matches!(layer.kind, ErrorKind::DigestMismatch { .. }), "{layer:?}");
    let manifest = mock.open(&format!("@{}", image.manifest.digest)).map(|_| ());
    // The tag's manifest was good and is in the store.
    assert!(matches!(manifest.unwrap_err().kind, ErrorKind::DigestMismatch { .. }));
    let manifest = mock.open(&format!("@{}", oci::sha256(b"another"))).unwrap_err();
    assert!(
        matches!(&manifest.kind, ErrorKind::DigestMismatch { actual, .. } if actual.as_str() == other.manifest.digest),
        "{manifest:?}"
    );
}

#[test]
fn more_than_was_announced_is_refused() {
    let image = oci::catalog("good");
    let mock = Mock::start(Box::new(move |request| {
        let mut bytes = image.layers[0].blob.bytes.clone();
        bytes.resize(10 << 20, 0);
        if is_layer(&image, request) { ok(&bytes) } else { honest(&image, request) }
    }));
    let error = mock.open(":v1").unwrap_err();
    assert!(!error.to_string().contains("good") && !mock.folder.path().join("store/packs/catalog/sha256").exists(), "{error}");
}

#[test]
fn credentials_do_not_follow_a_redirect() {
    let image = oci::catalog("moved");
    let served = image.clone();
    let storage = Mock::start(Box::new(move |request| {
        assert!(!request.head.to_lowercase().contains("authorization"), "{}", request.head);
        honest(&served, request)
    }));
    let target = storage.host.clone();
    let registry = Mock::start(Box::new(move |request| {
        assert!(
            request.path.contains("/manifests/") || request.head.to_lowercase().contains("authorization: bearer t0ken"),
            "{}",
            request.head
        );
        if request.path.contains("/manifests/") {
            return honest(&image, request);
        }
        format!(
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://{target}{}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            request.path
        )
        .into_bytes()
    }));
    let auth = registry.folder.path().join("auth.json");
    std::fs::write(&auth, format!(r#"{{"auths":{{"{}":{{"registrytoken":"t0ken"}}}}}}"#, registry.host)).unwrap();
    let mut settings = registry.settings();
    settings.auth_files = vec![auth];
    let reference = Reference::parse(&format!("{}/test/catalog:v1", registry.host)).unwrap();
    assert_eq!(text(settings, &reference), "moved");
    assert!(storage.requests.load(Ordering::SeqCst) >= 2);
}

#[test]
fn a_token_is_fetched_and_renewed() {
    let image = oci::catalog("for a token");
    let tokens = AtomicUsize::new(0);
    let registry = Mock::start_with(
        |host| {
            let challenge = format!("Bearer realm=\"http://{host}/token\",service=\"test\"");
            format!(
                "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: {challenge}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
            .into_bytes()
        },
        Box::new(move |request| {
            let head = request.head.to_lowercase();
            if request.path.starts_with("/token?") {
                assert!(
                    request.path.contains("scope=repository%3Atest%2Fcatalog%3Apull") && request.path.contains("service=test"),
                    "{}",
                    request.path
                );
                // user:s3cret
                if !request.head.contains("dXNlcjpzM2NyZXQ=") {
                    return status("401 Unauthorized");
                }
                return ok(format!(r#"{{"token":"t{}"}}"#, tokens.fetch_add(1, Ordering::SeqCst)).as_bytes());
            }
            // The first token is good for the manifest only.
            let good = if request.path.contains("/manifests/") { "bearer t0" } else { "bearer t1" };
            if head.contains(good) { honest(&image, request) } else { status("401 Unauthorized") }
        }),
    );
    let anonymous = registry.open(":v1").unwrap_err();
    assert!(matches!(anonymous.kind, ErrorKind::Unauthorized { .. }), "{anonymous:?}");
    let auth = registry.folder.path().join("auth.json");
    std::fs::write(&auth, format!(r#"{{"auths":{{"{}":{{"auth":"dXNlcjpzM2NyZXQ="}}}}}}"#, registry.host)).unwrap();
    let mut settings = registry.settings();
    settings.auth_files = vec![auth];
    let reference = Reference::parse(&format!("{}/test/catalog:v1", registry.host)).unwrap();
    assert_eq!(text(settings, &reference), "for a token");
}

#[test]
fn silence_is_not_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::new(folder.path());
    settings.retries = 1;
    settings.backoff = Duration::from_millis(1);
    settings.connect_timeout = Duration::from_millis(200);
    settings.read_timeout = Duration::from_millis(200);
    let reference = Reference::parse(&format!("{}/test/catalog:v1", listener.local_addr().unwrap())).unwrap();
    let error = open(settings, &reference, Kind::Catalog).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Unreachable { .. }), "{error:?}");
}

#[test]
fn an_image_that_many_want_is_fetched_once() {
    let image = oci::catalog("shared");
    let layers = Arc::new(AtomicUsize::new(0));
    let (served, counter) = (image.clone(), Arc::clone(&layers));
    let mock = Mock::start(Box::new(move |request| {
        if is_layer(&served, request) {
            counter.fetch_add(1, Ordering::SeqCst);
        }
        honest(&served, request)
    }));
    let images = Images::new(mock.settings()).unwrap();
    let by_tag = Reference::parse(&format!("{}/test/catalog:v1", mock.host)).unwrap();
    let by_digest = Reference::parse(&format!("{}/test/catalog@{}", mock.host, image.manifest.digest)).unwrap();
    let wanted: Vec<_> = [by_tag, by_digest].into_iter().cycle().take(12).map(|reference| (reference, Kind::Catalog)).collect();
    for resolved in images.prefetch(&wanted) {
        assert_eq!(resolved.unwrap().unwrap().manifest.as_str(), image.manifest.digest);
    }
    assert_eq!(layers.load(Ordering::SeqCst), 1);
}

#[test]
fn nobody_there_is_unreachable() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::new(folder.path());
    settings.backoff = Duration::from_millis(1);
    let reference = Reference::parse(&format!("{free}/test/catalog:v1")).unwrap();
    let error = open(settings, &reference, Kind::Catalog).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Unreachable { .. }), "{error:?}");
    assert!(error.to_string().starts_with(&format!("{free}/test/catalog:v1: {free} cannot be reached: ")), "{error}");
}
