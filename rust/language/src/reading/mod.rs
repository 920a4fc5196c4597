//! Reads a text into typed terms with their offsets.

mod contractions;
mod date;
mod names;
mod number;
mod numeral;
mod parser;
mod quantity;
mod signs;
mod time;
mod words;

use crate::sentence::sentences;
use groundwire_engine::{Cancel, Error, TextRef};

use crate::lexicon::{Language, LexiconError, LexiconSet};
use crate::term::Term;
use crate::token::{Tokens, character_at};
use parser::Parser;
pub(crate) use words::is_weak_negation;

/// What a text says: its terms and sentences. It borrows nothing from the text.
#[derive(Debug)]
pub struct Reading {
    /// The terms, in order.
    pub terms: Vec<Term>,
    /// Start and end of each sentence.
    pub sentences: Vec<(u32, u32)>,
    /// Its language.
    pub language: Language,
    /// The sentences that end in a question mark, in order.
    questions: Vec<u32>,
    forms: String,
}

impl Reading {
    /// Returns the folded form of a term, which for a part of a contraction is the expanded word.
    #[must_use]
    pub fn form(&self, term: &Term) -> &str {
        &self.forms[term.form.0 as usize..term.form.1 as usize]
    }

    /// Returns whether a sentence ends in a question mark.
    #[must_use]
    pub fn is_question(&self, sentence: usize) -> bool {
        u32::try_from(sentence).is_ok_and(|sentence| self.questions.binary_search(&sentence).is_ok())
    }

    /// Returns the indices of the terms that overlap `start..end`.
    #[must_use]
    pub fn terms_in(&self, start: usize, end: usize) -> std::ops::Range<usize> {
        let first = self.terms.partition_point(|term| term.end as usize <= start);
        let last = self.terms.partition_point(|term| (term.start as usize) < end);
        first..last.max(first)
    }
}

/// The reason why a text cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is too long, or the call was cancelled.
    #[error(transparent)]
    Engine(#[from] Error),
    /// A lexicon cannot be read.
    #[error(transparent)]
    Lexicon(#[from] LexiconError),
}

/// Reads texts with a set of lexicons.
pub struct Reader {
    lexicons: LexiconSet,
}

impl Reader {
    /// Creates a reader with a set of lexicons.
    #[must_use]
    pub fn new(lexicons: LexiconSet) -> Self {
        Self { lexicons }
    }

    /// Returns the lexicons.
    #[must_use]
    pub fn lexicons(&self) -> &LexiconSet {
        &self.lexicons
    }

    /// Detects the language of a text.
    ///
    /// # Errors
    ///
    /// [`LexiconError`]: a lexicon cannot be read.
    pub fn detect(&self, text: TextRef<'_>) -> Result<Language, LexiconError> {
        self.lexicons.detect(text)
    }

    /// Reads a text in `language`, in linear time.
    ///
    /// # Errors
    ///
    /// [`ReadError`]: the text is too long, the call was cancelled, or the lexicon cannot be read.
    pub fn read(&self, text: TextRef<'_>, language: Language, cancel: &dyn Cancel) -> Result<Reading, ReadError> {
        let sentences: Vec<(u32, u32)> =
            sentences(text, cancel)?.iter().map(|span| (span.start as u32, span.end as u32)).collect();
        let lexicon = self.lexicons.get(language)?;
        let tokens = Tokens::new(text);
        let mut parser = Parser::new(text, &tokens, &sentences, lexicon, &self.lexicons);
        parser.read(cancel)?;
        let Parser { terms, forms: joined, .. } = parser;
        let mut forms = tokens.into_forms();
        forms.push_str(&joined);
        let is_question = |&(start, end): &(u32, u32)| {
            let mut last = (start..end).rev().filter_map(|at| character_at(text, at as usize));
            last.find(|each| !each.is_whitespace() && !CLOSING_MARKS.contains(*each))
                .is_some_and(|each| "?？؟".contains(each))
        };
        let questions = (0..).zip(&sentences).filter(|(_, span)| is_question(span)).map(|(number, _)| number).collect();
        Ok(Reading { terms, sentences, language, questions, forms })
    }
}

/// Characters that may follow the terminator of a sentence.
const CLOSING_MARKS: &str = "\"'”’»)]*_」』";
