//! Typos, against the full table of the edit distance.

use groundwire_language::slips::is_within;
use proptest::prelude::*;

use crate::config;
use crate::oracle::slips::distance;

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn words_are_as_far_apart_as_the_full_table_says(one in "[abcé]{0,8}", other in "[abcé]{0,8}", limit in 0..6_usize) {
        prop_assert_eq!(is_within(&one, &other, limit), distance(&one, &other) <= limit);
        prop_assert_eq!(is_within(&other, &one, limit), distance(&one, &other) <= limit);
    }
}
