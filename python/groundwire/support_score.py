"""
Computes the score of support: the probability that a passage supports a claim, or that a quote is in its source.

A logistic model weighs features. Those of a claim compare its words with a passage (`FEATURES`); those of a quote
describe its verdict (`QUOTE_FEATURES`). The shipped coefficients, for claims, are in support_score.json; `groundwire
calibrate --fit` fits others to your own labels. docs/figures/quality.md has the features of claims and their figures.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from math import exp, isfinite, log1p
from operator import mul
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias

from groundwire.errors import GroundwireError
from groundwire.files import read_file
from groundwire.language import SupportRow
from groundwire.private_files import replace_file

__all__ = [
    "FEATURES",
    "FEATURES_OF",
    "MAX_COEFFICIENT",
    "QUOTE_FEATURES",
    "SUPPORTED_FROM",
    "WEAK_FROM",
    "ScoreSubject",
    "SupportScore",
    "SupportScoreError",
    "chosen_score",
    "features_of",
]

FEATURES = ("words", "phrases", "topics", "names", "numbers", "details", "contradicted", "supported")
"""The features of a claim, in the order of their coefficients: see `features_of`."""

QUOTE_FEATURES = ("similarity", "exact", "near", "elided", "altered", "changes", "flags")
"""The features of a quote, in the order of their coefficients: see `groundwire.evidence.verdicts.quote_features`."""

ScoreSubject: TypeAlias = Literal["claims", "quotes"]

FEATURES_OF: dict[ScoreSubject, tuple[str, ...]] = {"claims": FEATURES, "quotes": QUOTE_FEATURES}

SUPPORTED_FROM = 0.6
"""
Minimum probability, 0.0 to 1.0, of a supported claim of a persona (ruling D2).

For a citation, the comparison word by word decides instead (ruling D13).
"""

WEAK_FROM = 0.4
"""Minimum probability, 0.0 to 1.0, of a partly supported claim, which is weak and not hallucinated (ruling D3)."""

MAX_COEFFICIENT = 20.0
"""Maximum size of a coefficient. Fitted ones are below 3; with larger ones, the odds could exceed a float."""

_SHIPPED = Path(__file__).with_name("support_score.json")
_MAX_BYTES = 1 << 16
_MAX_PROPERTY_CHARS = 200
_KEYS = ("name", "subject", "made by", "data", "intercept", "coefficients")


class SupportScoreError(GroundwireError, ValueError):
    """A file does not contain a score of support. The message has the reason, and no content."""


@dataclass(frozen=True)
class SupportScore:
    """
    Holds the coefficients of the model.

    Attributes:
        name: Name in reports: 1 to 200 printable characters.
        intercept: Logarithm of the odds if every feature is 0; absolute value at most 20.
        coefficients: Weight of each feature of the subject, in order; absolute values at most 20.
        made_by: The command that fitted it.
        data: Counts and names of the training data; never a text.
        subject: Whether it scores claims or quotes.

    Raises:
        SupportScoreError: A value has the wrong type or is out of range.
    """

    name: str
    intercept: float
    coefficients: tuple[float, ...]
    made_by: str = ""
    data: tuple[tuple[str, int | float | str | bool], ...] = ()
    subject: ScoreSubject = "claims"

    def __post_init__(self) -> None:
        if not _is_label(self.name) or not self.name:
            raise SupportScoreError(f'"name" must be a string of 1 to {_MAX_PROPERTY_CHARS} printable characters')
        if not _is_label(self.made_by):
            raise SupportScoreError(f'"made by" must be a string of at most {_MAX_PROPERTY_CHARS} printable characters')
        features = _features(self.subject)
        if len(self.coefficients) != len(features):
            raise SupportScoreError(f"there must be {len(features)} coefficients, got {len(self.coefficients)}")
        for key, value in (("intercept", self.intercept), *zip(features, self.coefficients, strict=True)):
            # Written so that NaN, which compares false with everything, is refused as well.
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MAX_COEFFICIENT:
                raise SupportScoreError(f'"{key}" must be a number from -{MAX_COEFFICIENT:g} to {MAX_COEFFICIENT:g}')
        for number, (key, entry) in enumerate(self.data, 1):
            if not _is_label(key) or not _is_entry(entry):
                raise SupportScoreError(f'entry {number} of "data" must be a short string or a finite number')

    @staticmethod
    def shipped() -> "SupportScore":
        """Return the shipped score."""
        return _shipped()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """
        Return the score in a file that `save` or `groundwire calibrate --fit` wrote.

        Raises:
            SupportScoreError: The file contains no valid score.
            OSError: The file cannot be read, or has more than 64 KiB.
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
            # An integer with thousands of digits, or too deeply nested brackets.
            raise SupportScoreError("not the JSON of a score") from None
        _check_keys("the file", plain, _KEYS)
        subject = plain["subject"]
        _check_keys('"coefficients"', plain["coefficients"], _features(subject))
        if not isinstance(plain["data"], dict):
            raise SupportScoreError('"data" must be an object')
        coefficients = tuple(plain["coefficients"][name] for name in FEATURES_OF[subject])
        return cls(
            plain["name"], plain["intercept"], coefficients, plain["made by"], tuple(plain["data"].items()), subject
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """
        Write the score to a file, replacing an existing one. The same score gives the same bytes.

        Links are followed, and devices and pipes are written to directly.

        Raises:
            OSError: The file cannot be written.
        """
        # It holds only counts and coefficients.
        replace_file(path, [self.text().encode()], is_private=False)

    def probability(self, row: SupportRow) -> float:
        """Return the probability that a passage supports the claim it was compared with, 0.0 to 1.0."""
        return self.probability_of(features_of(row))

    def probability_of(self, features: Sequence[float]) -> float:
        """Return the probability, 0.0 to 1.0, of a claim or quote with these features."""
        log_odds = sum(map(mul, self.coefficients, features), self.intercept)
        return round(1.0 / (1.0 + exp(-log_odds)), 12)

    def check_subject(self, subject: ScoreSubject) -> Self:
        """
        Return the score if it scores *subject*.

        Raises:
            SupportScoreError: It scores something else.
        """
        if self.subject != subject:
            raise SupportScoreError(f"the score was fitted on {self.subject}, not on {subject}")
        return self

    @cached_property
    def sha256(self) -> str:
        """Return the SHA-256 of the file that `save` writes."""
        return sha256(self.text().encode()).hexdigest()

    @property
    def identity(self) -> str | None:
        """The name and the first 16 digits of the hash, for results and reports; None for the shipped score."""
        is_shipped = (self.intercept, self.coefficients) == (_shipped().intercept, _shipped().coefficients)
        return None if is_shipped else f"{self.name} (SHA-256 {self.sha256[:16]})"

    def text(self) -> str:
        """Return the content that `save` writes."""
        plain = {
            "name": self.name,
            "subject": self.subject,
            "made by": self.made_by,
            "data": dict(self.data),
            "intercept": self.intercept,
            "coefficients": dict(zip(FEATURES_OF[self.subject], self.coefficients, strict=True)),
        }
        return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def chosen_score(score: "SupportScore | str | os.PathLike[str] | None") -> SupportScore:
    """
    Return *score*, or the score in the file of that name, or the shipped one for None. It scores claims.

    Raises:
        TypeError: *score* has another type.
        SupportScoreError: As `SupportScore.load`, or the score was fitted on quotes.
        OSError: As `SupportScore.load`.
    """
    if score is None:
        return _shipped()
    if isinstance(score, SupportScore):
        return score.check_subject("claims")
    if isinstance(score, str | os.PathLike):
        return SupportScore.load(score).check_subject("claims")
    raise TypeError(f"score must be a SupportScore, a path or None, got {type(score).__name__}")


def features_of(row: SupportRow) -> tuple[float, ...]:
    """
    Return the values of the features, in the order of `FEATURES`.

    words, phrases, topics: From `groundwire.citations.support.PassageSupport`.
    names, numbers: Natural logarithm of one plus the number of missing ones.
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


def _features(subject: object) -> tuple[str, ...]:
    for known, features in FEATURES_OF.items():
        if known == subject:
            return features
    raise SupportScoreError(f'"subject" must be one of {", ".join(FEATURES_OF)}')


def _is_label(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _MAX_PROPERTY_CHARS and value.isprintable()


def _is_entry(value: object) -> bool:
    return _is_label(value) or (isinstance(value, int | float) and abs(value) < 1e15 and isfinite(value))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) != len(pairs):
        raise SupportScoreError("a key is repeated")
    return plain


def _check_keys(what: str, plain: object, keys: tuple[str, ...]) -> None:
    if not isinstance(plain, Mapping):
        raise SupportScoreError(f"{what} must be an object")
    for key in keys:
        if key not in plain:
            raise SupportScoreError(f'{what} must have "{key}"')
    if len(plain) > len(keys):
        raise SupportScoreError(f"{what} must have no other keys than {', '.join(keys)}")
