"""From labelled claims to the scale of an embedder."""

import stat

import pytest

from faithfulness.doubles import Returns, Topics
from groundwire.calibration import CalibrationStatus, read_claims
from groundwire.embedding import EmbeddingError
from groundwire.faithfulness.calibration import calibrate_claims, claim_cosines, read_scales, save_scale, scale_of

WORDS = ("bicycle cycle bike rides", "crew team colleagues", "weather rain", "books")
ROWS = """
{"claim": "She rides a bicycle.", "context": "Ann: I cycle everywhere.", "supported": true}
{"claim": "Her team is large.", "context": "Ann: I cycle everywhere.", "supported": false}
{"claim": "She never rides a bicycle.", "context": "Ann: I cycle everywhere.", "supported": false}
{"claim": "She rides a bike in the rain.", "context": "Ann: I cycle everywhere.", "supported": true}
{"claim": "She reads books.", "context": ["It rains.", "She has no books."], "supported": false}
"""


CLAIMS = read_claims(ROWS, str)


def test_a_claim_has_its_best_cosine():
    """It is the best over the windows of its context; a claim with a negation on one side alone has none."""
    done = []
    cosines = claim_cosines(CLAIMS, Topics(*WORDS), on_progress=done.append)
    assert cosines == pytest.approx([1.0, 0.0, 0.0, 2 / 5**0.5, 0.0])
    assert sum(done) == 5


def test_the_threshold_becomes_the_scale():
    """The scale has the median of unsupported claims, and the number of errors."""
    labels = [True, True, True, False, False, False]
    cosines = [0.9, 0.7, 0.4, 0.5, 0.3, 0.1]
    calibration = calibrate_claims(cosines, labels, name="topics", max_false_accept=0.0)
    assert (calibration.policy, calibration.kind) == ("relatedness by topics", "claim")
    scale = scale_of(calibration, cosines, labels, "topics")
    assert (scale.embedder, scale.threshold, scale.unrelated) == ("topics", 0.51, 0.3)
    assert (scale.false_support.count, scale.false_support.total) == (0, 3)
    assert (scale.missed.count, scale.missed.total) == (1, 3)


def test_a_saved_scale_keeps_link_and_mode_of_the_file(tmp_path):
    """The file is shared, and others may read it."""
    cosines, labels = [0.9, 0.3], [True, False]
    scale = scale_of(calibrate_claims(cosines, labels, name="x", max_false_accept=0.0), cosines, labels, "x")
    shared, link = tmp_path / "shared.json", tmp_path / "link.json"
    shared.write_text('{"scales": {}}', encoding="utf-8")
    shared.chmod(0o640)
    link.symlink_to(shared)
    save_scale(scale, link)
    assert link.is_symlink()
    assert (stat.S_IMODE(shared.stat().st_mode), read_scales(shared)) == (0o640, {"x": scale})


def test_a_scale_is_ascending_for_any_number_of_claims():
    """The median is below the threshold."""
    cosines, labels = [0.9, 0.895], [True, False]
    scale = scale_of(calibrate_claims(cosines, labels, name="x", max_false_accept=1.0), cosines, labels, "x")
    assert scale is not None
    assert scale.unrelated < scale.threshold


@pytest.mark.parametrize(
    ("cosines", "labels", "outcome"),
    [([1.0], [False], CalibrationStatus.NOT_REACHED), ([1.0], [True], CalibrationStatus.NO_FALSE_QUOTES)],
)
def test_without_a_recommendation_there_is_no_scale(cosines, labels, outcome):
    """Either false claims are as close as possible, or no claim is false."""
    calibration = calibrate_claims(cosines, labels, name="x", max_false_accept=0.05)
    assert calibration.outcome is outcome
    assert scale_of(calibration, cosines, labels, "x") is None


def test_a_broken_embedder_is_an_error():
    """There is no fall-back."""
    with pytest.raises(EmbeddingError, match="not_finite"):
        claim_cosines(CLAIMS, Returns([[float("nan")]] * 5))
