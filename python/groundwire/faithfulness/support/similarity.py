"""
Finds passages close in meaning to a claim, with an embedder.

Similarity is not support, because no embedder distinguishes support from contradiction. So it is MODERATE at most, and
less where numbers, names or negations differ.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from groundwire.embedding.protocol import CheckedEmbedder
from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.search import SourceBatch
from groundwire.faithfulness.source_data.units import Unit, stated_spans
from groundwire.faithfulness.support.cues import NEGATIONS, TEXTS, Topic
from groundwire.faithfulness.support.evidence import Layer, MatchKind, SupportEvidence, best_of
from groundwire.faithfulness.support.lexical import ALL_WORDS, DENIED
from groundwire.faithfulness.support.source_index import SourceIndex
from groundwire.language import read_terms
from groundwire.support_score import SUPPORTED_FROM, WEAK_FROM

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from groundwire.embedding.protocol import Embedder

__all__ = ["RELATED_AT_MOST", "EmbeddingSimilarity", "Window", "windows_of"]

MISSING_VALUE = 0.35
"""The highest score of a window that lacks a name, number, date or time of the claim: no support."""
RELATED_AT_MOST = ALL_WORDS
"""The highest score of similarity: the upper limit of MODERATE (ruling D1)."""

WINDOW_CHARS = 300
"""Sentences are joined into windows of at most this length; adjacent windows share one sentence."""

_CONTENT = frozenset({"content", "name", "number", "date", "time"})
# A server with a time limit per call gets no more texts at once.
_TEXTS_PER_CALL = 128
_BLOCK = 4096
_KEPT_BYTES = 64 << 20
_NEAREST_WINDOWS = 8
_WEAK_KEPT = 4


class Window(NamedTuple):
    """A span of a unit that is embedded as a whole."""

    unit: Unit
    start: int
    end: int


class EmbeddingSimilarity:
    """
    Compares claims with the windows of source batches.

    Args:
        embedder: The embedder.
        scale: The (cosine, score) pairs to interpolate between, both ascending; empty to use cosines as scores.

    Attributes:
        name: The embedder's name.
        is_calibrated: Whether there is a scale.
    """

    def __init__(self, embedder: "Embedder", *, scale: Sequence[tuple[float, float]] = ()) -> None:
        self._embedder = CheckedEmbedder(embedder)
        self._scale = tuple(scale)
        self.name = self._embedder.name
        self.is_calibrated = bool(scale)
        # The minimum cosine for a window to support a claim.
        turned = [(score, cosine) for cosine, score in self._scale]
        self._supports_from = _interpolated(turned, SUPPORTED_FROM) if turned else SUPPORTED_FROM
        self._parts: WeakKeyDictionary[SourceBatch, list[_Block]] = WeakKeyDictionary()

    def claim_vectors(self, topics: Sequence[Topic]) -> "Mapping[str, NDArray[np.float32]]":
        """
        Return the vectors of the *topics* that are texts, by their embedded text.

        Raises:
            EmbeddingError: The embedder fails.
        """
        texts = list(dict.fromkeys(_embedded_text(topic) for topic in topics if topic.claim.kind in TEXTS))
        return dict(zip(texts, self._vectors(texts), strict=True))

    def evidence(
        self, part: SourceBatch, topics: Sequence[Topic], vectors: "Mapping[str, NDArray[np.float32]]"
    ) -> list[list[SupportEvidence]]:
        """
        Return the evidence in *part* for each of *topics*, best first.

        It has the supporting windows among the nearest eight, and the nearest supporting one of each other source. It
        also has weaker windows among the nearest four, from WEAK on, and in any case the nearest window.

        Raises:
            EmbeddingError: The embedder fails.
        """
        import numpy as np

        asked = [place for place, topic in enumerate(topics) if topic.claim.kind in TEXTS]
        found: list[list[SupportEvidence]] = [[] for _ in topics]
        if asked:
            claims = np.stack([vectors[_embedded_text(topics[place])] for place in asked])
            near: list[list[tuple[float, Window]]] = [[] for _ in asked]
            for block in self._blocks(part):
                for row, kept in zip(_cosines(claims, block.vectors), near, strict=True):
                    places = _largest(row, _NEAREST_WINDOWS) + block.best_of_sources(row, self._supports_from)
                    kept += [(float(row[place]), block.windows[place]) for place in dict.fromkeys(places)]
            for place, kept in zip(asked, near, strict=True):
                found[place] = best_of(sorted(self._judged(topics[place], kept), key=lambda each: -each.score))
        return found

    def best_cosines(
        self, part: SourceBatch, topics: Sequence[Topic], vectors: "Mapping[str, NDArray[np.float32]]"
    ) -> list[float]:
        """
        Return the best cosine of each of *topics* with a window of *part*; 0.0 if none is higher.

        Windows that differ from the claim in a value, a name or a negation do not count.

        Raises:
            EmbeddingError: The embedder fails.
        """
        import numpy as np

        best = [0.0] * len(topics)
        claims = np.stack([vectors[_embedded_text(topic)] for topic in topics])
        for block in self._blocks(part):
            for place, (topic, row) in enumerate(zip(topics, _cosines(claims, block.vectors), strict=True)):
                for number in row.argsort()[::-1]:
                    if row[number] <= best[place]:
                        break
                    if _allowed(topic, block.windows[number]) == RELATED_AT_MOST:
                        best[place] = float(row[number])
        return best

    def _judged(self, topic: Topic, near: Sequence[tuple[float, Window]]) -> Iterator[SupportEvidence]:
        """Yield the supporting windows, the weaker ones among the nearest four, and in any case the nearest."""
        for place, (cosine, window) in enumerate(sorted(near, key=lambda each: -each[0])):
            score = self.score_of(cosine)
            least = SUPPORTED_FROM if place >= _WEAK_KEPT else WEAK_FROM
            if score >= least or (score > 0 and not place):
                yield SupportEvidence(*window, min(score, _allowed(topic, window)), Layer.EMBEDDING, MatchKind.RELATED)

    def score_of(self, cosine: float) -> float:
        """Return the score of a cosine, 0.0 to `RELATED_AT_MOST`."""
        score = _interpolated(self._scale, cosine) if self._scale else cosine
        return round(min(RELATED_AT_MOST, max(0.0, score)), 6)

    def _blocks(self, part: SourceBatch) -> "Iterator[_Block]":
        """Yield the windows of *part* in blocks, cached with the batch if they are few."""
        kept = self._parts.get(part)
        if kept is not None:
            yield from kept
            return
        blocks: list[_Block] | None = []
        for windows in _in_blocks(window for unit in part.units for window in windows_of(unit)):
            texts = [window.unit.text[window.start : window.end] for window in windows]
            # Rows of tables often repeat.
            distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
            vectors = self._vectors([*distinct])
            if len(distinct) < len(texts):
                vectors = vectors[[distinct[text] for text in texts]]
            block = _Block(windows, vectors)
            if blocks is not None:
                blocks.append(block)
                if sum(each.vectors.nbytes for each in blocks) > _KEPT_BYTES:
                    blocks = None
            yield block
        if blocks is not None:
            self._parts[part] = blocks

    def _vectors(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return unit vectors; a zero vector stays zero."""
        import numpy as np

        # Batches have texts of similar length, for embedders that pad.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        batches = [order[start : start + _TEXTS_PER_CALL] for start in range(0, len(order), _TEXTS_PER_CALL)]
        rows = [self._embedder.encode([texts[place] for place in batch]) for batch in batches]
        vectors = np.concatenate(rows) if rows else np.zeros((0, 0), dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        sorted_back = np.empty_like(vectors)
        sorted_back[order] = vectors
        return sorted_back


class _Block:
    """
    Windows and their vectors.

    Attributes:
        windows, vectors: A window, and the row of its vector.
    """

    __slots__ = ("_firsts", "vectors", "windows")

    def __init__(self, windows: "list[Window]", vectors: "NDArray[np.float32]") -> None:
        self.windows = windows
        self.vectors = vectors
        sources = [window.unit.locator.source for window in windows]
        # Windows of one source are consecutive.
        self._firsts = [place for place, name in enumerate(sources) if not place or sources[place - 1] != name]

    def best_of_sources(self, row: "NDArray[np.float32]", least: float) -> list[int]:
        """Return the best window of each source with a cosine of at least *least* in *row*."""
        import numpy as np

        best = np.maximum.reduceat(row, self._firsts)
        ends = [*self._firsts[1:], len(row)]
        return [
            self._firsts[number] + int(row[self._firsts[number] : ends[number]].argmax())
            for number in np.flatnonzero(best >= least)
        ]


def _cosines(claims: "NDArray[np.float32]", windows: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Return the cosines of unit vectors: a row for each claim, a column for each window."""
    import numpy as np

    # `@` would start the threads of OpenBLAS, which then spin while they wait: with 30 claims and 3,000 windows on two
    # cores that costs eight times as much as all the products (benches/faithfulness_models.py).
    found: NDArray[np.float32] = np.einsum("ij,kj->ik", claims, windows)
    return found


def _in_blocks(windows: Iterable[Window]) -> Iterator[list[Window]]:
    passing = iter(windows)
    while block := list(islice(passing, _BLOCK)):
        yield block


def _interpolated(scale: Sequence[tuple[float, float]], cosine: float) -> float:
    """Return the value of *scale* at a cosine, by linear interpolation, constant beyond its ends."""
    place = bisect_left(scale, (cosine, -1.0))
    if place in (0, len(scale)):
        return scale[min(place, len(scale) - 1)][1]
    (low, less), (high, more) = scale[place - 1], scale[place]
    return less + (more - less) * (cosine - low) / (high - low)


def windows_of(unit: Unit) -> list[Window]:
    """
    Return the spans of *unit* to embed: as many sentences as fit, adjacent windows sharing one.

    Column summaries, turns of interviewers and questions have none; a row is one window.
    """
    if unit.summary is not None:
        return []
    return [window for run in stated_spans(unit) for window in _windows(unit, run)]


def _windows(unit: Unit, spans: Sequence[tuple[int, int]]) -> list[Window]:
    """Return the windows of consecutive sentences."""
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


def _embedded_text(topic: Topic) -> str:
    """Return the text to embed for a claim: a statement as it is, a value after the words of its field."""
    claim = topic.claim
    if claim.kind is ClaimKind.STATEMENT or not claim.cue:
        return topic.text
    return f"{claim.cue}: {topic.text}"


def _allowed(topic: Topic, window: Window) -> float:
    """Return the highest score that *window* may have, given its differences from the claim."""
    text = window.unit.text[window.start : window.end]
    locator = window.unit.locator
    (near,) = SourceIndex([Unit(text, locator)]).compare(topic.without_names)
    if near.is_denied if near.has_all else _is_denied_otherwise(topic.without_names, text):
        return DENIED
    return MISSING_VALUE if near.lacks_value else RELATED_AT_MOST


def _is_denied_otherwise(claim: str, text: str) -> bool:
    """Return whether only one side has a negation; in *text*, clauses without a word of the claim do not count."""
    ours, theirs = read_terms(claim), read_terms(text)
    stems = {term.stem for term in ours if term.kind in _CONTENT}
    clauses = {term.clause for term in theirs if term.stem in stems}
    return any(term.kind in NEGATIONS for term in ours) != any(
        term.kind in NEGATIONS and term.clause in clauses for term in theirs
    )


def _largest(row: "NDArray[np.float32]", count: int) -> list[int]:
    """Return the indices of the *count* largest values, in descending order; ties keep their order."""
    import numpy as np

    least = np.partition(row, -count)[-count] if len(row) > count else -np.inf
    places = np.flatnonzero(row >= least)
    return [int(place) for place in places[np.argsort(-row[places], kind="stable")][:count]]
