//! A minimum similarity as a fraction, so that sets are compared with integers (ruling C1).

/// The maximum number of decimal digits.
const MAX_DIGITS: u32 = 18;

/// A minimum similarity, above 0 and at most 1.
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
    /// Creates a threshold from the decimal notation of `value`, so that 0.92 is 92/100 and not the binary fraction
    /// nearest to it. `None` outside `0.0 < value <= 1.0`. Digits after the 18th decimal place are dropped; a value
    /// below 10⁻¹⁸ becomes 10⁻¹⁸.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        if !(value > 0.0 && value <= 1.0) {
            return None;
        }
        Some(Self::of_few_digits(value).unwrap_or_else(|| Self::of_many_digits(value)))
    }

    /// Returns the fraction with the fewest digits that rounds to `value`, or `None` if it needs more than four
    /// decimals. Takes a tenth of the time of formatting the number, which would be noticeable in a short search.
    fn of_few_digits(value: f64) -> Option<Self> {
        [1_u64, 10, 100, 1_000, 10_000].into_iter().find_map(|denominator| {
            let numerator = (value * denominator as f64).round();
            let is_exact = numerator > 0.0 && numerator / denominator as f64 == value;
            is_exact.then(|| Self::reduced(numerator as u64, denominator))
        })
    }

    fn of_many_digits(value: f64) -> Self {
        let decimal = format!("{value}");
        let decimals: String = decimal.split_once('.').map_or("", |(_, decimals)| decimals).chars().take(18).collect();
        let denominator = 10_u64.pow((decimals.len() as u32).min(MAX_DIGITS));
        Self::reduced(decimals.parse::<u64>().unwrap_or(0).max(1), denominator)
    }

    fn reduced(numerator: u64, denominator: u64) -> Self {
        let divisor = greatest_common_divisor(numerator, denominator);
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// Returns whether `shared` of `either` tokens reach the threshold. Two empty sets do not.
    #[inline]
    pub(super) fn is_reached(self, shared: usize, either: usize) -> bool {
        either > 0 && shared as u128 * u128::from(self.denominator) >= either as u128 * u128::from(self.numerator)
    }

    /// Returns whether this threshold is below `other`.
    pub(super) fn is_below(self, other: Self) -> bool {
        u128::from(self.numerator) * u128::from(other.denominator)
            < u128::from(other.numerator) * u128::from(self.denominator)
    }

    /// Returns the minimum number of tokens that a set of `len` tokens shares with any set of this similarity.
    pub(super) fn min_overlap(self, len: usize) -> usize {
        divided_up(len, self.numerator, self.denominator)
    }

    /// Returns the length of the prefix of a set of `len` tokens. The prefixes of two sets of this similarity share at
    /// least one token.
    pub(super) fn prefix(self, len: usize) -> usize {
        if len == 0 { 0 } else { len - self.min_overlap(len) + 1 }
    }

    /// Returns the maximum number of tokens in only one of two sets of these sizes with this similarity; `None` if no
    /// such sets can have it.
    pub(super) fn max_symmetric_difference(self, len: usize, other: usize) -> Option<usize> {
        // Does not overflow, because neither operand has more than 18 digits.
        let shared = divided_up(len + other, self.numerator, self.numerator + self.denominator);
        (shared <= len.min(other)).then(|| len + other - 2 * shared)
    }

    /// Returns the maximum size of a set that has this similarity to a set of `len` tokens and shares `shared` tokens
    /// with it.
    pub(super) fn max_size_for_overlap(self, len: usize, shared: usize) -> usize {
        let sum = u128::from(self.numerator) + u128::from(self.denominator);
        let both = shared as u128 * sum / u128::from(self.numerator);
        usize::try_from(both).unwrap_or(usize::MAX).saturating_sub(len)
    }

    /// Returns the sizes of sets that can have this similarity to a set of `len` tokens.
    pub(super) fn sizes(self, len: usize) -> std::ops::RangeInclusive<usize> {
        let most = len as u128 * u128::from(self.denominator) / u128::from(self.numerator);
        self.min_overlap(len)..=usize::try_from(most).unwrap_or(usize::MAX)
    }
}

/// Returns `len · numerator / denominator`, rounded up, for `numerator <= denominator`.
#[inline]
fn divided_up(len: usize, numerator: u64, denominator: u64) -> usize {
    // Avoids a 128-bit division where possible, because it takes several times as long.
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
