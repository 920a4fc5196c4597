"""Texts become data that can be read back exactly and do not resemble a turn of a conversation (ruling B14)."""

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.delimiting import delimit, delimiter_key, to_data

PIECES = st.sampled_from(
    [
        *(
            "<|im_start|>",
            "</s>",
            "[INST]",
            "[/inst]",
            "\nSystem:",
            "\r\n## User ：",
            "<<SYS>>",
            "assistant",
            "{{ x }}",
        ),
        *("\\n", "\\", '"', "\u200b", "\U000e0041", "\x00", "\x85", "\u2028", "<", "[", ":", "\t"),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join)


def units(text: str) -> bytes:
    """Return a text in UTF-16, in which two adjacent lone surrogates are one character."""
    return text.encode("utf-16-le", "surrogatepass")


@given(TEXTS)
def test_the_data_can_be_read_back(text):
    """Escapes are those of JSON: reading them restores any text."""
    assert units(json.loads(to_data(text))) == units(text)


@given(TEXTS)
def test_nothing_in_the_data_looks_like_a_turn(text):
    """No angle bracket opens, no bracket token is left, no line begins with a role, and everything is visible."""
    data = to_data([{"text": text}])
    assert "<" not in data
    assert not re.search(r"\[/?inst\]", data, re.IGNORECASE)
    assert not re.search(r'(?:"|\\n|\\r)[ #]*(?:system|user|assistant) ?[:：]', data, re.IGNORECASE)
    assert "\n" not in data
    data.encode("utf-8")
    assert not [
        each for each in data if unicodedata.category(each) in ("Cc", "Cs") or "\U000e0000" <= each <= "\U000e0fff"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The dose is 15 mg [1], see [2, 3] and [a-b].",
        "天は青い。 [1]",
        "a > b, 5 °C: mild",
        "می‌خواهم",
        "👩‍🚀 ❤️",
        "it says: no",
    ],
)
def test_ordinary_text_stays_as_it_is(text):
    """The model reads the original: citations, joiners and emoji too."""
    assert to_data(text) == f'"{text}"'


@given(st.lists(TEXTS, max_size=3), st.lists(TEXTS, max_size=3))
def test_the_key_is_that_of_the_texts(one, other):
    """Equal texts have the same key, so that the cache finds a judgement; others have another."""
    keys = [delimiter_key(*map(to_data, texts)) for texts in (one, other)]
    assert (keys[0] == keys[1]) == (list(map(units, one)) == list(map(units, other)))
    assert re.fullmatch(r"[0-9a-f]{32}", keys[0])


@given(TEXTS)
def test_no_data_contains_its_own_tags(text):
    """This holds even for texts that contain the tags of the text without them."""
    data = to_data(text + delimit("x", delimiter_key(to_data(text)), text))
    key = delimiter_key(data)
    assert key not in data
    assert delimit("x", key, data).count("<") == 2


@pytest.mark.parametrize(
    "text", ["[" * 1_000_000, '"' * 1_000_000, "\n" * 1_000_000, "system " * 200_000, "\n#" * 500_000]
)
def test_hostile_texts_take_linear_time(text):
    """No pattern reads a text twice; quadratic work would not end."""
    assert json.loads(to_data(text)) == text
