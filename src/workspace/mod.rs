//! a Git tree, a folder, stdin -> documents with places.
