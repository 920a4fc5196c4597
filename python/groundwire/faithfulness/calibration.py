"""
Turns cosines of an embedder into scores, with scales measured on labelled claims.

Cosines of different models are not comparable: 0.8 is near for one model and far for another. A scale is stored under
the name of its model, which includes a part of the hash of its weights, and applies to no other model.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from groundwire.calibration.labels import LabelledClaim
from groundwire.calibration.thresholds import Calibration, Rate, calibrate
from groundwire.errors import GroundwireError
from groundwire.faithfulness.claims import ClaimKind, PersonaClaim
from groundwire.faithfulness.search import source_batches
from groundwire.faithfulness.source_data.reading import SourceData
from groundwire.faithfulness.support.cues import Topic
from groundwire.faithfulness.support.similarity import RELATED_AT_MOST, EmbeddingSimilarity
from groundwire.files import MAX_SETTINGS_BYTES, read_file
from groundwire.private_files import replace_file
from groundwire.support_score import SUPPORTED_FROM, WEAK_FROM

if TYPE_CHECKING:
    from groundwire.embedding.protocol import Embedder

__all__ = [
    "ScaleError",
    "SimilarityScale",
    "calibrate_claims",
    "claim_cosines",
    "published_scales",
    "read_scales",
    "save_scale",
    "scale_of",
]

_KEYS = ("threshold", "unrelated", "false_support", "missed")


class ScaleError(GroundwireError, ValueError):
    """A file does not contain valid scales."""


@dataclass(frozen=True, slots=True)
class SimilarityScale:
    """
    The meaning of one embedder's cosines.

    Attributes:
        embedder: The name of the embedder.
        threshold: The minimum cosine for a claim to count as supported; it becomes a score of 0.6.
        unrelated: The median cosine of unsupported claims; it becomes a score of 0.4.
        false_support: The unsupported claims that reached the threshold.
        missed: The supported claims that did not reach it.

    Raises:
        ValueError: The cosines are not -1 < unrelated < threshold < 1.
    """

    embedder: str
    threshold: float
    unrelated: float
    false_support: Rate
    missed: Rate

    def __post_init__(self) -> None:
        if not -1.0 < self.unrelated < self.threshold < 1.0:
            raise ValueError("a scale needs -1 < unrelated < threshold < 1")

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """The (cosine, score) pairs to interpolate between; levels start at the same scores as for other layers."""
        return (
            (-1.0, 0.0),
            (self.unrelated, WEAK_FROM),
            (self.threshold, SUPPORTED_FROM),
            (1.0, RELATED_AT_MOST),
        )


@cache
def published_scales() -> Mapping[str, SimilarityScale]:
    """Return the scales that groundwire ships, by embedder name."""
    from importlib.resources import files

    text = files("groundwire.faithfulness").joinpath("scales.json").read_text(encoding="utf-8")
    return _scales(text)


def read_scales(path: str | os.PathLike[str]) -> dict[str, SimilarityScale]:
    """
    Return the scales in a file, by embedder name.

    Raises:
        ScaleError: The content is invalid.
        OSError: The file cannot be read, or is larger than 1 MiB.
    """
    try:
        return _scales(read_file(path, MAX_SETTINGS_BYTES).decode("utf-8"))
    except UnicodeDecodeError:
        raise ScaleError("scales: the file is not UTF-8") from None


def save_scale(scale: SimilarityScale, path: str | os.PathLike[str]) -> None:
    """
    Add *scale* to a file, replacing the scale of the same embedder.

    Raises:
        ScaleError: The file has other content.
        OSError: The file cannot be read or written.
    """
    known = read_scales(path) if Path(path).exists() else {}
    known[scale.embedder] = scale
    content = {"scales": {name: _plain(known[name]) for name in sorted(known)}}
    replace_file(path, [f"{json.dumps(content, indent=2)}\n".encode()], is_private=False)


def _scales(text: str) -> dict[str, SimilarityScale]:
    try:
        scales = json.loads(text)["scales"]
        return {name: _scale(name, each) for name, each in scales.items()}
    except (ValueError, OverflowError, RecursionError, TypeError, KeyError, AttributeError):
        raise ScaleError('scales: expected {"scales": {"NAME": {"threshold": …, "unrelated": …, …}}}') from None


def _scale(name: str, plain: Mapping[str, Any]) -> SimilarityScale:
    threshold, unrelated, false_support, missed = (plain[key] for key in _KEYS)
    rates = [Rate(int(each["count"]), int(each["total"])) for each in (false_support, missed)]
    return SimilarityScale(name, float(threshold), float(unrelated), *rates)


def _plain(scale: SimilarityScale) -> dict[str, Any]:
    return {
        "threshold": scale.threshold,
        "unrelated": scale.unrelated,
        "false_support": {"count": scale.false_support.count, "total": scale.false_support.total},
        "missed": {"count": scale.missed.count, "total": scale.missed.total},
    }


_LEAST_STEP = 0.01


def claim_cosines(
    claims: Sequence[LabelledClaim], embedder: "Embedder", *, on_progress: Callable[[int], None] = lambda _: None
) -> list[float]:
    """
    Return the best cosine of each claim with a window of its passages.

    A window that differs from the claim in a number, a name or a negation does not count. Without any other window
    the cosine is 0.0.

    Args:
        claims: Labelled claims.
        embedder: The model that makes vectors.
        on_progress: Called with the number of claims just scored.

    Raises:
        EmbeddingError: The embedder fails.
        SourceDataError: A passage cannot be read.
    """
    similarity = EmbeddingSimilarity(embedder)
    topics = [Topic(PersonaClaim(each.claim, "claim", each.claim, ClaimKind.STATEMENT, "")) for each in claims]
    vectors = similarity.claim_vectors(topics)
    members: dict[tuple[str, ...], list[int]] = {}
    for index, each in enumerate(claims):
        members.setdefault(each.passages, []).append(index)
    cosines = [0.0] * len(topics)
    for passages, indexes in members.items():
        named = [(f"passage {number}", passage) for number, passage in enumerate(passages, 1)]
        for batch in source_batches(SourceData(named).units()):
            found = similarity.best_cosines(batch, [topics[index] for index in indexes], vectors)
            for index, cosine in zip(indexes, found, strict=True):
                cosines[index] = max(cosines[index], cosine)
        on_progress(len(indexes))
    return cosines


def calibrate_claims(
    cosines: Sequence[float], labels: Sequence[bool], name: str, max_false_accept: float
) -> Calibration:
    """Count the errors of each cosine from 0.00 to 0.99 as a threshold of support."""
    policy = f"relatedness by {name}"
    return calibrate(cosines, labels, policy=policy, max_false_accept=max_false_accept, kind="claim")


def scale_of(
    calibration: Calibration, cosines: Sequence[float], labels: Sequence[bool], name: str
) -> SimilarityScale | None:
    """Return the scale for a calibration, with its recommendation as threshold; None without a recommendation."""
    point = calibration.recommended
    if point is None:
        return None
    unrelated = median(cosine for cosine, label in zip(cosines, labels, strict=True) if not label)
    # Stays below the threshold, however few claims there are.
    unrelated = round(min(unrelated, point.threshold - _LEAST_STEP), 4)
    return SimilarityScale(name, point.threshold, unrelated, point.false_accepts, point.false_rejects)
