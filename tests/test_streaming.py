"""Quotes and claims of an answer that arrives in chunks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire import Source
from groundwire.citations import CitedClaimStatus, assess_citations
from groundwire.evidence import QuotedSpan, QuotePolicy, QuoteStatus, assess_quotes, quotes_in
from groundwire.streaming import ClaimStream, QuoteStream

SOURCE = "Anna: I never sleep before a storm. The baker's ovens had been cold since May."
RESULTS = [
    {"id": "1", "text": "The mill sold forty loaves on Friday."},
    {"id": "2", "text": "Anna never sleeps before a storm."},
]

# Everything that changes what a mark or a bracket before it means.
MARKS = ['"', "'", "“", "”", "‘", "’", "«", "»", "„", "「", "」", '\\"', ">", "`", "[", "](", "<", "<!--", "-->", "|"]
WORDS = [
    "storm",
    "the dogs'",
    "don't",
    "’tis",
    "'90s",
    "5'10\"",
    "“so”",
    "'no,'",
    "said.",
    "end.”",
    "眠れない",
    "[1]",
    "[2].",
]
MARKUP = ['[a](http://u.x "t")', "`code`", '<b title="q">', "[l]:", "http://u.x", "**so**", "*", "(see", "—", "— Anna"]
LINES = [
    "\n",
    "\n\n",
    "\r\n",
    "\r\n\r\n",
    "\n- ",
    "\n1. ",
    "\n> ",
    "\n\n> ",
    "\n```\n",
    "\n# ",
    "\n---\n",
    "\n\n    ",
    "\n\n“",
]

pieces = st.sampled_from([*MARKS, *WORDS, *MARKUP, *LINES])
answers = st.lists(st.tuples(pieces, st.sampled_from([" ", " ", ""])).map("".join), max_size=40).map("".join)


def in_chunks(text: str, size: int) -> list[str]:
    """Return the parts of *text* with *size* characters each."""
    return [text[place : place + size] for place in range(0, len(text), size)]


def passage_of(span: QuotedSpan) -> tuple[object, ...]:
    """Return all of *span* but its depth, which may count a quote around it that is not complete yet."""
    return span.start, span.end, span.text, span.marks, span.kind


def test_a_quote_has_its_verdict_one_word_after_it():
    """The verdict comes while the sentence goes on."""
    stream = QuoteStream(SOURCE)
    assert stream.feed("She said “I never sleep before a storm") == []
    assert stream.feed("”") == []
    [verdict] = stream.feed(", and")
    assert stream.feed(" ") == []
    assert (verdict.status, verdict.quote) == (QuoteStatus.EXACT, "I never sleep before a storm")


def test_a_mark_split_over_chunks_counts_once():
    """A line end of two characters, or a word with a mark in it, may be in two chunks."""
    stream = QuoteStream(SOURCE)
    verdicts = [
        verdict for chunk in in_chunks("“since May” \r\n\r\n“The baker's ovens”", 1) for verdict in stream.feed(chunk)
    ]
    verdicts += stream.close()
    assert [verdict.quote for verdict in verdicts] == ["since May", "The baker's ovens"]


def test_spans_have_offsets_of_the_whole_answer():
    """Each span is where the answer has the quote, although the stream forgets the text before it."""
    answer = (
        "First “since May” is right.\n\nThen “until May” is not. And so on.\n\n- “a storm” as an item\n- “Anna” too\n"
    )
    stream = QuoteStream(SOURCE)
    for chunk in in_chunks(answer, 3):
        stream.feed(chunk)
    stream.close()
    assert [answer[span.start : span.end] for span in stream.spans] == ["since May", "until May", "a storm", "Anna"]


@given(answer=answers, size=st.integers(1, 30))
@settings(max_examples=examples(1200), deadline=None)
def test_a_stream_has_the_quotes_of_the_whole_answer(answer, size):
    """Whatever the answer and the size of its chunks, no quote is missing, early or twice."""
    stream = QuoteStream(Source("", profile="typographic"))
    for chunk in in_chunks(answer, size):
        stream.feed(chunk)
    stream.close()
    assert sorted(map(passage_of, stream.spans)) == sorted(map(passage_of, quotes_in(answer)))


@given(answer=answers, size=st.integers(1, 30))
@settings(max_examples=examples(400), deadline=None)
def test_a_stream_has_the_claims_of_the_whole_answer(answer, size):
    """Claims are the same, in the same order, with the same statuses and offsets."""
    stream = ClaimStream(RESULTS)
    claims = [claim for chunk in in_chunks(answer, size) for claim in stream.feed(chunk)]
    claims += stream.close()
    assert claims == list(assess_citations(answer, RESULTS).claims)


def test_verdicts_are_those_of_the_policy():
    """The policy decides what is accepted, as in `assess_quotes`."""
    policy = QuotePolicy(min_words=3)
    stream = QuoteStream(SOURCE, policy=policy)
    verdicts = [*stream.feed("“since May” and "), *stream.close()]
    assert verdicts == assess_quotes(["since May"], SOURCE, policy=policy)
    assert not verdicts[0].accepted


def test_a_claim_is_complete_when_the_next_item_begins():
    """A citation at the end of the item still belongs to it."""
    stream = ClaimStream(RESULTS)
    assert stream.feed("- Anna never sleeps before a storm ") == []
    assert stream.feed("[2].\n- ") == []
    [claim] = stream.feed("The mill ")
    assert (claim.status, claim.valid) == (CitedClaimStatus.SUPPORTED, ("2",))
    [other] = stream.feed("was sold on Friday morning.") + stream.close()
    assert other.status is CitedClaimStatus.UNCITED


@pytest.mark.parametrize("stream", [QuoteStream("so"), ClaimStream(RESULTS)], ids=["quotes", "claims"])
@pytest.mark.parametrize(
    "piece", ["> “so” ", "* ", "- > ‘so’\n", "<b “so” "], ids=["quote", "markers", "items", "open-tag"]
)
def test_an_answer_of_one_paragraph_is_read_a_few_times(stream, piece, monkeypatch):
    """Text that no reading can leave behind is read again only when it has grown by an eighth."""
    read = []
    monkeypatch.setattr("groundwire.prose.markdown_blocks", lambda text: read.append(len(text)) or [])
    for _ in range(40_000 // len(piece)):
        stream.feed(piece)
    assert sum(read) <= 40_000 * 1_200
    assert sum(1 for length in read if length > 8_000) < 20


def test_a_closed_stream_takes_no_more_text():
    """Text after the end would have offsets of another answer."""
    for stream in (QuoteStream(SOURCE), ClaimStream(RESULTS)):
        assert stream.close() == []
        assert stream.close() == []
        with pytest.raises(ValueError, match="closed"):
            stream.feed("more")


@pytest.mark.parametrize("chunk", [None, b"said", 5, ["said"]])
def test_a_chunk_of_another_type_is_an_error(chunk):
    """A chunk is a str; the message names the type and not the value."""
    for stream in (QuoteStream(SOURCE), ClaimStream(RESULTS)):
        with pytest.raises(TypeError, match="chunk must be a str"):
            stream.feed(chunk)


def test_wrong_arguments_are_errors_before_the_first_chunk():
    """Otherwise an answer without quotes would hide them."""
    with pytest.raises(TypeError, match="source must be"):
        QuoteStream(5)
    with pytest.raises(ValueError, match="speakers"):
        QuoteStream(SOURCE, policy=QuotePolicy(speakers=["Anna"]))
    with pytest.raises(TypeError):
        ClaimStream("results")
