"""The score of support: its files, including hostile ones, and the functions that take it."""

import json
import math
import os
import warnings
from pathlib import Path

import pytest

from groundwire.citations import assess_answer, assess_citations
from groundwire.citations.report import CitedClaimStatus
from groundwire.citations.support import Passages, support_of
from groundwire.evidence import QuoteStatus, QuoteVerdict, assess_quotes
from groundwire.evidence.verdicts import quote_probability
from groundwire.faithfulness import FaithfulnessValidator, PreparedSources
from groundwire.support_score import FEATURES, SUPPORTED_FROM, WEAK_FROM, SupportScore, SupportScoreError, chosen_score

PASSAGE = "The ferry to Skarholm leaves the north quay at noon. Dogs travel for free."
CLAIM = "The ferry to Skarholm leaves the harbour with forty passengers."
# Scores that are almost certain of every claim, or of none.
SURE = SupportScore("sure", 9.0, (0.0,) * 8)
DOUBTFUL = SupportScore("doubtful", -9.0, (0.0,) * 8)
OWN = SupportScore("own", -1.5, (1.0, 0.5, 0.25, -1.0, -0.5, -0.25, -2.0, 2.0), "by hand", (("claims", 120),))


def file_of(tmp_path, **changes):
    """Return the file of a score with other values; None removes a value."""
    OWN.save(tmp_path / "score.json")
    plain = json.loads((tmp_path / "score.json").read_text(encoding="utf-8")) | changes
    text = json.dumps({key: value for key, value in plain.items() if value is not None})
    (tmp_path / "score.json").write_text(text, encoding="utf-8")
    return tmp_path / "score.json"


def test_a_saved_score_is_loaded_as_it_was(tmp_path):
    """Saving it again gives the same bytes."""
    OWN.save(tmp_path / "one.json")
    loaded = SupportScore.load(tmp_path / "one.json")
    assert (loaded, loaded.identity) == (OWN, OWN.identity)
    loaded.save(str(tmp_path / "two.json"))
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.json", "two.json"]


def test_links_and_devices_stay_what_they_are(tmp_path):
    """The target of a link is replaced; a device is written to."""
    (tmp_path / "file.json").write_text("old", encoding="utf-8")
    (tmp_path / "link.json").symlink_to("file.json")
    OWN.save(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert SupportScore.load(tmp_path / "file.json") == OWN
    OWN.save(os.devnull)
    assert not Path(os.devnull).is_file()
    with pytest.raises(OSError, match=r"directory|folder"):
        OWN.save(tmp_path)


def test_only_another_score_has_an_identity():
    """It is the name and the beginning of the hash, which every coefficient changes."""
    assert SupportScore.shipped().identity is None
    assert OWN.identity == f"own (SHA-256 {OWN.sha256[:16]})"
    assert SupportScore("own", OWN.intercept + 0.1, OWN.coefficients).sha256 != OWN.sha256


def test_thresholds_are_in_order():
    """Weak comes before supported, and both are probabilities."""
    assert 0.0 < WEAK_FROM < SUPPORTED_FROM < 1.0


HOSTILE = [
    pytest.param({"coefficients": {"SECRET": 1.0}}, '"coefficients" must have "words"', id="features"),
    pytest.param(
        {"coefficients": dict.fromkeys((*FEATURES, "SECRET"), 1.0)},
        '"coefficients" must have no other keys',
        id="more-features",
    ),
    pytest.param({"coefficients": [1.0] * 8}, '"coefficients" must be an object', id="list"),
    pytest.param({"coefficients": dict.fromkeys(FEATURES, "SECRET")}, '"words" must be a number', id="strings"),
    pytest.param({"coefficients": dict.fromkeys(FEATURES, True)}, '"words" must be a number', id="booleans"),
    pytest.param({"coefficients": dict.fromkeys(FEATURES, float("nan"))}, '"words" must be a number', id="nan"),
    pytest.param({"intercept": float("inf")}, '"intercept" must be a number from -20 to 20', id="infinite"),
    pytest.param({"intercept": -1e300}, '"intercept" must be a number from -20 to 20', id="huge"),
    pytest.param({"intercept": 10**400}, '"intercept" must be a number from -20 to 20', id="long"),
    pytest.param({"intercept": None}, 'the file must have "intercept"', id="missing"),
    pytest.param({"SECRET": 1}, "the file must have no other keys", id="unknown"),
    pytest.param({"name": ""}, '"name" must be a string of 1 to 200', id="no-name"),
    pytest.param({"name": "SECRET\n\x1b[31m"}, '"name" must be a string of 1 to 200', id="control"),
    pytest.param({"name": "SECRET" * 99}, '"name" must be a string of 1 to 200', id="long-name"),
    pytest.param({"subject": "SECRET"}, '"subject" must be one of claims, quotes', id="subject"),
    pytest.param({"subject": ["SECRET"]}, '"subject" must be one of claims, quotes', id="subjects"),
    pytest.param({"subject": "quotes"}, '"coefficients" must have "similarity"', id="features-of-claims"),
    pytest.param({"made by": 7}, '"made by" must be a string', id="maker"),
    pytest.param({"data": ["SECRET"]}, '"data" must be an object', id="data"),
    pytest.param({"data": {"SECRET": ["SECRET"]}}, 'entry 1 of "data"', id="nested-data"),
    pytest.param({"data": {"claims": "SECRET" * 99}}, 'entry 1 of "data"', id="a-text"),
    pytest.param({"data": {"claims": float("nan")}}, 'entry 1 of "data"', id="nan-in-data"),
]


@pytest.mark.parametrize(("changes", "said"), HOSTILE)
def test_a_hostile_file_is_refused_in_words_of_ours(tmp_path, changes, said):
    """The message describes the problem and contains nothing of the file."""
    with pytest.raises(SupportScoreError) as caught:
        SupportScore.load(file_of(tmp_path, **changes))
    assert said in str(caught.value)
    assert "SECRET" not in repr(caught.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "line 1, column 1: not JSON"),
        (b"[1, 2]", "the file must be an object"),
        (b"\xff\xfe", "the file is not UTF-8"),
        (b'{"name": "SECRET", "name": "b"}', "a key is repeated"),
        (b"[" * 20_000, "not the JSON of a score"),
        (b'{"intercept": ' + b"9" * 5_000 + b"}", "not the JSON of a score"),
    ],
)
def test_other_files_are_refused(tmp_path, content, said):
    """This holds for any content."""
    (tmp_path / "score.json").write_bytes(content)
    with pytest.raises(SupportScoreError, match=said):
        SupportScore.load(tmp_path / "score.json")


def test_files_that_cannot_be_read(tmp_path):
    """The file is missing, or has more than 64 KiB."""
    with pytest.raises(FileNotFoundError):
        SupportScore.load(tmp_path / "gone.json")
    (tmp_path / "large.json").write_bytes(b" " * 70_000)
    with pytest.raises(OSError, match=r"large|bytes"):
        SupportScore.load(tmp_path / "large.json")


def test_the_largest_coefficients_still_give_probabilities():
    """The claim has the maximum number of missing names and numbers."""
    counts = (1.0, 1.0, 1.0, 1_000_000, 1_000_000, (0, 0))
    for sign in (1.0, -1.0):
        score = SupportScore("edge", sign * 20.0, (sign * 20.0,) * 8)
        assert score.probability((counts, None)) == pytest.approx(max(sign, 0.0))


def test_functions_with_a_score_refuse_other_types():
    """A number is refused."""
    with pytest.raises(TypeError, match="score must be a SupportScore, a path or None, got float"):
        chosen_score(0.5)
    with pytest.raises(SupportScoreError, match="there must be 8 coefficients, got 1"):
        SupportScore("short", 0.0, (1.0,))
    with pytest.raises(SupportScoreError, match="the score was fitted on quotes, not on claims"):
        chosen_score(SupportScore("quotes", 0.0, (1.0,) * 7, subject="quotes"))


def test_quotes_are_scored_by_their_verdicts():
    """Labelled quotes have no paraphrases, other speakers or other sources."""
    score = SupportScore("quotes", -1.0, (0.0, 3.0, 2.0, 1.0, 0.0, -1.0, 0.0), subject="quotes")
    source = "Anna takes 15 mg each day."
    quotes = ["Anna takes 15 mg each day", "Anna takes 15mg each day", "Anna takes 50 mg each day", "Bea left."]
    exact, near, altered, absent = (quote_probability(each, score) for each in assess_quotes(quotes, source))
    assert exact > near > absent > altered
    assert absent == pytest.approx(1 / (1 + math.e), abs=1e-9)
    for status in (QuoteStatus.PARAPHRASED, QuoteStatus.FOUND_ELSEWHERE, QuoteStatus.WRONG_SPEAKER):
        assert quote_probability(QuoteVerdict(quote="Bea left.", status=status, accepted=False), score) is None
    with pytest.raises(SupportScoreError, match="fitted on claims"):
        quote_probability(assess_quotes(quotes[:1], source)[0], SURE)


def test_passages_are_scored_by_it(tmp_path):
    """It may be an object or a file; prepared passages have their own."""
    OWN.save(tmp_path / "own.json")
    shipped, own = support_of(CLAIM, [PASSAGE]), support_of(CLAIM, [PASSAGE], score=OWN)
    assert own.scores == support_of(CLAIM, [PASSAGE], score=tmp_path / "own.json").scores != shipped.scores
    prepared = Passages([PASSAGE], score=OWN)
    assert support_of(CLAIM, prepared).scores == own.scores
    assert own.passages[0].score == own.scores[0]
    assert own.statuses == shipped.statuses
    with pytest.raises(ValueError, match="score belongs to"):
        support_of(CLAIM, prepared, score=OWN)


@pytest.mark.parametrize(("score", "status"), [(SURE, CitedClaimStatus.WEAK), (DOUBTFUL, CitedClaimStatus.UNSUPPORTED)])
def test_it_tells_a_weak_claim_from_an_unsupported_one(score, status):
    """Reports and decisions name it."""
    results = [{"id": "1", "content": PASSAGE}]
    report = assess_citations(f"{CLAIM} [1]", results, score=score)
    assert (report.claims[0].status, report.support_score) == (status, score.identity)
    assessed = assess_answer("Which ferry?", f"{CLAIM} [1]", results, score=score).report
    assert (assessed.claims, assessed.support_score) == (report.claims, score.identity)


def test_it_supports_nothing_by_itself():
    """Words that the passage lacks are missing, however certain a score is."""
    assert assess_citations(f"{CLAIM} [1]", [{"id": "1", "content": PASSAGE}], score=SURE).level != "LOW"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = FaithfulnessValidator(score=SURE).validate(persona={"bio": CLAIM}, source_data=[PASSAGE])
    assert result.supported_claims == 0


def test_a_report_names_only_another_score_that_was_used():
    """The shipped score is not named, and neither is one without passages."""
    answer = f"{CLAIM} [1]"
    assert assess_citations(answer, [{"id": "1", "content": PASSAGE}]).support_score is None
    assert assess_citations(answer, [{"id": "1"}], score=OWN).support_score is None


def test_a_validator_takes_it():
    """Claims with missing words are weighted differently; prepared sources work with any score."""
    prepared = PreparedSources([PASSAGE])
    confidences = {}
    for score in (None, SURE, DOUBTFUL):
        result = FaithfulnessValidator(score=score).validate(persona={"bio": CLAIM}, source_data=prepared)
        assert result.support_score == (None if score is None else score.identity)
        confidences[score] = result.claim_details[0].confidence
    assert confidences[DOUBTFUL] < confidences[None] < confidences[SURE] < SUPPORTED_FROM


def test_a_batch_of_answers_takes_it():
    """Its levels are those of single answers."""
    pyarrow = pytest.importorskip("pyarrow")
    from groundwire.bulk import assess_batch

    answers, results = [f"{CLAIM} [1]"], [[{"id": "1", "content": PASSAGE}]]
    batch = pyarrow.table({"answer": answers, "results": results})
    found = [assess_batch(batch, score=score)["reasons"].to_pylist()[0] for score in (SURE, DOUBTFUL)]
    expected = [assess_citations(answers[0], results[0], score=score).reasons for score in (SURE, DOUBTFUL)]
    assert found == [[reason.value for reason in reasons] for reasons in expected]
    assert found[0] != found[1]
