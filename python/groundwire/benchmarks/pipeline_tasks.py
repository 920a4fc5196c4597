"""Tasks of what comes before and after the search: one whole validation, and normalising."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Literal

from groundwire import normalize, reference
from groundwire.benchmarks.quotes import Kind, Quotes
from groundwire.benchmarks.tasks import Contestant, Scale, Task, TextTask
from groundwire.benchmarks.texts import Text
from groundwire.evidence import validate_evidence_grounding

__all__ = ["Copy", "Form", "Grounding"]


@dataclass(frozen=True)
class Grounding(Task):
    """
    A whole extraction against a transcript that nothing has prepared.

    Attributes:
        transcript: The transcript, as it is.
        quotes: Quotes of it, as they come out of a model.
        mode: Which quotes are kept.
    """

    transcript: Text
    quotes: Quotes
    mode: Literal["substring", "fuzzy"]
    engines = ("groundwire", "reference")
    scale = Scale.THREAD_CPU_S

    @property
    def text_name(self) -> str:
        """The transcript's name."""
        return self.transcript.name

    def prepare(self, engine: str) -> Contestant:
        """Return a call of the engine's validation, logs off; exactly the quotes that are not absent are to be kept."""
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
    """An ASCII text normalised, and its bytes copied to where there is room for them."""

    engines = ("groundwire", "memcpy")
    scale = Scale.THREAD_CPU_S

    def prepare(self, engine: str) -> Contestant:
        """Return a call of either."""
        text = self.text.read().encode("ascii", "ignore").decode()
        if engine == "groundwire":
            expected = reference.normalize_for_quote_match(text)
            return Contestant(partial(normalize, text), lambda result: bool(result == expected))
        octets = text.encode()
        room = memoryview(bytearray(len(octets)))
        return Contestant(partial(room.__setitem__, slice(None), octets), lambda _: room.tobytes() == octets)


@dataclass(frozen=True)
class Form(TextTask):
    """A text normalised; the others stop after the first of the steps, NFKC."""

    engines = ("groundwire", "stringzilla", "pyicu")
    scale = Scale.THREAD_CPU_S

    def prepare(self, engine: str) -> Contestant:
        """Return a call of the engine; ours has to be the reference's, the others' Python's own NFKC."""
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
