//! The rules of the standard.
//!
//! Source: Unicode Standard Annex #29, rules SB6 to SB11.

use super::{SentenceBreak, Splitter, TerminatorContext};
use groundwire_engine::CodeUnit;

impl<T: CodeUnit> Splitter<'_, T> {
    /// Returns whether the standard ends a sentence at a terminator, which is not the last of the text.
    pub(super) fn ends_by_standard(&self, context: &TerminatorContext) -> bool {
        let classes = self.source.classes;
        let next = classes[context.next];
        if matches!(
            next,
            SentenceBreak::Continue | SentenceBreak::ATerm | SentenceBreak::STerm | SentenceBreak::WideTerm
        ) {
            return false; // SB8a
        }
        if classes[context.last] != SentenceBreak::ATerm {
            return true; // SB11
        }
        let is_direct = classes[context.last + 1..context.next].iter().all(|&class| class == SentenceBreak::Ignored);
        if is_direct && next == SentenceBreak::Digit {
            return false; // SB6
        }
        if is_direct
            && next == SentenceBreak::Upper
            && matches!(self.class_before(context.last), SentenceBreak::Upper | SentenceBreak::Lower)
        {
            return false; // SB7
        }
        !self.continues_in_lower_case(context.next) // SB8
    }

    /// Returns whether the first letter at or after `at` is lower-case, without a terminator or citation before it.
    fn continues_in_lower_case(&self, at: usize) -> bool {
        use SentenceBreak::{ATerm, Letter, Lower, Masked, STerm, Upper, WideTerm};
        let decides =
            |class: &&SentenceBreak| matches!(class, Lower | Letter | Upper | ATerm | STerm | WideTerm | Masked);
        self.source.classes[at..self.end].iter().find(decides) == Some(&Lower)
    }

    /// Returns the class of the last character before `at` that is not ignored.
    pub(super) fn class_before(&self, at: usize) -> SentenceBreak {
        let classes = self.source.classes[..at].iter().rev();
        classes.copied().find(|&class| class != SentenceBreak::Ignored).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::super::{ClassifiedText, classify, property};
    use super::*;

    /// Returns the starts of all sentences but the first, by the standard's rules alone.
    fn starts(text: &str) -> Vec<usize> {
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        let mut kinds = vec![SentenceBreak::Ignored; codes.len()];
        classify(&codes, &mut kinds);
        let source = ClassifiedText { text: &codes, classes: &kinds };
        let splitter = source.splitter(0..codes.len(), 0);
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(skipped) = kinds[at..].iter().position(|&class| property::TERMINATORS.contains(class)) {
            let context = splitter.context(at + skipped);
            if context.next < codes.len() && splitter.ends_by_standard(&context) {
                found.push(context.next);
            }
            at = context.next.max(at + skipped + 1);
        }
        found
    }

    /// Returns the starts of all sentences but the first, by the crate unicode-segmentation.
    fn starts_by_crate(text: &str) -> Vec<usize> {
        let starts = text.split_sentence_bound_indices().skip(1);
        starts.map(|(byte, _)| text[..byte].chars().count()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn sentences_end_as_in_the_standard(text in "[a-cA-C中文0-2 .!?。,;)(\"'\u{301}\u{200B}\u{AD}\u{A0}_-]{1,24}") {
            prop_assert_eq!(starts(&text), starts_by_crate(&text));
        }
    }

    #[test]
    fn every_character_has_the_class_of_the_standard() {
        // Ellipses, line ends, numbers that are not digits, citation brackets and footnote marks have classes that the
        // standard lacks. The crates may know different versions of Unicode, with more or fewer combining marks.
        let is_exempt = |character| {
            let class = property::class(u32::from(character));
            matches!(class, SentenceBreak::Ellipsis | SentenceBreak::Line | SentenceBreak::Digit | SentenceBreak::Open)
                || "⁰¹²³⁴⁵⁶⁷⁸⁹".contains(character)
                || unicode_normalization::char::is_combining_mark(character)
        };
        let differing: Vec<String> = (char::MIN..=char::MAX)
            .filter(|&character| !is_exempt(character))
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
