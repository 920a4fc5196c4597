use super::*;

#[test]
fn the_rarest_run_is_the_first_with_the_smallest_sum() {
    let mut rarity = GramFrequencies::<2>::new(100);
    rarity.sample(b"ababababab bc bc cd", usize::MAX);
    assert_eq!(2, rarity.rarest_run(b"abcd", 1));
    assert_eq!(1, rarity.rarest_run(b"abcd", 2));
    assert_eq!(0, rarity.rarest_run(b"abcd", 3));
    assert_eq!(0, rarity.rarest_run(b"xyzabc", 2));
}
