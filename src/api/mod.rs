//! documents -> ClusterExtension, ClusterCatalog: typed views that keep unknown fields and places.
