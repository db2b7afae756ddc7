//! A reference -> image content: OCI registry, OCI layout, archive or folder.
