"""
Claims near in meaning: which stretch of a source an embedder places beside a claim.

Called relatedness, since no embedder tells support from contradiction: MODERATE at most, and
what a claim's numbers, names and denials say otherwise is not supported by it.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from groundwire.embedding.protocol import CheckedEmbedder
from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.search import SourceBatch
from groundwire.faithfulness.sources.units import Unit, stated_spans
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

__all__ = ["RELATED_AT_MOST", "Relatedness", "Window", "windows_of"]

MISSING_VALUE = 0.35
"""The most that a meaning is worth where a name, a number, a date or a time is missing: no support."""
RELATED_AT_MOST = ALL_WORDS
"""The highest score of relatedness: that of MODERATE (ruling D1)."""

WINDOW_CHARS = 300
"""Sentences are put together up to this length; the last of them begins the next window, too."""

_CONTENT = frozenset({"content", "name", "number", "date", "time"})
# A server with a time limit for each call is asked for no more at once.
_TEXTS_PER_CALL = 128
_BLOCK = 4096
_KEPT_BYTES = 64 << 20
_NEAREST_WINDOWS = 8
_WEAK_KEPT = 4


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
        scale: (cosine, score), both rising, between which scores are interpolated; empty for
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
        # From which cosine on a window supports a claim.
        turned = [(score, cosine) for cosine, score in self._scale]
        self._supports_from = _interpolated(turned, SUPPORTED_FROM) if turned else SUPPORTED_FROM
        self._parts: WeakKeyDictionary[SourceBatch, list[_Block]] = WeakKeyDictionary()

    def claim_vectors(self, topics: Sequence[Topic]) -> "Mapping[str, NDArray[np.float32]]":
        """
        Return the vectors of what *topics* claim, by their texts; of texts alone.

        Raises:
            EmbeddingError: There are none.
        """
        texts = list(dict.fromkeys(_asked(topic) for topic in topics if topic.claim.kind in TEXTS))
        return dict(zip(texts, self._vectors(texts), strict=True))

    def evidence(
        self, part: SourceBatch, topics: Sequence[Topic], vectors: "Mapping[str, NDArray[np.float32]]"
    ) -> list[list[SupportEvidence]]:
        """
        Return what *part* has near each of *topics*, the best first.

        What supports it: of the nearest eight, and the nearest of each other source. And of
        what is weaker the nearest four; whatever is below WEAK is left out, but for the nearest.

        Raises:
            EmbeddingError: There are no vectors.
        """
        import numpy as np

        asked = [place for place, topic in enumerate(topics) if topic.claim.kind in TEXTS]
        found: list[list[SupportEvidence]] = [[] for _ in topics]
        if asked:
            claims = np.stack([vectors[_asked(topics[place])] for place in asked])
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
        Return the best cosine that *part* has of each of *topics*, 0.0 if there is none above it.

        Windows are left out in which something differs beside the meaning.

        Raises:
            EmbeddingError: There are no vectors.
        """
        import numpy as np

        best = [0.0] * len(topics)
        claims = np.stack([vectors[_asked(topic)] for topic in topics])
        for block in self._blocks(part):
            for place, (topic, row) in enumerate(zip(topics, _cosines(claims, block.vectors), strict=True)):
                for number in row.argsort()[::-1]:
                    if row[number] <= best[place]:
                        break
                    if _allowed(topic, block.windows[number]) == RELATED_AT_MOST:
                        best[place] = float(row[number])
        return best

    def _judged(self, topic: Topic, near: Sequence[tuple[float, Window]]) -> Iterator[SupportEvidence]:
        """What supports the claim, and of what is weaker the nearest four from WEAK on; in any case the nearest."""
        for place, (cosine, window) in enumerate(sorted(near, key=lambda each: -each[0])):
            score = self.score_of(cosine)
            least = SUPPORTED_FROM if place >= _WEAK_KEPT else WEAK_FROM
            if score >= least or (score > 0 and not place):
                yield SupportEvidence(*window, min(score, _allowed(topic, window)), Layer.EMBEDDING, MatchKind.RELATED)

    def score_of(self, cosine: float) -> float:
        """Return what a cosine is worth, 0.0 to `RELATED_AT_MOST`."""
        score = _interpolated(self._scale, cosine) if self._scale else cosine
        return round(min(RELATED_AT_MOST, max(0.0, score)), 6)

    def _blocks(self, part: SourceBatch) -> "Iterator[_Block]":
        """The windows of *part*, some thousands at once; kept for as long as it is there, if they are few."""
        kept = self._parts.get(part)
        if kept is not None:
            yield from kept
            return
        blocks: list[_Block] | None = []
        for windows in _in_blocks(window for unit in part.units for window in windows_of(unit)):
            texts = [window.unit.text[window.start : window.end] for window in windows]
            # Rows of tables often say the same.
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
        """Vectors of length 1; one of zeros stays as it is."""
        import numpy as np

        # In batches of texts about as long as each other, for those who pad.
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
    Windows, and a row for each.

    Attributes:
        windows, vectors: They.
    """

    __slots__ = ("_firsts", "vectors", "windows")

    def __init__(self, windows: "list[Window]", vectors: "NDArray[np.float32]") -> None:
        self.windows = windows
        self.vectors = vectors
        sources = [window.unit.locator.source for window in windows]
        # Those of one source stand together.
        self._firsts = [place for place, name in enumerate(sources) if not place or sources[place - 1] != name]

    def best_of_sources(self, row: "NDArray[np.float32]", least: float) -> list[int]:
        """The place of the best window of each source that has one from *least* on; of *row* are their cosines."""
        import numpy as np

        best = np.maximum.reduceat(row, self._firsts)
        ends = [*self._firsts[1:], len(row)]
        return [
            self._firsts[number] + int(row[self._firsts[number] : ends[number]].argmax())
            for number in np.flatnonzero(best >= least)
        ]


def _cosines(claims: "NDArray[np.float32]", windows: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Of vectors of length 1: a row for each claim, in it one for each window."""
    import numpy as np

    # `@` wakes the threads of OpenBLAS, which wait for more of it at full speed: with 30 claims and 3,000 windows on
    # two cores that costs eight times as much as all the products (benches/faithfulness_models.py).
    found: NDArray[np.float32] = np.einsum("ij,kj->ik", claims, windows)
    return found


def _in_blocks(windows: Iterable[Window]) -> Iterator[list[Window]]:
    passing = iter(windows)
    while block := list(islice(passing, _BLOCK)):
        yield block


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

    None of columns as a whole, of what an interviewer says, or over a question; a row is one.
    """
    if unit.summary is not None:
        return []
    return [window for run in stated_spans(unit) for window in _windows(unit, run)]


def _windows(unit: Unit, spans: Sequence[tuple[int, int]]) -> list[Window]:
    """The windows of sentences that follow one another."""
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
    text = window.unit.text[window.start : window.end]
    locator = window.unit.locator
    (near,) = SourceIndex([Unit(text, locator)]).compare(topic.said)
    if near.is_denied if near.has_all else _is_denied_otherwise(topic.said, text):
        return DENIED
    return MISSING_VALUE if near.lacks_value else RELATED_AT_MOST


def _is_denied_otherwise(claim: str, text: str) -> bool:
    """Whether only one side has a negation, of the text in the clauses that share a word with the claim."""
    ours, theirs = read_terms(claim), read_terms(text)
    stems = {term.stem for term in ours if term.kind in _CONTENT}
    clauses = {term.clause for term in theirs if term.stem in stems}
    return any(term.kind in NEGATIONS for term in ours) != any(
        term.kind in NEGATIONS and term.clause in clauses for term in theirs
    )


def _largest(row: "NDArray[np.float32]", count: int) -> list[int]:
    """The places of the *count* largest, the largest first, of equals the first."""
    import numpy as np

    least = np.partition(row, -count)[-count] if len(row) > count else -np.inf
    places = np.flatnonzero(row >= least)
    return [int(place) for place in places[np.argsort(-row[places], kind="stable")][:count]]
