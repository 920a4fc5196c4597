"""Paraphrased claims and edits of them, in five texts of our own."""

from collections import Counter

import pytest

from faithfulness.reworded_texts import TEXTS, Text
from groundwire.faithfulness import ClaimResult, ClaimStatus, FaithfulnessValidator


def results(text: Text, claims: list[str]) -> list[ClaimResult]:
    """Return the results of *claims*, independent of the person's name."""
    validator = FaithfulnessValidator(policies={"nickname": "synthetic"})
    result = validator.validate(persona={"nickname": text.name, "facts": claims}, source_data=text.source)
    assert result.total_claims == len(claims)
    return list(result.claim_details)


@pytest.fixture(scope="module")
def edited() -> dict[str, list[ClaimResult]]:
    """Return the results of all edits by kind."""
    found: dict[str, list[ClaimResult]] = {}
    for text in TEXTS:
        for kind, claims in text.edits.items():
            found.setdefault(kind, []).extend(results(text, claims))
    return found


@pytest.mark.parametrize(("kind", "least"), [("number", 0.95), ("negation", 0.95), ("name", 0.9), ("invented", 1.0)])
def test_edits_are_not_supported(edited, kind, least):
    """At least this share of each kind is not supported."""
    missed = [each.claim for each in edited[kind] if each.status is ClaimStatus.SUPPORTED]
    assert len(edited[kind]) >= 36
    assert len(missed) <= (1 - least) * len(edited[kind]), missed


def test_a_paraphrase_is_never_contradicted():
    """Of 135 claims, those with counterparts for all words are supported (ruling D13): nearly half of them."""
    found = [each for text in TEXTS for each in results(text, text.told)]
    counts = Counter(each.status for each in found)
    assert counts[ClaimStatus.SUPPORTED] >= 0.45 * len(found)
    assert [each.claim for each in found if each.contradicted] == []


def test_of_several_people_the_claims_are_told_apart():
    """One person's statements do not contradict another's."""
    panel = next(text for text in TEXTS if text.name == "Mei")
    found = results(panel, panel.told)
    assert [each.claim for each in found if each.contradicted] == []
