//! A similarity to reach, as a fraction: sizes of sets are compared with it in integers (ruling C1).

/// More digits than any decimal number has that was written by a person.
const MAX_DIGITS: u32 = 18;

/// A similarity above 0 and up to 1.
///
/// # Examples
///
/// ```
/// use groundwire_engine::similarity::Threshold;
///
/// assert!(Threshold::new(0.92).is_some());
/// assert!(Threshold::new(0.0).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    numerator: u64,
    denominator: u64,
}

impl Threshold {
    /// The decimal number that `value` is written as, so that 0.92 is 92 of 100 and not the binary
    /// fraction a little above it. `None` outside of `0.0 < value <= 1.0`. Digits behind the 18th
    /// are left out, and what is smaller than that is the least fraction with so many.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        if !(value > 0.0 && value <= 1.0) {
            return None;
        }
        Some(Self::of_few_digits(value).unwrap_or_else(|| Self::of_many_digits(value)))
    }

    /// The fraction with the fewest digits that division rounds to `value`, as reading it would. It
    /// takes a tenth of the time of writing the number, which a short search would notice.
    fn of_few_digits(value: f64) -> Option<Self> {
        [1_u64, 10, 100, 1_000, 10_000].into_iter().find_map(|denominator| {
            let numerator = (value * denominator as f64).round();
            let is_exact = numerator > 0.0 && numerator / denominator as f64 == value;
            is_exact.then(|| Self::reduced(numerator as u64, denominator))
        })
    }

    fn of_many_digits(value: f64) -> Self {
        let written = format!("{value}");
        let decimals: String = written.split_once('.').map_or("", |(_, decimals)| decimals).chars().take(18).collect();
        let denominator = 10_u64.pow((decimals.len() as u32).min(MAX_DIGITS));
        Self::reduced(decimals.parse::<u64>().unwrap_or(0).max(1), denominator)
    }

    fn reduced(numerator: u64, denominator: u64) -> Self {
        let divisor = greatest_common_divisor(numerator, denominator);
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// Whether `shared` of `either` tokens are enough. No token at all is not.
    #[inline]
    pub(super) fn is_reached(self, shared: usize, either: usize) -> bool {
        either > 0 && shared as u128 * u128::from(self.denominator) >= either as u128 * u128::from(self.numerator)
    }

    /// Whether this is less than `other`.
    pub(super) fn is_below(self, other: Self) -> bool {
        u128::from(self.numerator) * u128::from(other.denominator)
            < u128::from(other.numerator) * u128::from(self.denominator)
    }

    /// The fewest tokens that a set of `len` has in common with any set as similar as this.
    pub(super) fn least_shared(self, len: usize) -> usize {
        divided_up(len, self.numerator, self.denominator)
    }

    /// How many of the rarest tokens of a set of `len` one has to look at: any set as similar as
    /// this has one of them, and has it among its own.
    pub(super) fn prefix(self, len: usize) -> usize {
        if len == 0 { 0 } else { len - self.least_shared(len) + 1 }
    }

    /// The most tokens that only one of two sets of these sizes has, or `None` if no two such sets
    /// are as similar as this.
    pub(super) fn most_different(self, len: usize, other: usize) -> Option<usize> {
        // Neither has more than 18 digits.
        let shared = divided_up(len + other, self.numerator, self.numerator + self.denominator);
        (shared <= len.min(other)).then(|| len + other - 2 * shared)
    }

    /// The size of the largest set that is as similar as this to one of `len` if they share `shared`.
    pub(super) fn largest_sharing(self, len: usize, shared: usize) -> usize {
        let sum = u128::from(self.numerator) + u128::from(self.denominator);
        let both = shared as u128 * sum / u128::from(self.numerator);
        usize::try_from(both).unwrap_or(usize::MAX).saturating_sub(len)
    }

    /// The sizes of sets that can be as similar as this to one of `len`.
    pub(super) fn sizes(self, len: usize) -> std::ops::RangeInclusive<usize> {
        let most = len as u128 * u128::from(self.denominator) / u128::from(self.numerator);
        self.least_shared(len)..=usize::try_from(most).unwrap_or(usize::MAX)
    }
}

/// `len · numerator / denominator`, rounded up, where that is no more than `len`.
#[inline]
fn divided_up(len: usize, numerator: u64, denominator: u64) -> usize {
    // Division of twice the width takes several times as long.
    match (len as u64).checked_mul(numerator) {
        Some(product) => product.div_ceil(denominator) as usize,
        None => (len as u128 * u128::from(numerator)).div_ceil(u128::from(denominator)) as usize,
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::Threshold;

    #[test]
    fn a_threshold_is_the_decimal_number_that_was_written() {
        assert_eq!(Threshold::new(0.92), Some(Threshold { numerator: 23, denominator: 25 }));
        assert_eq!(Threshold::new(1.0), Some(Threshold { numerator: 1, denominator: 1 }));
        for outside in [0.0, -0.5, 1.000_001, f64::NAN, f64::INFINITY] {
            assert_eq!(Threshold::new(outside), None);
        }
        for thousandths in 1..1000 {
            let value = f64::from(thousandths) / 1000.0;
            assert_eq!(Threshold::new(value), Some(Threshold::of_many_digits(value)));
        }
        assert_eq!(Threshold::new(2.0 / 3.0), Some(Threshold::of_many_digits(2.0 / 3.0)));
        assert_eq!(Threshold::new(5e-324), Some(Threshold { numerator: 1, denominator: 10_u64.pow(18) }));
    }

    #[test]
    fn bounds_are_those_of_all_sizes_tried() {
        for value in [0.05, 0.3, 0.5, 0.75, 0.92, 1.0] {
            let threshold = Threshold::new(value).unwrap();
            for len in 1..40_usize {
                let reached = |other: usize, shared: usize| threshold.is_reached(shared, len + other - shared);
                let others: Vec<usize> = (1..1000).filter(|&other| reached(other, len.min(other))).collect();
                let sizes = threshold.sizes(len);
                assert_eq!((others[0], others[others.len() - 1]), (*sizes.start(), *sizes.end()));
                for shared in 1..=len {
                    let largest = (shared..1000).rfind(|&other| reached(other, shared)).unwrap_or(0);
                    assert!(largest <= threshold.largest_sharing(len, shared));
                }
                for other in 1..80 {
                    let least = (0..=len.min(other)).find(|&shared| reached(other, shared));
                    assert_eq!(least.map(|shared| len + other - 2 * shared), threshold.most_different(len, other));
                }
            }
        }
    }
}
