"""
The rows that the engine is built for: long English texts, many quotes, every rival at its best.

Each has a bar, and is timed by the processor time of its own thread. On which
text, the corpus says; the bars are meant for real ones.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from groundwire.benchmarks.bars import Bar, Measure
from groundwire.benchmarks.case import Benchmark, Mean
from groundwire.benchmarks.corpus import Corpus
from groundwire.benchmarks.pattern_tasks import ChangingPatterns, FixedPatterns, hedges, phrases
from groundwire.benchmarks.pipeline_tasks import Copy, Form, Grounding
from groundwire.benchmarks.quotes import CUTOFF, Kind, Quotes
from groundwire.benchmarks.repetitive_tasks import Repetitive, fibonacci
from groundwire.benchmarks.score_tasks import Scores, Way
from groundwire.benchmarks.texts import MadeUp

__all__ = ["reach"]

_LONG = 1_000_000

_KINDS = (Kind.TYPOS, Kind.NEAR, Kind.ABSENT)
_MIXED = "a third with slips, a third near misses, a third absent"


def reach(corpus: Corpus) -> tuple[Benchmark | Mean, ...]:
    """Return the rows, on texts of *corpus*."""
    return (
        *_together(corpus),
        *_other_scores(corpus),
        *_without_cutoff(corpus),
        *_repetitive(),
        *_exact(corpus),
        *_pipeline(corpus),
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
        "no row alone says how it is on the whole",
        _faster("rapidfuzz", 100),
    )


def _other_scores(corpus: Corpus) -> Iterator[Benchmark]:
    yield Benchmark(
        "reach/prepared",
        f"score 1,000 quotes of 50 to 100 characters, {_MIXED}, cutoff 85, the source prepared",
        Scores(_quotes(corpus, 1_000, 50, 60, 70, 80, 90, 100), CUTOFF, Way.PREPARED),
        "one transcript, and all that was ever said about it",
        _faster("rapidfuzz", 200),
        is_short=False,
    )
    for chars, limit in ((200, 10), (400, 5)):
        yield Benchmark(
            f"reach/long-absent/{chars}",
            f"score 100 quotes of {chars} characters, absent, cutoff 85, nothing prepared",
            Scores(_quotes(corpus, 100, chars, kinds=(Kind.ABSENT,)), CUTOFF, Way.TOGETHER),
            "filters let the more through the longer a quote is",
            _faster("rapidfuzz", limit),
            is_short=False,
        )
    for chars, limit in ((50, 15), (100, 6)):
        yield Benchmark(
            f"reach/alone/{chars}",
            f"score one quote of {chars} characters, cutoff 85, nothing prepared; 15 such calls, {_MIXED}",
            Scores(_quotes(corpus, 15, chars), CUTOFF, Way.ALONE),
            "what is made of the text serves one quote only",
            _faster("rapidfuzz", limit),
            is_short=False,
        )
    yield Benchmark(
        "reach/short-text",
        f"score 20 quotes of 20, 50 and 100 characters, {_MIXED}, cutoff 85, nothing prepared",
        Scores(_quotes(corpus, 20, 20, 50, 100, text_chars=10_000), CUTOFF, Way.TOGETHER),
        "most transcripts are not long",
        _faster("rapidfuzz", 10),
        is_short=False,
    )


def _without_cutoff(corpus: Corpus) -> Iterator[Benchmark]:
    for chars in (50, 100, 200):
        yield Benchmark(
            f"reach/no-cutoff/{chars}",
            f"score one quote of {chars} characters, absent, without a cutoff, nothing prepared; 3 such calls",
            Scores(_quotes(corpus, 3, chars, kinds=(Kind.ABSENT,)), None, Way.ALONE),
            "without a cutoff nothing may be left out",
            _faster("rapidfuzz", 6),
            is_short=False,
        )
    for kind in (Kind.TYPOS, Kind.ABSENT):
        yield Benchmark(
            f"reach/8000x8000/{kind}",
            f"score 8,000 characters against 8,000, {kind}, without a cutoff",
            Scores(_quotes(corpus, 1, 8_000, kinds=(kind,), text_chars=8_000), None, Way.ALONE),
            "two documents: rapidfuzz needs seconds, and is timed once",
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
                "whatever the text is, we may not be slower by more than a tenth",
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
            "patterns that change with every call: to build for them is part of the work",
            _faster(("str.find", "pyahocorasick", "ahocorasick_rs"), limit),
            is_short=False,
        )
    for patterns, many in ((hedges, "300 hedges"), (phrases, "10,000 phrases")):
        yield Benchmark(
            f"reach/fixed/{patterns.__name__}",
            f"find all occurrences of {many}, fixed patterns, in a text of 10,000 characters; 100 such texts",
            FixedPatterns(patterns, corpus.text(_LONG)),
            "what automata are made for; all that is built beforehand is not timed",
            _faster("ahocorasick_rs", 2),
            is_short=False,
        )


def _pipeline(corpus: Corpus) -> Iterator[Benchmark]:
    transcript = corpus.text(100_000, is_normalized=False)
    modes: tuple[tuple[Literal["substring", "fuzzy"], Kind, float], ...] = (
        ("substring", Kind.VERBATIM, 40),
        ("fuzzy", Kind.TYPOS, 30),
    )
    for mode, said, limit in modes:
        yield Benchmark(
            f"reach/validate/{mode}",
            f"validate_evidence_grounding of 40 quotes of 40 to 80 characters, {said} or absent, {mode} mode",
            # The normalised text that quotes are of is the beginning of what the transcript becomes.
            Grounding(transcript, _quotes(corpus, 40, 40, 60, 80, kinds=(said, Kind.ABSENT), text_chars=80_000), mode),
            "what a pipeline calls once for each interview",
            _faster("reference", limit),
            is_short=False,
        )
    yield Benchmark(
        "reach/normalize/ascii",
        "normalise a text of ASCII",
        Copy(corpus.text(_LONG, is_normalized=False)),
        "to read and write each byte is the least that can be done",
        _faster("memcpy", 0.25),
        is_short=False,
    )
    for style in ("curly", "chinese", "japanese"):
        yield Benchmark(
            f"reach/normalize/{style}",
            "normalise a text; the others only compose it (NFKC)",
            Form(MadeUp(style, _LONG)),
            "one step of several may not cost more than all of them",
            _faster(("stringzilla", "pyicu"), 1),
            is_short=False,
        )
