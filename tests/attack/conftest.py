"""Provide the lane `attack`: tests that try many kinds of attack, and a table of the kinds tried, held and broken."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PROPERTY = "attack"


class Attack:
    """
    The kinds of attack that one test tries.

    Attributes:
        tried: Their names, in order.
        broken: The names of those that broke something, each with the reason.
    """

    def __init__(self) -> None:
        self.tried: list[str] = []
        self.broken: dict[str, str] = {}

    @contextmanager
    def attempt(self, kind: str) -> Iterator[None]:
        """Count *kind* as held if the block ends, and as broken if it raises. The test continues either way."""
        self.tried.append(kind)
        try:
            yield
        except (Exception, pytest.fail.Exception) as error:
            self.broken[kind] = f"{type(error).__name__}: {error}"


@pytest.fixture
def attack() -> Attack:
    """Return a counter of the kinds that the test tries. The test fails at its end if one of them broke something."""
    return Attack()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip attacks outside their lane."""
    if os.environ.get("GROUNDWIRE_ATTACK") == "required":
        return
    skip = pytest.mark.skip(reason="the attack is a lane of its own: python3 dev.py attack")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(skip)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Add the counts to the test's report, and fail the test if something broke."""
    result = yield
    attack = pyfuncitem.funcargs.get("attack")
    if isinstance(attack, Attack):
        assert attack.tried, "the test tried no kind of attack"
        pyfuncitem.user_properties.append((PROPERTY, [len(attack.tried), len(attack.broken)]))
        if attack.broken:
            pytest.fail("\n".join(f"{kind}: {reason}" for kind, reason in attack.broken.items()), pytrace=False)
    return result


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the kinds tried, held and broken for each file. A test without the fixture counts as one kind."""
    counts: dict[str, list[int]] = {}
    for outcome in ("passed", "failed", "error"):
        for report in terminalreporter.stats.get(outcome, []):
            path = Path(report.nodeid.partition("::")[0])
            if path.parent.name != "attack" or (getattr(report, "when", None) != "call" and not report.failed):
                continue
            # A file that cannot be imported has a report without properties.
            properties = dict(getattr(report, "user_properties", ()))
            tried, broken = properties.get(PROPERTY, [1, int(report.failed)])
            total = counts.setdefault(path.stem.removeprefix("test_"), [0, 0])
            total[0] += tried
            total[1] += max(broken, int(report.failed))
    if not counts:
        return
    terminalreporter.section("attack")
    rows = [(area, *total) for area, total in sorted(counts.items())]
    rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    width = max(len(area) for area, _, _ in rows)
    for area, tried, broken in rows:
        terminalreporter.line(f"{area:<{width}}  {tried:>6} kinds tried  {tried - broken:>6} held  {broken:>4} broken")
