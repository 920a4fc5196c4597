//! The windows already scored one by one, because neighbouring partitions of a needle lead to the same windows again.

/// The starts of visited windows, as disjoint inclusive ranges in ascending order.
#[derive(Debug, Default)]
pub(super) struct VisitedRanges(Vec<(usize, usize)>);

impl VisitedRanges {
    /// Returns whether all windows in `first..=last` were visited.
    pub(super) fn has(&self, first: usize, last: usize) -> bool {
        self.0.iter().any(|range| range.0 <= first && last <= range.1)
    }

    /// Marks `first..=last` as visited. Returns the part of it that was not visited before, trimmed of visited windows
    /// at its ends but not in between.
    pub(super) fn unvisited(&mut self, first: usize, last: usize) -> Option<(usize, usize)> {
        let from = self.0.partition_point(|range| range.1 + 1 < first);
        let to = self.0.partition_point(|range| range.0 <= last + 1);
        let (mut whole, mut new) = ((first, last), (first, last));
        if let [left, .., right] | [left @ right] = &self.0[from..to] {
            whole = (first.min(left.0), last.max(right.1));
            if left.0 <= first {
                new.0 = left.1 + 1;
            }
            if last <= right.1 {
                new.1 = right.0.checked_sub(1)?;
            }
        }
        self.0.splice(from..to, [whole]);
        (new.0 <= new.1).then_some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_was_seen_and_what_was_seen_at_the_ends_is_left_out() {
        let (mut seen, mut oracle) = (VisitedRanges::default(), [false; 64]);
        let mut state = 1_u32;
        for round in 0..20_000 {
            if round % 16 == 0 {
                (seen, oracle) = (VisitedRanges::default(), [false; 64]);
            }
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (first, chars) = ((state >> 8) as usize % 50, (state >> 20) as usize % 14);
            let windows = first..=first + chars;
            let is_new = |&start: &usize| !oracle[start];
            let expected = windows.clone().find(is_new).zip(windows.clone().rev().find(is_new));
            assert_eq!(seen.unvisited(first, first + chars), expected, "round {round}");
            windows.for_each(|start| oracle[start] = true);
            assert!(seen.0.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0));
        }
    }
}
