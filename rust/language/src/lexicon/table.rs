//! Word tables: sorted lines, searched in place.

use std::cmp::Ordering;
use std::sync::OnceLock;

/// A table whose lines are a key, or a key, a tab and values, sorted by bytes. Its construction parses nothing.
#[derive(Debug, Default)]
pub(super) struct Table {
    bytes: Box<[u8]>,
    /// The start of the line that contains every [`STEP`]th byte, computed at the first lookup.
    lines: OnceLock<Box<[u32]>>,
}

/// Distance of indexed lines, in bytes. Between them, a lookup reads line by line.
const STEP: usize = 128;

impl Table {
    /// Creates a table from the bytes of a file.
    #[must_use]
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes: bytes.into_boxed_slice(), lines: OnceLock::new() }
    }

    /// Returns the values of `key`, which are "" in a line without a tab, or `None` if there is no such line.
    #[must_use]
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        let key = key.as_bytes();
        let lines = self.lines.get_or_init(|| self.starts());
        // The last indexed line that does not sort after the key, and the lines up to the next indexed one.
        let block = lines.partition_point(|&start| self.order(start as usize, key).is_le());
        let mut start = lines[block.checked_sub(1)?] as usize;
        let end = lines.get(block).map_or(self.bytes.len(), |&next| next as usize);
        while start < end {
            let line = &self.bytes[start..];
            let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
            if self.order(start, key).is_eq() {
                return std::str::from_utf8(line.get(key.len() + 1..).unwrap_or_default()).ok();
            }
            start += line.len() + 1;
        }
        None
    }

    /// Compares the key of the line that begins at `start` with another one. No key has a character below a space.
    fn order(&self, start: usize, key: &[u8]) -> Ordering {
        let line = &self.bytes[start..];
        let is_longer = || line.get(key.len()).is_some_and(|&byte| byte != b'\t' && byte != b'\n');
        match line[..key.len().min(line.len())].cmp(key) {
            Ordering::Equal if is_longer() => Ordering::Greater,
            order => order,
        }
    }

    fn starts(&self) -> Box<[u32]> {
        let line_of = |at: usize| self.bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut starts: Vec<u32> = (0..self.bytes.len()).step_by(STEP).map(|at| line_of(at) as u32).collect();
        starts.dedup();
        starts.into()
    }

    /// Returns whether the table has no lines.
    #[must_use]
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns whether there is a line with `key`.
    #[must_use]
    pub(super) fn contains(&self, key: &str) -> bool {
        self.get(key).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_and_no_other() {
        let keys = ["a", "ab", "abc", "b", "ba", "z"];
        let text: String = keys.iter().map(|key| format!("{key}\t{key}{key}\n")).collect();
        let table = Table::new(text.into_bytes());
        for key in keys {
            assert_eq!(table.get(key), Some(format!("{key}{key}").as_str()));
        }
        for missing in ["", "aa", "abcd", "c", "zz", "\t", "\n"] {
            assert_eq!(table.get(missing), None, "{missing:?}");
        }
        let many: Vec<String> = (1000..3000).map(|number| format!("{number}")).collect();
        let table = Table::new(many.join("\tvalue\n").into_bytes());
        assert!(many[..many.len() - 1].iter().all(|key| table.get(key) == Some("value")));
        assert!(
            table.contains("2999") && !table.contains("999") && !table.contains("3000") && !table.contains("10001")
        );
        assert!(Table::new(b"one\ntwo".to_vec()).contains("two"));
        assert!(!Table::default().contains("one"));
    }
}
