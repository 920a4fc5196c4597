"""A reader model can raise some claims to supported; it cannot change others."""

import pytest

from groundwire.citations import CitedClaimStatus, FoundBy, assess_answer, assess_citations
from groundwire.errors import ModelError
from groundwire.pair_scorer import ReaderScore

PASSAGE = (
    "The workshop has employed twelve people since the spring. We do not sell the old bikes any more. "
    "Ann hired Ben for the morning shift, and parking near the clinic is impossible."
)
RESULTS = [{"id": "1", "text": PASSAGE}]


class Reader:
    """Returns the same score for every pair, and keeps the pairs."""

    name = "made@1"
    threshold = 0.7

    def __init__(self, score=0.9):
        self.score = score
        self.asked = []

    def consistencies(self, pairs):
        """Return one score for each pair."""
        self.asked += pairs
        return [self.score] * len(pairs)


def claim_of(answer, reader, results=RESULTS, **options):
    """Return the only claim of an answer."""
    (claim,) = assess_citations(answer, results, reader=reader, **options).claims
    return claim


OTHER_WORDS = "The workshop gives work to a staff of twelve persons altogether [1]."


@pytest.mark.parametrize(
    ("score", "status", "found_by"),
    [
        pytest.param(0.7, CitedClaimStatus.SUPPORTED, [], id="threshold"),
        pytest.param(0.69, CitedClaimStatus.WEAK, [FoundBy.PARTIAL_SUPPORT], id="below-it"),
        pytest.param(0.1, None, None, id="too-little"),
    ],
)
def test_a_claim_in_other_words_is_raised_by_the_threshold(score, status, found_by):
    """From the threshold on a claim is supported, below it weak; the result names the model."""
    before = claim_of(OTHER_WORDS, None)
    assert before.status in (CitedClaimStatus.UNSUPPORTED, CitedClaimStatus.WEAK)
    claim = claim_of(OTHER_WORDS, Reader(score))
    assert claim.status is (before.status if status is None else status)
    assert [each.found_by for each in claim.findings] == (
        [each.found_by for each in before.findings] if found_by is None else found_by
    )
    assert claim.reader == ReaderScore("made@1", 0.7, score)
    assert claim.support == before.support


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("The workshop has employed fourteen people since the spring [1].", id="number"),
        pytest.param("The workshop gives work to a staff of fourteen persons altogether [1].", id="missing-number"),
        pytest.param("Carla put someone on the early shift of that place [1].", id="missing-name"),
        pytest.param("We sell the old bikes to everybody any more [1].", id="negation"),
        pytest.param("Ben hired Ann for the morning shift [1].", id="roles"),
        pytest.param("They told us that “nobody can leave a car there” at the clinic [1].", id="quoted-words"),
        pytest.param("The workshop has employed twelve people since the spring [1].", id="supported-already"),
        pytest.param("The workshop gives work to a staff of twelve persons altogether [9].", id="no-such-source"),
    ],
)
def test_the_guard_comes_first(answer):
    """The model never sees a claim with a contradiction, a missing value or name, other roles, or quoted words."""
    reader = Reader(1.0)
    assert claim_of(answer, reader) == claim_of(answer, None)
    assert reader.asked == []


def test_it_reads_the_cited_passages_alone():
    """It reads the best four cited passages, and the claim without its citations."""
    results = [{"id": str(number), "text": f"{PASSAGE} That was in room {'abcdef'[number]}."} for number in range(6)]
    reader = Reader()
    claim_of("The workshop gives work to a staff of twelve persons altogether [0][1][2][3][4].", reader, results)
    assert len(reader.asked) == 4
    assert {claim for _, claim in reader.asked} == {"The workshop gives work to a staff of twelve persons altogether ."}
    assert all(passage in [each["text"] for each in results[:5]] for passage, _ in reader.asked)


def test_the_level_of_risk_follows():
    """Counts and level follow from the raised claims."""
    without = assess_answer("", OTHER_WORDS, RESULTS)
    assert assess_answer("", OTHER_WORDS, RESULTS, reader=Reader()).report.facts.unsupported == 0
    assert without.report.claims[0].status in (CitedClaimStatus.UNSUPPORTED, CitedClaimStatus.WEAK)


class Broken:
    """A model that returns or raises what the test sets."""

    name = "broken@1"

    def __init__(self, result, threshold=0.5):
        self.result = result
        self.threshold = threshold

    def consistencies(self, _pairs):
        """Return a wrong result."""
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


@pytest.mark.parametrize(
    ("reader", "reason"),
    [
        (Broken([float("nan")]), "returned a score that is not from 0 to 1"),
        (Broken([]), "returned 0 scores for 1 pairs"),
        (Broken(RuntimeError("SECRET")), "it raised RuntimeError"),
        (Broken([0.5], threshold="high"), "its threshold is not a number"),
    ],
)
def test_a_broken_model_is_an_error(reader, reason):
    """The error contains nothing of the texts."""
    with pytest.raises(ModelError, match=reason) as caught:
        assess_citations(OTHER_WORDS, RESULTS, reader=reader)
    assert "SECRET" not in str(caught.value)
