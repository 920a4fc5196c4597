"""
Defines tasks: normalising, validation, verdicts, logging, memory.

A task is data. It names the engines that take part, and prepares a contestant for each: a call to time, and a check of
its result.
"""

import logging
import subprocess
import sys
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import partial
from importlib import import_module
from typing import Any, ClassVar, Literal, NamedTuple

from groundwire import Source, normalize, reference
from groundwire.benchmarks.corpus import Kind, Quotes, Synthetic, Text, passages
from groundwire.evidence import (
    EvidenceGroundingStats,
    QuoteStatus,
    QuoteVerdict,
    assess_quotes,
    quotes_in,
    validate_evidence_grounding,
)
from groundwire.evidence.grounding import log_rejected
from groundwire.streaming import QuoteStream
from groundwire.telemetry import LOGGER_NAME

__all__ = [
    "Assess",
    "Contestant",
    "Copy",
    "Form",
    "Grounding",
    "Import",
    "Log",
    "Memory",
    "Normalize",
    "NormalizeHostile",
    "Scale",
    "Task",
    "TextTask",
    "Validate",
    "Wording",
]


class Scale(Enum):
    """Names the quantity that is measured."""

    WALL_S = "wall-clock seconds"
    THREAD_CPU_S = "processor seconds of the calling thread"
    CHILDREN_CPU_S = "processor seconds of child processes"
    BYTES = "bytes"


class Contestant(NamedTuple):
    """
    Holds an engine that is ready to run.

    Attributes:
        call: The call that is timed, or that returns a number of bytes.
        is_right: Tells whether a result of the call is right.
        operations: Number of operations in one call; times are per operation.
    """

    call: Callable[[], object]
    is_right: Callable[[Any], bool]
    operations: int = 1


class Task(ABC):
    """Describes an operation that several engines can perform."""

    engines: ClassVar[tuple[str, ...]]
    scale: ClassVar[Scale] = Scale.WALL_S

    @property
    @abstractmethod
    def text_name(self) -> str:
        """Describe the text."""

    @abstractmethod
    def prepare(self, engine: str) -> Contestant:
        """Prepare *engine*, without timing."""


@dataclass(frozen=True)
class Import(Task):
    """Starts an interpreter, with and without the package."""

    engines = ("groundwire", "bare interpreter")
    scale = Scale.CHILDREN_CPU_S
    text_name = "none"

    def prepare(self, engine: str) -> Contestant:
        """Return a call that starts an interpreter, which must exit with 0."""
        program = "import groundwire" if engine == "groundwire" else "pass"
        call = partial(subprocess.call, [sys.executable, "-c", program], stdin=subprocess.DEVNULL)
        return Contestant(call, lambda code: bool(code == 0))


@dataclass(frozen=True)
class TextTask(Task):
    """Describes a task on one text."""

    text: Text

    @property
    def text_name(self) -> str:
        """Return the name of the text."""
        return self.text.name


@dataclass(frozen=True)
class Normalize(TextTask):
    """Normalises a text as for the comparison of quotes."""

    engines = ("groundwire", "reference")

    def prepare(self, engine: str) -> Contestant:
        """Return a call of the engine's normalisation; it must agree with the reference."""
        function = normalize if engine == "groundwire" else reference.normalize_for_quote_match
        expected = reference.normalize_for_quote_match(self.text.read())
        return Contestant(partial(function, self.text.read()), lambda result: bool(result == expected))


@dataclass(frozen=True)
class NormalizeHostile(Task):
    """
    Normalises a text that is made to be slow, and a tenth of it.

    Attributes:
        piece: Characters that the text repeats.
        expected: Returns the normalised form of a number of pieces. The reference
            would take quadratic time on some of these texts.
        pieces: Number of pieces.
    """

    piece: str
    expected: Callable[[int], str]
    pieces: int = 1_000_000
    engines = ("groundwire", "a tenth of it")

    @property
    def text_name(self) -> str:
        """Return the piece and the number of its repetitions."""
        return f"{self.pieces:,} times {self.piece!a}"

    def prepare(self, engine: str) -> Contestant:
        """Return a call of our normalisation on the whole text or a tenth of it."""
        pieces = self.pieces if engine == "groundwire" else self.pieces // 10
        expected = self.expected(pieces)
        return Contestant(partial(normalize, self.piece * pieces), lambda result: bool(result == expected))


@dataclass(frozen=True)
class Validate(TextTask):
    """Validates an extraction against an unprepared transcript; half of the quotes come from another one."""

    text: Synthetic
    quotes: int = 40
    engines = ("groundwire", "reference")

    def prepare(self, engine: str) -> Contestant:
        """Return a call of the engine's validation without logs; it must keep exactly the transcript's own quotes."""
        function = validate_evidence_grounding if engine == "groundwire" else reference.validate_evidence_grounding
        other = Synthetic(self.text.style, self.text.chars, self.text.seed + 1)
        present, absent = (passages(text.read(), self.quotes // 2, 60) for text in (self.text, other))
        domains = [f"PHQ8_{number}" for number in range(8)]
        said = {domain: present[number::8] for number, domain in enumerate(domains)}
        evidence = {domain: said[domain] + absent[number::8] for number, domain in enumerate(domains)}
        call = partial(function, evidence, self.text.read(), log_rejections=False)
        return Contestant(call, lambda result: bool(result[0] == said))


@contextmanager
def _silenced(logger: logging.Logger) -> Iterator[None]:
    """Give *logger* a handler that does nothing, and no other."""
    handler, propagate = logging.NullHandler(), logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagate


@dataclass(frozen=True)
class Log(TextTask):
    """Logs an event for each rejected quote, compared with a bare warning for each."""

    quotes: int = 1_000
    engines = ("groundwire", "logger.warning")

    def prepare(self, engine: str) -> Contestant:
        """Return a call that logs one event for each quote; the time includes hashing the transcript once."""
        logger = logging.getLogger(LOGGER_NAME if engine == "groundwire" else "groundwire.benchmarks")
        rejected = [("PHQ8_Sleep", quote) for quote in passages(self.text.read(), self.quotes, 60)]
        stats = EvidenceGroundingStats(self.quotes, 0, self.quotes, {"PHQ8_Sleep": self.quotes})

        def log() -> None:
            with _silenced(logger):
                if engine == "groundwire":
                    log_rejected(rejected, stats, self.text.read(), mode="substring")
                else:
                    for _ in rejected:
                        logger.warning("evidence_quote_rejected")

        return Contestant(log, lambda result: result is None, self.quotes)


@dataclass(frozen=True)
class Memory(TextTask):
    """Measures the memory of a text that is prepared and indexed, compared with the text alone."""

    engines = ("groundwire", "str")
    scale = Scale.BYTES

    def prepare(self, engine: str) -> Contestant:
        """Return a call that returns the bytes, which must be at least one per character."""
        text = self.text.read()
        source = Source(text if engine == "groundwire" else "")
        # The index is built once enough searches make it pay.
        for quote in passages(text, 100, 60):
            source.find(quote)
        prepared = sys.getsizeof(source) if engine == "groundwire" else 0
        return Contestant(lambda: sys.getsizeof(text) + prepared, lambda size: bool(size >= len(text)))


@dataclass(frozen=True)
class Grounding(Task):
    """
    Validates an extraction against an unprepared transcript.

    Attributes:
        transcript: The transcript, not normalised.
        quotes: Its quotes, in the form in which a model gives them.
        mode: Mode of the validation.
    """

    transcript: Text
    quotes: Quotes
    mode: Literal["substring", "fuzzy"]
    engines = ("groundwire", "reference")
    scale = Scale.THREAD_CPU_S

    @property
    def text_name(self) -> str:
        """Return the name of the transcript."""
        return self.transcript.name

    def prepare(self, engine: str) -> Contestant:
        """Return a call of the engine's validation without logs; it must keep all quotes but the absent ones."""
        function = validate_evidence_grounding if engine == "groundwire" else reference.validate_evidence_grounding
        evidence: dict[str, list[str]] = {f"PHQ8_{number}": [] for number in range(8)}
        said: dict[str, list[str]] = {domain: [] for domain in evidence}
        for at, quote in enumerate(self.quotes.read()):
            domain = f"PHQ8_{at // 2 % 8}"
            evidence[domain].append(quote)
            if self.quotes.kind(at) is not Kind.ABSENT:
                said[domain].append(quote)
        call = partial(function, evidence, self.transcript.read(), mode=self.mode, log_rejections=False)
        return Contestant(call, lambda result: bool(result[0] == said))


@dataclass(frozen=True)
class Copy(TextTask):
    """Normalises an ASCII text, compared with copying its bytes."""

    engines = ("groundwire", "memcpy")
    scale = Scale.THREAD_CPU_S

    def prepare(self, engine: str) -> Contestant:
        """Return a call that normalises or copies."""
        text = self.text.read().encode("ascii", "ignore").decode()
        if engine == "groundwire":
            expected = reference.normalize_for_quote_match(text)
            return Contestant(partial(normalize, text), lambda result: bool(result == expected))
        octets = text.encode()
        room = memoryview(bytearray(len(octets)))
        return Contestant(partial(room.__setitem__, slice(None), octets), lambda _: room.tobytes() == octets)


@dataclass(frozen=True)
class Form(TextTask):
    """Normalises a text, compared with libraries that perform only its first step, NFKC."""

    engines = ("groundwire", "stringzilla", "pyicu")
    scale = Scale.THREAD_CPU_S

    def prepare(self, engine: str) -> Contestant:
        """Return a call of the engine; it must agree with the reference, or with Python's NFKC."""
        text = self.text.read()
        if engine == "groundwire":
            expected = reference.normalize_for_quote_match(text)
            return Contestant(partial(normalize, text), lambda result: bool(result == expected))
        nfkc = unicodedata.normalize("NFKC", text)
        return Contestant(partial(_NFKC[engine](), text), lambda result: _text(result) == nfkc)


def _text(result: object) -> str:
    return result.decode() if isinstance(result, bytes) else str(result)


def _stringzilla() -> Callable[[str], object]:
    norm = import_module("stringzilla").utf8_norm
    return lambda text: norm(text, "NFKC")


def _pyicu() -> Callable[[str], object]:
    function: Callable[[str], object] = import_module("icu").Normalizer2.getNFKCInstance().normalize
    return function


_NFKC = {"stringzilla": _stringzilla, "pyicu": _pyicu}


# A quote is the beginning of a turn, with 12 to 24 words.
_MIN_WORDS, _MAX_WORDS = 12, 24


class Wording(StrEnum):
    """Names how a quote is made from a passage."""

    VERBATIM = "verbatim"
    """Unchanged."""
    TYPO = "typo"
    """Two letters of the longest word are swapped."""
    PUNCTUATION = "punctuation"
    """A comma is added."""
    ALTERED = "altered"
    """A negation is added."""
    ELLIPSIS = "ellipsis"
    """An ellipsis replaces two words."""
    ABSENT = "absent"
    """The passage is from another text."""


_EXPECTED = {
    Wording.VERBATIM: {QuoteStatus.EXACT},
    Wording.TYPO: {QuoteStatus.NEAR},
    Wording.PUNCTUATION: {QuoteStatus.NEAR},
    Wording.ALTERED: {QuoteStatus.ALTERED},
    # Altered if the two words are a negation or a limit.
    Wording.ELLIPSIS: {QuoteStatus.ELIDED, QuoteStatus.ALTERED},
    Wording.ABSENT: {QuoteStatus.ABSENT},
}

# A third verbatim, a third with typos, a third with larger changes.
_MIX = (
    *(Wording.VERBATIM, Wording.TYPO, Wording.ALTERED),
    *(Wording.VERBATIM, Wording.PUNCTUATION, Wording.ELLIPSIS),
    *(Wording.VERBATIM, Wording.TYPO, Wording.ABSENT),
    *(Wording.VERBATIM, Wording.PUNCTUATION, Wording.ALTERED),
)


@dataclass(frozen=True)
class Assess(TextTask):
    """Assesses quotes from a prepared transcript, compared with their plain fuzzy grounding."""

    text: Synthetic
    quotes: int = 40
    engines = ("groundwire", "plain grounding")
    scale = Scale.THREAD_CPU_S

    def wordings(self) -> list[Wording]:
        """Return how each quote is made."""
        return [_MIX[number % len(_MIX)] for number in range(self.quotes)]

    def written(self) -> list[str]:
        """Return the quotes."""
        other = Synthetic(self.text.style, self.text.chars, self.text.seed + 1)
        said, unsaid = (_beginnings(text.read()) for text in (self.text, other))
        return [_worded(wording, next(unsaid if wording is Wording.ABSENT else said)) for wording in self.wordings()]

    def prepare(self, engine: str) -> Contestant:
        """Return a call of either; each verdict must fit its quote, and grounding must find every sufficient score."""
        source = Source(self.text.read(), profile="typographic")
        quotes, wordings = self.written(), self.wordings()
        if engine == "groundwire":
            return Contestant(partial(assess_quotes, quotes, source), partial(_are_right, wordings))
        expected = [bool(score >= 85) for score in source.scores(quotes)]
        ground = partial(source.ground, quotes, mode="fuzzy")
        return Contestant(ground, lambda matches: [match is not None for match in matches] == expected)


@dataclass(frozen=True)
class Stream(TextTask):
    """
    Checks the quotes of an answer that arrives in chunks, compared with the whole answer at once.

    Attributes:
        chunk_chars: Number of characters of a chunk.
    """

    text: Synthetic
    chunk_chars: int = 4
    engines = ("groundwire", "whole answer")
    scale = Scale.THREAD_CPU_S

    def answer(self) -> str:
        """Return an answer of ten paragraphs with four quotes each."""
        quotes = Assess(self.text).written()
        said = [f'People found it hard. One said: "{quote}" [{number}]. ' for number, quote in enumerate(quotes)]
        return "\n\n".join("".join(said[place : place + 4]) for place in range(0, len(said), 4))

    def prepare(self, engine: str) -> Contestant:
        """Return a call of either; both must have the same verdicts."""
        source, answer = Source(self.text.read(), profile="typographic"), self.answer()
        chunks = [answer[place : place + self.chunk_chars] for place in range(0, len(answer), self.chunk_chars)]
        expected = [verdict.status for verdict in _at_once(source, answer)]
        call = partial(_in_chunks, source, chunks) if engine == "groundwire" else partial(_at_once, source, answer)
        return Contestant(call, lambda verdicts: [verdict.status for verdict in verdicts] == expected)


def _at_once(source: Source, answer: str) -> list[QuoteVerdict]:
    return assess_quotes([span.text for span in quotes_in(answer)], source)


def _in_chunks(source: Source, chunks: Sequence[str]) -> list[QuoteVerdict]:
    stream = QuoteStream(source)
    return [verdict for chunk in chunks for verdict in stream.feed(chunk)] + stream.close()


def _are_right(wordings: list[Wording], verdicts: list[Any]) -> bool:
    return all(verdict.status in _EXPECTED[wording] for wording, verdict in zip(wordings, verdicts, strict=True))


def _beginnings(text: str) -> Iterator[list[str]]:
    """Yield the first words of long turns without tags, spread over *text*."""
    turns = [turn.partition(" ")[2].split(" ")[:_MAX_WORDS] for turn in text.split("\n")]
    long = [words for words in turns if len(words) >= _MIN_WORDS and not any("<" in word for word in words)]
    yield from long[:: max(1, len(long) // 60)]


def _worded(wording: Wording, words: list[str]) -> str:
    middle = len(words) // 2
    match wording:
        case Wording.TYPO:
            at = max(range(len(words)), key=lambda number: len(words[number]))
            words[at] = words[at][:2] + words[at][3] + words[at][2] + words[at][4:]
        case Wording.PUNCTUATION:
            words[middle] += ","
        case Wording.ALTERED:
            words[middle:middle] = ["not"]
        case Wording.ELLIPSIS:
            words[middle : middle + 2] = ["…"]
    return " ".join(words)
