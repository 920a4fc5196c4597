//! What the citations of an answer come to, without its parts.

use super::{Answer, Standing};

/// Counts of claims, and the distinct ids of the citations, in code points and sorted by them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures<'a> {
    /// Claims that have a valid citation.
    pub cited: usize,
    /// Long claims that have none.
    pub uncited: usize,
    /// Ids in use.
    pub valid: Vec<&'a [u32]>,
    /// Those that look like them and are none.
    pub invalid: Vec<&'a [u32]>,
    /// What does not look like them.
    pub ignored: Vec<&'a [u32]>,
}

impl Answer {
    /// Counts what is in `claims` and `markers`.
    #[must_use]
    pub fn figures(&self) -> Figures<'_> {
        let mut figures = Figures::default();
        for claim in &self.claims {
            let is_cited = claim.markers.iter().any(|&index| self.markers[index].standing() == Standing::Valid);
            figures.cited += usize::from(is_cited);
            figures.uncited += usize::from(!is_cited && claim.is_long());
        }
        for item in self.markers.iter().flat_map(|marker| &marker.items) {
            let ids = match item.standing {
                Standing::Valid => &mut figures.valid,
                Standing::Invalid => &mut figures.invalid,
                Standing::Ignored => &mut figures.ignored,
            };
            ids.push(item.id.as_slice());
        }
        for ids in [&mut figures.valid, &mut figures.invalid, &mut figures.ignored] {
            ids.sort_unstable();
            ids.dedup();
        }
        figures
    }
}
