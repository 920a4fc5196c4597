//! What stands at positions of the caller's own text.

use groundwire_engine::Span;
use groundwire_engine::text::Units;

/// Whether `span` of `text` reads exactly `quote`.
pub(crate) fn reads(text: Units<'_>, span: Span, quote: Units<'_>) -> bool {
    if span.len() != quote.len() {
        return false;
    }
    let range = span.start..span.end;
    match (text, quote) {
        (Units::U8(text), Units::U8(quote)) => &text[range] == quote,
        (Units::U16(text), Units::U16(quote)) => &text[range] == quote,
        (Units::U16(text), Units::U8(quote)) => {
            text[range].iter().zip(quote).all(|(&text, &quote)| text == u16::from(quote))
        }
        _ => slice_codes(text, span) == quote.to_codes(),
    }
}

fn slice_codes(text: Units<'_>, span: Span) -> Vec<u32> {
    let range = span.start..span.end;
    match text {
        Units::U8(text) => Units::U8(&text[range]).to_codes(),
        Units::U16(text) => Units::U16(&text[range]).to_codes(),
        Units::U32(text) => Units::U32(&text[range]).to_codes(),
    }
}
