"""The history of ratios: what is kept of a run, what it is compared with, and which rows have lost."""

import json
import xml.etree.ElementTree as ElementTree
from typing import Any, NamedTuple

import pytest

MACHINE: dict[str, Any] = {
    "processor": "A",
    "cores": 2,
    "cpu_features": ["avx2"],
    "system": "Linux",
    "python": "3.11.7",
}
OTHER = {**MACHINE, "processor": "B"}


@pytest.fixture(scope="module")
def history():
    """The module, which does not belong to the package."""
    import history

    return history


def row(name: str, ours: float, other: float, *, measure: str = "times faster", limit: float = 2.0) -> dict[str, Any]:
    """Return a row as a record has it."""
    bar = {"measure": measure, "than": ["slow", "rapidfuzz"], "limit": limit}
    return {"name": name, "bar": bar, "medians": {"groundwire": ours, "rapidfuzz": other, "slow": 9 * other}}


def record(*rows: dict[str, Any], machine: dict[str, Any] = MACHINE) -> dict[str, Any]:
    """Return a record of these rows."""
    return {"machine": machine, "rows": list(rows)}


def test_ratios_are_those_to_the_best_rival(history):
    """Of time and of memory, both as how many times the rival's share; excesses and rows without a bar are left out."""
    rows = [
        row("find/short", 0.5, 2.0),
        row("memory/source", 4.0, 2.0, measure="times as much", limit=4.0),
        row("import", 0.2, 0.1, measure="seconds more"),
        {"name": "ground", "bar": None, "medians": {"groundwire": 1.0}},
        {"name": "gone", "bar": row("", 1, 1)["bar"], "medians": {"groundwire": 1.0}},
    ]
    assert history.ratios(rows) == {
        "find/short": {"ratio": 4.0, "than": "rapidfuzz", "bar": 2.0},
        "memory/source": {"ratio": 0.5, "than": "rapidfuzz", "bar": 0.25},
    }


def test_a_run_is_a_line_with_machine_commit_and_day(history, tmp_path):
    """What does not change a ratio, such as the version of Python, is no part of the machine's class."""
    path = tmp_path / "history.jsonl"
    for day, ours in (("2026-01-01", 0.5), ("2026-01-02", 0.4)):
        made = history.new_run(record(row("find", ours, 2.0)), date=day, commit="abc")
        history.append_run(path, made)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2
    first, second = history.read_history(path)
    assert first == {
        "date": "2026-01-01",
        "commit": "abc",
        "machine": {name: MACHINE[name] for name in ("processor", "cores", "cpu_features", "system")},
        "rows": {"find": {"ratio": 4.0, "than": "rapidfuzz", "bar": 2.0}},
    }
    assert second["rows"]["find"]["ratio"] == 5.0


def test_a_run_is_added_once(history, tmp_path):
    """The same line again, or a run without a ratio, is an error, and the file stays as it is."""
    path = tmp_path / "history.jsonl"
    made = history.new_run(record(row("find", 0.5, 2.0)), date="2026-01-01", commit="abc")
    history.append_run(path, made)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="the history has this run of abc already"):
        history.append_run(path, made)
    with pytest.raises(ValueError, match="no row with a ratio"):
        history.append_run(path, history.new_run(record(), date="2026-01-01", commit="abc"))
    assert path.read_bytes() == before


def test_a_run_is_compared_with_the_last_one_on_the_same_class_of_machine(history):
    """Else with the record, and the name says which."""
    runs = [
        history.new_run(record(row("find", ours, 2.0), machine=machine), date=day, commit=day)
        for day, ours, machine in (("1", 0.5, MACHINE), ("2", 0.4, MACHINE), ("3", 0.1, OTHER))
    ]
    measured = record(row("find", 0.25, 2.0))
    name, rows = history.reference(runs, measured, {**MACHINE, "python": "3.14.0"})
    assert (rows["find"]["ratio"], "run of 2 on this class" in name) == (5.0, True)
    name, rows = history.reference(runs, measured, {**MACHINE, "cpu_features": []})
    assert (rows["find"]["ratio"], name) == (8.0, "the record, which is of another machine")


def of(**values: float) -> dict[str, dict[str, Any]]:
    """Return ratios to one rival."""
    return {name: {"ratio": ratio, "than": "rapidfuzz", "bar": 1.0} for name, ratio in values.items()}


@pytest.mark.parametrize(("now", "is_lost"), [(10.0, False), (8.51, False), (8.5, False), (8.49, True), (20.0, False)])
def test_a_row_may_lose_fifteen_percent(history, now, is_lost):
    """Of its ratio before; a gain is never a loss."""
    assert [*history.lost(of(a=now), of(a=10.0))] == (["a"] if is_lost else [])


def test_the_message_has_both_ratios(history):
    """And the rival, which may be another one now."""
    assert history.lost(of(a=5.0), of(a=10.0)) == {"a": "10 times rapidfuzz before, 5 times rapidfuzz now"}


def test_a_row_without_a_ratio_before_is_new(history):
    """It cannot have lost."""
    assert history.lost(of(a=1.0), {}) == {}


@pytest.mark.parametrize(("second", "expected"), [(9.0, []), (6.0, ["a"])], ids=["noise", "a-loss"])
def test_a_row_that_lost_is_measured_once_more(history, second, expected):
    """Only such a row, and its better result counts."""
    asked: list[list[str]] = []

    def measure(names):
        asked.append([*names])
        return of(**{name: {"a": (5.0, second), "b": (10.0, 0.0)}[name][len(asked) - 1] for name in names})

    assert [*history.compare(measure, ["a", "b"], of(a=10.0, b=10.0))] == expected
    assert asked == [["a", "b"], ["a"]]


def test_a_run_without_losses_is_measured_once(history):
    """There is nothing to measure again."""
    asked: list[list[str]] = []

    def measure(names):
        asked.append([*names])
        return of(a=10.0)

    assert history.compare(measure, ["a"], of(a=10.0)) == {}
    assert asked == [["a"]]


def test_a_row_that_was_not_measured_has_lost(history):
    """A rival that is not installed must not look like a good result."""
    found = history.compare(lambda _: {}, ["a", "new"], of(a=10.0))
    assert found == {"a": "not measured: is its rival installed?"}


class Measured(NamedTuple):
    """The result of a benchmark, as a runner returns it."""

    row: dict[str, Any]

    def as_record(self) -> dict[str, Any]:
        """Return the row."""
        return self.row


@pytest.fixture
def slower(history, monkeypatch):
    """Return a function that makes every row take a multiple of its time in the history."""

    def slow_down(factor: float) -> None:
        before = history.reference(history.read_history(history.HISTORY), {"rows": []}, history.machine())[1]
        before = before or history.ratios(json.loads(history.RECORD.read_text(encoding="utf-8"))["rows"])

        def run(cases, *, budget_s):
            assert budget_s > 0
            kept = [each.name for each in cases if each.name in before]
            return [Measured(row(name, factor, before[name]["ratio"])) for name in kept]

        monkeypatch.setattr(history, "run", run)

    return slow_down


@pytest.mark.parametrize(("factor", "code"), [(1.0, 0), (1.1, 0), (1.3, 1)])
def test_the_guard_ends_with_one_if_a_row_lost(history, slower, capsys, factor, code):
    """It names each of them on standard output, and the number of rows that it compared on standard error."""
    slower(factor)
    assert history.main(["guard", "--only", "find"]) == code
    output, errors = capsys.readouterr()
    assert [line.partition("/")[0] for line in output.splitlines()] == ["find"] * (4 * code)
    assert errors.startswith("4 rows compared with ")


def test_a_guard_without_rows_is_an_error(history, capsys):
    """A name that no row has must not pass."""
    assert history.main(["guard", "--only", "nothing"]) == 2
    assert "has none of these rows" in capsys.readouterr().err


def test_the_figure_has_a_panel_for_each_topic(history, tmp_path):
    """With the number of its rows; rows that a run lacks leave a gap, and the same runs give the same file."""
    drawing = pytest.importorskip("drawing", reason="no matplotlib: python3 dev.py docs", exc_type=ImportError)
    runs = [
        history.new_run(record(*rows), date=f"2026-01-0{day}", commit=str(day))
        for day, rows in enumerate(
            ([row("find/a", 0.5, 2.0)], [row("find/a", 0.5, 2.0), row("find/b", 9, 2.0), row("reach/exact/1", 1, 2.0)]),
            1,
        )
    ]
    paths = tmp_path / "one.svg", tmp_path / "two.svg"
    for path in paths:
        drawing.draw_history(runs, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    texts = {element.text for element in ElementTree.parse(paths[0]).iter() if element.tag.endswith("text")}
    assert {"find, 2 rows", "reach/exact, 1 row", "01-01", "01-02"} <= texts


def test_the_history_of_the_project_has_the_ratios_of_the_record(history):
    """Its last run is the record, or comes after it."""
    runs = history.read_history(history.HISTORY)
    measured = history.ratios(json.loads(history.RECORD.read_text(encoding="utf-8"))["rows"])
    assert measured in [each["rows"] for each in runs], "python benches/history.py append"
    assert all({"date", "commit", "machine", "rows"} == each.keys() for each in runs)
