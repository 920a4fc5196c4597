"""What the judges said, as a record: counts, ids and times, no text."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any

from groundwire import normalize
from groundwire.benchmarks.runner import samples
from verdict_judges import AT_ONCE, SLOW_MAX_QUOTE_CHARS, Judge, Verdict
from verdict_rows import LabelledQuote, survives

__all__ = ["judge_all", "time_judges"]

# Kinds that count only where the change is still there after normalisation.
CHANGED_KINDS = ("number-changed", "negation")
_UNCHANGED = " (change lost in normalisation)"

_TIMED_CHARS = (40_000, 100_000)
_TIMED_DOCUMENTS = 5
_TIMED_QUOTES = 8
_BUDGET_S = 1.0


def judge_all(
    judges: Sequence[Judge], quotes: Mapping[str, Sequence[LabelledQuote]], texts: Path
) -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    """
    Ask *judges* about all *quotes*, whose documents are files of *texts*.

    Yields:
        For each document its name and, for each judge that is asked about it, what is to be added to that
        judge's record: see `added`.
    """
    for name, rows in quotes.items():
        document = (texts / name).read_bytes().decode("utf-8")
        kinds = [kind_of(row, document) for row in rows]
        records = {}
        for judge in judges:
            if judge.max_chars is None or len(document) <= judge.max_chars:
                asked = [place for place, row in enumerate(rows) if _is_asked(judge, row)]
                verdicts = judge.judge([rows[place].quote for place in asked], document)
                if judge.locate is not None:
                    verdicts = judge.locate(verdicts, document)
                records[judge.name] = _record(
                    [rows[place] for place in asked], [kinds[place] for place in asked], verdicts, document
                )
        yield name, records


def _is_asked(judge: Judge, row: LabelledQuote) -> bool:
    return judge.max_quote_chars is None or len(row.quote) <= judge.max_quote_chars


def kind_of(row: LabelledQuote, document: str) -> str:
    """Return the kind of *row*; one whose change normalisation takes back is a kind of its own."""
    if row.kind in CHANGED_KINDS and row.has_origin_here:
        _, start, end = row.origin
        return row.kind if survives(row, document[start:end]) else row.kind + _UNCHANGED
    return row.kind


def _record(
    rows: Sequence[LabelledQuote], kinds: Sequence[str], verdicts: Sequence[Verdict], document: str
) -> dict[str, Any]:
    """Return the verdicts on the quotes of one document, by kind and outcome."""
    outcomes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row, kind, verdict in zip(rows, kinds, verdicts, strict=True):
        outcomes[kind].append(
            {
                "id": row.id,
                "status": verdict.status,
                "accepted": verdict.is_accepted,
                "reasons": list(verdict.reasons),
                "place": place(row, verdict, document),
            }
        )
    return dict(outcomes)


def place(row: LabelledQuote, verdict: Verdict, document: str) -> str | None:
    """
    Return where an accepted quote was found: "origin", "same words" elsewhere, or "elsewhere".

    None where it was not accepted, or its origin is in another document.
    """
    if not verdict.is_accepted or not row.has_origin_here:
        return None
    _, first, last = row.origin
    if any(start < last and end > first for start, end in verdict.spans):
        return "origin"
    passage = _plain(document[first:last])
    same = any(_plain(document[start:end]) in passage for start, end in verdict.spans if end > start)
    return "same words" if same else "elsewhere"


def _plain(text: str) -> str:
    return normalize(text, profile="typographic")


def time_judges(judges: Sequence[Judge], quotes: Mapping[str, Sequence[LabelledQuote]], texts: Path) -> dict[str, Any]:
    """
    Time *judges* on the same quotes of the same documents, by turns, in processor time of their thread.

    Returns:
        Judge to the median seconds for a quote, preparing the document included; how many quotes and documents,
        and the characters of these.
    """
    runs = [*judges, *([AT_ONCE] if any(judge.package == AT_ONCE.package for judge in judges) else [])]
    chosen = list(_timed(quotes, texts))
    totals: Counter[str] = Counter()
    for wanted, document in chosen:
        calls = {judge.name: _call(judge, wanted, document) for judge in runs}
        for name, times in samples(calls, budget_s=_BUDGET_S, clock=thread_time).items():
            totals[name] += median(times)
    count = sum(len(wanted) for wanted, _ in chosen)
    return {
        "documents": len(chosen),
        "chars": [len(document) for _, document in chosen],
        "quotes": count,
        "seconds_per_quote": {judge.name: totals[judge.name] / count for judge in runs} if count else {},
    }


def _call(judge: Judge, quotes: list[str], document: str) -> Any:
    return lambda: judge.judge(quotes, document)


def _timed(quotes: Mapping[str, Sequence[LabelledQuote]], texts: Path) -> Iterator[tuple[list[str], str]]:
    """Yield some documents of middling length, those with most quotes first, with some quotes of each."""
    found = 0
    for name in sorted(quotes, key=lambda name: (-len(quotes[name]), name)):
        document = (texts / name).read_bytes().decode("utf-8")
        if _TIMED_CHARS[0] <= len(document) <= _TIMED_CHARS[1] and found < _TIMED_DOCUMENTS:
            found += 1
            short = [row.quote for row in quotes[name] if len(row.quote) <= SLOW_MAX_QUOTE_CHARS]
            yield short[:_TIMED_QUOTES], document
