//! image content -> a registry+v1 bundle, validated.
