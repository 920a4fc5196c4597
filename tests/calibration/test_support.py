"""Fitting a score of support: data, determinism, cross-validation, measures and reports."""

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest

from calibration.labels import quote_rows, rows
from groundwire.calibration import FitError, LabelledClaim, fit_support, label_subject, read_claims, render
from groundwire.calibration.measures import (
    Gain,
    area_under_curve,
    balanced_accuracy_at,
    bins,
    calibration_error,
    even_weights,
)
from groundwire.calibration.regression import Sample, fit_near
from groundwire.calibration.report import better_sentence
from groundwire.calibration.support import FOLDS, SupportFit, assign_folds
from groundwire.citations.support import support_of
from groundwire.support_score import FEATURES, SupportScore

SHIPPED = SupportScore.shipped()


def claims_of(lines):
    """The claims in these lines."""
    return read_claims("\n".join(map(json.dumps, lines)), str)


@pytest.fixture(scope="module")
def fit():
    """A score fitted on the ponds."""
    return fit_support(claims_of(rows()), name="ponds")


def test_the_score_records_its_data(fit):
    """Counts and a hash, but no text."""
    data = dict(fit.score.data)
    assert (fit.supported, fit.unsupported, fit.documents) == (60, 60, 120)
    assert [data[key] for key in ("supported", "unsupported", "documents")] == [60, 60, 120]
    assert data["better than shipped"] is fit.is_better
    assert len(data["sha256"]) == 64
    assert "pond" not in json.dumps(data)


def test_the_same_claims_give_the_same_file_in_any_order(fit, tmp_path):
    """One different label gives another file."""
    lines = rows()
    random.Random(5).shuffle(lines)
    fit_support(claims_of(lines), name="ponds").score.save(tmp_path / "shuffled.json")
    fit.score.save(tmp_path / "in-order.json")
    assert (tmp_path / "shuffled.json").read_bytes() == (tmp_path / "in-order.json").read_bytes()
    lines[0]["supported"] = not lines[0]["supported"]
    assert fit_support(claims_of(lines), name="ponds").score.sha256 != fit.score.sha256


def test_the_shipped_score_is_measured_as_support_of_computes_it(fit):
    """The best passage of a claim counts."""
    claims = claims_of(rows())
    scores = [max(s for s in support_of(each.claim, each.passages).scores if s is not None) for each in claims]
    labels = np.asarray([each.is_supported for each in claims])
    assert fit.baseline.auroc == pytest.approx(area_under_curve(np.asarray(scores), labels))


def test_the_fit_uses_the_passage_that_covers_most_of_a_claim(fit):
    """Weaker passages, before or after it, do not change the coefficients."""
    noise = ["Cod is sold here.", "Nothing else is known."]
    lines = [
        line | {"context": sorted([*np.atleast_1d(line["context"]).tolist(), *noise]), "document": str(place // 2)}
        for place, line in enumerate(rows())
    ]
    plain = [line | {"document": str(place // 2)} for place, line in enumerate(rows())]
    noisy, clean = (fit_support(claims_of(each), name="ponds").score for each in (lines, plain))
    assert noisy.coefficients == pytest.approx(clean.coefficients)
    assert clean.coefficients == pytest.approx(fit.score.coefficients)


@pytest.mark.parametrize(("supported", "unsupported"), [(49, 60), (60, 49), (120, 0), (0, 120)])
def test_too_few_claims_of_a_kind_are_an_error(supported, unsupported):
    """A fit needs 50 of each."""
    claims = [LabelledClaim(f"A{n}.", ("B.",), n < supported, str(n)) for n in range(supported + unsupported)]
    message = f"needs at least 50 supported and 50 unsupported claims, got {supported} and {unsupported}"
    with pytest.raises(FitError, match=message):
        fit_support(claims, name="few")


def test_too_few_documents_are_an_error():
    """Each fold needs a document of its own."""
    lines = rows(document=lambda number: f"pond {number % 4}")
    with pytest.raises(FitError, match="needs supported claims from at least 5 documents, got 4"):
        fit_support(claims_of(lines), name="few")


def test_every_fold_has_claims_of_both_kinds():
    """Even if one document has most of the claims."""
    document = np.minimum(np.repeat(np.arange(60), 2), 12)
    is_supported = np.tile([True, False], 60)
    folds = assign_folds(document, is_supported)
    assert len(folds) == 13
    for kind in (True, False):
        assert set(folds[document][is_supported == kind].tolist()) == set(range(FOLDS))


def test_more_labels_move_the_coefficients_further():
    """A fit starts from the shipped coefficients."""
    random_state = np.random.default_rng(3)

    def moved(count):
        features = random_state.random((count, len(FEATURES)))
        # Only the third feature depends on the label.
        model = fit_near(Sample(features, features[:, 2] > 0.5), SHIPPED)
        return np.abs(np.asarray([model.coefficients[name] for name in FEATURES]) - SHIPPED.coefficients).sum()

    assert moved(10) < moved(100) < moved(5_000)
    assert moved(10) < 1.0


def test_a_constant_feature_keeps_its_shipped_coefficient():
    """The labels say nothing about it."""
    features = np.random.default_rng(4).random((200, len(FEATURES)))
    features[:, 6:] = 0.0
    model = fit_near(Sample(features, features[:, 0] > 0.5), SHIPPED)
    assert [model.coefficients[name] for name in FEATURES[6:]] == pytest.approx(SHIPPED.coefficients[6:])


def test_a_coefficient_with_a_wrong_sign_becomes_0():
    """Labels cannot make missing numbers a sign of support."""
    features = np.random.default_rng(5).random((2_000, len(FEATURES)))
    model = fit_near(Sample(features, features[:, 4] - features[:, 0] > 0.0), SHIPPED)
    assert (model.coefficients["numbers"], model.coefficients["words"]) == (0.0, 0.0)


def test_measures_agree_with_a_calculation_by_hand():
    """Three of four claims are supported; both kinds have the same weight."""
    scores, labels = np.asarray([0.95, 0.95, 0.25, 0.25]), np.asarray([True, True, True, False])
    assert balanced_accuracy_at(0.5, scores, labels) == pytest.approx((2 / 3 + 1) / 2)
    found = bins(scores, labels, even_weights(labels))
    assert [each.share for each in found] == pytest.approx([0.25, 1.0])
    assert calibration_error(found) == pytest.approx(1 / 3 * 0.05)
    assert math.isnan(balanced_accuracy_at(0.5, scores[:2], labels[:2]))


NO_GAIN = (0.0, -0.1, 0.1)


@pytest.mark.parametrize(
    ("expected", "gains", "auroc_from"),
    [
        pytest.param(True, [(0.1, 0.02, 0.2), NO_GAIN, NO_GAIN], 0.6, id="a-gain"),
        pytest.param(False, [(0.1, -0.02, 0.2), NO_GAIN, NO_GAIN], 0.6, id="uncertain-gain"),
        pytest.param(False, [(0.1, 0.02, 0.2), (-0.1, -0.2, -0.05), NO_GAIN], 0.6, id="a-gain-and-a-loss"),
        pytest.param(False, [(0.1, 0.02, 0.2), NO_GAIN, NO_GAIN], 0.49, id="ranking-by-chance"),
        pytest.param(False, [(0.0, 0.0, 0.0)] * 3, 0.6, id="no-change"),
    ],
)
def test_better_needs_a_gain_and_no_loss(fit, expected, gains, auroc_from):
    """The intervals decide, and the ranking must beat chance."""
    assert fit._replace(gains=tuple(Gain(*each) for each in gains), auroc_from=auroc_from).is_better is expected


@pytest.mark.parametrize("report_format", ["text", "markdown"])
def test_tables_compare_both_scores(fit, report_format):
    """They show the measures, and the errors at each threshold."""
    text = render(fit, report_format)
    assert all(words in text for words in ("shipped score", "fitted score, cross-validated", "AUROC"))
    assert "false claims accepted" in text
    assert "true claims rejected" in text
    assert better_sentence(fit) in text


def test_json_has_the_gains_and_every_threshold(fit):
    """A lower calibration error is a positive gain."""
    plain = json.loads(render(fit, "json"))
    assert plain["claims"] == {"supported": 60, "unsupported": 60, "documents": 120}
    shipped, fitted, gains = plain["shipped"], plain["fitted"], plain["gains"]
    assert gains["auroc"]["value"] == pytest.approx(fitted["auroc"] - shipped["auroc"])
    lower = shipped["calibration_error"] - fitted["calibration_error"]
    assert gains["calibration_error"]["value"] == pytest.approx(lower)
    assert [len(each["points"]) for each in plain["calibrations"]] == [100, 100]


def test_text_advises_against_a_score_that_is_no_better(fit):
    """Nothing shows a gain."""
    worse: SupportFit = fit._replace(gains=(Gain(*NO_GAIN),) * 3)
    assert "no better" in render(worse, "text")


def test_svg_has_a_panel_for_each_score(fit):
    """The shipped and the fitted one."""
    picture = render(fit, "svg")
    assert picture.count("policy shipped score:") == picture.count("policy fitted score, cross-validated:") == 1


def test_a_copy_of_the_shipped_score_counts_as_shipped():
    """Its name does not matter."""
    assert replace(SHIPPED, name="copy").identity is None


def test_a_score_of_quotes_weighs_verdicts():
    """The baseline is the verdict; an exact quote is more probable than an altered one."""
    content = "\n".join(map(json.dumps, quote_rows()))
    assert label_subject(content) == "quotes"
    found = fit_support(read_claims(content, str, subject="quotes"), name="quotes", subject="quotes")
    assert (found.supported, found.unsupported, found.documents) == (60, 60, 60)
    data = dict(found.score.data)
    assert [data[key] for key in ("true", "false", "threshold")] == [60, 60, 0.85]
    assert data["better than verdict"] is found.is_better
    exact, altered = (1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.95, 0.0, 0.0, 0.0, 1.0, math.log1p(1), 0.0)
    assert found.score.probability_of(exact) > 0.9 > 0.1 > found.score.probability_of(altered)
    assert "better than the verdict on these quotes" in render(found, "text")
    with pytest.raises(FitError, match="needs at least 50 true and 50 false quotes, got 1 and 1"):
        fit_support(
            read_claims("\n".join(content.split("\n")[:2]), str, subject="quotes"), name="few", subject="quotes"
        )
