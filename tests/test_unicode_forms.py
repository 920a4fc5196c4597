"""NFKC as Python computes it, also for long runs of marks."""

import random
import unicodedata

import pytest

from groundwire.unicode_forms import nfkc

MARKS = "\u0301\u0323\u0345\u0334\u05b0\u0344\u0f73\u3099\uff9e\uff9f"


@pytest.mark.parametrize("run", [1, 63, 64, 300])
@pytest.mark.parametrize("starter", ["", "a", "\u00e9", "\u1100\u1161", "\uff76", "\ufdfa", " "])
def test_it_is_what_python_returns(starter, run):
    """Runs are shorter and longer than the length from which they are sorted first."""
    draw = random.Random(run)
    text = "".join(starter + "".join(draw.choices(MARKS, k=run)) + "b" for _ in range(6_000 // run))
    assert nfkc(text) == unicodedata.normalize("NFKC", text)
