//! Finds the gaps between the terms that a quote and a passage share.

use std::ops::Range;

use super::MAX_EDITS;
use crate::term::Term;

/// Returns the gaps between shared terms, as ranges in both texts, or `None` if there are too many differences.
///
/// Source: Myers 1986, "An O(ND) difference algorithm and its variations".
pub(super) fn gaps(quote: &[Term], passage: &[Term]) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let same = |index: usize, place: usize| quote[index].key == passage[place].key;
    let prefix = (0..quote.len().min(passage.len())).take_while(|&at| same(at, at)).count();
    let limit = quote.len().min(passage.len()) - prefix;
    let suffix = (0..limit).take_while(|&at| same(quote.len() - 1 - at, passage.len() - 1 - at)).count();
    let (rows, columns) = (quote.len() - prefix - suffix, passage.len() - prefix - suffix);
    let search = Search::new(rows, columns, |row, column| same(prefix + row, prefix + column))?;
    let mut pairs = search.pairs(rows, columns);
    pairs.reverse();
    pairs.push((rows, columns));
    let (mut done, mut gaps) = ((prefix, prefix), Vec::new());
    for (row, column) in pairs {
        let (index, place) = (prefix + row, prefix + column);
        if index > done.0 || place > done.1 {
            gaps.push((done.0..index, done.1..place));
        }
        done = (index + 1, place + 1);
    }
    Some(gaps)
}

/// The furthest rows that paths reach on each diagonal, before each number of edits.
struct Search {
    trace: Vec<Vec<usize>>,
    /// Index of the main diagonal.
    offset: isize,
}

impl Search {
    /// Searches the shortest path through a table; `same` returns whether a cell is a match. Returns `None` if the path
    /// has more than [`MAX_EDITS`] edits.
    fn new(rows: usize, columns: usize, same: impl Fn(usize, usize) -> bool) -> Option<Self> {
        let most = (rows + columns).min(MAX_EDITS);
        let mut search = Self { trace: Vec::new(), offset: most as isize + 1 };
        let mut furthest = vec![0_usize; 2 * most + 3];
        for count in 0..=most as isize {
            search.trace.push(furthest.clone());
            for diagonal in (-count..=count).step_by(2) {
                let index = search.index(diagonal);
                let is_down = search.is_down(&furthest, count, diagonal);
                let mut x = if is_down { furthest[index + 1] } else { furthest[index - 1] + 1 };
                let mut y = x as isize - diagonal;
                while x < rows && (y as usize) < columns && y >= 0 && same(x, y as usize) {
                    (x, y) = (x + 1, y + 1);
                }
                furthest[index] = x;
                if x >= rows && y >= columns as isize {
                    return Some(search);
                }
            }
        }
        None
    }

    fn index(&self, diagonal: isize) -> usize {
        (diagonal + self.offset) as usize
    }

    /// Returns whether the last edit of the path to a diagonal goes down, and not to the right.
    fn is_down(&self, furthest: &[usize], count: isize, diagonal: isize) -> bool {
        let index = self.index(diagonal);
        diagonal == -count || (diagonal != count && furthest[index - 1] < furthest[index + 1])
    }

    /// Returns the matches on the path, the last one first.
    fn pairs(&self, rows: usize, columns: usize) -> Vec<(usize, usize)> {
        let (mut x, mut y) = (rows as isize, columns as isize);
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (count, furthest) in self.trace.iter().enumerate().rev() {
            let diagonal = x - y;
            let is_down = self.is_down(furthest, count as isize, diagonal);
            let before = if is_down { diagonal + 1 } else { diagonal - 1 };
            // Where the path was before its last edit, and after it.
            let (start, after) = if count == 0 {
                ((0, 0), (0, 0))
            } else {
                let start_x = furthest[self.index(before)] as isize;
                let start = (start_x, start_x - before);
                (start, if is_down { (start.0, start.1 + 1) } else { (start.0 + 1, start.1) })
            };
            while x > after.0 && y > after.1 {
                (x, y) = (x - 1, y - 1);
                pairs.push((x as usize, y as usize));
            }
            (x, y) = start;
        }
        pairs
    }
}
