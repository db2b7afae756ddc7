//! Connections to registries: which scheme, which credentials, whose certificates; and what their failures mean.

use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use oci_client::client::{Certificate, CertificateEncoding, Client, ClientConfig, ClientProtocol};
use oci_client::errors::{DigestError as OciDigestError, OciDistributionError, OciErrorCode};
use oci_client::secrets::RegistryAuth;
use oci_client::{Reference as OciReference, RegistryOperation};

use super::auth::{self, Credentials};
use super::digest::Digest;
use super::error::{ErrorKind, plain};
use super::reference::Reference;
use super::settings::Settings;

/// A client that has been let in to a repository.
pub(super) struct Session {
    pub(super) client: Client,
    pub(super) credentials: Credentials,
}

/// A failure, and whether it may pass.
#[derive(Debug)]
pub(super) enum Trouble {
    Passing(ErrorKind),
    Lasting(ErrorKind),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scheme {
    Https,
    /// With whatever certificate.
    HttpsUnverified,
    Http,
}

/// Credentials are told apart by the file and the key in it: a client keeps one set for each registry.
type ClientKey = (Scheme, Option<(PathBuf, String)>);

/// The sessions so far, one for each repository.
pub(super) struct Sessions {
    settings: Settings,
    open: Mutex<BTreeMap<String, Arc<Session>>>,
    schemes: Mutex<BTreeMap<String, Scheme>>,
    clients: Mutex<BTreeMap<ClientKey, Client>>,
}

impl Sessions {
    pub(super) fn new(settings: Settings) -> Self {
        // A second provider is refused, and the first one is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self { settings, open: Mutex::default(), schemes: Mutex::default(), clients: Mutex::default() }
    }

    /// The session for a repository, opened if need be. One attempt: trying again is the caller's.
    pub(super) async fn get(&self, reference: &Reference) -> Result<Arc<Session>, Trouble> {
        let name = reference.name();
        if let Some(session) = lock(&self.open).get(&name) {
            return Ok(Arc::clone(session));
        }
        let credentials = auth::find(&self.settings.auth_files, reference).map_err(Trouble::Lasting)?;
        let known = lock(&self.schemes).get(reference.domain()).copied();
        let schemes = known.map_or_else(|| self.schemes(reference.domain()), |scheme| vec![scheme]);
        let mut failure = None;
        for scheme in schemes {
            match self.enter(scheme, reference, &credentials).await {
                Ok(client) => {
                    lock(&self.schemes).insert(reference.domain().to_owned(), scheme);
                    let session = Arc::new(Session { client, credentials });
                    lock(&self.open).insert(name, Arc::clone(&session));
                    return Ok(session);
                }
                Err(lasting @ Trouble::Lasting(_)) => return Err(lasting),
                Err(passing) => failure = Some(passing),
            }
        }
        Err(failure.unwrap_or_else(|| Trouble::Lasting(ErrorKind::Client("no scheme".to_owned()))))
    }

    /// Makes a client and has it let in.
    async fn enter(&self, scheme: Scheme, reference: &Reference, credentials: &Credentials) -> Result<Client, Trouble> {
        let limit = self.settings.connect_timeout + self.settings.read_timeout;
        let named = oci(reference);
        let client = self.client(scheme, credentials).map_err(Trouble::Lasting)?;
        // A ready token is taken without a word to the registry, which may not even speak this scheme.
        if let RegistryAuth::Bearer(_) = credentials.auth {
            let stranger = self.client(scheme, &Credentials::anonymous("")).map_err(Trouble::Lasting)?;
            let knocking = stranger.auth(&named, &RegistryAuth::Anonymous, RegistryOperation::Pull);
            match timed(limit, reference, knocking).await? {
                Ok(_) | Err(OciDistributionError::AuthenticationFailure(_)) => {}
                Err(error) => return Err(trouble(error, reference, "the repository", credentials)),
            }
        }
        let entering = client.auth(&named, &credentials.auth, RegistryOperation::Pull);
        match timed(limit, reference, entering).await? {
            Ok(_) => Ok(client),
            Err(error) => Err(trouble(error, reference, "the repository", credentials)),
        }
    }

    /// Forgets a session whose token has run out.
    pub(super) fn forget(&self, reference: &Reference) {
        lock(&self.open).remove(&reference.name());
    }

    /// TLS first; without it only on loopback or where the settings say so.
    fn schemes(&self, domain: &str) -> Vec<Scheme> {
        let host = domain.split(':').next().unwrap_or_default();
        if self.settings.insecure.iter().any(|entry| entry == domain || entry == host) {
            return vec![Scheme::HttpsUnverified, Scheme::Http];
        }
        let is_loopback = host == "localhost"
            || host.ends_with(".localhost")
            || host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
        if is_loopback { vec![Scheme::Https, Scheme::Http] } else { vec![Scheme::Https] }
    }

    fn client(&self, scheme: Scheme, credentials: &Credentials) -> Result<Client, ErrorKind> {
        let key = (scheme, credentials.origin.clone());
        if let Some(client) = lock(&self.clients).get(&key) {
            return Ok(client.clone());
        }
        let config = ClientConfig {
            protocol: if scheme == Scheme::Http { ClientProtocol::Http } else { ClientProtocol::Https },
            accept_invalid_certificates: scheme == Scheme::HttpsUnverified,
            extra_root_certificates: self.certificates()?,
            platform_resolver: None,
            read_timeout: Some(self.settings.read_timeout),
            connect_timeout: Some(self.settings.connect_timeout),
            user_agent: concat!("olmplan/", env!("CARGO_PKG_VERSION")),
            ..ClientConfig::default()
        };
        // Where the system has no certificates, oci-client 0.18 fails, or panics in making a default client that it does not use.
        let made = std::panic::catch_unwind(AssertUnwindSafe(|| Client::try_from(config).map_err(|error| innermost(&error))));
        let client =
            made.unwrap_or_else(|_| Err("no CA certificates were loaded from the system".to_owned())).map_err(|reason| {
                ErrorKind::Client(format!(
                    "{reason}; install the system's CA certificates, or name a file of them in SSL_CERT_FILE"
                ))
            })?;
        lock(&self.clients).insert(key, client.clone());
        Ok(client)
    }

    fn certificates(&self) -> Result<Vec<Certificate>, ErrorKind> {
        const END: &str = "-----END CERTIFICATE-----";
        let mut certificates = Vec::new();
        for path in &self.settings.ca_files {
            let text = std::fs::read_to_string(path).map_err(|error| ErrorKind::io(path, error))?;
            let before = certificates.len();
            for part in text.split_inclusive(END).filter(|part| part.contains("-----BEGIN CERTIFICATE-----")) {
                certificates.push(Certificate { encoding: CertificateEncoding::Pem, data: part.as_bytes().to_vec() });
            }
            if certificates.len() == before {
                let reason = std::io::Error::new(std::io::ErrorKind::InvalidData, "it holds no certificate in PEM form");
                return Err(ErrorKind::io(path, reason));
            }
        }
        Ok(certificates)
    }
}

/// A reference as the client wants it.
pub(super) fn oci(reference: &Reference) -> OciReference {
    let (domain, path) = (reference.domain().to_owned(), reference.path().to_owned());
    match (reference.digest(), reference.tag()) {
        (Some(digest), _) => OciReference::with_digest(domain, path, digest.to_string()),
        (None, tag) => OciReference::with_tag(domain, path, tag.unwrap_or("latest").to_owned()),
    }
}

/// Waits for an answer, but not for ever.
pub(super) async fn timed<T>(limit: Duration, reference: &Reference, future: impl Future<Output = T>) -> Result<T, Trouble> {
    tokio::time::timeout(limit, future)
        .await
        .map_err(|_| passing(reference, format!("no answer within {} seconds", limit.as_secs())))
}

fn passing(reference: &Reference, reason: String) -> Trouble {
    Trouble::Passing(ErrorKind::Unreachable { registry: reference.domain().to_owned(), reason: plain(&reason) })
}

/// What a failure of the client means. Bodies of answers and addresses stay out of it: they can hold secrets.
pub(super) fn trouble(error: OciDistributionError, reference: &Reference, what: &str, credentials: &Credentials) -> Trouble {
    let registry = || reference.domain().to_owned();
    let status = |code: u16| match code {
        404 => Trouble::Lasting(ErrorKind::NotFound { what: what.to_owned(), place: registry() }),
        401 | 403 => Trouble::Lasting(ErrorKind::Unauthorized { registry: registry(), note: credentials.note.clone() }),
        429 => passing(reference, "it answers 429, too many requests".to_owned()),
        500.. => passing(reference, format!("it answers {code}")),
        _ => Trouble::Lasting(ErrorKind::Unreachable { registry: registry(), reason: format!("it answers {code}") }),
    };
    match error {
        OciDistributionError::UnauthorizedError { .. } | OciDistributionError::AuthenticationFailure(_) => status(401),
        OciDistributionError::ServerError { code, .. } => status(code),
        OciDistributionError::RegistryError { envelope, .. } => match envelope.errors.first().map(|error| &error.code) {
            Some(OciErrorCode::Unauthorized | OciErrorCode::Denied) => status(401),
            Some(OciErrorCode::Toomanyrequests) => status(429),
            Some(
                OciErrorCode::BlobUnknown
                | OciErrorCode::ManifestBlobUnknown
                | OciErrorCode::ManifestUnknown
                | OciErrorCode::NameUnknown
                | OciErrorCode::NotFound,
            ) => status(404),
            code => {
                let code = code.and_then(|code| serde_json::to_value(code).ok()).unwrap_or_default();
                let reason = plain(&format!("it answers {code}"));
                Trouble::Lasting(ErrorKind::Unreachable { registry: registry(), reason })
            }
        },
        OciDistributionError::DigestError(OciDigestError::VerificationError { expected, actual }) => {
            Trouble::Lasting(match (Digest::parse(&expected), Digest::parse(&actual)) {
                (Ok(expected), Ok(actual)) => ErrorKind::DigestMismatch { what: what.to_owned(), expected, actual },
                _ => ErrorKind::malformed(what, "the registry names another digest"),
            })
        }
        OciDistributionError::RequestError(error) => {
            if let Some(reason) = certificate(&error) {
                return Trouble::Lasting(ErrorKind::Untrusted { registry: registry(), reason: plain(&reason) });
            }
            if error.is_builder() || error.is_redirect() {
                let reason = innermost(&error.without_url());
                return Trouble::Lasting(ErrorKind::Unreachable { registry: registry(), reason: plain(&reason) });
            }
            let reason = if error.is_timeout() { "it takes too long".to_owned() } else { innermost(&error.without_url()) };
            passing(reference, reason)
        }
        OciDistributionError::IoError(error) => passing(reference, innermost(&error)),
        OciDistributionError::RegistryTokenDecodeError(_) => {
            let reason = "its authorization service gives no token".to_owned();
            Trouble::Lasting(ErrorKind::Unreachable { registry: registry(), reason })
        }
        other => Trouble::Lasting(ErrorKind::malformed(what, innermost(&other))),
    }
}

/// The reason why a certificate was refused, if that is what failed.
fn certificate(error: &(dyn StdError + 'static)) -> Option<String> {
    let mut next = Some(error);
    while let Some(error) = next {
        let inside = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        let tls = error.downcast_ref::<rustls::Error>().or_else(|| inside?.downcast_ref());
        if let Some(rustls::Error::InvalidCertificate(_)) = tls {
            return tls.map(ToString::to_string);
        }
        next = match inside {
            Some(inside) => Some(inside),
            None => error.source(),
        };
    }
    None
}

/// The reason at the bottom, which is the one that a person can act on.
fn innermost(error: &(dyn StdError + 'static)) -> String {
    let mut last = error;
    while let Some(next) = last.source() {
        last = next;
    }
    last.to_string()
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
