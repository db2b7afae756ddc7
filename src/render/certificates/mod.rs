//! Certificates for webhooks: what each provider adds to objects, and which objects it adds.

mod cert_manager;
mod provision;
mod service_ca;

pub(super) use provision::Provisioner;
