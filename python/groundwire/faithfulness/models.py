"""
Models beside the rules: what they say of claims, and what becomes of it.

An embedder finds what is near a claim; a model that reads claim and passage side by side
says how far the one follows from the other, and its score takes the place of those that
only compare words or vectors. None of them outweighs a contradiction, or what stands
in the sources to the letter (ruling D9).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Protocol

from groundwire.embedding.failures import EmbeddingError
from groundwire.errors import ModelError
from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.found import Found
from groundwire.faithfulness.prepared import Part
from groundwire.faithfulness.support.answers import stated_text
from groundwire.faithfulness.support.evidence import Evidence, Layer, MatchKind, best_of
from groundwire.faithfulness.support.relatedness import Relatedness
from groundwire.faithfulness.support.topic import Topic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LEXICAL_BACKEND", "PASSAGES", "AskedScorer", "ModelRun", "PairScorer", "passages_of"]

LEXICAL_BACKEND = "lexical"
"""No model ran: the rules for words, values and contradictions alone decided."""

PASSAGES = 4
"""So many passages of a claim are scored, the best of every layer."""

DECIDED_ABOVE = 0.8
"""A claim whose words or values stand there is STRONG (ruling D1): no model is asked about it."""


class PairScorer(Protocol):
    """Whoever reads a passage and a claim, and says how far the claim follows from it."""

    @property
    def name(self) -> str:
        """Which model it is."""

    def consistencies(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """Return for each (context, claim) how far it follows, 0.0 to 1.0, in their order."""


@dataclass(frozen=True, slots=True)
class AskedScorer:
    """
    A scorer that was asked for.

    Attributes:
        layer: Under which its evidence is shown: `Layer.HHEM` or `Layer.JUDGE`.
        scorer: It.
        is_required: Whether nothing is decided without it.
    """

    layer: Layer
    scorer: PairScorer
    is_required: bool = False

    def consistencies(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """
        Return its scores.

        Raises:
            ModelError: It raises, or returns anything but a share for each pair.
        """
        try:
            scores = [float(score) for score in self.scorer.consistencies(pairs)]
        except ModelError:
            raise
        except Exception as error:
            # Its own words may hold the texts.
            raise ModelError(self.layer, f"it raised {type(error).__name__}") from None
        if len(scores) != len(pairs):
            raise ModelError(self.layer, f"it returned {len(scores)} scores for {len(pairs)} pairs")
        if not all(isfinite(score) and 0.0 <= score <= 1.0 for score in scores):
            raise ModelError(self.layer, "it returned a score that is not from 0 to 1")
        return scores


class ModelRun:
    """
    One way through sources: part by part, and what is scored in the end.

    Args:
        relatedness: The layer of an embedder, if there is one.
        local: Makes the one that is taken if that one cannot even embed the claims.
        scorers: Those who score, in the order in which they are asked; what the last of them
            says counts.
        warnings: What was asked for and is not there.

    Attributes:
        warnings: What was asked for and did not run.
    """

    def __init__(
        self,
        *,
        relatedness: Relatedness | None = None,
        local: Callable[[], Relatedness] | None = None,
        scorers: Sequence[AskedScorer] = (),
        warnings: Sequence[str] = (),
    ) -> None:
        self.warnings = list(warnings)
        self._relatedness = relatedness
        self._local = local
        self._scorers = tuple(scorers)
        self._ran: list[str] = []
        self._claims: Mapping[str, NDArray[np.float32]] = {}
        self._retrieved: dict[Found, list[Evidence]] = {}

    @property
    def backend(self) -> str:
        """Which models said something of a claim: "lexical+embeddings:NAME+hhem:NAME"."""
        embeddings = [f"embeddings:{each.name}" for each in self._asked_embedder()]
        return "+".join([LEXICAL_BACKEND, *embeddings, *self._ran])

    def _asked_embedder(self) -> list[Relatedness]:
        """The layer of the embedder, if a claim had words for it."""
        return [self._relatedness] if self._relatedness is not None and self._claims else []

    def begin(self, found: Sequence[Found]) -> None:
        """Embed the claims; by the local embedder, if the server is not reached (ruling D8)."""
        if self._relatedness is not None:
            try:
                self._claims = self._relatedness.claim_vectors([each.topic for each in found])
            except EmbeddingError as error:
                self._give_up(found, error)
                self._begin_locally(found)

    def _begin_locally(self, found: Sequence[Found]) -> None:
        local, self._local = self._local, None
        if local is not None:
            try:
                self._relatedness = local()
            except (ImportError, EmbeddingError) as error:
                self.warnings.append(f"nor is there a local embedder ({error})")
            else:
                self.warnings[-1] += f", by {self._relatedness.name} in its place"
                self.begin(found)

    def ask(self, part: Part, found: Sequence[Found]) -> None:
        """Add what *part* has near the claims."""
        if self._relatedness is not None:
            try:
                related = self._relatedness.evidence(part, [each.topic for each in found], self._claims)
            except EmbeddingError as error:
                self._give_up(found, error)
            else:
                for each, near in zip(found, related, strict=True):
                    each.related = best_of([*each.related, *near])
        if self._scorers:
            for each in found:
                self._retrieved[each] = best_of([*self._retrieved.get(each, ()), *_with_any(part, each.topic)])

    def _give_up(self, found: Sequence[Found], error: EmbeddingError) -> None:
        """Half of the sources with embeddings would be no result: they decide nothing."""
        assert self._relatedness is not None
        self.warnings.append(f"{self._relatedness.name}: {error}; decided without it")
        self._relatedness = None
        for each in found:
            each.related = []

    def finish(self, found: Sequence[Found]) -> None:
        """
        Let the scorers read the best passages of each claim that they can change.

        Raises:
            ModelError: One that is required fails.
        """
        for each in self._asked_embedder():
            if not each.is_calibrated:
                self.warnings.append(f"{each.name} is not calibrated: cosines are taken as they are")
        for asked in self._scorers:
            open_claims = [each for each in found if _is_open(each)]
            passages = [passages_of(each, PASSAGES, self._retrieved.get(each, ())) for each in open_claims]
            try:
                has_read = self._score(asked, open_claims, passages)
            except ModelError as error:
                if asked.is_required:
                    raise
                self.warnings.append(f"{error}; decided without it")
            else:
                self._ran += [f"{asked.layer}:{asked.scorer.name}"] if has_read else []

    def _score(self, asked: AskedScorer, found: Sequence[Found], passages: Sequence[Sequence[Evidence]]) -> bool:
        """Let *asked* read *passages* of each claim; tell whether there was one."""
        pairs = [
            (_context(passage), each.topic.claim.text)
            for each, chosen in zip(found, passages, strict=True)
            for passage in chosen
        ]
        distinct = list(dict.fromkeys(pairs))
        scores = dict(zip(distinct, asked.consistencies(distinct) if distinct else [], strict=True))
        told = iter(pairs)
        for each, chosen in zip(found, passages, strict=True):
            each.scored = [
                Evidence(
                    passage.unit,
                    passage.start,
                    passage.end,
                    round(scores[next(told)], 6),
                    asked.layer,
                    MatchKind.CONSISTENT,
                )
                for passage in chosen
            ]
        return bool(distinct)


def passages_of(found: Found, limit: int, retrieved: Iterable[Evidence] = ()) -> list[Evidence]:
    """
    Return the best places of *found* in different units, *limit* at most, the best first.

    Of every layer; where a model has scored them, in its order. *retrieved* is what has
    too little in common with the claim to be evidence by words.
    """
    chosen: dict[int, Evidence] = {}
    for each in (*found.ranked(), *found.evidence, *found.related, *retrieved):
        if each.unit.summary is None:
            chosen.setdefault(id(each.unit), each)
    return list(chosen.values())[:limit]


def _is_open(found: Found) -> bool:
    """Whether a model may change what is known: no rule contradicts it, and nothing says it to the letter."""
    if found.topic.claim.kind is ClaimKind.QUOTE or found.contradictions(DECIDED_ABOVE):
        return False
    literal = found.literal()
    return not literal or literal[0].score <= DECIDED_ABOVE


def _with_any(part: Part, topic: Topic) -> list[Evidence]:
    """The sentences of *part* that have something in common with a claim."""
    return [
        Evidence(near.unit, near.start, near.end, near.share, Layer.LEXICAL, MatchKind.TERMS)
        for near in part.index.nearest(topic.said, PASSAGES)
    ]


def _context(passage: Evidence) -> str:
    """What a model reads: what the unit states, behind the name of who speaks; an answer with its question alone."""
    speaker = passage.unit.locator.speaker
    text = stated_text(passage.unit)
    return f"{speaker}: {text}" if speaker and not passage.unit.answer_start else text
