"""
The score of support: how probable it is that a passage supports a claim.

A logistic model weighs eight features of wording (`FEATURES`). The shipped coefficients are in support_score.json;
`groundwire calibrate --fit` fits others on labels of one's own. docs/quality.md has the features and the figures.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from math import exp, isfinite, log1p
from operator import mul
from pathlib import Path
from typing import Any, Self

from groundwire.errors import GroundwireError
from groundwire.files import read_file
from groundwire.language import SupportRow

__all__ = [
    "FEATURES",
    "MAX_COEFFICIENT",
    "SUPPORTED_FROM",
    "WEAK_FROM",
    "SupportScore",
    "SupportScoreError",
    "chosen_score",
    "features_of",
]

FEATURES = ("words", "phrases", "topics", "names", "numbers", "details", "contradicted", "supported")
"""What the model weighs, in this order: see `features_of`."""

SUPPORTED_FROM = 0.6
"""
From this probability on, 0.0 to 1.0, a claim of a persona is supported (ruling D2).

Of a citation no score decides that, but the comparison word by word (ruling D13).
"""

WEAK_FROM = 0.4
"""
From this probability on, 0.0 to 1.0, a claim is supported in part: weak, and not hallucinated (ruling D3).

The reliability table of docs/quality.md has the share of claims that are supported there.
"""

MAX_COEFFICIENT = 20.0
"""No coefficient is larger. Fitted ones are below 3, and with larger ones the odds may be no float any more."""

_SHIPPED = Path(__file__).with_name("support_score.json")
_MAX_BYTES = 1 << 16
_MAX_NAME_CHARS = 200
_KEYS = ("name", "made by", "data", "intercept", "coefficients")


class SupportScoreError(GroundwireError, ValueError):
    """A file holds no score of support. Says what is wrong with it, and quotes nothing."""


@dataclass(frozen=True)
class SupportScore:
    """
    The coefficients of the model.

    Attributes:
        name: What reports call it: 1 to 200 printable characters.
        intercept: The logarithm of the odds where every feature is 0, at most 20 in size.
        coefficients: The weight of each of `FEATURES`, in their order, at most 20 in size.
        made_by: The command that fitted it.
        data: What it was fitted on, counts and names; never a text.

    Raises:
        SupportScoreError: A value is none of these.
    """

    name: str
    intercept: float
    coefficients: tuple[float, ...]
    made_by: str = ""
    data: tuple[tuple[str, int | float | str | bool], ...] = ()

    def __post_init__(self) -> None:
        if not _is_label(self.name) or not self.name:
            raise SupportScoreError(f'"name" must be a string of 1 to {_MAX_NAME_CHARS} printable characters')
        if not _is_label(self.made_by):
            raise SupportScoreError(f'"made by" must be a string of at most {_MAX_NAME_CHARS} printable characters')
        if len(self.coefficients) != len(FEATURES):
            raise SupportScoreError(f"there must be {len(FEATURES)} coefficients, got {len(self.coefficients)}")
        for key, value in (("intercept", self.intercept), *zip(FEATURES, self.coefficients, strict=True)):
            # Written so that NaN, which compares false with everything, is refused too.
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MAX_COEFFICIENT:
                raise SupportScoreError(f'"{key}" must be a number from -{MAX_COEFFICIENT:g} to {MAX_COEFFICIENT:g}')
        for number, (key, entry) in enumerate(self.data, 1):
            if not _is_label(key) or not _is_entry(entry):
                raise SupportScoreError(f'entry {number} of "data" must be a short string or a finite number')

    @staticmethod
    def shipped() -> "SupportScore":
        """Return the score that comes with groundwire."""
        return _shipped()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """
        Return the score in a file that `save` or `groundwire calibrate --fit` wrote.

        Raises:
            SupportScoreError: It holds something else.
            OSError: It cannot be read, or has more than 64 KiB.
        """
        try:
            plain = json.loads(read_file(path, _MAX_BYTES).decode("utf-8"), object_pairs_hook=_unique)
        except SupportScoreError:
            raise
        except UnicodeDecodeError:
            raise SupportScoreError("the file is not UTF-8") from None
        except json.JSONDecodeError as error:
            raise SupportScoreError(f"line {error.lineno}, column {error.colno}: not JSON") from None
        except (ValueError, RecursionError):
            # An integer of thousands of digits, or brackets in brackets without end.
            raise SupportScoreError("not the JSON of a score") from None
        _check_keys("the file", plain, _KEYS)
        _check_keys('"coefficients"', plain["coefficients"], FEATURES)
        if not isinstance(plain["data"], dict):
            raise SupportScoreError('"data" must be an object')
        coefficients = tuple(plain["coefficients"][name] for name in FEATURES)
        return cls(plain["name"], plain["intercept"], coefficients, plain["made by"], tuple(plain["data"].items()))

    def save(self, path: str | os.PathLike[str]) -> None:
        """
        Write the score to a file, in the place of what was there. The same score gives the same bytes.

        A link stays one, and devices and pipes are written to as they are.

        Raises:
            OSError: It cannot be written.
        """
        target = Path(path).resolve()
        if target.exists() and not target.is_file():
            target.write_text(self.text(), encoding="utf-8", newline="\n")
            return
        written = target.with_name(f"{target.name}.{os.getpid()}")
        written.write_text(self.text(), encoding="utf-8", newline="\n")
        written.replace(target)

    def probability(self, row: SupportRow) -> float:
        """Return how probable it is that a passage supports the claim, 0.0 to 1.0, by what it has of it."""
        log_odds = sum(map(mul, self.coefficients, features_of(row)), self.intercept)
        return round(1.0 / (1.0 + exp(-log_odds)), 12)

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the file that `save` writes."""
        return sha256(self.text().encode()).hexdigest()

    @property
    def identity(self) -> str | None:
        """Its name and the first 16 digits of its hash, as results and reports name it; None of the shipped one."""
        is_shipped = (self.intercept, self.coefficients) == (_shipped().intercept, _shipped().coefficients)
        return None if is_shipped else f"{self.name} (SHA-256 {self.sha256[:16]})"

    def text(self) -> str:
        """Return what `save` writes."""
        plain = {
            "name": self.name,
            "made by": self.made_by,
            "data": dict(self.data),
            "intercept": self.intercept,
            "coefficients": dict(zip(FEATURES, self.coefficients, strict=True)),
        }
        return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def chosen_score(score: "SupportScore | str | os.PathLike[str] | None") -> SupportScore:
    """
    Return *score*, the one in the file of that name, or the shipped one for None.

    Raises:
        TypeError: *score* is neither.
        SupportScoreError, OSError: As `SupportScore.load`.
    """
    if score is None:
        return _shipped()
    if isinstance(score, SupportScore):
        return score
    if isinstance(score, str | os.PathLike):
        return SupportScore.load(score)
    raise TypeError(f"score must be a SupportScore, a path or None, got {type(score).__name__}")


def features_of(row: SupportRow) -> tuple[float, ...]:
    """
    Return the numbers that the model weighs, in the order of `FEATURES`.

    words, phrases, topics: Those of `groundwire.citations.support.PassageSupport`.
    names, numbers: The natural logarithm of one more than what is missing of each.
    details: 1.0 if a name or a number is missing.
    contradicted, supported: 1.0 for that status.
    """
    (words, phrases, topics, names, numbers, _), assessment = row
    status = "unsupported" if assessment is None else assessment[0]
    is_missing = float(names + numbers > 0)
    is_contradicted, is_supported = float(status == "contradicted"), float(status == "supported")
    return (words, phrases, topics, log1p(names), log1p(numbers), is_missing, is_contradicted, is_supported)


@cache
def _shipped() -> SupportScore:
    return SupportScore.load(_SHIPPED)


def _is_label(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _MAX_NAME_CHARS and value.isprintable()


def _is_entry(value: object) -> bool:
    return _is_label(value) or (isinstance(value, int | float) and abs(value) < 1e15 and isfinite(value))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) != len(pairs):
        raise SupportScoreError("a key is there twice")
    return plain


def _check_keys(what: str, plain: object, keys: tuple[str, ...]) -> None:
    if not isinstance(plain, Mapping):
        raise SupportScoreError(f"{what} must be an object")
    for key in keys:
        if key not in plain:
            raise SupportScoreError(f'{what} must have "{key}"')
    if len(plain) > len(keys):
        raise SupportScoreError(f"{what} must have no other keys than {', '.join(keys)}")
