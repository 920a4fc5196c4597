"""Paraphrases according to a reader model: they are reported, and never override the guard."""

import pickle

import pytest

from documents.pdfs import make_pdf, text_at
from groundwire import Source, Sources, read_document
from groundwire.evidence import Quote, QuotePolicy, assess_quotes
from groundwire.pair_scorer import ReaderScore

SOURCE = (
    "Ann: I have been working as a nurse in Berlin for five years now, and the night shifts wear me out.\n"
    "Ben: We do not sell the old bikes any more. The workshop employs twelve people. Ann hired Ben in March.\n"
)


class Reader:
    """Returns the same score for every pair, and keeps the pairs."""

    name = "made@1"

    def __init__(self, score=0.9):
        self.score = score
        self.asked = []

    def consistencies(self, pairs):
        """Return one score for each pair."""
        self.asked += pairs
        return [self.score] * len(pairs)


def verdict_of(quote, reader, source=SOURCE, **options):
    """Return the verdict on one quote."""
    (verdict,) = assess_quotes([quote], source, reader=reader, **options)
    return verdict


OTHER_WORDS = [
    pytest.param("The workshop has a staff of twelve", "below_threshold", id="absent"),
    pytest.param(
        "After five years as a nurse in Berlin the night shifts exhaust me", "below_threshold", id="reordered"
    ),
    pytest.param("the night shifts tire me out", "wording", id="altered-wording"),
]


@pytest.mark.parametrize(("quote", "reason"), OTHER_WORDS)
def test_a_quote_in_other_words_is_paraphrased(quote, reason):
    """It is not accepted by default; the verdict has the model, its threshold and score, and the passage."""
    verdict = verdict_of(quote, Reader())
    assert (verdict.status, verdict.accepted) == ("paraphrased", False)
    assert (verdict.reasons[0], verdict.reasons[-1]) == ("entailed", reason)
    assert verdict.reader == ReaderScore("made@1", 0.5, 0.9)
    assert verdict.nearest is not None
    assert pickle.loads(pickle.dumps(verdict)) == verdict


@pytest.mark.parametrize(("quote", "reason"), OTHER_WORDS)
def test_a_quote_that_does_not_follow_stays_absent(quote, reason):
    """The verdict has the score; without a model nothing changes."""
    before, after = verdict_of(quote, None), verdict_of(quote, Reader(0.49))
    assert (after.status, after.reasons) == (before.status, before.reasons)
    assert reason in after.reasons
    assert (before.reader, after.reader.score) == (None, 0.49)


def test_a_policy_may_accept_them():
    """The policy has to allow them, and the verdict still has the passage."""
    policy = QuotePolicy(accept={"exact", "paraphrased"})
    verdict = verdict_of("The workshop has a staff of twelve", Reader(), policy=policy)
    assert (verdict.status, verdict.accepted) == ("paraphrased", True)
    assert "twelve" in verdict.nearest.text
    assert verdict_of("The workshop has a staff of twelve", Reader(0.1), policy=policy).accepted is False


@pytest.mark.parametrize(
    "quote",
    [
        pytest.param("The workshop employs thirteen people", id="number"),
        pytest.param("After six years as a nurse in Berlin the night shifts exhaust me", id="number-in-other-words"),
        pytest.param("We sell the old bikes", id="negation"),
        pytest.param("I have been working as a nurse in Hamburg for five years", id="name"),
        pytest.param("Ben hired Ann", id="roles"),
        pytest.param("The workshop may employ twelve people", id="modal"),
        pytest.param("The workshop employs twelve people", id="exact"),
        pytest.param("...", id="blank"),
        pytest.param(Quote("The workshop has a staff of twelve", page=3), id="a-page"),
        pytest.param(Quote("The workshop has a staff of twelve", speaker="Ben"), id="a-speaker"),
    ],
)
def test_the_guard_comes_first(quote):
    """The model sees no quote that differs in more than wording, or for which the guard has another check."""
    reader = Reader(1.0)
    assert verdict_of(quote, reader) == verdict_of(quote, None)
    assert reader.asked == []


@pytest.mark.parametrize("page", [1, 2, 7])
def test_a_page_that_the_quote_names_is_not_overruled(page):
    """The model does not know on which page it found the words."""
    pytest.importorskip("pypdfium2")
    pages = (
        text_at(50, 700, "The workshop employs twelve people."),
        text_at(50, 700, "Lena likes tea and long walks."),
    )
    document, reader = read_document(make_pdf(*pages)), Reader(1.0)
    quote = "The workshop has a staff of twelve"
    policy = QuotePolicy(accept={"exact", "paraphrased"})
    assert verdict_of(Quote(quote, page=page), reader, document, policy=policy).status == "absent"
    assert reader.asked == []
    assert verdict_of(quote, reader, document, policy=policy).status == "paraphrased"


def test_a_paraphrase_that_is_too_short_is_not_accepted():
    """The policy's minimum holds for all quotes."""
    for min_words, is_accepted in ((7, True), (8, False)):
        policy = QuotePolicy(accept={"exact", "paraphrased"}, min_words=min_words)
        verdict = verdict_of("The workshop has a staff of twelve", Reader(), policy=policy)
        assert (verdict.status, verdict.accepted) == ("paraphrased", is_accepted)
        assert ("too_short" in verdict.reasons) is not is_accepted


def test_a_quote_may_name_the_only_source():
    """The model reads it as it reads a quote that names none."""
    quote = "The workshop has a staff of twelve"
    source = Source(SOURCE, name="a")
    assert verdict_of(Quote(quote, source="a"), Reader(), source).status == "paraphrased"
    assert verdict_of(Quote(quote, source="b"), Reader(), source).reasons == ("unknown_source",)


def test_it_reads_whole_sentences():
    """Characters alone would cut the sentences of the nearest passage."""
    reader = Reader()
    verdict_of("The workshop has a staff of twelve", reader)
    assert reader.asked == [("The workshop employs twelve people.", "The workshop has a staff of twelve")]


def test_another_source_than_the_cited_one_is_not_read():
    """The meaning is right, but the citation is wrong."""
    sources = Sources({"a": SOURCE, "b": "Lena likes tea and long walks along the river in the evening."})
    reader = Reader()
    assert verdict_of("The workshop has a staff of twelve", reader, sources, cited="b").status == "absent"
    assert reader.asked == []
    assert verdict_of("The workshop has a staff of twelve", reader, sources, cited="a").status == "paraphrased"
    assert verdict_of("The workshop has a staff of twelve", reader, sources).nearest.source == "a"
