//! Conversion of readings and comparisons to Python names and tuples.

use std::ops::Range;

use groundwire_language::claim::{Assessment, Contradiction, ContradictionKind, PreparedReading, Status, is_bound};
use groundwire_language::compare::DifferenceKind;
use groundwire_language::overlap::LexicalOverlap;
use groundwire_language::term::Value;
use groundwire_language::{Reading, Term, TermKind};

/// Kind, start, end; lower and upper end of a number, its unit, whether it is a limit; year, month and day of a
/// date.
pub(super) type ValueRow = (&'static str, u32, u32, f64, f64, String, bool, Option<i32>, Option<u8>, Option<u8>);

/// Status, spans without a counterpart, contradiction with both its spans, span of the sentences, terms
/// needed, terms found.
pub(super) type AssessmentRow =
    (&'static str, Vec<(u32, u32)>, Option<(&'static str, (u32, u32), (u32, u32))>, (u32, u32), u32, u32);

/// Words, phrases, topics, missing names, missing numbers, span of the evidence.
pub(super) type OverlapRow = (f64, f64, f64, u32, u32, (u32, u32));

/// The features, and the assessment of a passage with enough shared terms.
pub(super) type SupportRow = (OverlapRow, Option<AssessmentRow>);

/// The span of a term of a claim, and the passages that have a counterpart of it.
pub(super) type CarriersRow = ((u32, u32), Vec<usize>);

/// Kind, start and end in the quote, start and end in the source.
pub(super) type DifferenceRow = (&'static str, u32, u32, u32, u32);

/// Kind, start, end, stem, form and clause.
pub(super) type TermRow = (&'static str, u32, u32, u64, String, u32);

pub(super) fn term_rows(text: &PreparedReading, terms: Range<usize>) -> Vec<TermRow> {
    let reading = &text.reading;
    reading.terms[terms.clone()]
        .iter()
        .zip(&text.stems()[terms])
        .map(|(term, &stem)| {
            (kind_name(term.kind), term.start, term.end, stem, reading.form(term).to_owned(), term.clause)
        })
        .collect()
}

pub(super) fn value_rows(reading: &Reading) -> Vec<ValueRow> {
    let terms = &reading.terms;
    terms.iter().enumerate().filter_map(|(index, term)| value_row(term, is_bound(terms, index))).collect()
}

pub(super) fn value_row(term: &Term, is_limit: bool) -> Option<ValueRow> {
    match term.value.as_ref()? {
        Value::Quantity(quantity) if !quantity.is_ordinal && !term.is_one => Some((
            "number",
            term.start,
            term.end,
            quantity.low.to_f64(),
            quantity.high.to_f64(),
            quantity.unit.to_string(),
            is_limit,
            None,
            None,
            None,
        )),
        Value::Date(date) => {
            let (year, month, day) = (date.year, date.month, date.day);
            Some(("date", term.start, term.end, 0.0, 0.0, String::new(), is_limit, year, month, day))
        }
        _ => None,
    }
}

pub(super) fn assessment_row(found: Assessment) -> AssessmentRow {
    let status = match found.status {
        Status::Contradicted => "contradicted",
        Status::Unsupported => "unsupported",
        Status::Supported => "supported",
    };
    let contradiction = found.contradiction.map(|Contradiction { kind, claim, passage }| {
        let kind = match kind {
            ContradictionKind::Number => "number",
            ContradictionKind::Date => "date",
            ContradictionKind::Negation => "negation",
            ContradictionKind::Antonym => "opposite",
        };
        (kind, claim, passage)
    });
    (status, found.missing, contradiction, found.evidence, found.required, found.matched)
}

pub(super) fn overlap_row(found: LexicalOverlap) -> OverlapRow {
    let LexicalOverlap { words, phrases, topics, missing_names, missing_numbers, evidence, .. } = found;
    (words, phrases, topics, missing_names, missing_numbers, evidence)
}

pub(super) fn difference_name(kind: DifferenceKind) -> &'static str {
    match kind {
        DifferenceKind::Filler => "filler",
        DifferenceKind::Spelling => "spelling",
        DifferenceKind::WordAdded => "word_added",
        DifferenceKind::WordDropped => "word_dropped",
        DifferenceKind::WordReplaced => "word_replaced",
        DifferenceKind::Wording => "wording",
        DifferenceKind::Name => "name",
        DifferenceKind::Condition => "condition",
        DifferenceKind::Quantifier => "quantifier",
        DifferenceKind::Modal => "modal",
        DifferenceKind::Negation => "negation",
        DifferenceKind::Time => "time",
        DifferenceKind::Date => "date",
        DifferenceKind::Unit => "unit",
        DifferenceKind::Number => "number",
        DifferenceKind::TooDifferent => "unread",
    }
}

pub(super) fn kind_name(kind: TermKind) -> &'static str {
    match kind {
        TermKind::Content => "content",
        TermKind::Name => "name",
        TermKind::Title => "title",
        TermKind::Number => "number",
        TermKind::Date => "date",
        TermKind::Time => "time",
        TermKind::Negation => "negation",
        TermKind::ImplicitNegation => "denial",
        TermKind::Modal => "modal",
        TermKind::Hedge => "hedge",
        TermKind::Quantifier => "quantifier",
        TermKind::Limiter => "limiter",
        TermKind::Bound => "bound",
        TermKind::Condition => "condition",
        TermKind::Exception => "exception",
        TermKind::Cause => "cause",
        TermKind::TimeOrder => "order",
        TermKind::TimeReference => "reference",
        TermKind::Auxiliary => "auxiliary",
        TermKind::Pronoun => "pronoun",
        TermKind::Preposition => "preposition",
        TermKind::Conjunction => "conjunction",
        TermKind::Article => "article",
        TermKind::Filler => "filler",
        TermKind::Clitic => "clitic",
    }
}
