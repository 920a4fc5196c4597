"""The engine's way against the same rules by `re`, and the folding against its naive version."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire.ingestion.hedges import HedgeDetector
from groundwire.ingestion.hedges.folding import fold
from groundwire.ingestion.hedges.lexicon import LANGUAGES, load_lexicon
from groundwire.ingestion.hedges.unspoken import unspoken_spans
from ingestion.test_hedges import HEDGED, NO_HEDGES, lines
from oracles.hedges import HedgesByRe, fold_naive

NAMES = (*LANGUAGES, "scientific")
DETECTOR = HedgeDetector(scientific=True)
ORACLE = HedgesByRe(NAMES)

phrases = st.sampled_from(sorted({entry.words for name in NAMES for entry in load_lexicon(name)}))
blanks = [" ", " ", " ", "  ", "\n", "\u200b", "\u0301"]
marks = [", ", ". ", "。", "*", "_", "~", "'", '"', "“", "”", "`", "「", "」", "\n> "]
words = [
    "in ",
    "since ",
    "the ",
    "I ",
    "we ",
    " God",
    " not",
    "n't",
    " be detected",
    "x",
    "可",
    "約",
    "е",
    "ß",
    "İ",
    "ﬁ",
]
numbers = ["５", " 5", " 2024", " May", " kDa"]
beside = st.sampled_from([*blanks, *marks, *words, *numbers])
claims = st.lists(phrases | beside | st.text("aIü1 .,可は\ud800", max_size=3), max_size=8).map("".join)
spaced_claims = st.lists(phrases | beside, max_size=8).map(" ".join)


def found(claim: str) -> list[tuple[int, int, str, str]]:
    """The cues of a claim in the oracle's form."""
    return [(cue.start, cue.end, cue.category.value, cue.action.value) for cue in DETECTOR.analyze(claim).cues]


@pytest.mark.parametrize("claim", [*(row[2] for row in HEDGED), *NO_HEDGES, *lines("plain_claims.txt")])
def test_the_rules_are_those_of_re(claim):
    """All rows of the other tests, with the words of research prose besides."""
    assert found(claim) == ORACLE.analyze(claim)


@settings(max_examples=examples(400))
@given(claims | spaced_claims)
def test_any_mixture_is_read_as_by_re(claim):
    """Phrases of all languages beside what their rules look at, in any order."""
    assert found(claim) == ORACLE.analyze(claim)


@settings(max_examples=examples(400))
@given(claims)
def test_folding_is_the_naive_one(claim):
    """The same characters for the same places; blanks aside, with which no cue begins or ends."""
    folded = fold(claim)
    plain, places = fold_naive(claim)
    assert folded.plain == plain
    letters = [at for at, character in enumerate(plain) if character != " "]
    assert [folded.origin(at, at + 1) for at in letters] == [places[at] for at in letters]
    assert len(folded.lowered) == len(folded.plain)


@given(claims)
def test_spans_of_what_is_not_said_are_apart(claim):
    """Left to right, none empty, none inside another, and none at all where no word is left over."""
    spans = unspoken_spans(claim)
    assert all(start < end for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    outside = [
        claim[end:start] for (_, end), (start, _) in zip([(0, 0), *spans], [*spans, (len(claim), 0)], strict=True)
    ]
    assert not spans or re.search(r"\w", "".join(outside))
