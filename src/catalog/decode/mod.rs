//! The value of a document -> what operator-registry's structs make of it, with encoding/json's rules and words.
//!
//! Follows the structs of operator-registry v1.73.0 alpha/declcfg/declcfg.go. Keys match in any case; of several keys for one field
//! (nested ones can differ in case) the later in byte order is read over the earlier; of several faults the first one is
//! reported.

mod blob;
mod decoder;
mod read;

pub(super) use blob::{
    Blob, BundleBlob, ChannelBlob, DeprecationBlob, DeprecationsBlob, EntryBlob, PackageBlob, PropertyBlob, RelatedImageBlob,
};
pub(super) use decoder::{Decoder, decode_property};
pub(super) use read::blob;
