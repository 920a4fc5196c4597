"""
The document's own examples: its Python with groundwire's imports, its table of claims, its command lines.

Values that depend on a model are not asserted; that they are there, and in range, is.
"""

import json
import shlex
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from groundwire.faithfulness import ClaimExtractor, FaithfulnessValidator, HHEMClassifier, SupportLevel

ROOT = Path(__file__).resolve().parents[2]

PERSONA = {"name": "Sarah Chen", "age": 34, "occupation": "Marketing Manager", "company": "TechCorp"}
SOURCE = "Sarah Chen: I'm 34, and I work as a marketing manager.\n"
DATA = "name,age,occupation\nSarah Chen,34,Marketing Manager\n"
COMMANDS = [
    "validate personas.json --faithfulness --source research_data.csv",
    "validate personas.json --faithfulness --source data.csv --verbose",
    "validate personas.json --faithfulness --source data.csv --hhem",
    "validate personas.json --faithfulness --source data.csv --report hallucinations.md",
    "validate personas.json --faithfulness --source data.csv --threshold 0.8",
]


@pytest.fixture
def without_network(monkeypatch):
    """Remove keys and servers: models that need one are missing, or local."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "QUANTITATIVE_EMBEDDER_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("without_network")
def test_the_validator_of_the_document():
    """Arguments, call and all fields of the result work; the result names the model that ran (ruling D8)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        validator = FaithfulnessValidator(embedding_model="text-embedding-3-small", similarity_threshold=0.7)
        result = validator.validate(persona=PERSONA, source_data=SOURCE)
    assert (result.total_claims, result.supported_claims, result.unsupported_claims) == (4, 3, 1)
    assert result.faithfulness_score == 0.75
    assert result.hallucination_rate + result.weak_rate == 0.25
    assert result.backend.startswith("lexical")
    assert result.warnings
    found = {claim.claim: claim for claim in result.claim_details}
    assert found["Person is 34 years old"].status == "SUPPORTED"
    assert found["Company is TechCorp"].status == "UNSUPPORTED"
    assert all(0.0 <= claim.confidence <= 1.0 for claim in result.claim_details)


def test_the_classifier_of_the_document():
    """`classify(claim=, context=)` is True if the context does not support the claim (ruling D5)."""
    hhem = HHEMClassifier(backend=lambda pairs: [0.02 for _ in pairs])
    is_hallucinated = hhem.classify(
        claim="User prefers email communication", context="Interview transcript: 'I hate checking emails'"
    )
    assert is_hallucinated is True


def test_the_pair_of_the_classifier_is_a_contradiction_by_rule():
    """Rules find the contradiction for which the document uses a model (ruling D9)."""
    (claim,) = (
        FaithfulnessValidator()
        .validate(persona={"bio": "User prefers email communication."}, source_data="Ann: I hate checking emails.")
        .claim_details
    )
    assert claim.contradicted


@pytest.mark.parametrize(
    ("field", "claim"),
    [
        ({"name": "Sarah Chen"}, "Person is named Sarah Chen"),
        ({"age": 34}, "Person is 34 years old"),
        ({"occupation": "Marketing Manager"}, "Occupation is Marketing Manager"),
        ({"goals": ["Increase team efficiency"]}, "Goal: Increase team efficiency"),
        ({"quote": "I need quick solutions"}, "Person said: I need quick solutions"),
    ],
)
def test_the_table_of_claims(field, claim):
    """Each field gives the specified claim."""
    assert [each.text for each in ClaimExtractor().extract(field)] == [claim]


@pytest.mark.parametrize(
    ("score", "level"),
    [(0.81, "STRONG"), (0.8, "MODERATE"), (0.6, "MODERATE"), (0.5, "WEAK"), (0.4, "WEAK"), (0.39, "UNSUPPORTED")],
)
def test_the_table_of_levels(score, level):
    """The bounds are those of ruling D1."""
    assert SupportLevel.of(score) == level


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_runs(tmp_path, command):
    """The commands run as printed."""
    (tmp_path / "personas.json").write_text(json.dumps(PERSONA), encoding="utf-8")
    for name in ("research_data.csv", "data.csv"):
        (tmp_path / name).write_text(DATA, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "groundwire", *shlex.split(command)], cwd=tmp_path, capture_output=True, timeout=120
    )
    output = done.stdout.decode("utf-8")
    assert done.returncode == 0
    assert "3 of 4 claims supported (75.0 %)" in output
    assert ("✓ supported" in output) == ("--verbose" in command)
    assert ("supported from 0.8" in output) == ("--threshold" in command)
    assert (tmp_path / "hallucinations.md").exists() == ("--report" in command)
    if "--hhem" not in command:
        assert done.stderr == b""
