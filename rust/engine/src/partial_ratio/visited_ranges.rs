//! The windows that were scored one by one. Neighbouring partitions of a needle lead to the same windows, which need no
//! second scoring.

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
