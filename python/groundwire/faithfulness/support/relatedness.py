"""
Claims near in meaning: which stretch of a source an embedder places beside a claim.

Called relatedness, since no embedder tells support from contradiction: MODERATE at most, and
what a claim's numbers, names and denials say otherwise is not supported by it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from groundwire._engine import sentences
from groundwire.embedding.checked import CheckedEmbedder
from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.prepared import Part
from groundwire.faithfulness.sources.units import Unit
from groundwire.faithfulness.support.denials import DENIED
from groundwire.faithfulness.support.evidence import Evidence, Layer, MatchKind
from groundwire.faithfulness.support.lexical import ALL_WORDS, MISSING_DETAIL, Sentence, Topic
from groundwire.faithfulness.support.verbatim import is_asking
from groundwire.faithfulness.support.words import read_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from groundwire.embedding.protocol import Embedder

__all__ = ["RELATED_AT_MOST", "Relatedness", "Window", "windows_of"]

RELATED_AT_MOST = ALL_WORDS
"""The highest score of relatedness: that of MODERATE (ruling D1)."""

WINDOW_CHARS = 300
"""Sentences are put together up to this length; the last of them begins the next window, too."""

_BATCH = 256
_KEPT = 8
_TEXTS = frozenset({ClaimKind.ATTRIBUTE, ClaimKind.ITEM, ClaimKind.STATEMENT})


class Window(NamedTuple):
    """A stretch of a unit that is embedded as a whole."""

    unit: Unit
    start: int
    end: int


class Relatedness:
    """
    Places claims beside the windows of parts.

    Args:
        embedder: Who makes vectors.
        scale: (cosine, score) in rising order, between which scores are interpolated; empty for
            cosines as they are.

    Attributes:
        name: The embedder's name.
        is_calibrated: Whether there is such a scale.
    """

    def __init__(self, embedder: "Embedder", *, scale: Sequence[tuple[float, float]] = ()) -> None:
        self._embedder = CheckedEmbedder(embedder)
        self._scale = tuple(scale)
        self.name = self._embedder.name
        self.is_calibrated = bool(scale)
        self._parts: WeakKeyDictionary[Part, _Embedded] = WeakKeyDictionary()

    def claim_vectors(self, topics: Sequence[Topic]) -> "Mapping[str, NDArray[np.float32]]":
        """
        Return the vectors of what *topics* claim, by their texts; of texts alone.

        Raises:
            EmbeddingError: There are none.
        """
        texts = list(dict.fromkeys(_asked(topic) for topic in topics if topic.claim.kind in _TEXTS))
        return dict(zip(texts, self._vectors(texts), strict=True))

    def evidence(
        self, part: Part, topics: Sequence[Topic], vectors: "Mapping[str, NDArray[np.float32]]"
    ) -> list[list[Evidence]]:
        """
        Return what *part* has near each of *topics*, the best first, at most eight of each.

        Raises:
            EmbeddingError: There are no vectors.
        """
        import numpy as np

        asked = [place for place, topic in enumerate(topics) if topic.claim.kind in _TEXTS]
        found: list[list[Evidence]] = [[] for _ in topics]
        embedded = self._embedded(part) if asked else _Embedded([], None)
        if embedded.vectors is None:
            return found
        claims = np.stack([vectors[_asked(topics[place])] for place in asked])
        cosines = claims @ embedded.vectors.T
        for place, row in zip(asked, cosines, strict=True):
            best = _largest(row, _KEPT)
            near = [(embedded.windows[number], float(row[number])) for number in best]
            found[place] = sorted(self._judged(topics[place], near), key=lambda each: -each.score)
        return found

    def _judged(self, topic: Topic, near: Sequence[tuple[Window, float]]) -> Iterator[Evidence]:
        for window, cosine in near:
            score = self.score_of(cosine)
            if score > 0:
                score = min(score, _allowed(topic, window))
                yield Evidence(*window, score, Layer.EMBEDDING, MatchKind.RELATED)

    def score_of(self, cosine: float) -> float:
        """Return what a cosine is worth, 0.0 to `RELATED_AT_MOST`."""
        score = _interpolated(self._scale, cosine) if self._scale else cosine
        return round(min(RELATED_AT_MOST, max(0.0, score)), 6)

    def _embedded(self, part: Part) -> "_Embedded":
        embedded = self._parts.get(part)
        if embedded is None:
            windows = [window for unit in part.units for window in windows_of(unit)]
            vectors = self._vectors([window.unit.text[window.start : window.end] for window in windows])
            embedded = _Embedded(windows, vectors if windows else None)
            self._parts[part] = embedded
        return embedded

    def _vectors(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Vectors of length 1; one of zeros stays as it is."""
        import numpy as np

        batches = [self._embedder.encode(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)]
        vectors = np.concatenate(batches) if batches else np.zeros((0, 0), dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        return vectors


class _Embedded(NamedTuple):
    """The windows of a part, and a row for each."""

    windows: list[Window]
    vectors: "NDArray[np.float32] | None"


def _interpolated(scale: Sequence[tuple[float, float]], cosine: float) -> float:
    """What *scale* has for a cosine: on the line between its neighbours, outside what its ends have."""
    place = bisect_left(scale, (cosine, -1.0))
    if place in (0, len(scale)):
        return scale[min(place, len(scale) - 1)][1]
    (low, less), (high, more) = scale[place - 1], scale[place]
    return less + (more - less) * (cosine - low) / (high - low)


def windows_of(unit: Unit) -> list[Window]:
    """
    Return the stretches of *unit* that are embedded: sentences, as many as fit, with one in common.

    None of columns as a whole, nor of what an interviewer says; a row is one.
    """
    if unit.summary is not None or is_asking(unit):
        return []
    spans = [(0, len(unit.text))] if unit.fields else sentences(unit.text)
    windows: list[Window] = []
    first = 0
    while first < len(spans):
        last = first
        while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= WINDOW_CHARS:
            last += 1
        windows.append(Window(unit, spans[first][0], spans[last][1]))
        if last + 1 == len(spans):
            break
        first = max(first + 1, last)
    return windows


def _asked(topic: Topic) -> str:
    """What is embedded of a claim: a statement as it stands, a value behind the words of its field."""
    claim = topic.claim
    if claim.kind is ClaimKind.STATEMENT or not claim.cue:
        return topic.text
    return f"{claim.cue}: {topic.text}"


def _allowed(topic: Topic, window: Window) -> float:
    """The most that *window* may have, for what differs beside the meaning."""
    sentence = Sentence(*window)
    words = read_words(sentence.text)
    if topic.is_denied_otherwise(words) or sentence.text.rstrip("\"'”’)").endswith(("?", "？")):
        return DENIED
    return RELATED_AT_MOST if topic.has_details_in(sentence.text, sentence.stems(words)) else MISSING_DETAIL


def _largest(row: "NDArray[np.float32]", count: int) -> list[int]:
    """The places of the *count* largest, the largest first, of equals the first."""
    import numpy as np

    least = np.partition(row, -count)[-count] if len(row) > count else -np.inf
    places = np.flatnonzero(row >= least)
    return [int(place) for place in places[np.argsort(-row[places], kind="stable")][:count]]
