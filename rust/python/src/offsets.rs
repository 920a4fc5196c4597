//! Comparison of text at offsets of the caller's own text.

use groundwire_engine::{Span, TextRef};

/// Returns whether `span` of `text` equals `quote`.
pub(crate) fn reads(text: TextRef<'_>, span: Span, quote: TextRef<'_>) -> bool {
    if span.len() != quote.len() {
        return false;
    }
    let range = span.start..span.end;
    match (text, quote) {
        (TextRef::Ucs1(text), TextRef::Ucs1(quote)) => &text[range] == quote,
        (TextRef::Ucs2(text), TextRef::Ucs2(quote)) => &text[range] == quote,
        (TextRef::Ucs2(text), TextRef::Ucs1(quote)) => {
            text[range].iter().zip(quote).all(|(&text, &quote)| text == u16::from(quote))
        }
        _ => slice_codes(text, span) == quote.to_code_points(),
    }
}

fn slice_codes(text: TextRef<'_>, span: Span) -> Vec<u32> {
    let range = span.start..span.end;
    match text {
        TextRef::Ucs1(text) => TextRef::Ucs1(&text[range]).to_code_points(),
        TextRef::Ucs2(text) => TextRef::Ucs2(&text[range]).to_code_points(),
        TextRef::Ucs4(text) => TextRef::Ucs4(&text[range]).to_code_points(),
    }
}
