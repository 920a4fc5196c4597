"""Tables of what the judges said, made from the record and from nothing else."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from groundwire.benchmarks.cases import duration
from groundwire.calibration import Rate

__all__ = ["POOLS", "Pool", "markdown", "met"]

Outcome = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pool:
    """
    Kinds that are to be judged alike.

    Attributes:
        kinds: They are counted together.
        limit: The share that may be accepted at most, or has to be at least.
        is_right: Whether such quotes are to be accepted.
    """

    name: str
    kinds: tuple[str, ...]
    limit: float
    is_right: bool

    def allows(self, rate: Rate) -> bool | None:
        """Tell whether the share of accepted quotes is as it should be; None where there are none."""
        if rate.share is None:
            return None
        return rate.share >= self.limit if self.is_right else rate.share <= self.limit

    @property
    def bar(self) -> str:
        """What is asked for, in a few characters."""
        return f"{'≥' if self.is_right else '≤'} {100 * self.limit:g} %"


_VERBATIM = (
    "verbatim",
    "case",
    "whitespace",
    "smart-quotes",
    "nfkc",
    "zero-width",
    "soft-hyphen",
    "hyphenation",
    "nfd",
)
POOLS = (
    Pool("number changed, negation", ("number-changed", "negation"), 0.01, is_right=False),
    Pool("other document", ("other-document",), 0.005, is_right=False),
    Pool("verbatim but for typography", _VERBATIM, 0.97, is_right=True),
    Pool("typo, punctuation", ("typo", "punctuation"), 0.90, is_right=True),
)


def markdown(record: dict[str, Any]) -> str:
    """Return the whole report: pools, kinds, statuses, misses, spans and times."""
    parts = [
        *_intro(record),
        "## Pooled",
        _pooled(record),
        "## Accepted, by kind",
        _by_kind(record),
        "## Status, by kind",
        *_statuses(record),
        "## Misses, by reason",
        *_misses(record),
        "## Where accepted quotes were found",
        _places(record),
    ]
    if record.get("times"):
        parts += ["## Time of a quote", _times(record["times"])]
    return "\n\n".join(parts) + "\n"


def met(record: dict[str, Any], name: str) -> dict[str, bool | None]:
    """Return which pools are as they should be by the judge *name*."""
    outcomes = record["judges"][name]["outcomes"]
    return {pool.name: pool.allows(_rate(outcomes, pool.kinds)) for pool in POOLS}


def _rate(outcomes: dict[str, list[Outcome]], kinds: Iterable[str]) -> Rate:
    """Return how many quotes of *kinds* were accepted."""
    accepted = [outcome["accepted"] for kind in kinds for outcome in outcomes.get(kind, [])]
    return Rate(sum(accepted), len(accepted))


def _intro(record: dict[str, Any]) -> Iterator[str]:
    yield f"`{record['command']}`, {record['date']}; {', '.join(record['versions'])}."
    yield f"{record['quotes']} quotes in {record['documents']} documents. Intervals are Wilson's, 95 %."
    for name, judged in record["judges"].items():
        if judged["max_chars"] is not None:
            yield (
                f"{name}: only documents of at most {judged['max_chars']:,} characters, and quotes of at most "
                f"{judged['max_quote_chars']:,}: {judged['quotes']} of {record['quotes']}, for the time it takes."
            )
    if record["missing"]:
        yield f"Not asked, because not installed: {', '.join(record['missing'])}."


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    cells = [[*head], *([str(cell) for cell in row] for row in rows)]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([lines[0], "| " + " | ".join(["---"] * len(cells[0])) + " |", *lines[1:]])


def _pooled(record: dict[str, Any]) -> str:
    marks = {None: "", True: " ✓", False: " ✗"}
    rows = []
    for pool in POOLS:
        rates = [_rate(judged["outcomes"], pool.kinds) for judged in record["judges"].values()]
        rows.append([pool.name, pool.bar, *(f"{rate}{marks[pool.allows(rate)]}" for rate in rates)])
    return _table(["accepted of", "wanted", *record["judges"]], rows)


def _kinds(record: dict[str, Any]) -> list[str]:
    return sorted({kind for judged in record["judges"].values() for kind in judged["outcomes"]})


def _by_kind(record: dict[str, Any]) -> str:
    rows = (
        [kind, *(_rate(judged["outcomes"], [kind]) for judged in record["judges"].values())] for kind in _kinds(record)
    )
    return _table(["kind", *record["judges"]], rows)


def _statuses(record: dict[str, Any]) -> Iterator[str]:
    """Yield a table of kind and status for each judge."""
    for name, judged in record["judges"].items():
        counts = {kind: Counter(each["status"] for each in judged["outcomes"].get(kind, [])) for kind in _kinds(record)}
        accepted = {each["status"] for outcomes in judged["outcomes"].values() for each in outcomes if each["accepted"]}
        statuses = sorted(
            {status for count in counts.values() for status in count}, key=lambda s: (s not in accepted, s)
        )
        yield f"### {name}"
        rows = ([kind, *(count[status] or "" for status in statuses)] for kind, count in counts.items() if count)
        yield _table(["kind", *(f"**{status}**" if status in accepted else status for status in statuses)], rows)
    yield "Bold: accepted."


def _misses(record: dict[str, Any]) -> Iterator[str]:
    """Yield, for each judge, the quotes that were not judged as they should be: by pool, kind, status and reasons."""
    for name, judged in record["judges"].items():
        found: dict[tuple[str, str, str], list[str]] = {}
        for pool in POOLS:
            for kind in pool.kinds:
                for outcome in judged["outcomes"].get(kind, []):
                    if outcome["accepted"] != pool.is_right:
                        reasons = ", ".join(outcome["reasons"]) or "–"
                        found.setdefault((kind, outcome["status"], reasons), []).append(outcome["id"])
        yield f"### {name}"
        rows = ([*key, len(ids), _some(ids)] for key, ids in sorted(found.items()))
        yield _table(["kind", "status", "reasons", "quotes", "ids"], rows) if found else "None."


def _some(ids: list[str]) -> str:
    """Return the first ids: the record has all of them."""
    shown = 12
    return ", ".join(ids[:shown]) + (f" and {len(ids) - shown} more" if len(ids) > shown else "")


def _places(record: dict[str, Any]) -> str:
    """Return where the accepted quotes stand that come from the document they were looked for in."""
    places = ("origin", "same words", "elsewhere")
    rows = []
    for name, judged in record["judges"].items():
        counts = Counter(each["place"] for outcomes in judged["outcomes"].values() for each in outcomes)
        rows.append([name, *(counts[place] for place in places)])
    return _table(["judge", "overlaps the origin", "the same words elsewhere", "other words"], rows)


def _times(times: dict[str, Any]) -> str:
    """Return the time of a quote by each judge, and how often that of the first it is."""
    seconds = times["seconds_per_quote"]
    first = next(iter(seconds))
    ratios = {name: each / seconds[first] for name, each in seconds.items()}
    rows = [[name, duration(seconds[name]), f"{ratio:,.{0 if ratio > 10 else 2}f}×"] for name, ratio in ratios.items()]
    chars = f"{min(times['chars']):,} to {max(times['chars']):,}"
    about = (
        f"{times['quotes']} quotes in {times['documents']} documents of {chars} characters; medians of runs by turns, "
        "processor time of the thread, preparing the document included."
    )
    return about + "\n\n" + _table(["judge", "a quote", f"of {first}"], rows)
