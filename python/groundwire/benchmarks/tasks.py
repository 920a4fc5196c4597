"""
What is measured: each task is data, and knows its right answer.

A task names the engines that take part, and makes a contestant of each: a call
to time, and a check of what it returned.
"""

import logging
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, ClassVar, NamedTuple

from groundwire import Source, normalize, reference
from groundwire.benchmarks.texts import MadeUp, Text, passages
from groundwire.evidence import EvidenceGroundingStats, validate_evidence_grounding
from groundwire.evidence.grounding import log_rejected
from groundwire.telemetry import LOGGER_NAME

__all__ = [
    "Contestant",
    "Import",
    "Log",
    "Memory",
    "Normalize",
    "NormalizeHostile",
    "Scale",
    "Task",
    "TextTask",
    "Validate",
]


class Scale(Enum):
    """What the number of a contestant is."""

    WALL_S = "wall-clock seconds"
    THREAD_CPU_S = "processor seconds of the calling thread"
    CHILDREN_CPU_S = "processor seconds of child processes"
    BYTES = "bytes"


class Contestant(NamedTuple):
    """
    An engine that is ready.

    Attributes:
        call: What is timed; for bytes, what returns them.
        is_right: Tells whether a result of the call is right.
        operations: How many operations one call is; times are for one of them.
    """

    call: Callable[[], object]
    is_right: Callable[[Any], bool]
    operations: int = 1


class Task(ABC):
    """Something that engines can be asked for."""

    engines: ClassVar[tuple[str, ...]]
    scale: ClassVar[Scale] = Scale.WALL_S

    @property
    @abstractmethod
    def text_name(self) -> str:
        """On which text."""

    @abstractmethod
    def prepare(self, engine: str) -> Contestant:
        """Make *engine* ready; what that takes is not timed."""


@dataclass(frozen=True)
class Import(Task):
    """A fresh interpreter, with and without the package."""

    engines = ("groundwire", "bare interpreter")
    scale = Scale.CHILDREN_CPU_S
    text_name = "none"

    def prepare(self, engine: str) -> Contestant:
        """Return a call that starts an interpreter, which has to end well."""
        program = "import groundwire" if engine == "groundwire" else "pass"
        call = partial(subprocess.call, [sys.executable, "-c", program], stdin=subprocess.DEVNULL)
        return Contestant(call, lambda code: bool(code == 0))


@dataclass(frozen=True)
class TextTask(Task):
    """A task on one text."""

    text: Text

    @property
    def text_name(self) -> str:
        """The text's name."""
        return self.text.name


@dataclass(frozen=True)
class Normalize(TextTask):
    """The text in the form in which quotes and transcripts are compared."""

    engines = ("groundwire", "reference")

    def prepare(self, engine: str) -> Contestant:
        """Return a call of the engine's normalisation; the reference's result is right."""
        function = normalize if engine == "groundwire" else reference.normalize_for_quote_match
        expected = reference.normalize_for_quote_match(self.text.read())
        return Contestant(partial(function, self.text.read()), lambda result: bool(result == expected))


@dataclass(frozen=True)
class NormalizeHostile(Task):
    """
    A text made to be slow, and a tenth of it.

    Attributes:
        piece: What the text repeats.
        expected: The normalised form of so many pieces. Not the reference's: that
            takes time in the square of some of these texts.
        pieces: How many there are.
    """

    piece: str
    expected: Callable[[int], str]
    pieces: int = 1_000_000
    engines = ("groundwire", "a tenth of it")

    @property
    def text_name(self) -> str:
        """The piece and how often it stands there."""
        return f"{self.pieces:,} times {self.piece!a}"

    def prepare(self, engine: str) -> Contestant:
        """Return a call of our normalisation, with the text of this size."""
        pieces = self.pieces if engine == "groundwire" else self.pieces // 10
        expected = self.expected(pieces)
        return Contestant(partial(normalize, self.piece * pieces), lambda result: bool(result == expected))


@dataclass(frozen=True)
class Validate(Task):
    """A whole extraction against a transcript that nothing has prepared, half of the quotes from another one."""

    text: MadeUp
    quotes: int = 40
    engines = ("groundwire", "reference")

    @property
    def text_name(self) -> str:
        """The transcript's name."""
        return self.text.name

    def prepare(self, engine: str) -> Contestant:
        """Return a call of the engine's validation, logs off; exactly the transcript's own quotes are to be kept."""
        function = validate_evidence_grounding if engine == "groundwire" else reference.validate_evidence_grounding
        other = MadeUp(self.text.style, self.text.chars, self.text.seed + 1)
        present, absent = (passages(text.read(), self.quotes // 2, 60) for text in (self.text, other))
        domains = [f"PHQ8_{number}" for number in range(8)]
        said = {domain: present[number::8] for number, domain in enumerate(domains)}
        evidence = {domain: said[domain] + absent[number::8] for number, domain in enumerate(domains)}
        call = partial(function, evidence, self.text.read(), log_rejections=False)
        return Contestant(call, lambda result: bool(result[0] == said))


@contextmanager
def _silenced(logger: logging.Logger) -> Iterator[None]:
    """Let *logger* have a handler that does nothing, and no other."""
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
    """The events of rejected quotes, and as many bare warnings."""

    quotes: int = 1_000
    engines = ("groundwire", "logger.warning")

    def prepare(self, engine: str) -> Contestant:
        """Return a call that logs one event for each quote; the transcript, which is hashed once, counts with them."""
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
    """What a text takes when it is prepared and indexed, and what it takes alone."""

    engines = ("groundwire", "str")
    scale = Scale.BYTES

    def prepare(self, engine: str) -> Contestant:
        """Return a call that says how many bytes there are: no form of a text takes less than one a character."""
        text = self.text.read()
        source = Source(text if engine == "groundwire" else "")
        # The index is built when searches have made it worth while.
        for quote in passages(text, 100, 60):
            source.find(quote)
        prepared = sys.getsizeof(source) if engine == "groundwire" else 0
        return Contestant(lambda: sys.getsizeof(text) + prepared, lambda size: bool(size >= len(text)))
