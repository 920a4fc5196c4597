use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// What a normaliser does with the next characters.
#[derive(Clone, Copy, Debug)]
enum Step {
    Drop(usize),
    Copy(usize),
    /// One segment of the original becomes this number of characters.
    Replace {
        original: usize,
        normalized: usize,
    },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let replace = (1..4_usize, 1..4_usize).prop_map(|(original, normalized)| Step::Replace { original, normalized });
    vec(prop_oneof![(1..3_usize).prop_map(Step::Drop), (1..6_usize).prop_map(Step::Copy), replace], 0..12)
}

/// The naive map: the segment of each normalised character, and whether it was replaced.
#[derive(Clone, Debug, Default)]
struct Naive {
    characters: Vec<(Span, bool)>,
    original: usize,
}

impl Naive {
    /// Takes `steps`, and tells `recorder` of them as a normaliser does.
    fn take<const RECORDS: bool>(&mut self, steps: &[Step], recorder: &mut OffsetRecorder<RECORDS>) {
        for &step in steps {
            match step {
                Step::Drop(original) => self.original += original,
                Step::Copy(chars) => {
                    recorder.copied(self.characters.len(), self.original);
                    let ends = self.original + 1..=self.original + chars;
                    self.characters.extend(ends.map(|end| (Span::new(end - 1, end), false)));
                    self.original += chars;
                }
                Step::Replace { original, normalized } => {
                    let segment = Span::new(self.original, self.original + original);
                    for _ in 0..normalized {
                        recorder.replaced(self.characters.len(), segment);
                        self.characters.push((segment, true));
                    }
                    self.original += original;
                }
            }
        }
    }

    fn to_original(&self, span: Span) -> Span {
        let start = self.characters[span.start].0.start;
        Span::new(start, if span.is_empty() { start } else { self.characters[span.end - 1].0.end })
    }

    fn is_in_replaced(&self, position: usize) -> bool {
        position > 0 && self.characters[position].1 && self.characters[position - 1] == self.characters[position]
    }

    /// Returns how many breakpoints are needed: one wherever a character does not continue the run before it, and
    /// one for the end of a replaced segment unless the next run starts there.
    fn breakpoints(&self) -> usize {
        let mut needed = 0;
        let mut before = (Span::new(0, 0), false);
        for &next in &self.characters {
            let continues = match (before, next) {
                ((before, false), (next, false)) => before.end == next.start,
                (before, next) => before == next,
            };
            needed += usize::from(!continues);
            needed += usize::from(before.1 && !continues && before.0.end != next.0.start);
            before = next;
        }
        needed + usize::from(before.1)
    }
}

proptest! {
    #[test]
    fn a_map_agrees_with_one_span_for_each_character(kept in steps(), undone in steps(), then in steps()) {
        let (mut naive, mut recorder) = (Naive::default(), OffsetRecorder::<true>::default());
        naive.take(&kept, &mut recorder);
        let checkpoint = recorder.checkpoint();
        naive.clone().take(&undone, &mut recorder);
        recorder.restore(checkpoint);
        naive.take(&then, &mut recorder);
        let chars = naive.characters.len();
        let map = recorder.finish(chars);

        prop_assert_eq!(naive.breakpoints(), map.breakpoints.len());
        prop_assert_eq!(8 * map.breakpoints.capacity(), map.heap_bytes());
        for start in 0..chars {
            for span in (start..=chars).map(|end| Span::new(start, end)) {
                prop_assert_eq!(naive.to_original(span), map.to_original(span));
                let inside = (start..span.end).filter(|&position| naive.is_in_replaced(position));
                prop_assert_eq!(inside.collect::<Vec<_>>(), map.positions_in_replaced(span).collect::<Vec<_>>());
            }
            let mut cursor = map.cursor(start);
            for position in start..chars {
                prop_assert_eq!(naive.characters[position].0.start, cursor.start_of(position));
            }
        }
    }

    #[test]
    fn without_records_nothing_is_recorded(steps in steps()) {
        let (mut naive, mut recorder) = (Naive::default(), OffsetRecorder::<false>::default());
        naive.take(&steps, &mut recorder);
        prop_assert!(recorder.breakpoints.is_empty());
    }
}
