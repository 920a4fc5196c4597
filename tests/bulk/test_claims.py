"""Batches of claims have the results of the two detectors for each claim."""

import unicodedata
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import Patterns
from groundwire._engine import read_claims
from groundwire.bulk import claims_batch
from groundwire.ingestion import CitationDetector, CitationType, HedgeAction, HedgeDetector
from groundwire.ingestion.citation_detector import Citation
from groundwire.ingestion.hedges import HedgeResult
from groundwire.ingestion.hedges.detector import normalize_for_lexicon
from waits import interrupt_long_work

pa = pytest.importorskip("pyarrow")

from .test_columns import DICTIONARIES, STRINGS, column

RESULTS = ("is_speculative", "action", "hedge_words", "citations", "error")

NOT_UTF8 = pa.Array.from_buffers(
    pa.utf8(), 1, [None, pa.py_buffer(b"\x00\x00\x00\x00\x02\x00\x00\x00"), pa.py_buffer(b"a\xff")]
)

# Hedges and exceptions, variants in other letters, hidden characters, citations, and characters that folding changes.
PIECES = [
    *("I think ", "I don’t know", "Maybe", "may", "May 2024", "could not", "perhaps it might", "PROBABLY ", "often"),
    *("可能", "也许", "vielleicht", "peut-être", "возможно", "МОЖЕТ БЫТЬ", "quizás", "たぶん", "the might", "or so."),
    *("I don\u2018t know", "I don\u02bct know", "I don\u00b4t know", "\u2018", "\u2032"),
    *("I  think", "I *think*", "I_think", "ｍａｙ", "I\u00a0think", "I\nthink", "ma\u00ady", "qui\u0301", "İ think"),
    *('"', "'", "“", "”", "`", "«", "»", ">", "(", ")", " ", " ", ".", ", ", "😀", "ΑΣ", "ſ", "Ⅳ", "\0", "\ufeff", "é"),
    *(
        "ADR-3",
        "[ADR 12]",
        "#12",
        "acme/app#3",
        "https://a.org/b",
        "GH-7",
        "a1b2c3d",
        "commit ",
        "defaced",
        "10.1000/x",
    ),
]
CLAIMS = st.lists(st.none() | st.lists(st.sampled_from(PIECES), max_size=8).map("".join), max_size=12)
FINDERS = [
    {},
    {"hedges": HedgeDetector(["en"], scientific=True)},
    {"hedges": HedgeDetector(["zh", "ja"]), "citations": CitationDetector(policy="spec")},
]


def expected(text, hedges=HedgeDetector(), citations=CitationDetector()):  # noqa: B008 - one detector for all calls
    """Return the results of one row by the detectors for one claim."""
    if text is None:
        return {**dict.fromkeys(RESULTS), "error": "the text is null"}
    hedged = hedges.analyze(text)
    return {
        "is_speculative": hedged.is_speculative,
        "action": hedged.action.value,
        "hedge_words": hedged.hedge_words,
        "citations": [
            {"type": str(one.type), "value": one.value, "start": one.start, "end": one.end}
            for one in citations.detect(text)
        ],
        "error": None,
    }


def results(batch):
    """The columns of results, row by row."""
    return batch.select(RESULTS).to_pylist()


@given(
    texts=CLAIMS,
    of_type=st.sampled_from([*STRINGS, *DICTIONARIES]),
    finders=st.sampled_from(FINDERS),
    start=st.integers(0, 3),
    workers=st.integers(1, 3),
)
def test_a_row_has_the_results_of_the_detectors(texts, of_type, finders, start, workers):
    """This holds for strings of any kind, slices, nulls and any detectors: each claim is read as if it were alone."""
    batch = pa.record_batch([column(texts, of_type)], ["claim"]).slice(start)
    made = claims_batch(batch, workers=workers, **finders)
    assert results(made) == [expected(text, **finders) for text in texts[start:]]
    assert made.select(["claim"]) == batch


@given(texts=st.lists(st.text(max_size=40), max_size=6))
def test_any_text_has_the_results_of_the_detectors(texts):
    """This holds for any characters."""
    assert results(claims_batch(pa.record_batch({"claim": pa.array(texts, pa.utf8())}))) == list(map(expected, texts))


def test_many_claims_have_the_results_of_the_detectors():
    """
    This holds for more claims than fit into one search, narrow and wide ones alternating, and for several threads.
    """
    texts = [f"{PIECES[number % len(PIECES)]} number {number} {PIECES[number * 7 % 31]}" for number in range(6000)]
    for workers in (1, 2):
        made = claims_batch(pa.record_batch({"claim": texts}), workers=workers)
        assert results(made) == list(map(expected, texts))


# All of the basic plane, and the characters beyond it that folding knows.
CODES = [*range(0xD800), *range(0xE000, 0x10000), *range(0x1D400, 0x1D800), *range(0x1F100, 0x1F200), 0xE0020, 0x1F600]


@pytest.mark.parametrize(
    ("around", "has_places"), [("a{}b", True), ("a {0}{0} b", True), ("{} a_{}", False), ("I{0}  {0}", False)]
)
def test_claims_are_spelled_as_folding_does(around, has_places):
    """For each character, the claim is found in its folded form, in lower case and in its place if spans are on."""
    texts = [around.format(chr(code), chr(code)) for code in CODES]
    lowered = [normalize_for_lexicon(text).lowered for text in texts]
    asked = {}

    def judge(text, found):
        asked[text] = found
        return False, "none", []

    read_claims(pa.record_batch({"claim": texts}), judge, patterns=Patterns(lowered))
    assert list(asked) == texts
    for code, text, expected_text in zip(CODES, texts, lowered, strict=True):
        # No lexicon has lower-case letters that this version of Python does not know.
        if asked[text] is not None and unicodedata.category(chr(code)) != "Cn":
            assert expected_text in {lowered[index] for index, *span in asked[text] if span == [0, len(text)]}
            marks = "\u2018\u2019\u201b\u02bc\u2032\u00b4" if around == "a{}b" else "\u2019"
            assert normalize_for_lexicon(text).plain == text.translate(str.maketrans(dict.fromkeys(marks, "'")))
    placed = {text for text, found in asked.items() if found is not None}
    assert ({around.format(each, each) for each in "aZéÄЖ可た，—’😀"} <= placed) == has_places


def test_claims_without_a_phrase_skip_the_python_rules():
    """The Python rules see only claims with a phrase, and claims with letters that only Python knows."""
    asked = []

    def judge(text, found):
        asked.append((text, found))
        return False, "none", []

    texts = ["Tea is hot.", "He may go", "漢字", None, "two  *blanks*", "he  may", "write_may", "_may_", "ΑΣ"]
    read_claims(pa.record_batch({"claim": texts}), judge, patterns=HedgeDetector(["en"]).patterns)
    assert [(text, found is None) for text, found in asked] == [
        ("He may go", False),
        ("he  may", True),
        ("_may_", True),
        ("ΑΣ", True),
    ]


def test_custom_detectors_see_every_claim():
    """A subclass has its own rules, which the engine does not know."""

    class Cautious(HedgeDetector):
        def analyze(self, text):
            return HedgeResult(True, HedgeAction.BLOCK, [text[:1]])

    class Generous(CitationDetector):
        def detect(self, text):
            return [Citation(CitationType.DOI, "x", 0, len(text))]

    batch = pa.record_batch({"claim": ["Tea is hot.", "漢字"]})
    made = claims_batch(batch, hedges=Cautious(), citations=Generous())
    assert made["hedge_words"].to_pylist() == [["T"], ["漢"]]
    assert made["action"].to_pylist() == ["block", "block"]
    assert [row[0]["end"] for row in made["citations"].to_pylist()] == [11, 2]


def test_claims_that_cannot_be_read_have_an_error():
    """The row has only the error; tables and streams are read chunk by chunk."""
    texts = pa.chunked_array([pa.array(["Maybe #12", None]), NOT_UTF8, pa.array(["Tea is hot."])])
    table = pa.table({"claim": texts})
    rows = results(claims_batch(table))
    assert [row["error"] for row in rows] == [None, "the text is null", "the text is not valid UTF-8", None]
    assert [row["action"] for row in rows] == ["block", None, None, "none"]
    assert rows[2] == {**dict.fromkeys(RESULTS), "error": "the text is not valid UTF-8"}
    assert results(claims_batch(table.to_reader()).read_all()) == rows
    assert results(claims_batch(pa.table({"claim": pa.nulls(2)}))) == [expected(None)] * 2


def test_an_exception_of_a_detector_comes_through():
    """It belongs to the caller, and no row is lost silently."""

    class Broken(HedgeDetector):
        def analyze(self, _):
            raise RuntimeError("no lexicon today")

    with pytest.raises(RuntimeError, match="no lexicon today"):
        claims_batch(pa.record_batch({"claim": ["Tea is hot."]}), hedges=Broken())


@pytest.mark.parametrize("workers", [1, 2])
def test_long_batches_can_be_stopped(workers):
    """Ctrl-C stops the work; the next batch works normally."""
    values = pa.array(["Tea is hot, and people like it in the morning. " * 2000])

    def prepare(size):
        claims = pa.DictionaryArray.from_arrays(pa.array([0] * size), values)
        return partial(claims_batch, pa.record_batch([claims], ["claim"]), workers=workers)

    assert interrupt_long_work(prepare) < 0.5
    assert results(claims_batch(pa.record_batch({"claim": ["Maybe"]}))) == [expected("Maybe")]
