//! What the fuzz targets share.

/// Several files in one input: a line `=== PATH` begins each; what comes before is `first`.
pub fn files(bytes: &[u8], first: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![(first.to_owned(), Vec::new())];
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(b"=== ").and_then(|path| std::str::from_utf8(path).ok()) {
            Some(path) => files.push((path.trim().to_owned(), Vec::new())),
            None => {
                if let Some((_, content)) = files.last_mut() {
                    content.extend(line);
                }
            }
        }
    }
    files.retain(|(_, content)| !content.is_empty());
    files
}
