//! Typos, against the full table of the edit distance.

use groundwire_language::spelling::is_within;
use proptest::prelude::*;

use crate::config;
use crate::oracle::edit_distance::distance;

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn typos_are_counted_as_by_the_full_table(left in "[abcé]{0,8}", right in "[abcé]{0,8}", limit in 0..6_usize) {
        prop_assert_eq!(is_within(&left, &right, limit), distance(&left, &right) <= limit);
        prop_assert_eq!(is_within(&right, &left, limit), distance(&left, &right) <= limit);
    }
}
