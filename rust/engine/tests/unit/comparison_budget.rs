use super::*;
use crate::Never;

/// Returns the number of comparisons until the budget is exhausted after reading `chars` characters.
fn made(comparisons: usize, chars: usize, cost: usize) -> usize {
    let mut work = ComparisonBudget::new(&Never, comparisons, 1000);
    assert_eq!(Ok(()), work.charge(chars));
    (0..).take_while(|_| work.compare(cost).is_ok()).count() * cost
}

#[test]
fn the_budget_grows_with_the_text() {
    assert_eq!([250, 2250, 8250, 16_000], [0, 125, 500, 1000].map(|chars| made(16_000, chars, 1) / 250 * 250));
    assert_eq!(16_000, made(16_000, 1000, 4000));
    assert_eq!(0, made(0, 1000, 1));
}

#[test]
fn occurrences_are_refunded() {
    let mut work = ComparisonBudget::new(&Never, 100, 1000);
    for _ in 0..10_000 {
        assert_eq!(Ok(()), work.compare(1));
        work.refund(1);
    }
}
