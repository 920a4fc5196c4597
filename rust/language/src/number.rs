//! Exact numbers, and the notations of digits.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// An exact number: a fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    numerator: i128,
    denominator: i128,
}

/// Maximum number of digits of a number; longer ones are compared as text.
const MAX_DIGITS: usize = 24;

/// Number of decimal digits that always fit into an `i64`.
const PLAIN_DIGITS: usize = 18;

impl Number {
    /// Returns the fraction `numerator / denominator`, or `None` for a denominator of 0.
    #[must_use]
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let divisor = i128::try_from(divisor).ok()?;
        let sign = denominator.signum();
        Some(Self { numerator: sign * (numerator / divisor), denominator: (denominator / divisor).abs() })
    }

    /// Returns an integer as a number.
    #[must_use]
    pub const fn from_integer(value: i64) -> Self {
        Self { numerator: value as i128, denominator: 1 }
    }

    /// Returns the sum, or `None` on overflow.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Self::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// Returns the product, or `None` on overflow.
    #[must_use]
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        let numerator = self.numerator.checked_mul(other.numerator)?;
        Self::new(numerator, self.denominator.checked_mul(other.denominator)?)
    }

    /// Returns the quotient, or `None` for a divisor of 0 or on overflow.
    #[must_use]
    pub fn checked_div(self, other: Self) -> Option<Self> {
        self.checked_mul(Self::new(other.denominator, other.numerator)?)
    }

    /// Returns the number with the opposite sign.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { numerator: -self.numerator, denominator: self.denominator }
    }

    /// Returns ten to the power of `exponent`, or `None` beyond `MAX_DIGITS`.
    #[must_use]
    pub fn power_of_ten(exponent: i64) -> Option<Self> {
        let digits = u32::try_from(exponent.unsigned_abs()).ok().filter(|&digits| digits as usize <= MAX_DIGITS)?;
        let power = 10_i128.checked_pow(digits)?;
        if exponent < 0 { Self::new(1, power) } else { Self::new(power, 1) }
    }

    /// Returns the value if it is an integer that fits.
    #[must_use]
    pub fn to_integer(self) -> Option<i64> {
        if self.denominator == 1 { i64::try_from(self.numerator).ok() } else { None }
    }

    /// Returns the nearest float.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.numerator.hash(state);
        self.denominator.hash(state);
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let left = self.numerator.checked_mul(other.denominator)?;
        Some(left.cmp(&other.numerator.checked_mul(self.denominator)?))
    }
}

fn gcd(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.max(1)
}

/// Parses digits with separators in a language whose decimal mark is `decimal_mark`.
///
/// Groups of three digits are thousands: `1,240`, `1 240`, `1'240`. A comma or point that cannot separate thousands is
/// the decimal mark in every language. Returns `None` if the text is not one number (`1.2.3`).
///
/// # Examples
///
/// ```
/// use groundwire_language::number::{Number, parse_digits};
///
/// assert_eq!(parse_digits("1,240", '.'), Some(Number::from_integer(1240)));
/// assert_eq!(parse_digits("1,25", ','), Number::new(5, 4));
/// ```
#[must_use]
pub fn parse_digits(text: &str, decimal_mark: char) -> Option<Number> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 || digits > MAX_DIGITS {
        return None;
    }
    if digits == text.len() && digits <= PLAIN_DIGITS {
        return text.parse().ok().map(Number::from_integer);
    }
    let plain: String = text.chars().filter(|&mark| !matches!(mark, ' ' | '\'' | '\u{2019}')).collect();
    let (whole, decimals) = match (plain.rfind(','), plain.rfind('.')) {
        (None, None) => (plain.as_str(), ""),
        (Some(comma), Some(point)) => {
            let last = comma.max(point);
            let mark = plain[last..].chars().next()?;
            if plain.matches(mark).count() > 1 {
                return None;
            }
            (&plain[..last], &plain[last + 1..])
        }
        (Some(_), None) => split(&plain, ',', decimal_mark)?,
        (None, Some(_)) => split(&plain, '.', decimal_mark)?,
    };
    let mut value: i128 = 0;
    for digit in whole.bytes().chain(decimals.bytes()).filter(u8::is_ascii_digit) {
        value = value.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
    }
    Number::new(value, 10_i128.checked_pow(u32::try_from(decimals.len()).ok()?)?)
}

/// Splits digits with one kind of mark into the integer part and the decimals.
fn split(plain: &str, mark: char, decimal_mark: char) -> Option<(&str, &str)> {
    let mut parts = plain.split(mark);
    let first = parts.next()?;
    let groups: Vec<&str> = parts.collect();
    let are_thousands =
        (1..=3).contains(&first.len()) && !first.starts_with('0') && groups.iter().all(|group| group.len() == 3);
    match groups.as_slice() {
        [decimals] if !are_thousands || mark == decimal_mark => Some((first, decimals)),
        _ if are_thousands => Some((plain, "")),
        _ => None,
    }
}

/// Parses a Roman numeral below 400 in capitals and in standard form.
///
/// # Examples
///
/// ```
/// use groundwire_language::number::parse_roman;
///
/// assert_eq!(parse_roman("XIV"), Some(14));
/// assert_eq!(parse_roman("IIII"), None);
/// ```
#[must_use]
pub fn parse_roman(text: &str) -> Option<i64> {
    let (mut rest, mut value) = (text, 0);
    for (one, five, ten, worth) in [('C', 'D', 'M', 100), ('X', 'L', 'C', 10), ('I', 'V', 'X', 1)] {
        let digit = if let Some(after) = rest.strip_prefix([one]).and_then(|after| after.strip_prefix([ten])) {
            rest = after;
            9
        } else if let Some(after) = rest.strip_prefix([one]).and_then(|after| after.strip_prefix([five])) {
            rest = after;
            4
        } else {
            let after_five = rest.strip_prefix([five]);
            let after = after_five.unwrap_or(rest);
            let ones = after.chars().take(3).take_while(|&letter| letter == one).count();
            rest = &after[ones..];
            ones as i64 + if after_five.is_some() { 5 } else { 0 }
        };
        value += digit * worth;
    }
    (rest.is_empty() && (1..400).contains(&value)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_parsed_by_their_groups_and_the_decimal_mark() {
        for (written, mark, numerator, denominator) in [
            ("1,240", '.', 1240, 1),
            ("1240", '.', 1240, 1),
            ("1 240 000", '.', 1_240_000, 1),
            ("0,5", '.', 1, 2),
            (".5", '.', 1, 2),
            ("1.25", '.', 5, 4),
            ("1.250", ',', 1250, 1),
            ("1,250", ',', 5, 4),
            ("1.234.567,5", ',', 2_469_135, 2),
            ("6.50", '.', 13, 2),
            ("0.050", ',', 1, 20),
        ] {
            assert_eq!(parse_digits(written, mark), Number::new(numerator, denominator), "{written}");
        }
        assert_eq!(parse_digits("1.2.3", '.'), None);
        assert_eq!(parse_digits("", '.'), None);
        assert_eq!(parse_digits(&"9".repeat(200), '.'), None);
    }

    #[test]
    fn roman_numerals_have_one_form() {
        for (written, value) in
            [("I", 1), ("II", 2), ("IV", 4), ("IX", 9), ("XIV", 14), ("XLII", 42), ("XCIX", 99), ("CCC", 300)]
        {
            assert_eq!(parse_roman(written), Some(value));
        }
        for written in ["", "IIII", "VX", "IC", "MIX", "Ivy"] {
            assert_eq!(parse_roman(written), None, "{written}");
        }
    }

    #[test]
    fn arithmetic_is_exact() {
        let third = Number::new(1, 3).expect("not zero");
        assert_eq!(third.checked_add(third).and_then(|sum| sum.checked_add(third)), Some(Number::from_integer(1)));
        assert_eq!(Number::new(-2, -4), Number::new(1, 2));
        assert!(Number::from_integer(2) > third);
    }
}
