use super::*;

#[test]
fn one_pass_leaves_one_run() {
    let mut ordered = NearlySorted::default();
    (0..100).for_each(|index| ordered.push(index + index % 2 * 9));
    assert_eq!(0, ordered.run);
    assert!(ordered.keys.is_sorted());
}
