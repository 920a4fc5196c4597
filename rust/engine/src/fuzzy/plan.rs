//! Which way the best window inside a text is searched for.
//!
//! Three ways give the same answer:
//!
//! - **walk**: cursors that step as far as the last score allows ([`super::windows`]); needs no
//!   preparation, and steps are long where the floor is high;
//! - **comb**: every window scored exactly ([`super::seaweed`]); cost depends on lengths alone;
//! - **count**: blocks are excluded by counting bigrams, the rest is looked at ([`super::blocks`],
//!   [`super::candidates`]); cheapest by far where the floor is high, and the index of the text
//!   is shared by all needles.
//!
//! The model below says what each costs, in cycles of one core; its constants are measured on
//! English prose. It decides about time only, never about results.

use super::blocks::Frequencies;
use super::blocks::probe::{Choice, Piece};
use super::lcs::LANES;
use super::masks::Symbol;
use super::seaweed;

/// A way to the best window.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    Walk,
    Comb,
    /// One choice of bigrams for each piece of the needle.
    Count(Vec<Choice>),
}

/// Ways that are allowed. Tests take each in turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Force {
    /// The cheapest one.
    #[default]
    No,
    /// Walk.
    Walk,
    /// Comb where there is a kernel for it, else walk.
    Comb,
    /// Count with a needle in so many pieces where that excludes anything, else walk.
    Count(usize),
}

/// What a plan is for.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    /// Characters of the needle, of the text's alphabet.
    pub(super) needle: &'a [u32],
    /// Characters of the text.
    pub(super) text: usize,
    /// The least LCS of interest.
    pub(super) useful: usize,
    /// How often which bigram occurs in the text, if counting is possible.
    pub(super) frequencies: Option<&'a Frequencies>,
    /// Cycles for the index of the text that fall upon this needle.
    pub(super) index_cycles: f32,
}

/// Making the rows of a text, for each character.
pub(super) const INDEX_CYCLES_PER_CHAR: f32 = 3.0;

/// Exact search, for each character of the text.
const FIND_CYCLES_PER_CHAR: f32 = 0.15;

/// Choosing bigrams and looking them up, for each one.
const CHOICE_CYCLES_PER_CHAR: f32 = 60.0;

/// A character of a window, for each word of the needle's masks.
const STEP_CYCLES: f32 = 1.5;

/// A window or a candidate, besides its characters.
const LOOK_CYCLES: f32 = 40.0;

/// Two texts of one language have about this share of a window in common anyway.
const COMMON_SHARE: f32 = 0.52;

/// Characters in a piece of a long needle: shorter ones have too few bigrams, longer ones too many
/// places for each.
const PIECE_CHARS: [usize; 3] = [100, 64, 44];

impl Task<'_> {
    /// The cheapest plan, or the one that is asked for, and its cycles.
    pub(super) fn plan<T: Symbol>(&self, force: Force) -> (Plan, f32) {
        let walk = (Plan::Walk, self.walk_cycles());
        match force {
            Force::No => self.cheapest::<T>(),
            Force::Walk => walk,
            Force::Comb => (Plan::Comb, self.comb_cycles()),
            Force::Count(pieces) => self.count::<T>(pieces.clamp(1, self.needle.len())).unwrap_or(walk),
        }
    }

    fn cheapest<T: Symbol>(&self) -> (Plan, f32) {
        let (mut best, mut plan) = (self.walk_cycles(), Plan::Walk);
        if seaweed::is_possible(self.needle.len()) && self.comb_cycles() < best {
            (best, plan) = (self.comb_cycles(), Plan::Comb);
        }
        let whole = if self.needle.len() <= PIECE_CHARS[0] + PIECE_CHARS[0] / 4 { Some(1) } else { None };
        let pieces = PIECE_CHARS.iter().map(|chars| self.needle.len().div_ceil(*chars)).filter(|&pieces| pieces > 1);
        for pieces in whole.into_iter().chain(pieces) {
            let least = self.index_cycles + CHOICE_CYCLES_PER_CHAR * self.needle.len() as f32;
            if least < best && let Some((count, cycles)) = self.count::<T>(pieces) && least + cycles < best {
                (best, plan) = (least + cycles, count);
            }
        }
        (plan, best)
    }

    /// Candidates that are looked at in the time in which the text is walked over.
    pub(super) fn max_candidates(&self) -> usize {
        let look = LOOK_CYCLES + (self.needle.len().min(2 * PIECE_CHARS[0]) as f32) * STEP_CYCLES;
        (self.walk_cycles() / look) as usize + LANES
    }

    /// Whether searching the text for the needle itself costs little beside `cycles`.
    pub(super) fn is_find_cheap(&self, cycles: f32) -> bool {
        4.0 * FIND_CYCLES_PER_CHAR * (self.text as f32) < cycles
    }

    fn words(&self) -> f32 {
        self.needle.len().div_ceil(64) as f32
    }

    fn windows(&self) -> f32 {
        (self.text - self.needle.len() + 1) as f32
    }

    fn walk_cycles(&self) -> f32 {
        let margin = self.useful as f32 / self.needle.len() as f32 - COMMON_SHARE;
        self.windows() * self.words() * STEP_CYCLES / (2.0 * margin.max(0.05)) + LOOK_CYCLES
    }

    fn comb_cycles(&self) -> f32 {
        seaweed::cycles(self.needle.len(), self.text)
    }

    /// Counting with so many pieces, and its cycles; `None` if it would exclude nothing.
    fn count<T: Symbol>(&self, pieces: usize) -> Option<(Plan, f32)> {
        let len = self.needle.len();
        let out = len.checked_sub(self.useful)?;
        let frequencies = self.frequencies?;
        let choice = |index| {
            let piece = Piece::new(len, out, pieces, index);
            let chars = (piece.len + piece.right + super::blocks::BLOCK) as f32;
            let look = LOOK_CYCLES + chars * piece.len.div_ceil(64) as f32 * STEP_CYCLES;
            piece.fits().then(|| Choice::new::<T>(self.needle, piece, frequencies, look))?
        };
        let choices: Vec<Choice> = (0..pieces).map(choice).collect::<Option<_>>()?;
        let cycles: f32 = choices.iter().map(|choice| choice.cycles_per_block).sum();
        Some((Plan::Count(choices), cycles * self.windows() / super::blocks::BLOCK as f32))
    }
}
