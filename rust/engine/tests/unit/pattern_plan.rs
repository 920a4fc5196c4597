use super::*;

fn lens(count: usize, len: usize) -> impl Iterator<Item = usize> {
    std::iter::repeat_n(len, count)
}

#[test]
fn few_patterns_are_searched_for_one_by_one() {
    assert_eq!(vec![0], plan::<u8>(lens(1, 40), 1 << 16).each);
    assert_eq!(vec![0], plan::<u16>(lens(1, 40), 1 << 16).each);
    assert_eq!(5, plan::<u16>(lens(5, 40), 1 << 20).groups[0].members.len());
    assert_eq!(10, plan::<u8>(lens(10, 40), 1 << 12).each.len());
    assert_eq!(10, plan::<u8>(lens(10, 40), 1 << 20).groups[0].members.len());
}

#[test]
fn steps_grow_with_the_text_up_to_the_limit_of_the_patterns() {
    let step = |len, chars| plan::<u8>(lens(1000, len), chars).groups[0].step;
    assert_eq!([1, 4, 8, 8], [500, 48_000, 1 << 20, 1 << 30].map(|chars| step(20, chars)));
    assert_eq!(MAX_STEP, step(500, 1 << 30));
    assert_eq!(1, step(3, 1 << 30));
}

#[test]
fn a_few_long_patterns_join_the_pass_of_short_ones() {
    let plan = plan::<u8>(lens(20, 30).chain(lens(100, 5)), 1 << 20);
    assert_eq!((1, 5, 120), (plan.groups.len(), plan.groups[0].gram, plan.groups[0].members.len()));
}

#[test]
fn a_pass_uses_shorter_q_grams_for_a_few_short_patterns() {
    let plan = plan::<u8>(lens(300, 6).chain(lens(6, 4)), 1 << 20);
    assert_eq!((0, 1, 4), (plan.each.len(), plan.groups.len(), plan.groups[0].gram));
}

#[test]
fn the_fallback_plan_uses_the_longest_q_grams() {
    let plan = fallback([7, 0, 40, 16, 1].into_iter());
    let groups: Vec<_> = plan.groups.iter().map(|group| (group.gram, group.step, &group.members[..])).collect();
    assert_eq!(vec![(16, 1, &[2, 3][..]), (5, 1, &[0]), (1, 1, &[4])], groups);
}
