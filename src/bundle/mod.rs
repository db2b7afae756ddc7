//! A registry+v1 bundle, read from image content and validated.

pub mod go;
