"""
The benchmarks: what, on which text, who takes part, which bar, and why it is here.

The right answer is the task's to know. Times are medians of one interleaved run.
"""

from collections.abc import Iterator
from functools import partial
from operator import mul

from groundwire.benchmarks.bars import Bar, Measure
from groundwire.benchmarks.case import Benchmark
from groundwire.benchmarks.search_tasks import Find, FindHostilePatterns, FindPatterns, Ground, PartialRatio
from groundwire.benchmarks.tasks import Import, Log, Memory, Normalize, NormalizeHostile, Validate
from groundwire.benchmarks.texts import MadeUp
from groundwire.benchmarks.verdict_tasks import Assess

__all__ = ["CASES"]


def _normalize() -> Iterator[Benchmark]:
    promised = {"english": 100, "curly": 60, "chinese": 20, "japanese": 20, "russian": 20, "arabic": 20}
    for style, limit in promised.items():
        yield Benchmark(
            f"normalize/{style}",
            "normalise a text",
            Normalize(MadeUp(style, 100_000)),
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
            "ten times the text may take about ten times as long: a model writes what it likes",
            Bar(Measure.LARGER, "a tenth of it", 15),
        )


def _find() -> Iterator[Benchmark]:
    for style in ("english", "curly", "chinese"):
        yield Benchmark(
            f"find/{style}",
            "find a quote of 40 characters in the middle of a prepared source",
            Find(MadeUp(style, 50_000)),
            "many quotes are asked of one transcript; the quote is normalised within the time",
            Bar(Measure.FASTER, "in", 5),
        )
    yield Benchmark(
        "find/short",
        "find a quote of 16 characters in the middle of a prepared source",
        Find(MadeUp("english", 50_000), 16),
        "a name or a figure is shorter than the coarse index can find",
        Bar(Measure.FASTER, "in", 1),
    )
    for count in (10, 100, 1_000):
        yield Benchmark(
            f"ground/{count}",
            f"ground {count} quotes of 60 characters in a prepared source",
            Ground(count, MadeUp("english", 1_000_000)),
            "a whole extraction at once against a long transcript; the automata are built for its quotes",
            is_short=count == 100,
        )


def _patterns() -> Iterator[Benchmark]:
    for count in (10, 100, 1_000):
        for is_built in (True, False):
            yield Benchmark(
                f"patterns/{count}{'' if is_built else '/with-construction'}",
                f"find {count} patterns{'' if is_built else ', constructed within the time'}",
                FindPatterns(count, MadeUp("english", 1_000_000), is_built),
                "fixed patterns are what automata are made for",
                is_short=count == 100 and is_built,
            )
    yield Benchmark(
        "patterns/1/curly",
        "find one pattern",
        FindPatterns(1, MadeUp("curly", 1_000_000), is_built=True),
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


# Style, characters of the quote, characters of the text; scores of a quote with slips and of one from elsewhere.
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
                    PartialRatio(chars, MadeUp(style, text_chars), kind == "near", cutoff, score),
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
        Bar(Measure.EXCESS, "bare interpreter", 0.005),
    )
    for style in ("english", "curly"):
        yield Benchmark(
            f"validate/{style}",
            "validate_evidence_grounding of 40 quotes, half of them present, nothing prepared",
            Validate(MadeUp(style, 100_000)),
            "what a pipeline calls once for each interview",
            Bar(Measure.FASTER, "reference", 25),
        )
    for style in ("english", "curly"):
        yield Benchmark(
            f"verdicts/{style}",
            "assess 40 quotes: a third as they are, a third with slips, the rest altered, cut or absent",
            Assess(MadeUp(style, 100_000)),
            "what verdicts cost beyond the search is a matter of how little is read of each quote",
            Bar(Measure.EXCESS, "plain grounding", 0.002),
        )
    yield Benchmark(
        "log",
        "log the rejection of a quote, hash and all",
        Log(MadeUp("english", 10_000)),
        "a model that makes everything up must not slow the pipeline down",
        Bar(Measure.EXCESS, "logger.warning", 5e-6),
    )
    for style in ("english", "curly", "chinese"):
        yield Benchmark(
            f"memory/{style}",
            "keep a source, prepared and indexed, and its text",
            Memory(MadeUp(style, 1_000_000)),
            "services keep many sources",
            Bar(Measure.LARGER, "str", 4),
        )


CASES: tuple[Benchmark, ...] = (*_pipeline(), *_normalize(), *_find(), *_partial_ratio(), *_patterns())
