use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn words_pass_that_the_filter_contains(
        inserted in vec("[a-c]{8}", 0..300),
        text in "[a-c]{0,2500}",
    ) {
        let mut filter = RegisterFilter([0; FILTER_BYTES]);
        let hash_of = |word: &[u8]| word.first_chunk::<8>().map_or(0, |word| hash(key(word)));
        inserted.iter().for_each(|word| filter.insert(hash_of(word.as_bytes())));
        prop_assert!(inserted.iter().all(|word| filter.contains(hash_of(word.as_bytes())) == 1));
        let words = text.as_bytes().chunks_exact(8).take(BLOCK_POSITIONS).enumerate();
        let passing = words.filter(|(_, word)| filter.contains(hash_of(word)) == 1).map(|(number, _)| number as u8);
        let mut passed = [0; size_of::<Passed>()];
        let count = filter.probe_words(text.as_bytes(), &mut passed);
        prop_assert_eq!(passing.collect::<Vec<_>>(), &passed[..count]);
    }
}
