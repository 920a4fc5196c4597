//! Transcribers' annotations, such as `<laughter>`, which normalisation replaces by a space.

use crate::text::CodeUnit;

/// The maximum number of characters after the first letter of an annotation, in the typographic rule (ruling A2).
const MAX_CHARS: usize = 40;

/// A pair of brackets that can enclose an annotation.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Bracket, Never, Normalizer, Text, UNICODE_VERSION};
///
/// let normalizer = Normalizer::typographic(UNICODE_VERSION, &[Bracket::Square]);
/// let text = normalizer.normalize("Well [inaudible] yes", &Never)?;
/// assert!(text.units().eq_code_points(Text::from("well yes").units()));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Bracket {
    /// Angle brackets: `<laughter>`.
    Angle = 1,
    /// Braces: `{vocalsound}`.
    Brace = 2,
    /// Square brackets: `[inaudible]`.
    Square = 4,
    /// Parentheses: `(laughs)`.
    Round = 8,
}

/// The rule for annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AnnotationRules {
    /// `<`, one or more characters except `>`, and `>`; may span several lines.
    Literal,
    /// Ruling A2: an opening bracket, an optional `/`, a letter, at most 40 more characters without the opening bracket
    /// or a line end, and the closing bracket. The set bits select the brackets.
    Typographic(u8),
}

const PAIRS: [(char, char, Bracket); 4] =
    [('<', '>', Bracket::Angle), ('{', '}', Bracket::Brace), ('[', ']', Bracket::Square), ('(', ')', Bracket::Round)];

impl AnnotationRules {
    pub(crate) fn typographic(brackets: &[Bracket]) -> Self {
        Self::Typographic(brackets.iter().fold(0, |set, &bracket| set | bracket as u8))
    }

    fn includes(self, bracket: Bracket) -> bool {
        match self {
            Self::Literal => bracket == Bracket::Angle,
            Self::Typographic(set) => set & bracket as u8 != 0,
        }
    }

    pub(super) fn opens(self, character: char) -> bool {
        PAIRS.iter().any(|&(open, _, bracket)| open == character && self.includes(bracket))
    }

    pub(super) fn closes(self, character: char) -> bool {
        PAIRS.iter().any(|&(_, close, bracket)| close == character && self.includes(bracket))
    }

    pub(super) fn pairs(self, opening: char, closing: char) -> bool {
        PAIRS.iter().any(|&(open, close, _)| open == opening && close == closing)
    }

    /// Returns whether line ends matter, and whether a second opening bracket starts a new annotation, rather than being
    /// part of the first one.
    pub(super) fn is_typographic(self) -> bool {
        self != Self::Literal
    }

    /// Returns whether two brackets with `inside` between them form an annotation. `collapsed` is the number of
    /// white-space characters between them that were dropped from the output.
    pub(super) fn is_annotation<O: CodeUnit>(self, inside: &[O], collapsed: usize) -> bool {
        if self == Self::Literal {
            return !inside.is_empty();
        }
        let name = match inside {
            [slash, name @ ..] if slash.code_point() == u32::from(b'/') => name,
            _ => inside,
        };
        let [letter, rest @ ..] = name else { return false };
        char::from_u32(letter.code_point()).is_some_and(char::is_alphabetic) && rest.len() + collapsed <= MAX_CHARS
    }
}
