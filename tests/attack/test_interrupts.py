"""Ctrl-C works within a small share of the time of every public call that takes text or rows."""

import random
import sys
from collections.abc import Callable
from functools import partial

import pyarrow as pa
import pytest

from groundwire import Patterns, Source, normalize, partial_ratio, partial_ratio_many
from groundwire._engine import (
    JaccardIndex,
    MinHashIndex,
    SourceTable,
    find_citations,
    read_answer,
    sentences,
)
from groundwire.bulk import assess_batch, claims_batch, dedup_batch, ground_batch
from groundwire.citations import assess_citations, detect_hallucination
from groundwire.citations.support import support_of
from groundwire.evidence import assess_quotes, normalize_for_quote_match, quotes_in, validate_evidence_grounding
from groundwire.faithfulness import ClaimExtractor
from groundwire.ingestion import CitationDetector, HedgeDetector, jaccard_similarity
from groundwire.language import read_passages
from groundwire.review import word_diff
from groundwire.transcripts import read_transcript
from groundwire.urls import find_urls
from waits import deaf_share, interrupt_long_work

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="this system has no SIGINT and no timers")

# In work as short as in these tests, the engine's own pause of 50 ms is a visible share.
MOST_DEAF = 0.6
# Waits this short are harmless whatever their share: work that never checks for signals takes longer.
MOST_DEAF_S = 0.3
PROSE = "The patient says that sleep is bad, and never rested [1]. Maybe #12, he said. "
MARKS = "\u0301\u0323"
WORK_CHARS = 1 << 18

Work = Callable[[], object]
Prepare = Callable[[int], Work]


def of_text(call: Callable[[str], object], piece: str, chars: int = WORK_CHARS) -> Prepare:
    """Return the work of a call on *chars* characters of one kind."""
    return lambda size: partial(call, "a" + piece * (size * chars // len(piece)))


def of_words(call: Callable[[str], object], chars: int = WORK_CHARS) -> Prepare:
    """Return the work of a call on words that all differ."""
    return lambda size: partial(call, " ".join(f"w{number:x}" for number in range(size * chars // 6)))


def of_source(call: Callable[[Source], object], piece: str) -> Prepare:
    """Return the work of a call on a prepared source."""
    return lambda size: partial(call, Source(piece * (size * WORK_CHARS // len(piece))))


def of_rows(call: Callable[[pa.RecordBatch], object], **row: object) -> Prepare:
    """Return the work of a call on many equal rows."""
    return lambda size: partial(
        call, pa.record_batch({name: pa.array([value] * (1 << 13) * size) for name, value in row.items()})
    )


def of_answer(call: Callable[[object], object]) -> Prepare:
    """Return the work of reading an answer."""
    return lambda size: partial(call, read_answer(PROSE * (size * WORK_CHARS // len(PROSE)), ["1"]))


def letters(count: int) -> str:
    """Return random letters, always the same for a number."""
    return "".join(random.Random(count).choices("abcdefgh", k=count))


def jaccard(text: str) -> object:
    """Compare a text with others."""
    index = JaccardIndex(floor=0.5)
    index.insert("a b c")
    return index.query(text, 0.5)


CALLS: dict[str, Prepare] = {
    "normalize: marks": of_text(normalize, MARKS),
    "normalize: one mark": of_text(normalize, "\u0301"),
    "normalize: sigma before marks": of_text(normalize, "\u03a3\u0345\u0345"),
    "normalize: brackets": of_text(normalize, "<"),
    "normalize: ligatures": of_text(normalize, "\ufdfa", 1 << 15),
    "normalize_for_quote_match: marks": of_text(normalize_for_quote_match, MARKS),
    "Source: marks": of_text(Source, MARKS),
    "Source: prose": of_text(Source, PROSE),
    "Source.find: a long quote": lambda size: partial(Source("a b").find, PROSE * (size << 12)),
    "Source.find: between words": of_source(lambda source: source.find("a", word_boundaries=True), "xa"),
    "Source.find_all: everywhere": of_source(lambda source: source.find_all("a"), "a"),
    "Source.find_all: long overlaps": of_source(lambda source: source.find_all("a" * 500), "a"),
    "Source.find_all: between words": of_source(lambda source: source.find_all("a", word_boundaries=True), "xa"),
    "Source.ground: many quotes": lambda size: partial(Source(PROSE).ground, ["the patient"] * (size << 16)),
    "Source.scores: many quotes": lambda size: partial(Source(PROSE).scores, ["the patient"] * (size << 12)),
    "Patterns.find_all: everywhere": of_text(Patterns(["a", "aa", "aaa"]).find_all, "a"),
    "partial_ratio": lambda size: partial(partial_ratio, letters(5_000), letters(size << 12)),
    "partial_ratio_many": lambda size: partial(partial_ratio_many, ["the patient"] * (size << 12), PROSE),
    "read_answer: prose": of_text(lambda text: read_answer(text, ["1"]), PROSE),
    "read_answer: emphasis": of_text(lambda text: read_answer(text, ["1"]), "*a* "),
    "read_answer: items": of_text(lambda text: read_answer(text, ["1"]), "- a [1].\n"),
    "read_answer: citations": of_text(lambda text: read_answer(text, ["1"]), "*[1]"),
    "Answer.markers": of_answer(lambda answer: answer.markers),
    "Answer.claims": of_answer(lambda answer: answer.claims),
    "sentences": of_text(sentences, "A b. "),
    "find_citations: prose": of_text(find_citations, PROSE),
    "find_citations: issues": of_text(find_citations, "#1 "),
    "find_citations: hashes": of_text(find_citations, "abcdef1 "),
    "JaccardIndex.insert: words": of_words(lambda text: JaccardIndex(floor=0.5).insert(text)),
    "JaccardIndex.insert: marks": of_text(lambda text: JaccardIndex(floor=0.5).insert(text), MARKS),
    "JaccardIndex.query: words": of_words(jaccard),
    "MinHashIndex.insert": of_text(lambda text: MinHashIndex(threshold=0.5).insert(text), PROSE),
    "ReadPassages.support: a text": of_text(lambda text: read_passages([text]).support(["a b"]), "a b c "),
    "ReadPassages.support: claims": lambda size: partial(
        read_passages(["tall towers fell"] * 512).support, ["towers fell"] * size * 8
    ),
    "ground_batch: rows": of_rows(ground_batch, quote="a b", source="x a b c"),
    "ground_batch: marks": of_text(
        lambda text: ground_batch(pa.record_batch({"quote": ["a"], "source": [text]})), MARKS
    ),
    "dedup_batch: rows": of_rows(dedup_batch, text="a b c d e"),
    "claims_batch: rows": of_rows(claims_batch, claim="maybe it is #12"),
    "claims_batch: a long claim": of_text(lambda text: claims_batch(pa.record_batch({"claim": [text]})), PROSE),
    "assess_batch: rows": of_rows(assess_batch, answer=PROSE, results=[{"id": "1"}]),
    "SourceTable": lambda size: partial(
        SourceTable,
        pa.record_batch({"id": pa.array(range(size << 15)), "text": pa.array(["a b"] * (size << 15))}),
    ),
    "jaccard_similarity: words": of_words(lambda text: jaccard_similarity(text, text), WORK_CHARS * 8),
    "CitationDetector: issues": of_text(CitationDetector().detect, "#1 "),
    "CitationDetector: prose": of_text(CitationDetector().detect, PROSE),
    "HedgeDetector: hedges": of_text(HedgeDetector().analyze, "maybe might "),
    "HedgeDetector: marks": of_text(HedgeDetector().analyze, MARKS),
    "assess_citations": of_text(lambda text: assess_citations(text, [{"id": "1"}]), PROSE),
    "detect_hallucination": of_text(lambda text: detect_hallucination(text, [{"id": "1"}]), PROSE),
    "support_of": of_text(lambda text: support_of(text, [text]), PROSE),
    "assess_quotes": of_text(lambda text: assess_quotes(["the patient says"], text), PROSE),
    "validate_evidence_grounding": of_text(lambda text: validate_evidence_grounding({"a": ["b c"]}, text), MARKS),
    "quotes_in": of_text(quotes_in, PROSE),
    "read_transcript": of_text(lambda text: read_transcript(f"A: b\n{text}"), "B: c\n"),
    "find_urls": of_text(find_urls, "https://a.b "),
    "word_diff": of_text(lambda text: word_diff(text, text[::-1]), "ab c "),
    "ClaimExtractor": of_text(lambda text: ClaimExtractor().extract({"bio": text}), PROSE),
}


@pytest.mark.parametrize("name", CALLS)
def test_signals_are_handled_during_the_work(attack, name):
    """Python handles signals often: no interval without it takes more than a share of the work."""
    with attack.attempt(name):
        share, longest_s = deaf_share(CALLS[name])
        print(f"{name}: {share:.2f} of the work, {longest_s:.2f} s")
        assert share < MOST_DEAF or longest_s < MOST_DEAF_S, f"deaf for {share:.2f} of the work"


@pytest.mark.parametrize(
    "name", [name for name in CALLS if name.startswith(("normalize: marks", "read_answer: e", "find_citations: p"))]
)
def test_ctrl_c_ends_the_call(attack, name):
    """A call that releases the interpreter ends soon after the signal."""
    with attack.attempt(name):
        share = interrupt_long_work(CALLS[name], times=20)
        assert share < MOST_DEAF, f"goes on for {share:.2f} of the work"
