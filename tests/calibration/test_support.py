"""A score of support fitted on labels: how, on how many, and what is said of it."""

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest

from calibration.labels import quote_rows, rows
from groundwire.calibration import QUOTES, FitError, LabelledClaim, fit_support, label_keys, read_claims
from groundwire.calibration import draw as drawn
from groundwire.calibration.logistic import Sample, fit_near
from groundwire.calibration.measures import balanced_accuracy_at, bins, calibration_error, even_weights
from groundwire.calibration.support import Gain, SupportFit, _folds, _is_better, _Read
from groundwire.calibration.support_tables import render_fit_json, render_fit_markdown, render_fit_text, verdict
from groundwire.citations.support import support_of
from groundwire.support_score import FEATURES, SupportScore

SHIPPED = SupportScore.shipped()


def claims_of(lines):
    """Lines, read."""
    return read_claims("\n".join(map(json.dumps, lines)), str)


@pytest.fixture(scope="module")
def fit():
    """A score that is fitted on the ponds."""
    return fit_support(claims_of(rows()), name="ponds")


def test_a_fit_says_what_it_was_made_of(fit):
    """Counts and a hash, and no text."""
    data = dict(fit.score.data)
    assert (fit.supported, fit.unsupported, fit.documents) == (60, 60, 120)
    assert [data[key] for key in ("supported", "unsupported", "documents")] == [60, 60, 120]
    assert data["better than shipped"] is fit.is_better
    assert len(data["sha256"]) == 64
    assert "pond" not in json.dumps(data)


def test_the_same_claims_give_the_same_file(fit, tmp_path):
    """In any order; one other label gives another."""
    lines = rows()
    random.Random(5).shuffle(lines)
    fit_support(claims_of(lines), name="ponds").score.save(tmp_path / "shuffled.json")
    fit.score.save(tmp_path / "in-order.json")
    assert (tmp_path / "shuffled.json").read_bytes() == (tmp_path / "in-order.json").read_bytes()
    lines[0]["supported"] = not lines[0]["supported"]
    assert fit_support(claims_of(lines), name="ponds").score.sha256 != fit.score.sha256


def test_the_shipped_score_is_measured_as_support_of_gives_it():
    """The best passage of a claim counts."""
    claims = claims_of(rows(documents=4))
    read = _Read.of(claims, list(range(len(claims))), lambda _: None)
    expected = [max(s for s in support_of(each.claim, each.passages).scores if s is not None) for each in claims]
    assert read.probabilities(SHIPPED).tolist() == pytest.approx(expected)


def test_a_claim_is_fitted_by_the_passage_that_has_most_of_it():
    """The same one that the shipped score was fitted by: the greatest row, words first."""
    passages = ("Cod is sold here.", "The boat sold cod and eel in May.", "The boat sold cod.")
    claims = [
        LabelledClaim(f"The boat sold cod and {fish}.", passages, fish == "eel", fish) for fish in ("eel", "hake")
    ]
    read = _Read.of(claims, [0, 1], lambda _: None)
    expected = [max(map(tuple, read.features[read.claim == place].tolist())) for place in (0, 1)]
    assert list(map(tuple, read.sample().features.tolist())) == expected
    assert read.sample(np.asarray([False, True])).is_supported.tolist() == [False]


def test_a_score_of_quotes_weighs_verdicts():
    """The baseline is the verdict; an exact quote is more probable than an altered one."""
    content = "\n".join(map(json.dumps, quote_rows()))
    assert label_keys(content) is QUOTES
    found = fit_support(read_claims(content, str, keys=QUOTES), name="quotes", subject="quotes")
    assert (found.supported, found.unsupported, found.documents) == (60, 60, 60)
    data = dict(found.score.data)
    assert [data[key] for key in ("true", "false", "threshold")] == [60, 60, 0.85]
    assert data["better than verdict"] is found.is_better
    exact, altered = (1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.95, 0.0, 0.0, 0.0, 1.0, math.log1p(1), 0.0)
    assert found.score.probability_of(exact) > 0.9 > 0.1 > found.score.probability_of(altered)
    assert "better than the verdict on these quotes" in render_fit_text(found)
    with pytest.raises(FitError, match="needs 50 true and 50 false quotes or more, got 1 and 1"):
        fit_support(read_claims("\n".join(content.split("\n")[:2]), str, keys=QUOTES), name="few", subject="quotes")


@pytest.mark.parametrize(("supported", "unsupported"), [(49, 60), (60, 49), (120, 0), (0, 120)])
def test_too_few_of_a_kind_are_refused(supported, unsupported):
    """Fifty of each it must be, and labels of one kind are none of the other."""
    claims = [LabelledClaim(f"A{n}.", ("B.",), n < supported, str(n)) for n in range(supported + unsupported)]
    said = f"needs 50 supported and 50 unsupported claims or more, got {supported} and {unsupported}"
    with pytest.raises(FitError, match=said):
        fit_support(claims, name="few")


def test_too_few_documents_are_refused():
    """What is all of one document cannot be tried on another one."""
    lines = rows(document=lambda number: f"pond {number % 4}")
    with pytest.raises(FitError, match="needs supported claims of 5 documents or more, got 4"):
        fit_support(claims_of(lines), name="few")


def test_claims_of_a_document_are_in_one_fold_and_every_fold_has_both_kinds():
    """However large some documents are."""
    lines = rows(document=lambda number: f"pond {min(number, 12)}")
    claims = claims_of(lines)
    names = sorted({each.document for each in claims})
    read = _Read.of(claims, [names.index(each.document) for each in claims], lambda _: None)
    folds = _folds(read)
    assert len(folds) == len(names)
    of_claims = folds[read.document]
    for kind in (True, False):
        assert set(of_claims[read.is_supported == kind].tolist()) == set(range(5))


def test_a_few_labels_move_the_score_a_little():
    """And many move it more: shipped coefficients are where it begins."""
    random_state = np.random.default_rng(3)

    def moved(count):
        features = random_state.random((count, len(FEATURES)))
        # Only the third feature tells, the others say nothing.
        model = fit_near(Sample(features, features[:, 2] > 0.5), SHIPPED)
        return np.abs(np.asarray([model.coefficients[name] for name in FEATURES]) - SHIPPED.coefficients).sum()

    assert moved(10) < moved(100) < moved(5_000)
    assert moved(10) < 1.0


def test_what_labels_never_show_stays_as_shipped():
    """A feature with one value throughout teaches nothing."""
    features = np.random.default_rng(4).random((200, len(FEATURES)))
    features[:, 6:] = 0.0
    model = fit_near(Sample(features, features[:, 0] > 0.5), SHIPPED)
    assert [model.coefficients[name] for name in FEATURES[6:]] == pytest.approx(SHIPPED.coefficients[6:])


def test_no_coefficient_has_a_sign_against_its_meaning():
    """Labels that call what is missing a support are not believed."""
    features = np.random.default_rng(5).random((2_000, len(FEATURES)))
    model = fit_near(Sample(features, features[:, 4] - features[:, 0] > 0.0), SHIPPED)
    assert (model.coefficients["numbers"], model.coefficients["words"]) == (0.0, 0.0)


def test_measures_by_hand():
    """Three supported claims of four, whose kinds weigh the same."""
    scores, labels = np.asarray([0.95, 0.95, 0.25, 0.25]), np.asarray([True, True, True, False])
    assert balanced_accuracy_at(0.5, scores, labels) == pytest.approx((2 / 3 + 1) / 2)
    found = bins(scores, labels, even_weights(labels))
    assert [each.share for each in found] == pytest.approx([0.25, 1.0])
    assert calibration_error(found) == pytest.approx(1 / 3 * 0.05)
    assert math.isnan(balanced_accuracy_at(0.5, scores[:2], labels[:2]))


@pytest.mark.parametrize(
    ("gains", "auroc_from", "expected"),
    [
        ([(0.1, 0.02, 0.2), (0.0, -0.1, 0.1), (0.0, -0.1, 0.1)], 0.6, True),
        ([(0.1, -0.02, 0.2), (0.0, -0.1, 0.1), (0.0, -0.1, 0.1)], 0.6, False),
        ([(0.1, 0.02, 0.2), (-0.1, -0.2, -0.05), (0.0, -0.1, 0.1)], 0.6, False),
        ([(0.1, 0.02, 0.2), (0.0, -0.1, 0.1), (0.0, -0.1, 0.1)], 0.49, False),
        ([(0.0, 0.0, 0.0)] * 3, 0.6, False),
    ],
)
def test_better_is_what_is_shown_to_be(gains, auroc_from, expected):
    """A gain whose interval is above 0, no loss whose interval is below, and no ranking by chance."""
    assert _is_better([Gain(*each) for each in gains], auroc_from) is expected


def worse(fit: SupportFit) -> SupportFit:
    """The same fit, with gains that show nothing."""
    return fit._replace(gains=(Gain(0.0, -0.1, 0.1),) * 3)


def test_tables_have_both_scores_and_both_errors(fit):
    """As text, Markdown and JSON."""
    for render in (render_fit_text, render_fit_markdown):
        text = render(fit)
        assert all(words in text for words in ("shipped score", "fitted score, cross-validated", "AUROC"))
        assert "false claims accepted" in text
        assert "true claims rejected" in text
        assert verdict(fit) in text
    plain = json.loads(render_fit_json(fit))
    assert plain["claims"] == {"supported": 60, "unsupported": 60, "documents": 120}
    assert plain["gains"]["auroc"]["value"] == pytest.approx(plain["fitted"]["auroc"] - plain["shipped"]["auroc"])
    fell = plain["shipped"]["calibration_error"] - plain["fitted"]["calibration_error"]
    assert plain["gains"]["calibration_error"]["value"] == pytest.approx(fell)
    assert [len(each["points"]) for each in plain["calibrations"]] == [100, 100]
    assert "no better" in render_fit_text(worse(fit))


def test_both_scores_are_drawn(fit):
    """A panel for each."""
    picture = drawn(fit.errors)
    assert picture.count("policy shipped score:") == picture.count("policy fitted score, cross-validated:") == 1


def test_a_score_with_the_coefficients_of_the_shipped_one_is_the_shipped_one():
    """By whatever name."""
    assert replace(SHIPPED, name="copy").identity is None
