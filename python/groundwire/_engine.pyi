from collections.abc import Sequence
from typing import Any, Literal, final, overload

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "MAX_BOUNDED_CHARS",
    "UNICODE_VERSION",
    "Alignment",
    "Answer",
    "Claim",
    "Marker",
    "Match",
    "Passages",
    "Patterns",
    "QuoteAlignment",
    "Source",
    "TellingWords",
    "WordList",
    "__version__",
    "_rebuild_alignment",
    "_rebuild_match",
    "_rebuild_patterns",
    "_rebuild_quote_alignment",
    "_rebuild_source",
    "build_info",
    "normalize",
    "partial_ratio",
    "partial_ratio_alignment",
    "partial_ratio_many",
    "read_answer",
    "sentences",
]

__version__: str
MAX_BOUNDED_CHARS: int
UNICODE_VERSION: str

_Profile = Literal["spec", "typographic"]
_Mode = Literal["substring", "fuzzy"]
_Kind = Literal["exact", "normalized", "fuzzy"]
_Mark = Literal["angle", "braces", "brackets", "parentheses"]
_Form = Literal["bracket", "lenticular", "footnote", "source"]
_Standing = Literal["valid", "invalid", "ignored"]

def build_info() -> dict[str, Any]: ...
def normalize(text: str, *, profile: _Profile = "spec", marks: Sequence[_Mark] | None = None) -> str: ...
def partial_ratio(s1: object, s2: object, *, score_cutoff: float | None = None) -> float: ...
def partial_ratio_alignment(s1: object, s2: object, *, score_cutoff: float | None = None) -> Alignment | None: ...
def partial_ratio_many(
    quotes: Sequence[object], text: object, *, score_cutoff: float | None = None, workers: int = 1
) -> NDArray[np.float64]: ...
def read_answer(answer: str, ids: Sequence[str]) -> Answer: ...
def sentences(text: str) -> list[tuple[int, int]]: ...

@final
class Answer:
    @property
    def markers(self) -> tuple[Marker, ...]: ...
    @property
    def sentences(self) -> tuple[tuple[int, int], ...]: ...
    @property
    def claims(self) -> tuple[Claim, ...]: ...
    def figures(self) -> tuple[int, int, int, list[str], list[str], list[str]]: ...

@final
class Marker:
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def ids(self) -> tuple[str, ...]: ...
    @property
    def form(self) -> _Form: ...
    @property
    def status(self) -> _Standing: ...
    @property
    def valid_ids(self) -> tuple[str, ...]: ...
    @property
    def invalid_ids(self) -> tuple[str, ...]: ...

@final
class Claim:
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def weight(self) -> int: ...
    @property
    def markers(self) -> tuple[int, ...]: ...
    @property
    def is_long(self) -> bool: ...

@final
class Match:
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def score(self) -> float: ...
    @property
    def kind(self) -> _Kind: ...

@final
class Alignment:
    @property
    def score(self) -> float: ...
    @property
    def src_start(self) -> int: ...
    @property
    def src_end(self) -> int: ...
    @property
    def dest_start(self) -> int: ...
    @property
    def dest_end(self) -> int: ...

@final
class QuoteAlignment:
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def score(self) -> float: ...
    @property
    def edits(self) -> list[tuple[int, int, int, int]]: ...

@final
class Source:
    def __new__(
        cls, text: str, *, name: str | None = None, profile: _Profile = "spec", marks: Sequence[_Mark] | None = None
    ) -> Source: ...
    def __len__(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def normalized(self) -> str: ...
    @property
    def name(self) -> str | None: ...
    @property
    def profile(self) -> _Profile: ...
    @property
    def marks(self) -> tuple[_Mark, ...] | None: ...
    def find(
        self, quote: str, *, mode: _Mode = "substring", threshold: float = 0.85, word_boundaries: bool = False
    ) -> Match | None: ...
    def find_all(self, quote: str, *, word_boundaries: bool = False) -> list[Match]: ...
    @overload
    def ground(
        self,
        quotes: Sequence[str],
        *,
        mode: _Mode = "substring",
        threshold: float = 0.85,
        verdict_only: Literal[False] = False,
        workers: int = 1,
    ) -> list[Match | None]: ...
    @overload
    def ground(
        self,
        quotes: Sequence[str],
        *,
        mode: _Mode = "substring",
        threshold: float = 0.85,
        verdict_only: Literal[True],
        workers: int = 1,
    ) -> NDArray[np.bool_]: ...
    @overload
    def ground(
        self,
        quotes: Sequence[str],
        *,
        mode: _Mode = "substring",
        threshold: float = 0.85,
        verdict_only: bool,
        workers: int = 1,
    ) -> list[Match | None] | NDArray[np.bool_]: ...
    def scores(
        self, quotes: Sequence[str], *, score_cutoff: float | None = None, workers: int = 1
    ) -> NDArray[np.float64]: ...
    def align_quotes(
        self, quotes: Sequence[str], *, threshold: float = 0.85, workers: int = 1
    ) -> list[QuoteAlignment | None]: ...
    def align(self, quote: str, start: int, end: int) -> QuoteAlignment: ...

@final
class Patterns:
    def __new__(cls, patterns: Sequence[str], *, word_boundaries: bool = False) -> Patterns: ...
    def __len__(self) -> int: ...
    def find_all(self, text: str) -> list[tuple[int, int, int]]: ...

@final
class WordList:
    def __new__(cls, words: Sequence[str]) -> WordList: ...
    def __len__(self) -> int: ...

@final
class Passages:
    def __new__(cls, texts: Sequence[str], *, common: WordList) -> Passages: ...
    def __len__(self) -> int: ...
    def support(self, claims: Sequence[str]) -> list[list[tuple[int, int, int, int, int, int, int, int, int, int]]]: ...

@final
class TellingWords:
    def __new__(
        cls, roles: dict[str, Sequence[str]], *, values: Sequence[str], opposites: Sequence[tuple[str, str]]
    ) -> TellingWords: ...
    def sentences_to_read(
        self, claim: str, stretches: Sequence[tuple[str, int, int]]
    ) -> list[tuple[int, int] | None]: ...

# Unpickling calls these.
def _rebuild_alignment(score: float, src_start: int, src_end: int, dest_start: int, dest_end: int) -> Alignment: ...
def _rebuild_match(start: int, end: int, score: float, kind: _Kind, text: str) -> Match: ...
def _rebuild_patterns(patterns: Sequence[str], word_boundaries: bool) -> Patterns: ...
def _rebuild_quote_alignment(
    start: int, end: int, score: float, edits: Sequence[tuple[int, int, int, int]]
) -> QuoteAlignment: ...
def _rebuild_source(text: str, name: str | None, profile: _Profile, marks: Sequence[_Mark] | None = None) -> Source: ...
