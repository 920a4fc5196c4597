"""Comparison of speakers' names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.transcripts import speaker_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Dr. Lee", "DR.  LEE:"),
        ("Михевна", "МИХЕВНА.:"),
        ("Ｓｐｅａｋｅｒ１", "speaker1"),
        ("Ann\u00a0Lee", " ann lee\n"),
        ("Zoe\u0308", "Zoë"),
        ("STRASSE", "Straße"),
        ("发言人１", "发言人1"),
        ("张三：", "张三"),
    ],
)
def test_spellings_of_one_name(one, other):
    """Width, composition, case, white space and trailing punctuation do not count."""
    assert speaker_key(one) == speaker_key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "Anne"),
        ("The Chair", "The Chair (Mrs. Hughes)"),
        ("PhD D", "PhD E"),
        ("O'Neil", "ONeil"),
        ("José", "Jose"),
    ],
)
def test_different_names(one, other):
    """All other differences count."""
    assert speaker_key(one) != speaker_key(other)


@given(st.text())
def test_a_key_is_its_own_key(name):
    """Comparing keys equals comparing names."""
    key = speaker_key(name)
    assert speaker_key(key) == key == key.strip()
