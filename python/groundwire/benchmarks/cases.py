"""
Lists the benchmarks as data: the operation, the text, the engines, the target, and the reason for each.

The task knows the right answer. Times are medians of one interleaved run. `CASES` uses synthetic texts; the rows of
`reach` are those that the engine is built for: long English texts, many quotes, every rival at its best.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from operator import mul
from typing import Literal

from groundwire.benchmarks.corpus import CUTOFF, Corpus, Kind, Quotes, Synthetic
from groundwire.benchmarks.score_tasks import PartialRatio, Repetitive, Scores, Way, fibonacci
from groundwire.benchmarks.search_tasks import (
    ChangingPatterns,
    Find,
    FindHostilePatterns,
    FindPatterns,
    FixedPatterns,
    Ground,
    hedges,
    phrases,
)
from groundwire.benchmarks.tasks import (
    Assess,
    Copy,
    Form,
    Grounding,
    Import,
    Log,
    Memory,
    Normalize,
    NormalizeHostile,
    Stream,
    Task,
    Validate,
)

__all__ = ["CASES", "Bar", "Benchmark", "Mean", "Measure", "duration", "reach"]


class Measure(StrEnum):
    """Names how two medians are compared. A value equal to the limit meets the target."""

    FASTER = "times faster"
    """The other median divided by ours is at least the limit."""
    LARGER = "times as much"
    """Our median divided by the other is at most the limit."""
    EXCESS = "seconds more"
    """Our median minus the other is at most the limit."""


@dataclass(frozen=True, slots=True)
class Bar:
    """
    Holds the performance target, or bar, of a benchmark.

    Attributes:
        measure: How the medians are compared.
        than: The engine that ours is compared with. Of several, the fastest
            installed one counts.
        limit: A ratio, or seconds for an excess.
    """

    measure: Measure
    than: str | tuple[str, ...]
    limit: float

    @property
    def others(self) -> tuple[str, ...]:
        """The engines that *than* names."""
        return (self.than,) if isinstance(self.than, str) else self.than

    def best(self, medians: Mapping[str, float]) -> str | None:
        """Return the engine that ours is compared with, or None if *medians* has no such engine."""
        return min((other for other in self.others if other in medians), key=medians.__getitem__, default=None)

    def value(self, medians: Mapping[str, float]) -> float | None:
        """Return the ratio or difference of *medians*, or None if one of the two engines is missing."""
        best = self.best(medians)
        if "groundwire" not in medians or best is None:
            return None
        ours, other = medians["groundwire"], medians[best]
        if self.measure is Measure.EXCESS:
            return ours - other
        return other / ours if self.measure is Measure.FASTER else ours / other

    def is_met(self, value: float) -> bool:
        """Tell whether *value* meets the target."""
        return value >= self.limit if self.measure is Measure.FASTER else value <= self.limit

    def show(self, value: float) -> str:
        """Return *value* formatted for people."""
        if self.measure is Measure.EXCESS:
            return f"+{duration(value)}" if value >= 0 else f"-{duration(-value)}"
        return f"{value:.2f}×" if value < 10 else f"{value:,.0f}×"

    def __str__(self) -> str:
        than = self.than if isinstance(self.than, str) else f"the best of {len(self.than)}"
        if self.measure is Measure.EXCESS:
            return f"≤ {duration(self.limit)} over {than}"
        sign = "≥" if self.measure is Measure.FASTER else "≤"
        return f"{sign} {self.limit:g}× {than}"


def duration(seconds: float) -> str:
    """Return *seconds* with three digits and a suitable unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """
    Describes one benchmark.

    Attributes:
        name: Topic, followed by whatever distinguishes the benchmark within it.
        what: The operation.
        task: The task, with its engines, its text and the right answer.
        why: Why this is measured.
        bar: Performance target; None if there is none.
        is_short: Whether the short form includes it.
    """

    name: str
    what: str
    task: Task
    why: str
    bar: Bar | None = None
    is_short: bool = True


@dataclass(frozen=True, slots=True)
class Mean:
    """
    Describes the geometric mean of several benchmarks, each of which is measured on its own.

    The ratio of two geometric means is the geometric mean of the ratios, so means
    are compared with a target in the same way as medians.

    Attributes:
        name: Common part of the benchmarks' names.
        what: The operation.
        cases: The benchmarks, all with the same engines.
        why: Why the mean is reported.
        bar: Performance target.
        is_short: Whether the short form includes it.
    """

    name: str
    what: str
    cases: tuple[Benchmark, ...]
    why: str
    bar: Bar | None = None
    is_short: bool = False

    @property
    def task(self) -> Task:
        """Return the first task, which has the text and the unit of all."""
        return self.cases[0].task


def _normalize() -> Iterator[Benchmark]:
    promised = {"english": 100, "curly": 60, "chinese": 20, "japanese": 20, "russian": 20, "arabic": 20}
    for style, limit in promised.items():
        yield Benchmark(
            f"normalize/{style}",
            "normalise a text",
            Normalize(Synthetic(style, 100_000)),
            "every text and every quote goes through it; for one quote it costs more than the search",
            Bar(Measure.FASTER, "reference", limit),
        )
    hostile = {
        "open-brackets": NormalizeHostile("<", partial(mul, "<")),
        "open-tags": NormalizeHostile("<a ", lambda pieces: ("<a " * pieces).rstrip()),
        "tags": NormalizeHostile("<a>", partial(mul, "")),
        "blanks": NormalizeHostile(" \t", partial(mul, "")),
        "zero-width": NormalizeHostile("\u200b\ufeff", partial(mul, "")),
        "marks": NormalizeHostile("\u0301\u0316", lambda pieces: "\u0316" * pieces + "\u0301" * pieces, 100_000),
        "sigmas": NormalizeHostile("\u03a3.", lambda pieces: "\u03c3." * (pieces - 1) + "\u03c2."),
    }
    for name, task in hostile.items():
        yield Benchmark(
            f"hostile/{name}",
            "normalise a text that is made to be slow",
            task,
            "ten times the text may take about ten times as long, because models write anything",
            Bar(Measure.LARGER, "a tenth of it", 15),
        )


def _find() -> Iterator[Benchmark]:
    for style in ("english", "curly", "chinese"):
        yield Benchmark(
            f"find/{style}",
            "find a quote of 40 characters in the middle of a prepared source",
            Find(Synthetic(style, 50_000)),
            "a transcript is searched for many quotes; the time includes normalising the quote",
            Bar(Measure.FASTER, "in", 5),
        )
    yield Benchmark(
        "find/short",
        "find a quote of 16 characters in the middle of a prepared source",
        Find(Synthetic("english", 50_000), 16),
        "a name or a figure is shorter than the coarse index can find",
        Bar(Measure.FASTER, "in", 1),
    )
    for count in (10, 100, 1_000):
        yield Benchmark(
            f"ground/{count}",
            f"ground {count} quotes of 60 characters in a prepared source",
            Ground(count, Synthetic("english", 1_000_000)),
            "a whole extraction at once against a long transcript; the automata are built for its quotes",
            is_short=count == 100,
        )


def _patterns() -> Iterator[Benchmark]:
    for count in (10, 100, 1_000):
        for is_built in (True, False):
            yield Benchmark(
                f"patterns/{count}{'' if is_built else '/with-construction'}",
                f"find {count} patterns{'' if is_built else ', constructed within the time'}",
                FindPatterns(count, Synthetic("english", 1_000_000), is_built),
                "automata are made for fixed patterns",
                is_short=count == 100 and is_built,
            )
    yield Benchmark(
        "patterns/1/curly",
        "find one pattern",
        FindPatterns(1, Synthetic("curly", 1_000_000), is_built=True),
        "a text that is searched once has no index, and one with typographic quotes takes two bytes a character",
        is_short=False,
    )
    yield Benchmark(
        "hostile/patterns",
        "find 200 patterns that agree with the text everywhere but in their last character",
        FindHostilePatterns(),
        "comparing each pattern at each place would take 200 times as long as an automaton",
        Bar(Measure.LARGER, "a tenth of it", 15),
    )


# Style, characters of the quote, characters of the text; scores of a quote with typos and of one from another text.
_SCORES = (
    ("english", 20, 20, 95.0, 31.25),
    ("english", 20, 1_000, 95.0, 55.00000000000001),
    ("english", 50, 10_000, 94.0, 60.0),
    ("english", 64, 1_000_000, 93.75, 67.1875),
    ("english", 100, 1_000, 91.0, 52.0),
    ("english", 100, 100_000, 91.0, 56.00000000000001),
    ("english", 200, 1_000_000, 90.5, 54.0),
    ("english", 400, 1_000, 92.0, 46.25),
    ("english", 400, 10_000, 92.0, 48.75000000000001),
    ("english", 400, 100_000, 92.0, 49.5),
    ("english", 1_000, 10_000, 93.0, 47.199999999999996),
    ("english", 2_000, 2_000, 93.91130042595842, 45.95502713879556),
    ("english", 8_000, 8_000, 94.4493061632704, 45.95127536416258),
    ("chinese", 20, 20, 95.0, 9.090909090909093),
    ("chinese", 20, 1_000, 95.0, 25.0),
    ("chinese", 50, 10_000, 94.0, 24.0),
    ("chinese", 64, 1_000_000, 93.75, 26.5625),
    ("chinese", 100, 100_000, 91.0, 32.99999999999999),
    ("chinese", 400, 10_000, 92.0, 23.750000000000004),
    ("chinese", 2_000, 2_000, 93.86118767226259, 21.626016260162608),
    ("russian", 50, 10_000, 94.0, 60.0),
    ("russian", 100, 100_000, 91.0, 52.0),
)  # fmt: skip

_SHORT_PAIRS = {(20, 20), (20, 1_000), (50, 10_000), (100, 100_000), (400, 10_000)}


def _partial_ratio() -> Iterator[Benchmark]:
    for style, chars, text_chars, near, absent in _SCORES:
        for kind, score in (("near", near), ("absent", absent)):
            for cutoff in (None, 85.0):
                yield Benchmark(
                    f"partial_ratio/{style}/{chars}x{text_chars}/{kind}{'' if cutoff is None else '/cutoff-85'}",
                    f"score a quote, {kind}, {'without a cutoff' if cutoff is None else 'cutoff 85'}",
                    PartialRatio(chars, Synthetic(style, text_chars), kind == "near", cutoff, score),
                    "rapidfuzz gives the same score: there is no reason to be slower at any length",
                    Bar(Measure.FASTER, "rapidfuzz", 1),
                    is_short=style == "english" and (chars, text_chars) in _SHORT_PAIRS,
                )


def _pipeline() -> Iterator[Benchmark]:
    yield Benchmark(
        "import",
        "import the package",
        Import(),
        "a command line and a serverless function pay it on every start",
        Bar(Measure.EXCESS, "bare interpreter", 0.002),
    )
    for style in ("english", "curly"):
        yield Benchmark(
            f"validate/{style}",
            "validate_evidence_grounding of 40 quotes, half of them present, nothing prepared",
            Validate(Synthetic(style, 100_000)),
            "a pipeline calls it once for each interview",
            Bar(Measure.FASTER, "reference", 25),
        )
    for style in ("english", "curly"):
        yield Benchmark(
            f"verdicts/{style}",
            "assess 40 quotes: a third as they are, a third with slips, the rest altered, cut or absent",
            Assess(Synthetic(style, 100_000)),
            "the cost of a verdict beyond the search depends on how little of each quote is read",
            Bar(Measure.EXCESS, "plain grounding", 0.002),
        )
    yield Benchmark(
        "stream",
        "check 40 quotes of an answer in chunks of four characters",
        Stream(Synthetic("english", 100_000)),
        "a page shows each verdict while the model still writes",
        Bar(Measure.LARGER, "whole answer", 2),
    )
    yield Benchmark(
        "log",
        "log the rejection of a quote, hash and all",
        Log(Synthetic("english", 10_000)),
        "a model that invents all its quotes must not slow the pipeline down",
        Bar(Measure.EXCESS, "logger.warning", 5e-6),
    )
    for style in ("english", "curly", "chinese"):
        yield Benchmark(
            f"memory/{style}",
            "keep a source, prepared and indexed, and its text",
            Memory(Synthetic(style, 1_000_000)),
            "services keep many sources",
            Bar(Measure.LARGER, "str", 4),
        )


CASES: tuple[Benchmark, ...] = (*_pipeline(), *_normalize(), *_find(), *_partial_ratio(), *_patterns())


_LONG = 1_000_000

_KINDS = (Kind.TYPOS, Kind.NEAR, Kind.ABSENT)
_MIXED = "a third with slips, a third near misses, a third absent"


def reach(corpus: Corpus) -> tuple[Benchmark | Mean, ...]:
    """Return the benchmarks on texts of *corpus*, each with a target, timed by the processor time of its thread."""
    return (
        *_together(corpus),
        *_other_scores(corpus),
        *_without_cutoff(corpus),
        *_repetitive(),
        *_exact(corpus),
        *_long_pipeline(corpus),
    )


def _quotes(
    corpus: Corpus, count: int, *chars: int, kinds: tuple[Kind, ...] = _KINDS, text_chars: int = _LONG
) -> Quotes:
    return Quotes(corpus.text(text_chars), corpus.other(_LONG // 2), count, chars, kinds)


def _faster(than: str | tuple[str, ...], limit: float) -> Bar:
    return Bar(Measure.FASTER, than, limit)


def _together(corpus: Corpus) -> Iterator[Benchmark | Mean]:
    cells = tuple(
        Benchmark(
            f"reach/together/{chars}/{kind}",
            f"score 100 quotes of {chars} characters, {kind}, cutoff 85, nothing prepared",
            Scores(_quotes(corpus, 100, chars, kinds=(kind,)), CUTOFF, Way.TOGETHER),
            "an extraction against a long transcript",
            _faster("rapidfuzz", 40),
            is_short=False,
        )
        for chars in (20, 50, 100)
        for kind in _KINDS
    )
    yield from cells
    yield Mean(
        "reach/together",
        "the geometric mean of the rows of 100 quotes",
        cells,
        "no single row shows the whole",
        _faster("rapidfuzz", 100),
    )


def _other_scores(corpus: Corpus) -> Iterator[Benchmark]:
    yield Benchmark(
        "reach/prepared",
        f"score 1,000 quotes of 50 to 100 characters, {_MIXED}, cutoff 85, the source prepared",
        Scores(_quotes(corpus, 1_000, 50, 60, 70, 80, 90, 100), CUTOFF, Way.PREPARED),
        "one transcript, and all quotes that anybody attributes to it",
        _faster("rapidfuzz", 200),
        is_short=False,
    )
    for chars, limit in ((200, 10), (400, 5)):
        yield Benchmark(
            f"reach/long-absent/{chars}",
            f"score 100 quotes of {chars} characters, absent, cutoff 85, nothing prepared",
            Scores(_quotes(corpus, 100, chars, kinds=(Kind.ABSENT,)), CUTOFF, Way.TOGETHER),
            "the longer a quote is, the more a filter lets through",
            _faster("rapidfuzz", limit),
            is_short=False,
        )
    for chars, limit in ((50, 15), (100, 6)):
        yield Benchmark(
            f"reach/alone/{chars}",
            f"score one quote of {chars} characters, cutoff 85, nothing prepared; 15 such calls, {_MIXED}",
            Scores(_quotes(corpus, 15, chars), CUTOFF, Way.ALONE),
            "all preparation of the text serves a single quote",
            _faster("rapidfuzz", limit),
            is_short=False,
        )
    yield Benchmark(
        "reach/short-text",
        f"score 20 quotes of 20, 50 and 100 characters, {_MIXED}, cutoff 85, nothing prepared",
        Scores(_quotes(corpus, 20, 20, 50, 100, text_chars=10_000), CUTOFF, Way.TOGETHER),
        "most transcripts are short",
        _faster("rapidfuzz", 10),
        is_short=False,
    )


def _without_cutoff(corpus: Corpus) -> Iterator[Benchmark]:
    for chars in (50, 100, 200):
        yield Benchmark(
            f"reach/no-cutoff/{chars}",
            f"score one quote of {chars} characters, absent, without a cutoff, nothing prepared; 3 such calls",
            Scores(_quotes(corpus, 3, chars, kinds=(Kind.ABSENT,)), None, Way.ALONE),
            "without a cutoff, nothing can be excluded",
            _faster("rapidfuzz", 6),
            is_short=False,
        )
    for kind in (Kind.TYPOS, Kind.ABSENT):
        yield Benchmark(
            f"reach/8000x8000/{kind}",
            f"score 8,000 characters against 8,000, {kind}, without a cutoff",
            Scores(_quotes(corpus, 1, 8_000, kinds=(kind,), text_chars=8_000), None, Way.ALONE),
            "two whole documents; rapidfuzz needs seconds and is timed once",
            _faster("rapidfuzz", 2_000),
            is_short=False,
        )


def _repetitive() -> Iterator[Benchmark]:
    phrase = "the quick brown fox jumps over the lazy dog and then it "
    texts: dict[str, tuple[str, Callable[[], str]]] = {
        "a": ("a", partial("a".__mul__, _LONG)),
        "ab": ("ab", partial("ab".__mul__, _LONG // 2)),
        "phrase": ("a phrase", partial(phrase.__mul__, _LONG // len(phrase))),
        "fibonacci": ("a Fibonacci word", partial(fibonacci, _LONG)),
    }
    for name, (piece, text) in texts.items():
        for is_together in (False, True):
            yield Benchmark(
                f"reach/repetitive/{name}/{'together' if is_together else 'alone'}",
                f"score 9 quotes of 50 to 200 characters, cutoff 85, {'in one call' if is_together else 'one by one'}",
                Repetitive(piece, text, CUTOFF, is_together),
                "on no text may we be slower by more than a tenth",
                _faster("rapidfuzz", 0.9),
                is_short=False,
            )


def _exact(corpus: Corpus) -> Iterator[Benchmark]:
    text, other = (part(_LONG, is_normalized=False) for part in (corpus.text, corpus.other))
    for count, limit in ((1, 1), (10, 5), (100, 25), (1_000, 25), (10_000, 40)):
        yield Benchmark(
            f"reach/exact/{count}",
            f"find all occurrences of {count:,} new patterns of 20 to 200 characters, half of which occur",
            ChangingPatterns(count, text, other),
            "the patterns change with every call, so building an index for them is part of the work",
            _faster(("str.find", "pyahocorasick", "ahocorasick_rs"), limit),
            is_short=False,
        )
    for patterns, many in ((hedges, "300 hedges"), (phrases, "10,000 phrases")):
        yield Benchmark(
            f"reach/fixed/{patterns.__name__}",
            f"find all occurrences of {many}, fixed patterns, in a text of 10,000 characters; 100 such texts",
            FixedPatterns(patterns, corpus.text(_LONG)),
            "automata are made for this; construction is not timed",
            _faster("ahocorasick_rs", 2),
            is_short=False,
        )


def _long_pipeline(corpus: Corpus) -> Iterator[Benchmark]:
    transcript = corpus.text(100_000, is_normalized=False)
    modes: tuple[tuple[Literal["substring", "fuzzy"], Kind, float], ...] = (
        ("substring", Kind.VERBATIM, 40),
        ("fuzzy", Kind.TYPOS, 30),
    )
    for mode, said, limit in modes:
        yield Benchmark(
            f"reach/validate/{mode}",
            f"validate_evidence_grounding of 40 quotes of 40 to 80 characters, {said} or absent, {mode} mode",
            # The quotes come from the beginning of the transcript, normalised.
            Grounding(transcript, _quotes(corpus, 40, 40, 60, 80, kinds=(said, Kind.ABSENT), text_chars=80_000), mode),
            "a pipeline calls it once for each interview",
            _faster("reference", limit),
            is_short=False,
        )
    yield Benchmark(
        "reach/normalize/ascii",
        "normalise a text of ASCII",
        Copy(corpus.text(_LONG, is_normalized=False)),
        "reading and writing each byte is the minimum of work",
        _faster("memcpy", 0.25),
        is_short=False,
    )
    for style in ("curly", "chinese", "japanese"):
        yield Benchmark(
            f"reach/normalize/{style}",
            "normalise a text; the others only compose it (NFKC)",
            Form(Synthetic(style, _LONG)),
            "all steps together may not cost more than others need for one of them",
            _faster(("stringzilla", "pyicu"), 1),
            is_short=False,
        )
