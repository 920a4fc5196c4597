"""The oracle of support itself, against counts that can be checked by eye."""

import pytest

from oracles.support import AgreementNaive, agreement_naive, content_words_naive


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The cats of Vienna", ["cats", "vienna"], id="four letters or more"),
        pytest.param("with cats", ["cats"], id="common words are none"),
        pytest.param("WHO and EU, who", ["who", "eu"], id="abbreviations"),
        pytest.param("vaccination vaccine", ["vaccin", "vaccin"], id="six letters"),
        pytest.param("1,000.5 mg, 1,00 x2", ["1000.5", "1", "00", "x2"], id="numbers"),
        pytest.param("東京都 a 水", ["東京", "京都", "水"], id="pairs of Han, or one alone"),
        pytest.param("snake_case", ["snake", "case"], id="an underscore separates"),
    ],
)
def test_words_of_content(text, expected):
    """Which words count, and as what."""
    assert [word.key for word in content_words_naive(text, ["with"])] == expected


def test_details_are_numbers_and_names_inside_a_sentence():
    """A capital at the beginning of a sentence is no name."""
    words = content_words_naive("Yesterday Meyer paid 40 euros. (Today Weber did: Nobody else.)", [])
    assert [word.key for word in words if word.is_detail] == ["meyer", "40", "weber"]


def test_an_agreement_counted_by_hand():
    """Words, pairs, details, main words and the stretch of one short pair of texts."""
    passage = "Filler. Red wolves hunt near Narvik; wolves sleep. Filler."
    found = agreement_naive("Wolves hunt elks near Narvik", passage, [])
    assert passage[found.start : found.end] == "wolves hunt near Narvik"
    assert found == AgreementNaive(
        words=5,
        words_found=4,
        pairs=4,
        pairs_found=2,
        details=1,
        details_found=1,
        main=5,
        main_found=4,
        start=12,
        end=35,
    )
