//! Registries: manifests and layers by the distribution protocol, with mirrors, and new tries after failures that may pass.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use oci_client::client::BlobResponse;
use oci_client::errors::DigestError as OciDigestError;
use tokio::sync::mpsc;

use super::digest::Digest;
use super::error::ErrorKind;
use super::manifest::{ACCEPTED, Descriptor};
use super::network::Network;
use super::path::is_within;
use super::reference::Reference;
use super::session::{Sessions, Trouble, oci, timed, trouble};
use super::settings::{MirrorScope, Settings, SourcePolicy};
use super::source::{Blob, read_small};

const PIECES_AHEAD: usize = 16;
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// So much progress makes a failure a new one.
const PROGRESS: u64 = 1 << 20;

/// All registries.
pub(super) struct Registry {
    network: Network,
    asker: Arc<Asker>,
}

impl Registry {
    pub(super) fn start(settings: &Settings) -> Result<Self, ErrorKind> {
        let asker = Asker { sessions: Sessions::new(settings.clone()), settings: settings.clone() };
        Ok(Self { network: Network::start()?, asker: Arc::new(asker) })
    }

    /// The manifest or index that a reference names. Whether it is the one that a digest names is for the caller to check.
    pub(super) fn manifest(&self, reference: &Reference) -> Result<Vec<u8>, ErrorKind> {
        let (asker, reference) = (Arc::clone(&self.asker), reference.clone());
        self.network.run(async move { asker.manifest(&reference).await })
    }

    /// A configuration.
    pub(super) fn config(&self, reference: &Reference, descriptor: &Descriptor) -> Result<Vec<u8>, ErrorKind> {
        let limit = self.asker.settings.limits.manifest;
        if descriptor.size > limit {
            return Err(ErrorKind::TooLarge { what: "the bytes of the image's configuration".to_owned(), limit });
        }
        read_small("the image's configuration", self.stream(reference, "the image's configuration", descriptor), limit)
    }

    /// A layer.
    pub(super) fn layer(&self, reference: &Reference, descriptor: &Descriptor) -> Blob {
        let what = format!("the layer {}", descriptor.digest);
        Blob {
            reader: Box::new(self.stream(reference, &what, descriptor)),
            expected: Some((descriptor.digest.clone(), descriptor.size)),
        }
    }

    fn stream(&self, reference: &Reference, what: &str, descriptor: &Descriptor) -> Pieces {
        let (sender, incoming) = mpsc::channel(PIECES_AHEAD);
        let mut download = Download {
            asker: Arc::clone(&self.asker),
            what: what.to_owned(),
            digest: descriptor.digest.clone(),
            size: descriptor.size,
            sent: 0,
            sender,
        };
        let reference = reference.clone();
        self.network.spawn(async move {
            if let Err(kind) = download.run(&reference).await {
                let _ = download.sender.send(Err(kind)).await;
            }
        });
        Pieces { incoming, piece: Vec::new(), position: 0 }
    }
}

/// Asks registries, on the network's thread.
struct Asker {
    sessions: Sessions,
    settings: Settings,
}

impl Asker {
    async fn manifest(&self, reference: &Reference) -> Result<Vec<u8>, ErrorKind> {
        let mut failure = None;
        for place in places(&self.settings, reference)? {
            match self.manifest_at(&place).await {
                Ok(bytes) => return Ok(bytes),
                Err(kind) => failure = Some(kind),
            }
        }
        Err(failure.unwrap_or(ErrorKind::Offline))
    }

    async fn manifest_at(&self, reference: &Reference) -> Result<Vec<u8>, ErrorKind> {
        let mut failures = 0;
        let mut renewed = false;
        loop {
            match self.try_manifest(reference).await {
                Ok(bytes) => return Ok(bytes),
                Err(Trouble::Lasting(ErrorKind::Unauthorized { .. })) if !renewed => {
                    renewed = true;
                    self.sessions.forget(reference);
                }
                Err(Trouble::Passing(kind)) => self.wait(&mut failures, kind).await?,
                Err(Trouble::Lasting(kind)) => return Err(kind),
            }
        }
    }

    async fn try_manifest(&self, reference: &Reference) -> Result<Vec<u8>, Trouble> {
        let session = self.sessions.get(reference).await?;
        let what = match (reference.digest(), reference.tag()) {
            (Some(digest), _) => format!("the manifest {digest}"),
            (None, tag) => format!("the tag {}", tag.unwrap_or_default()),
        };
        let named = oci(reference);
        let asking = session.client.pull_manifest_raw(&named, &session.credentials.auth, &ACCEPTED);
        match timed(self.settings.connect_timeout + self.settings.read_timeout * 2, reference, asking).await? {
            Ok((bytes, _)) if bytes.len() as u64 > self.settings.limits.manifest => Err(Trouble::Lasting(ErrorKind::TooLarge {
                what: format!("the bytes of {what}"),
                limit: self.settings.limits.manifest,
            })),
            Ok((bytes, _)) => Ok(bytes.to_vec()),
            Err(error) => Err(trouble(error, reference, &what, &session.credentials)),
        }
    }

    /// Waits before a new try, longer each time; gives up when there have been enough.
    async fn wait(&self, failures: &mut u32, kind: ErrorKind) -> Result<(), ErrorKind> {
        if *failures >= self.settings.retries {
            return Err(kind);
        }
        let wait = self.settings.backoff.saturating_mul(1_u32.checked_shl(*failures).unwrap_or(u32::MAX));
        *failures += 1;
        tokio::time::sleep(wait.min(LONGEST_WAIT)).await;
        Ok(())
    }
}

/// A blob on its way from a registry.
struct Download {
    asker: Arc<Asker>,
    what: String,
    digest: Digest,
    size: u64,
    sent: u64,
    sender: mpsc::Sender<Result<Vec<u8>, ErrorKind>>,
}

impl Download {
    async fn run(&mut self, reference: &Reference) -> Result<(), ErrorKind> {
        let mut failure = None;
        for place in places(&self.asker.settings, reference)? {
            match self.run_at(&place).await {
                Ok(()) => return Ok(()),
                Err(kind) => failure = Some(kind),
            }
        }
        Err(failure.unwrap_or(ErrorKind::Offline))
    }

    async fn run_at(&mut self, reference: &Reference) -> Result<(), ErrorKind> {
        let asker = Arc::clone(&self.asker);
        let mut failures = 0;
        let mut renewed = false;
        loop {
            let before = self.sent;
            match self.attempt(reference).await {
                Ok(()) => return Ok(()),
                Err(Trouble::Lasting(ErrorKind::Unauthorized { .. })) if !renewed => {
                    renewed = true;
                    asker.sessions.forget(reference);
                }
                Err(Trouble::Lasting(kind)) => return Err(kind),
                Err(Trouble::Passing(kind)) => {
                    if self.sent - before >= PROGRESS {
                        failures = 0;
                    }
                    asker.wait(&mut failures, kind).await?;
                }
            }
        }
    }

    /// Asks for what has not come yet, and passes it on. More than there should be is passed on too: the reader refuses it.
    async fn attempt(&mut self, reference: &Reference) -> Result<(), Trouble> {
        let session = self.asker.sessions.get(reference).await?;
        let named = oci(&reference.at(&self.digest));
        let digest = self.digest.as_str();
        let limit = self.asker.settings.connect_timeout + self.asker.settings.read_timeout;
        let failed = |error| trouble(error, reference, &self.what, &session.credentials);
        let mut skip = 0;
        let mut stream = if self.sent == 0 {
            timed(limit, reference, session.client.pull_blob_stream(&named, digest)).await?.map_err(failed)?
        } else {
            match timed(limit, reference, session.client.pull_blob_stream_partial(&named, digest, self.sent, None))
                .await?
                .map_err(failed)?
            {
                BlobResponse::Partial(stream) => stream,
                BlobResponse::Full(stream) => {
                    skip = self.sent;
                    stream
                }
            }
        };
        while self.sent <= self.size {
            let piece = match stream.next().await {
                None => break,
                Some(Ok(piece)) => piece,
                // The reader finds the same, and knows how many bytes are missing.
                Some(Err(error)) if error.get_ref().is_some_and(|inside| inside.is::<OciDigestError>()) => return Ok(()),
                Some(Err(_)) => return Err(Trouble::Passing(self.cut())),
            };
            let already = usize::try_from(skip).unwrap_or(usize::MAX).min(piece.len());
            skip -= already as u64;
            let fresh = piece.get(already..).unwrap_or_default().to_vec();
            self.sent += fresh.len() as u64;
            if !fresh.is_empty() && self.sender.send(Ok(fresh)).await.is_err() {
                return Ok(());
            }
        }
        if self.sent < self.size { Err(Trouble::Passing(self.cut())) } else { Ok(()) }
    }

    fn cut(&self) -> ErrorKind {
        ErrorKind::Truncated { what: self.what.clone(), expected: self.size, actual: self.sent }
    }
}

/// The pieces of a blob as a reader.
struct Pieces {
    incoming: mpsc::Receiver<Result<Vec<u8>, ErrorKind>>,
    piece: Vec<u8>,
    position: usize,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.position >= self.piece.len() {
            match self.incoming.blocking_recv() {
                None => return Ok(0),
                Some(piece) => self.piece = piece?,
            }
            self.position = 0;
        }
        let mut rest = self.piece.get(self.position..).unwrap_or_default();
        let read = rest.read(buffer)?;
        self.position += read;
        Ok(read)
    }
}

/// Where to ask for a reference: the mirrors of the nearest rule, then the source.
fn places(settings: &Settings, reference: &Reference) -> Result<Vec<Reference>, ErrorKind> {
    let name = reference.name();
    let fits = |scope: MirrorScope| match scope {
        MirrorScope::All => true,
        MirrorScope::Digests => reference.digest().is_some(),
        MirrorScope::Tags => reference.digest().is_none(),
    };
    let rules = settings.mirrors.iter().filter(|rule| is_within(&name, &rule.source) && fits(rule.scope));
    let Some(rule) = rules.max_by_key(|rule| rule.source.len()) else { return Ok(vec![reference.clone()]) };
    let rest = name.strip_prefix(&rule.source).unwrap_or_default();
    let mut places = Vec::new();
    for mirror in &rule.mirrors {
        places.push(reference.moved_to(&format!("{mirror}{rest}"))?);
    }
    if rule.source_policy == SourcePolicy::Allow || places.is_empty() {
        places.push(reference.clone());
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Mirror;

    #[test]
    fn the_nearest_mirror_is_asked_first() {
        let rule = |source: &str, mirrors: &[&str], scope, source_policy| Mirror {
            source: source.to_owned(),
            mirrors: mirrors.iter().map(ToString::to_string).collect(),
            scope,
            source_policy,
        };
        let mut settings = Settings::new("store");
        settings.mirrors = vec![
            rule("quay.io", &["mirror.one/quay"], MirrorScope::All, SourcePolicy::Allow),
            rule("quay.io/a", &["mirror.two", "mirror.three:5000/x"], MirrorScope::Digests, SourcePolicy::Never),
        ];
        let asked = |text: &str| {
            let places = places(&settings, &Reference::parse(text).unwrap()).unwrap();
            places.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let digest = format!("sha256:{}", "0".repeat(64));
        assert_eq!(asked("quay.io/b:1"), ["mirror.one/quay/b:1", "quay.io/b:1"]);
        assert_eq!(asked("quay.io/a/b:1"), ["mirror.one/quay/a/b:1", "quay.io/a/b:1"]);
        assert_eq!(
            asked(&format!("quay.io/a/b@{digest}")),
            [format!("mirror.two/b@{digest}"), format!("mirror.three:5000/x/b@{digest}")]
        );
        assert_eq!(asked("ghcr.io/a:1"), ["ghcr.io/a:1"]);
    }
}
