"""Words written nearly like those of a claim: slips, endings, compounds; and what is never told by them."""

import pytest

from faithfulness.misspelt_texts import ENGLISH, GERMAN
from groundwire.faithfulness import FaithfulnessValidator
from groundwire.faithfulness.support.alike import MOST, first_alike

VALIDATOR = FaithfulnessValidator()


def confidence(claim: str, source: str) -> float:
    """How far *source* supports *claim*, alone."""
    result = VALIDATOR.validate(persona={"bio": [claim]}, source_data=[("interview", source)])
    return result.claim_details[0].confidence


def test_slips_and_endings_support_more_claims_and_no_wrong_ones():
    """Without it none of the 23 that are told has support; the two wrong ones have a stem in common as it is."""
    told = [claim for claim, source, is_told in (*ENGLISH, *GERMAN) if is_told and confidence(claim, source) >= 0.6]
    wrong = [
        claim for claim, source, is_told in (*ENGLISH, *GERMAN) if not is_told and confidence(claim, source) >= 0.6
    ]
    assert len(told) >= 8
    assert wrong == ["Works as a physicist in a clinic", "Repariert alte Fahrräder"]


def test_the_same_word_is_worth_more():
    """However much alike another one is."""
    same, slip, other = (
        confidence("Keeps the household budget in a spreadsheet", f"I keep our {word} budget in a spreadsheet.")
        for word in ("household", "houshold", "village")
    )
    assert same > slip > other


@pytest.mark.parametrize(
    ("claim", "source", "without"),
    [
        pytest.param("Lives near Merseburg", "I live near Marseburg.", "I live near it.", id="name"),
        pytest.param(
            "Drives model abc1234d at home", "I drive model abc1235d at home.", "I drive a model.", id="digit"
        ),
        pytest.param(
            "Is organised about receipts", "I am disorganised about receipts.", "About receipts.", id="denied"
        ),
        pytest.param("Restaurants", "Restarants.", "Paper.", id="one-word"),
    ],
)
def test_names_numbers_and_opposites_are_no_slips(claim, source, without):
    """Nor is a claim of one word told by another one."""
    assert confidence(claim, source) < 0.6
    assert confidence(claim, source) <= max(confidence(claim, without), 0.45)


@pytest.mark.parametrize(
    ("word", "others", "expected"),
    [
        pytest.param("library", [("libary", 0.62)], ("libary", 0.62), id="slip"),
        pytest.param("organised", [("disorganised", 0.8), ("organisd", 0.7)], ("organisd", 0.7), id="prefix"),
        pytest.param("unzufrieden", [("zufrieden", 0.7)], None, id="without-prefix"),
        pytest.param("budget", [], None, id="none"),
        pytest.param("tools", [("toolss", 0.9)], None, id="short"),
    ],
)
def test_the_first_that_is_no_opposite_is_taken(word, others, expected):
    """In the order of the engine."""
    assert first_alike(word, others) == expected
    assert MOST < 1.0
