//! Applies the rules of the standard at a terminator.
//!
//! Source: Unicode Standard Annex #29, rules SB6 to SB11.

use super::{Block, Class, Ending};
use groundwire_engine::CodeUnit;

impl<T: CodeUnit> Block<'_, T> {
    /// Returns whether the standard ends a sentence here. The ending is not at the end of the block.
    pub(super) fn ends_by_standard(&self, ending: &Ending) -> bool {
        let classes = self.reading.classes;
        let next = classes[ending.next];
        if matches!(next, Class::Continue | Class::Stop | Class::End | Class::Wide) {
            return false; // SB8a
        }
        if classes[ending.last] != Class::Stop {
            return true; // SB11
        }
        let is_direct = classes[ending.last + 1..ending.next].iter().all(|&class| class == Class::Hidden);
        if is_direct && next == Class::Digit {
            return false; // SB6
        }
        if is_direct && next == Class::Upper && matches!(self.before(ending.last), Class::Upper | Class::Lower) {
            return false; // SB7
        }
        !self.goes_on_small(ending.next) // SB8
    }

    /// Returns whether the first letter from `at` on is lower-case, with no terminator or citation before it.
    fn goes_on_small(&self, at: usize) -> bool {
        use Class::{Cited, End, Letter, Lower, Stop, Upper, Wide};
        let decides = |class: &&Class| matches!(class, Lower | Letter | Upper | Stop | End | Wide | Cited);
        self.reading.classes[at..self.end].iter().find(decides) == Some(&Lower)
    }

    /// Returns the class of the last character before `at` that is not hidden.
    pub(super) fn before(&self, at: usize) -> Class {
        let classes = self.reading.classes[..at].iter().rev();
        classes.copied().find(|&class| class != Class::Hidden).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::super::{Reading, classify, property};
    use super::*;

    /// Returns the sentence starts by the standard's rules alone, without the first.
    fn starts(text: &str) -> Vec<usize> {
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        let mut kinds = vec![Class::Hidden; codes.len()];
        classify(&codes, &mut kinds);
        let reading = Reading { text: &codes, classes: &kinds };
        let block = reading.block(0..codes.len(), 0);
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(skipped) = kinds[at..].iter().position(|&class| property::TERMINATORS.holds(class)) {
            let ending = block.ending(at + skipped);
            if ending.next < codes.len() && block.ends_by_standard(&ending) {
                found.push(ending.next);
            }
            at = ending.next.max(at + skipped + 1);
        }
        found
    }

    /// Returns the sentence starts by the crate unicode-segmentation.
    fn starts_by_crate(text: &str) -> Vec<usize> {
        let starts = text.split_sentence_bound_indices().skip(1);
        starts.map(|(byte, _)| text[..byte].chars().count()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn sentences_end_where_the_standard_says(text in "[a-cA-C中文0-2 .!?。,;)(\"'\u{301}\u{200B}\u{AD}\u{A0}_-]{1,24}") {
            prop_assert_eq!(starts(&text), starts_by_crate(&text));
        }
    }

    #[test]
    fn every_character_has_the_standards_class() {
        // The classes of our own are ellipses, line ends, numbers that are not digits, citation brackets and footnote
        // marks. Combining marks that are new in Unicode may be known to one crate only.
        let ours = |character| {
            let class = property::class(u32::from(character));
            matches!(class, Class::Ellipsis | Class::Line | Class::Digit | Class::Open)
                || "⁰¹²³⁴⁵⁶⁷⁸⁹".contains(character)
                || unicode_normalization::char::is_combining_mark(character)
        };
        let differing: Vec<String> = (char::MIN..=char::MAX)
            .filter(|&character| !ours(character))
            .filter(|character| {
                let texts = [
                    format!("a{character} B"),
                    format!("a.{character}B"),
                    format!("a. {character}b"),
                    format!("a{character}.B"),
                    format!("a.{character} b"),
                    format!("a! {character} B"),
                ];
                texts.iter().any(|text| starts(text) != starts_by_crate(text))
            })
            .map(|character| format!("{:04X}", u32::from(character)))
            .collect();
        assert!(differing.is_empty(), "{} differ: {:?}", differing.len(), &differing[..differing.len().min(40)]);
    }
}
