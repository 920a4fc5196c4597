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
    let most = (rows + columns).min(MAX_EDITS);
    let offset = most as isize + 1;
    let mut furthest = vec![0_usize; 2 * most + 3];
    let mut trace: Vec<Vec<usize>> = Vec::new();
    let mut edits = None;
    'search: for count in 0..=most as isize {
        trace.push(furthest.clone());
        for diagonal in (-count..=count).step_by(2) {
            let index = (diagonal + offset) as usize;
            let down = diagonal == -count || (diagonal != count && furthest[index - 1] < furthest[index + 1]);
            let mut x = if down { furthest[index + 1] } else { furthest[index - 1] + 1 };
            let mut y = x as isize - diagonal;
            while x < rows && (y as usize) < columns && y >= 0 && same(prefix + x, prefix + y as usize) {
                (x, y) = (x + 1, y + 1);
            }
            furthest[index] = x;
            if x >= rows && y >= columns as isize {
                edits = Some(count);
                break 'search;
            }
        }
    }
    // Trace the path back to collect the matched pairs, the last one first.
    let (mut x, mut y) = (rows as isize, columns as isize);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for count in (0..=edits?).rev() {
        let furthest = &trace[count as usize];
        let diagonal = x - y;
        let index = (diagonal + offset) as usize;
        let down = diagonal == -count || (diagonal != count && furthest[index - 1] < furthest[index + 1]);
        let before = if down { diagonal + 1 } else { diagonal - 1 };
        let (start_x, start_y) = if count == 0 {
            (0, 0)
        } else {
            let start_x = furthest[(before + offset) as usize] as isize;
            (start_x, start_x - before)
        };
        let (low_x, low_y) = if count == 0 {
            (0, 0)
        } else if down {
            (start_x, start_y + 1)
        } else {
            (start_x + 1, start_y)
        };
        while x > low_x && y > low_y {
            (x, y) = (x - 1, y - 1);
            pairs.push((prefix + x as usize, prefix + y as usize));
        }
        (x, y) = (start_x, start_y);
    }
    pairs.reverse();
    pairs.push((quote.len() - suffix, passage.len() - suffix));
    let (mut done, mut gaps) = ((prefix, prefix), Vec::new());
    for (index, place) in pairs {
        if index > done.0 || place > done.1 {
            gaps.push((done.0..index, done.1..place));
        }
        done = (index + 1, place + 1);
    }
    Some(gaps)
}
