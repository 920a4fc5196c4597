//! The cost of an alignment of quote and passage, and the minimum cost, found by trying every gap at every position.

#[cfg(test)]
use super::codes;

/// The costs of opening a gap and of each of its characters, in the quote and in the passage.
const GAP: [i64; 2] = [5, 2];
const CHAR: [i64; 2] = [4, 1];
const REPLACED: i64 = 4;
const INSIDE_WORD: i64 = 2;
const WITHIN_WORD: i64 = 6;
const NEVER: i64 = i64::MAX / 4;

/// Returns for each position whether a token starts or ends there. Letters and digits form words, together with
/// characters that join them or introduce a number; any other character is a token.
pub fn boundaries(text: &[u32]) -> Vec<bool> {
    let character = |index: usize| text.get(index).and_then(|&code| char::from_u32(code));
    let is_word = |index: usize| character(index).is_some_and(|c| c.is_alphanumeric() && (c as u32) < 0xE00);
    let is_digit = |index: usize| character(index).is_some_and(char::is_numeric);
    let is_joint = |index: usize| {
        let (Some(before), Some(joint)) = (index.checked_sub(1), character(index)) else { return false };
        let (digits, letters) = (is_digit(before) && is_digit(index + 1), !is_digit(before) && !is_digit(index + 1));
        let is_between = is_word(before) && is_word(index + 1);
        is_between && (("'.".contains(joint) && (digits || letters)) || (",:".contains(joint) && digits))
    };
    let leads = |index: usize| {
        let is_free = index == 0 || (!is_word(index - 1) && text[index - 1] != text[index]);
        is_digit(index + 1) && is_free && character(index).is_some_and(|mark| ".-".contains(mark))
    };
    let goes_on = |index: usize| is_word(index) || is_joint(index);
    let is_inside = |at: usize| (goes_on(at - 1) && goes_on(at)) || leads(at - 1);
    (0..=text.len()).map(|at| at == 0 || at == text.len() || !is_inside(at)).collect()
}

fn kind(code: u32) -> u8 {
    match char::from_u32(code) {
        Some(' ') => 0,
        Some(character) if character.is_alphanumeric() => 1,
        _ => 2,
    }
}

fn pair(a: u32, b: u32) -> i64 {
    match a == b {
        true => 0,
        false if kind(a) == kind(b) && a != 0x20 => REPLACED,
        false => NEVER,
    }
}

/// Two texts to align.
pub struct Texts<'a> {
    pub quote: &'a [u32],
    pub passage: &'a [u32],
    pub is_free: bool,
}

impl Texts<'_> {
    fn ends(&self) -> [Vec<bool>; 2] {
        [boundaries(self.quote), boundaries(self.passage)]
    }

    /// Returns the cost of leaving the characters from `start` to `end` of one text (0 is the quote) unpaired, at
    /// position `at` of the other.
    fn gap(ends: &[Vec<bool>; 2], side: usize, start: usize, end: usize, at: usize) -> i64 {
        let inside = |is_end: bool| if is_end { 0 } else { INSIDE_WORD };
        let within = if ends[1 - side][at] { 0 } else { WITHIN_WORD };
        GAP[side] + CHAR[side] * (end - start) as i64 + inside(ends[side][start]) + inside(ends[side][end]) + within
    }

    /// Returns the minimum cost of an alignment of the whole quote.
    pub fn least_cost(&self) -> i64 {
        let ends = self.ends();
        let (rows, columns) = (self.quote.len(), self.passage.len());
        let free = |at: usize| if ends[1][at] { 0 } else { WITHIN_WORD };
        let mut costs = vec![vec![NEVER; columns + 1]; rows + 1];
        for row in 0..=rows {
            for column in 0..=columns {
                let mut least = if row == 0 && self.is_free { free(column) } else { NEVER };
                if (row, column) == (0, 0) {
                    least = 0;
                }
                if row > 0 && column > 0 {
                    least = least.min(costs[row - 1][column - 1] + pair(self.quote[row - 1], self.passage[column - 1]));
                }
                let skipped = (0..column).map(|start| costs[row][start] + Self::gap(&ends, 1, start, column, row));
                let left_out = (0..row).map(|start| costs[start][column] + Self::gap(&ends, 0, start, row, column));
                least = skipped.chain(left_out).fold(least, i64::min);
                costs[row][column] = least;
            }
        }
        let ends = (0..=columns).map(|column| costs[rows][column] + if self.is_free { free(column) } else { 0 });
        if self.is_free { ends.min().unwrap_or(0) } else { costs[rows][columns] }
    }

    /// Returns the cost of the alignment with `pairs`, in order. With free ends, the passage may start before the first
    /// pair and end after the last.
    pub fn cost(&self, pairs: &[(usize, usize)]) -> i64 {
        let ends = self.ends();
        let free = |at: usize| if ends[1][at] { 0 } else { WITHIN_WORD };
        let last = (self.quote.len(), self.passage.len());
        let first_pair = pairs.first().map_or(0, |first| first.1);
        let last_pair = pairs.last().map_or(first_pair, |last| last.1 + 1);
        let starts = if self.is_free { 0..=first_pair } else { 0..=0 };
        let stops = if self.is_free { last_pair..=last.1 } else { last.1..=last.1 };
        let Some(&first) = pairs.first() else {
            let whole =
                |start: usize| Self::junction(&ends, (0, start), (last.0, if self.is_free { start } else { last.1 }));
            return starts.map(|start| whole(start) + if self.is_free { 2 * free(start) } else { 0 }).min().unwrap();
        };
        let bound = |at: usize| if self.is_free { free(at) } else { 0 };
        let before = starts.map(|start| bound(start) + Self::junction(&ends, (0, start), first)).min().unwrap();
        let from = pairs.last().map_or((0, 0), |&(quote, passage)| (quote + 1, passage + 1));
        let after = stops.map(|stop| bound(stop) + Self::junction(&ends, from, (last.0, stop))).min().unwrap();
        let between = pairs.windows(2).map(|two| Self::junction(&ends, (two[0].0 + 1, two[0].1 + 1), two[1]));
        let paired = pairs.iter().map(|&(quote, passage)| pair(self.quote[quote], self.passage[passage]));
        before + between.sum::<i64>() + paired.sum::<i64>() + after
    }

    /// Returns the cost of the gaps between two pairs of positions, in the cheapest order; one gap may be inside the
    /// other.
    fn junction(ends: &[Vec<bool>; 2], from: (usize, usize), to: (usize, usize)) -> i64 {
        let (rows, columns) = (to.0 - from.0, to.1 - from.1);
        let mut costs = vec![vec![0; columns + 1]; rows + 1];
        for row in 0..=rows {
            for column in 0..=columns {
                let skipped = (0..column)
                    .map(|start| costs[row][start] + Self::gap(ends, 1, from.1 + start, from.1 + column, from.0 + row));
                let left_out = (0..row).map(|start| {
                    costs[start][column] + Self::gap(ends, 0, from.0 + start, from.0 + row, from.1 + column)
                });
                costs[row][column] = skipped.chain(left_out).min().unwrap_or(0);
            }
        }
        costs[rows][columns]
    }
}

#[test]
fn the_alignment_oracle_reproduces_known_examples() {
    let least = |quote: &str, passage: &str, is_free: bool| {
        Texts { quote: &codes(quote), passage: &codes(passage), is_free }.least_cost()
    };
    assert_eq!(0, least("a b", "x a b y", true));
    assert_eq!(GAP[1] + 4 * CHAR[1], least("do want", "do not want", false));
    assert_eq!(REPLACED, least("ab", "ac", false));
    assert_eq!([true, false, false, false, false, true, true], boundaries(&codes("don't "))[..]);
    let (quote, passage) = (codes("do want"), codes("do not want"));
    let texts = Texts { quote: &quote, passage: &passage, is_free: false };
    let pairs: Vec<_> = (0..3).map(|at| (at, at)).chain((3..7).map(|at| (at, at + 4))).collect();
    assert_eq!(GAP[1] + 4 * CHAR[1], texts.cost(&pairs));
}
