use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn marks_are_those_of_each_bigram(
        classes in vec(any::<u8>(), 1..400),
        pairs in any::<[u32; HASH_CLASSES]>(),
    ) {
        let mut marks = vec![0xA5; (classes.len() - 1) / STEP * STEP / 8];
        find_bigrams(&classes, &pairs, &mut marks);
        for (place, pair) in classes.windows(2).take(8 * marks.len()).enumerate() {
            let [first, second] = [pair[0], pair[1]].map(|class| usize::from(class) % HASH_CLASSES);
            prop_assert_eq!(pairs[first] >> second & 1, u32::from(marks[place / 8] >> (place % 8) & 1));
        }
    }

    #[test]
    fn totals_are_capped_sums_of_bits(
        before in vec(prop_oneof![Just(0_u8), Just(250), any::<u8>()], 0..2 * LARGE),
        from in 0..40_usize,
        bytes in 0..=MAX_BYTES,
        most in any::<u8>(),
        seed in any::<u32>(),
    ) {
        let len = from + before.len() + SPARE_BYTES;
        let marks: Vec<u8> = (0..len as u32).map(|place| (seed ^ place.wrapping_mul(0x9E37_79B1) >> 7) as u8).collect();
        let mut totals = before.clone();
        sum_windows(&marks, from, bytes, most, &mut totals);
        for (place, (&before, &total)) in before.iter().zip(&totals).enumerate() {
            let sum: u32 = marks[from + place..][..bytes].iter().map(|byte| byte.count_ones()).sum();
            prop_assert_eq!(u32::from(before).saturating_add(sum.min(most.into())).min(255), u32::from(total));
        }
    }
}
