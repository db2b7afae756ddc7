//! `.indexignore`: which files of a catalog are passed over.
//!
//! Follows operator-registry v1.73.0 `alpha/declcfg/load.go`, which uses joelanford/ignore v0.1.2 over go-git v5.19.2
//! `plumbing/format/gitignore`: patterns of nested files apply below their folder, and the last one that matches decides. It
//! is not quite Git: names match by Go's `filepath.Match`, and folders are never passed over as a whole.

use super::Error;
use super::files::Files;
use crate::go::utf8::replace_invalid;

/// The name of the files that hold patterns.
pub(super) const FILE_NAME: &str = ".indexignore";

/// `bufio.Scanner` gives up on a longer line.
const MAX_LINE: usize = 64 * 1024;

/// All the patterns of a catalog.
#[derive(Debug, Default)]
pub(super) struct Ignore {
    patterns: Vec<Pattern>,
}

#[derive(Debug)]
struct Pattern {
    domain: Vec<String>,
    segments: Vec<Segment>,
    include: bool,
    folders_only: bool,
    anchored: bool,
}

#[derive(Debug)]
enum Segment {
    Empty,
    AnyFolders,
    /// Holds `**` beside other characters, which matches nothing where the pattern has a slash.
    Glob {
        glob: Glob,
        double_star: bool,
    },
}

impl Ignore {
    /// Reads the pattern files among `paths`, which stand in the order of a walk.
    pub fn read(files: &dyn Files, paths: &[String]) -> Result<Self, Error> {
        let mut ignore = Self::default();
        for path in paths.iter().filter(|p| p.rsplit('/').next() == Some(FILE_NAME)) {
            let bytes = files.read(path).map_err(|source| Error::Read { path: path.clone(), source })?;
            let domain: Vec<String> = match path.rsplit_once('/') {
                Some((folder, _)) => folder.split('/').map(str::to_owned).collect(),
                None => Vec::new(),
            };
            for line in bytes.split(|b| *b == b'\n') {
                if line.len() >= MAX_LINE {
                    return Err(Error::Ignore { path: path.clone() });
                }
                let line = replace_invalid(line);
                let line = line.trim();
                if !line.is_empty() && !line.starts_with('#') {
                    ignore.patterns.push(Pattern::parse(line, &domain));
                }
            }
        }
        Ok(ignore)
    }

    /// Whether the file at `path` is passed over.
    pub fn matches(&self, path: &str) -> bool {
        if self.patterns.is_empty() {
            return false;
        }
        let parts: Vec<&str> = path.split('/').collect();
        self.patterns.iter().rev().find(|p| p.matches(&parts)).is_some_and(|p| !p.include)
    }
}

impl Pattern {
    fn parse(text: &str, domain: &[String]) -> Self {
        let (include, text) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let text = if text.ends_with("\\ ") { text } else { text.trim_end_matches(' ') };
        let (folders_only, text) = match text.strip_suffix('/') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let segments = text.split('/').map(|s| match s {
            "" => Segment::Empty,
            "**" => Segment::AnyFolders,
            s => Segment::Glob { glob: Glob::parse(s), double_star: s.contains("**") },
        });
        Self { domain: domain.to_vec(), segments: segments.collect(), include, folders_only, anchored: text.contains('/') }
    }

    fn matches(&self, path: &[&str]) -> bool {
        let Some((domain, rest)) = path.split_at_checked(self.domain.len()) else { return false };
        if rest.is_empty() || !domain.iter().eq(self.domain.iter()) {
            return false;
        }
        if self.anchored { self.matches_path(rest) } else { self.matches_name(rest) }
    }

    /// A pattern without a slash: any part of the path may match.
    fn matches_name(&self, path: &[&str]) -> bool {
        let hit = path.iter().position(|name| match self.segments.first() {
            Some(Segment::Empty) | None => name.is_empty(),
            Some(Segment::AnyFolders) => true,
            Some(Segment::Glob { glob, .. }) => glob.matches(name),
        });
        hit.is_some_and(|at| !(self.folders_only && at + 1 == path.len()))
    }

    /// A pattern with a slash: from the folder of its file on, part by part.
    fn matches_path(&self, path: &[&str]) -> bool {
        let mut rest = path.iter();
        let mut matched = false;
        let mut skip = false;
        for (n, segment) in self.segments.iter().enumerate() {
            match segment {
                Segment::Empty => skip = false,
                Segment::AnyFolders if n + 1 == self.segments.len() => break,
                Segment::AnyFolders => skip = true,
                Segment::Glob { double_star: true, .. } => return false,
                Segment::Glob { glob, .. } => {
                    if rest.len() == 0 {
                        return false;
                    }
                    if skip {
                        skip = false;
                        // Upstream leaves the outcome of an earlier part standing, unless nothing of the path is left.
                        matched = rest.any(|name| glob.matches(name));
                    } else {
                        matched = rest.next().is_some_and(|name| glob.matches(name));
                        if !matched {
                            return false;
                        }
                    }
                }
            }
        }
        matched && !(self.folders_only && rest.len() == 0)
    }
}

/// A pattern for one name, as Go's `filepath.Match` reads it. A malformed one matches nothing.
#[derive(Debug)]
struct Glob(Option<Vec<Token>>);

#[derive(Debug)]
enum Token {
    Star,
    Any,
    Char(char),
    Class { negated: bool, ranges: Vec<(char, char)> },
}

impl Glob {
    fn parse(text: &str) -> Self {
        let mut tokens = Vec::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let token = match c {
                '*' => Token::Star,
                '?' => Token::Any,
                '[' => {
                    let negated = chars.next_if_eq(&'^').is_some();
                    let mut ranges = Vec::new();
                    while chars.peek() != Some(&']') || ranges.is_empty() {
                        let Some(low) = class_char(&mut chars) else { return Self(None) };
                        let high = match chars.next_if_eq(&'-') {
                            None => low,
                            Some(_) => match class_char(&mut chars) {
                                Some(high) => high,
                                None => return Self(None),
                            },
                        };
                        ranges.push((low, high));
                    }
                    chars.next();
                    Token::Class { negated, ranges }
                }
                '\\' => match chars.next() {
                    Some(c) => Token::Char(c),
                    None => return Self(None),
                },
                c => Token::Char(c),
            };
            tokens.push(token);
        }
        Self(Some(tokens))
    }

    fn matches(&self, name: &str) -> bool {
        let Some(tokens) = &self.0 else { return false };
        let name: Vec<char> = name.chars().collect();
        let (mut at, mut token) = (0, 0);
        // Where to go on from when what follows the last star does not match: one character further.
        let mut retry: Option<(usize, usize)> = None;
        loop {
            let hit = match (tokens.get(token), name.get(at)) {
                (None, None) => return true,
                (Some(Token::Star), _) => {
                    token += 1;
                    retry = Some((at, token));
                    continue;
                }
                (Some(Token::Any), Some(_)) => true,
                (Some(Token::Char(want)), Some(c)) => want == c,
                (Some(Token::Class { negated, ranges }), Some(c)) => {
                    ranges.iter().any(|(low, high)| (low..=high).contains(&c)) != *negated
                }
                _ => false,
            };
            if hit {
                at += 1;
                token += 1;
                continue;
            }
            match retry {
                Some((from, after_star)) if from < name.len() => {
                    retry = Some((from + 1, after_star));
                    at = from + 1;
                    token = after_star;
                }
                _ => return false,
            }
        }
    }
}

fn class_char(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<char> {
    let c = match chars.next()? {
        '-' | ']' => return None,
        '\\' => chars.next()?,
        c => c,
    };
    // A class that nothing closes is malformed.
    chars.peek().map(|_| c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Memory;

    fn ignored(patterns: &[(&str, &str)], path: &str) -> bool {
        let files: Memory = patterns.iter().map(|(p, t)| (*p, t.as_bytes())).collect();
        let paths: Vec<String> = patterns.iter().map(|(p, _)| (*p).to_owned()).collect();
        Ignore::read(&files, &paths).unwrap().matches(path)
    }

    #[test]
    fn names_match_anywhere() {
        for (pattern, path, want) in [
            ("*.md", "a/b/README.md", true),
            ("skip/", "skip/x.yaml", true),
            ("skip/", "a/skip/x.yaml", true),
            ("skip/", "skip", false),
            ("sk*", "skip/x.yaml", true),
            ("**", "a/b", true),
            ("a**", "ab/c", true),
            ("[a-c].yaml", "b.yaml", true),
            ("[^a-c].yaml", "b.yaml", false),
            ("[!a-c].yaml", "!.yaml", true),
            ("[]a].yaml", "a.yaml", false),
            ("[a", "a", false),
            ("\\#x", "#x", true),
            ("#x", "#x", false),
            ("  x  ", "x", true),
            ("?", "é", true),
            ("x\r\n", "x", true),
        ] {
            assert_eq!(ignored(&[(".indexignore", pattern)], path), want, "{pattern} {path}");
        }
    }

    #[test]
    fn paths_match_from_their_folder() {
        for (pattern, path, want) in [
            ("/x", "x", true),
            ("/x", "a/x", false),
            ("a/b", "a/b/c", true),
            ("a/b/", "a/b", false),
            ("a/b/", "a/b/c", true),
            ("a/**/c", "a/b/b/c", true),
            ("a/**/c", "a/c", true),
            ("a/**", "a/b/c", true),
            ("**/c", "c", true),
            ("**/c", "a/b", false),
            ("a/b**", "a/bc", false),
            ("a/*", "a/b/c", true),
            ("a/b/c", "a/b", false),
        ] {
            assert_eq!(ignored(&[(".indexignore", pattern)], path), want, "{pattern} {path}");
        }
        assert!(ignored(&[("sub/.indexignore", "/x")], "sub/x"));
        assert!(!ignored(&[("sub/.indexignore", "x")], "x"));
    }

    #[test]
    fn the_last_match_decides() {
        assert!(!ignored(&[(".indexignore", "*\n!a")], "a"));
        assert!(!ignored(&[(".indexignore", "*"), ("a/.indexignore", "!b")], "a/b"));
        assert!(ignored(&[(".indexignore", "!a\n*")], "a"));
    }

    #[test]
    fn stars_do_not_blow_up() {
        let pattern = "a*".repeat(200) + "b";
        assert!(!Glob::parse(&pattern).matches(&"a".repeat(5_000)));
    }
}
