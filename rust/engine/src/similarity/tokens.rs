//! Tokenisation.

use std::collections::HashSet;

use super::unicode_tokens::{self, Token};
use crate::arch::ascii_chunk;
use crate::cancel::CancelMeter;
use crate::normalize::is_space;
use crate::text::{CodeUnit, TextRef, dispatch};
use crate::{Cancel, Error, check_chars};

/// The rule that divides a text into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenRule {
    /// Tokens are the parts between white space, unchanged, as Python's `str.split()` returns them.
    Spec,
    /// Tokens are words without leading and trailing punctuation, in NFKC and lower case, and, in scripts without
    /// spaces between words, pairs of adjacent characters (ruling C3). A text without such tokens is divided at white
    /// space.
    Unicode,
}

/// A tokeniser.
#[derive(Clone, Debug)]
pub struct Tokens {
    rule: TokenRule,
    stop_tokens: HashSet<Box<[u8]>>,
}

impl Tokens {
    /// Creates a tokeniser. With [`TokenRule::Unicode`], it marks stop tokens: the words in `stop_tokens` (in lower
    /// case), pairs that contain one of its characters, tokens with a digit, and names (words with a capital inside a
    /// sentence).
    #[must_use]
    pub fn new(rule: TokenRule, stop_tokens: &[TextRef<'_>]) -> Self {
        let encoded = |word: &TextRef<'_>| {
            let mut bytes = Vec::new();
            unicode_tokens::encode(&word.to_code_points(), &mut bytes);
            bytes.into_boxed_slice()
        };
        Self { rule, stop_tokens: stop_tokens.iter().map(encoded).collect() }
    }

    /// Calls `found` with every occurrence of a token and whether it is a stop token. Tokens are encoded as bytes,
    /// which differ for different tokens. Linear in the text, which must have at most [`MAX_CHARS`](crate::MAX_CHARS)
    /// characters.
    pub(super) fn each(
        &self,
        text: TextRef<'_>,
        cancel: &dyn Cancel,
        found: &mut impl FnMut(&[u8], bool) -> Result<(), Error>,
    ) -> Result<(), Error> {
        check_chars(text.len())?;
        let mut meter = CancelMeter::new(cancel);
        let mut bytes = Vec::new();
        if self.rule == TokenRule::Unicode {
            let mut is_empty = true;
            dispatch!(text, units => self.each_word(units, &mut meter, &mut bytes, &mut |token, is_stop| {
                is_empty = false;
                found(token, is_stop)
            }))?;
            if !is_empty {
                return Ok(());
            }
        }
        if let TextRef::Ucs1(units) = text
            && units.is_ascii()
        {
            let mut runs = units.split(|&byte| ascii_chunk::is_space(byte)).filter(|run| !run.is_empty());
            return runs.try_for_each(|run| {
                meter.charge(run.len())?;
                found(run, false)
            });
        }
        dispatch!(text, units => for_each_run(units, &mut meter, &mut |codes, _, _| {
            bytes.clear();
            unicode_tokens::encode(codes, &mut bytes);
            found(&bytes, false)
        }))
    }

    fn each_word<T: CodeUnit>(
        &self,
        units: &[T],
        meter: &mut CancelMeter<'_>,
        bytes: &mut Vec<u8>,
        found: &mut impl FnMut(&[u8], bool) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut begins_sentence = true;
        for_each_run(units, meter, &mut |codes, is_on_new_line, meter| {
            let mut begins = begins_sentence || is_on_new_line;
            begins_sentence = unicode_tokens::ends_sentence(codes);
            unicode_tokens::for_each_token(codes, meter, &mut |token| {
                let is_name = !begins && unicode_tokens::is_capitalised(token.codes());
                // A sentence starts with its first word, not with a dash before it.
                begins = false;
                bytes.clear();
                unicode_tokens::encode_folded(token.codes(), bytes);
                let is_stop = is_name || token.codes().iter().any(|&code| unicode_tokens::is_digit(code));
                found(bytes, is_stop || self.is_stop(token, bytes))
            })
        })
    }

    /// Returns whether the list of stop words contains the token, or a character of the pair.
    fn is_stop(&self, token: Token<'_>, bytes: &[u8]) -> bool {
        let holds = |codes: &[u32]| {
            let mut bytes = Vec::with_capacity(4);
            unicode_tokens::encode(codes, &mut bytes);
            self.stop_tokens.contains(bytes.as_slice())
        };
        self.stop_tokens.contains(bytes)
            || matches!(token, Token::Pair(codes) if codes.iter().any(|&code| holds(&[code])))
    }

    /// Returns the approximate number of bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.stop_tokens.iter().map(|word| word.len() + size_of::<Box<[u8]>>()).sum()
    }
}

/// Calls `found` with each part between white space, and whether a line end precedes it.
fn for_each_run<T: CodeUnit>(
    units: &[T],
    meter: &mut CancelMeter<'_>,
    found: &mut impl FnMut(&[u32], bool, &mut CancelMeter<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut codes = Vec::new();
    let mut is_on_new_line = false;
    for unit in units {
        let code = unit.code_point();
        let is_space =
            if code < 0x80 { ascii_chunk::is_space(code as u8) } else { char::from_u32(code).is_some_and(is_space) };
        if !is_space {
            codes.push(code);
            continue;
        }
        if !codes.is_empty() {
            meter.charge(codes.len())?;
            found(&codes, is_on_new_line, meter)?;
            is_on_new_line = false;
            codes.clear();
        }
        is_on_new_line |= matches!(code, 0x0A | 0x0D | 0x85 | 0x2028 | 0x2029);
    }
    if codes.is_empty() { Ok(()) } else { found(&codes, is_on_new_line, meter) }
}
