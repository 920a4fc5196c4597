"""The word diff of two claims."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundwire.review import word_diff

WORDS = st.lists(
    st.sampled_from(["keeps", "Redis", "redis", " ", "\n", "not", "不", "使用", "30", "<b>", "é", "e\u0301"])
)
TEXTS = WORDS.map(" ".join) | st.text(max_size=40)


@given(TEXTS, TEXTS)
@example("", "")
@example("a b <c> d", "a b d")
def test_parts_make_up_the_later_text(earlier, later):
    """The later one character by character; no part is empty."""
    parts = word_diff(earlier, later)
    assert all(part.words for part in parts)
    assert "".join(part.words for part in parts if part.kind != "removed") == later
    removed = [part.words for part in parts if part.kind == "removed"]
    assert sum(map(len, removed)) <= len(earlier)
    assert not (earlier == later and removed)


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        pytest.param("in Redis", "in Redis", ["= in Redis"], id="same"),
        pytest.param("kept in Redis", "kept in Postgres", ["= kept in ", "- Redis", "+ Postgres"], id="replaced"),
        pytest.param("it is used", "it is not used", ["= it is ", "+ not ", "= used"], id="negated"),
        pytest.param("after 30 days", "after 15 days", ["= after ", "- 30", "+ 15", "= days"], id="number"),
        pytest.param("使用 Redis", "不使用 Redis", ["+ 不", "= 使用 Redis"], id="chinese"),
        pytest.param("one", "", ["- one"], id="nothing-left"),
    ],
)
def test_whole_words_differ(earlier, later, expected):
    """As people read them."""
    signs = {"same": "=", "removed": "-", "added": "+"}
    parts = [f"{signs[part.kind]} {part.words}".rstrip() for part in word_diff(earlier, later)]
    assert [part.replace("  ", " ") for part in parts] == [one.rstrip() for one in expected]
