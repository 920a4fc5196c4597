"""Spans in the original text: inserted quotes, every kind of decoration, every script."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire import Source, normalize
from oracles.decorated import LETTERS, SPACES, Decorated, decorated
from oracles.naive import occurrences_naive
from oracles.texts import nasty_texts

PLANTED = [
    pytest.param("I can't sleep at night", "Well, doctor. ", id="latin"),
    pytest.param("der süße Straßenköter", "Na ja, also. ", id="german"),
    pytest.param("я не могу спать, йод", "Ну да. ", id="cyrillic"),
    pytest.param("ο λόγος της μέρας", "Ναι. ", id="greek"),
    pytest.param("אני לא ישן", "כן. ", id="hebrew"),
    pytest.param("لا أستطيع النوم", "نعم. ", id="arabic"),
    pytest.param("मैं सो नहीं सकता", "हाँ. ", id="devanagari"),
    pytest.param("ฉันนอนไม่หลับ", "ค่ะ ", id="thai"),
    pytest.param("我每天晚上都睡不着", "是的。", id="han"),
    pytest.param("夜はバスで眠れません", "はい。", id="japanese"),
    pytest.param("밤에 잠을 못 자요", "네. ", id="korean"),
    pytest.param("\U00010428\U00010429 \U0001f634 \U0001f319", "\U0001f600 ", id="astral"),
]

DECORATIONS = {
    "as-it-is": lambda quote: quote,
    "white-space": lambda quote: quote.replace(" ", " \t\r\n\x1c\u3000"),
    "tags": lambda quote: quote.replace(" ", " <vocal sound>\n</b> "),
    "full-width-tag": lambda quote: quote.replace(" ", "\uff1claugh\uff1e"),
    "curly-quotes": lambda quote: quote.replace("'", "\u2019"),
    "no-break-spaces": lambda quote: quote.replace(" ", "\u00a0"),
    "zero-width": lambda quote: "\u200b".join([quote[:2], quote[2:]]),
    "byte-order-mark-in-the-spaces": lambda quote: quote.replace(" ", " \ufeff "),
    "decomposed": lambda quote: unicodedata.normalize("NFD", quote),
    "capitals": lambda quote: quote.upper().replace("SS", "\u1e9e"),
    "full-width": lambda quote: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in quote),
}


@pytest.mark.parametrize("filler_count", [0, 1, 3, 400])
@pytest.mark.parametrize("decoration", DECORATIONS)
@pytest.mark.parametrize(("quote", "filler"), PLANTED)
def test_a_planted_quote_is_found_where_it_was_put(quote, filler, decoration, filler_count):
    """Span and text are exact for any decoration around it, also in texts long enough for an index."""
    planted = DECORATIONS[decoration](quote)
    before, after = filler * filler_count, " " + filler * filler_count
    text = before + planted + after
    match = Source(text).find(quote)
    assert (match.start, match.end) == (len(before), len(before) + len(planted))
    assert (match.text, match.score) == (planted, 1.0)
    assert match.kind == ("exact" if planted == quote else "normalized")


@settings(max_examples=examples(500))
@given(decorated, st.data())
def test_spans_are_the_shortest_that_hold_the_quote(text: Decorated, data):
    """The oracle is a text whose segments have known origins: all occurrences, both kinds."""
    start = data.draw(st.integers(0, len(text.normalized) - 1))
    quote = text.normalized[start : data.draw(st.integers(start + 1, len(text.normalized)))].strip()
    found = [(match.start, match.end, match.kind) for match in Source(text.text).find_all(quote)]
    spans = [text.origin(*span) for span in occurrences_naive(quote, text.normalized)]
    assert found == [(*span, "exact" if text.text[slice(*span)] == quote else "normalized") for span in spans]


@given(nasty_texts, st.data())
def test_the_text_of_a_match_is_a_slice_of_the_original(text, data):
    """text[start:end], in code points, for quotes out of the normalised text."""
    source = Source(text)
    start = data.draw(st.integers(0, len(source.normalized)))
    quote = source.normalized[start : data.draw(st.integers(start, len(source.normalized)))]
    for match in source.find_all(quote):
        assert 0 <= match.start < match.end <= len(text)
        assert match.text == text[match.start : match.end]


@settings(max_examples=examples(300))
@given(decorated, st.data())
def test_the_text_of_a_match_reads_as_the_quote(text: Decorated, data):
    """The text of a match, normalised, contains the normalised quote."""
    start = data.draw(st.integers(0, len(text.text) - 1))
    quote = text.text[start : data.draw(st.integers(start + 1, len(text.text)))]
    match = Source(text.text).find(quote)
    if match:
        assert normalize(quote) in normalize(match.text)


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        pytest.param("a \u00bd cup", "2 cup", "\u00bd cup", id="half-of-a-fraction"),
        pytest.param("o\ufb03ce", "fic", "\ufb03c", id="part-of-a-ligature"),
        pytest.param("cafe\u0301 au lait", "caf\u00e9", "cafe\u0301", id="letter-and-accent"),
        pytest.param("cafe\u0301", "caf", "caf", id="up-to-an-accented-letter"),
        pytest.param("\u0130stanbul", "istanbul", None, id="dotted-i-is-not-i-A4"),
        pytest.param("\u0130stanbul", "\u0307stan", "\u0130stan", id="the-dot-of-a-dotted-i"),
        pytest.param("x\u200by z", "xy", "x\u200by", id="dropped-inside"),
        pytest.param("x\u200by z", "x", "x", id="dropped-after"),
        pytest.param("x\u200by z", "y", "y", id="dropped-before"),
        pytest.param("a <b> c", "a c", "a <b> c", id="tag-inside"),
        pytest.param("a<b>c", "a c", "a<b>c", id="tag-is-the-space"),
        pytest.param("a<b>c", "c", "c", id="after-a-tag"),
        pytest.param("a   b", "a b", "a   b", id="spaces-inside"),
        pytest.param("  a  ", "a", "a", id="stripped"),
        pytest.param("<b>a</b>", "a", "a", id="between-tags"),
        pytest.param("\u1112\u1161\u11ab\uad6d", "\ud55c", "\u1112\u1161\u11ab", id="jamo"),
        pytest.param("\ufdfa!", "\u0627\u0644\u0644\u0647", "\ufdfa", id="a-word-of-an-expansion"),
        pytest.param("\u00b5g", "\u03bcg", "\u00b5g", id="wider-than-the-input"),
        pytest.param("x\ufacfy", "\U0002284ay", "\ufacfy", id="leaves-the-basic-plane"),
        pytest.param("BP < 90 and HR > 100", "bp 100", "BP < 90 and HR > 100", id="comparison-is-a-tag-A2"),
    ],
)
def test_a_span_covers_whole_characters_of_the_original(text, quote, expected):
    """A part of an expanded character is found as the whole character."""
    match = Source(text).find(quote)
    assert (match and match.text) == expected


@pytest.mark.parametrize("left", range(71))
def test_no_chunk_border_moves_a_span(left):
    """Every segment is put at every position of the blocks that the engine copies at once."""
    for piece in [*LETTERS, *SPACES]:
        start = left + 1 if left else 0
        text = "x" * left + "-" * bool(left) + "q" + piece.original + piece.tail + "p" + "-y" * 40
        match = Source(text).find(f"q{piece.normalized}p")
        assert (match.start, match.end) == (start, start + 2 + len(piece.original + piece.tail)), piece
