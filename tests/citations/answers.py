"""Answers and results for the tests of citations: strategies, and those of the optional data folder."""

import json
from pathlib import Path

import pytest
from hypothesis import strategies as st

IDS = ("1", "2", "3", "a-7", "source_12", "[4]")

_parts = st.sampled_from(
    [
        *(f"[{id_}]" for id_ in (*IDS, "99", "", "x.y", "1, 2", "[1")),
        *"[]().!? \n。!?",
        ". ",
        "\ud800",
        "\u200f",
        "Dr. No owns 3.14 boats",
        "A sentence of more than twenty characters",
        "A sentence of very much more than fifty characters that goes on and on",
        "这是一个没有任何引用的相当长的中文句子用来测试长度规则是否正确工作",
        "[t](https://example.org/a.b?c)",
        "`arr[0]`",
    ]
)
answers = st.lists(_parts | st.text(max_size=8), max_size=14).map("".join)
"""Answers in which brackets, stops and lengths around the limits are frequent."""

_ids = st.sampled_from([*IDS, " 1", 2, None, ("1",)])
results = st.lists(st.fixed_dictionaries({}, optional={"id": _ids, "parent_id": _ids}), max_size=4)
"""Results with ids, parents, both or neither; some ids are odd."""


def lines(shared_data: Path, name: str) -> list[dict]:
    """Return the rows of a set of real answers, or skip the test visibly."""
    path = shared_data / "sets" / name
    if not path.is_file():
        pytest.skip(f"no {name} at {path.parent}")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def results_of(ids: list[str]) -> list[dict[str, object]]:
    """Return results that have ids only."""
    return [{"id": id_} for id_ in ids]
