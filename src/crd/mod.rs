//! CRD before, CRD after -> upgrade-safety findings.
