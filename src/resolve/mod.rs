//! extension + catalogs + installed bundle -> the bundle, or why not.
