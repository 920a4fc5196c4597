"""
Runs models beside the rules: embedders, classifiers and language models.

An embedder finds passages close in meaning to a claim. A scorer reads claim and passage together, and its score
replaces the scores that only compare words or vectors. No model outweighs a contradiction or a literal match (ruling
D9), and no answer of a language model is trusted unchecked: it must have a score for each pair, and each statement must
consist of the words of one sentence, in order, with its numbers and negations."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from groundwire.embedding.protocol import Embedder, EmbeddingError, name_of
from groundwire.embedding.selection import LOCAL, embedder_named, local_embedder
from groundwire.errors import LLM_FAILURES, GroundwireError, ModelError
from groundwire.faithfulness.calibration import published_scales, read_scales
from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.results import STRONG_ABOVE
from groundwire.faithfulness.search import ClaimFindings, SourceBatch
from groundwire.faithfulness.source_data.units import stated_text
from groundwire.faithfulness.statements import ExtractedStatements, prose_statements
from groundwire.faithfulness.support.cues import Topic
from groundwire.faithfulness.support.evidence import Layer, MatchKind, SupportEvidence, best_of
from groundwire.faithfulness.support.similarity import EmbeddingSimilarity
from groundwire.labels import show
from groundwire.pair_scorer import MAX_PASSAGES, PairScorer, consistencies_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from groundwire.embedding.openai import ServerEmbedder
    from groundwire.judge.schemas import TaskJudge

__all__ = ["LEXICAL_BACKEND", "JudgeScorer", "JudgedStatements", "ModelRun", "Models"]

LEXICAL_BACKEND = "lexical"
"""The backend if no model ran and the rules decided alone."""


@dataclass(frozen=True, slots=True)
class _RequestedScorer:
    """
    A scorer that the caller requested.

    Attributes:
        layer: The layer of its evidence.
        scorer: The scorer.
        is_required: Whether its failure is an error instead of a warning.
    """

    layer: Layer
    scorer: PairScorer
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Models:
    """
    The models of a validator.

    Attributes:
        similarity: The layer of the embedder; None without one.
        local: Creates the layer of the local embedder, for a server that cannot embed the claims.
        scorers: The scorers, in the order in which they run; the scores of the last one count.
        warnings: Models that were requested and are missing.
        close: Closes an embedder that was opened by name.
    """

    similarity: EmbeddingSimilarity | None = None
    local: Callable[[], EmbeddingSimilarity] | None = None
    scorers: Sequence[_RequestedScorer] = ()
    warnings: Sequence[str] = ()
    close: Callable[[], object] = lambda: None

    @classmethod
    def chosen(
        cls,
        *,
        embedding_model: str | None = None,
        embedder: Embedder | None = None,
        scales: str | os.PathLike[str] | None = None,
        hhem: PairScorer | bool | Literal["require"] | None = None,
        reader: PairScorer | None = None,
        judge: PairScorer | None = None,
        cache_dir: str | os.PathLike[str] | None = None,
    ) -> "Models":
        """
        Return the models for the arguments of `FaithfulnessValidator`.

        Raises:
            ModelError: HHEM is required and missing.
            ScaleError, OSError: The scales cannot be read, or the cache folder cannot be created.
        """
        warnings: list[str] = []
        similarity = local = opened = None
        if embedder is not None or embedding_model is not None:
            make = _EmbedderLayers(scales, cache_dir)
            asked = _named(str(embedding_model), warnings) if embedder is None else embedder
            similarity = None if asked is None else make.similarity(asked)
            opened = _server(asked) if embedder is None else None
            local = None if opened is None else make.local
        scorers = [*_hhem(hhem, warnings)]
        if reader is not None:
            scorers.append(_RequestedScorer(Layer.READER, reader))
        if judge is not None:
            scorers.append(_RequestedScorer(Layer.JUDGE, judge))
        close = opened.close if opened is not None else lambda: None
        return cls(similarity=similarity, local=local, scorers=scorers, warnings=warnings, close=close)


class ModelRun:
    """
    One run of the models: retrieval batch by batch, then scoring.

    Attributes:
        warnings: Models that were requested and did not run.
    """

    def __init__(self, models: Models) -> None:
        self.warnings = list(models.warnings)
        self._similarity = models.similarity
        self._local = models.local
        self._scorers = models.scorers
        self._ran: list[str] = []
        self._claims: Mapping[str, NDArray[np.float32]] = {}
        self._retrieved: dict[ClaimFindings, list[SupportEvidence]] = {}

    @property
    def backend(self) -> str:
        """The models that ran, as in "lexical+embeddings:NAME+hhem:NAME"."""
        embeddings = [f"embeddings:{each.name}" for each in self._used_embedder()]
        return "+".join([LEXICAL_BACKEND, *embeddings, *self._ran])

    def _used_embedder(self) -> list[EmbeddingSimilarity]:
        """Return the layer of the embedder if it embedded a claim."""
        return [self._similarity] if self._similarity is not None and self._claims else []

    def begin(self, found: Sequence[ClaimFindings]) -> None:
        """Embed the claims, with the local embedder if the server fails (ruling D8)."""
        if self._similarity is not None:
            try:
                self._claims = self._similarity.claim_vectors([each.topic for each in found])
            except EmbeddingError as error:
                self._give_up(found, error)
                self._begin_locally(found)

    def _begin_locally(self, found: Sequence[ClaimFindings]) -> None:
        local, self._local = self._local, None
        if local is not None:
            try:
                self._similarity = local()
            except (ImportError, EmbeddingError) as error:
                self.warnings.append(f"the local embedder is not available either ({error})")
            else:
                self.warnings[-1] += f"; {self._similarity.name} was used instead"
                self.begin(found)

    def ask(self, part: SourceBatch, found: Sequence[ClaimFindings]) -> None:
        """Add the passages of *part* that are near the claims."""
        if self._similarity is not None:
            try:
                related = self._similarity.evidence(part, [each.topic for each in found], self._claims)
            except EmbeddingError as error:
                self._give_up(found, error)
            else:
                for each, near in zip(found, related, strict=True):
                    each.related = best_of([*each.related, *near])
        if self._scorers:
            for each in found:
                self._retrieved[each] = best_of([*self._retrieved.get(each, ()), *_with_any(part, each.topic)])

    def _give_up(self, found: Sequence[ClaimFindings], error: EmbeddingError) -> None:
        """Drop the embedder and its evidence: embeddings for a part of the sources would bias the result."""
        assert self._similarity is not None
        self.warnings.append(f"{self._similarity.name}: {error}; decided without it")
        self._similarity = None
        for each in found:
            each.related = []

    def finish(self, found: Sequence[ClaimFindings]) -> None:
        """
        Let the scorers read the best passages of each claim whose result they can change.

        Raises:
            ModelError: A required scorer fails.
        """
        for each in self._used_embedder():
            if not each.is_calibrated:
                self.warnings.append(f"{each.name} is not calibrated: its cosines are used as scores")
        for asked in self._scorers:
            open_claims = [each for each in found if _is_open(each)]
            passages = [_passages_of(each, self._retrieved.get(each, ())) for each in open_claims]
            try:
                has_read = self._score(asked, open_claims, passages)
            except ModelError as error:
                if asked.is_required:
                    raise
                self.warnings.append(f"{error}; decided without it")
            else:
                self._ran += [f"{asked.layer}:{asked.scorer.name}"] if has_read else []

    def _score(
        self, asked: _RequestedScorer, found: Sequence[ClaimFindings], passages: Sequence[Sequence[SupportEvidence]]
    ) -> bool:
        """Let *asked* score the *passages* of each claim; return whether there were any."""
        pairs = [
            (_context(passage), each.topic.claim.text)
            for each, chosen in zip(found, passages, strict=True)
            for passage in chosen
        ]
        distinct = list(dict.fromkeys(pairs))
        scores = dict(
            zip(distinct, consistencies_of(asked.scorer, distinct, role=asked.layer) if distinct else [], strict=True)
        )
        remaining = iter(pairs)
        for each, chosen in zip(found, passages, strict=True):
            each.scored = [
                SupportEvidence(
                    passage.unit,
                    passage.start,
                    passage.end,
                    round(scores[next(remaining)], 6),
                    asked.layer,
                    MatchKind.CONSISTENT,
                )
                for passage in chosen
            ]
        return bool(distinct)


def _passages_of(found: ClaimFindings, retrieved: Iterable[SupportEvidence]) -> list[SupportEvidence]:
    """
    Return the best passages of *found*, at most `MAX_PASSAGES` and one for each unit, best first.

    All layers count; passages that a model has scored keep its order. *retrieved* has passages that share too little
    with the claim to count as lexical evidence.
    """
    chosen: dict[int, SupportEvidence] = {}
    for each in (*found.ranked(), *found.evidence, *found.related, *retrieved):
        if each.unit.summary is None:
            chosen.setdefault(id(each.unit), each)
    return list(chosen.values())[:MAX_PASSAGES]


def _is_open(found: ClaimFindings) -> bool:
    """
    Return whether a model may change the result: no rule contradicts the claim, and no strong literal match exists.
    """
    if found.topic.claim.kind is ClaimKind.QUOTE or found.contradictions(STRONG_ABOVE):
        return False
    literal = found.literal()
    return not literal or literal[0].score <= STRONG_ABOVE


def _with_any(part: SourceBatch, topic: Topic) -> list[SupportEvidence]:
    """Return the sentences of *part* that share any term with a claim."""
    return [
        SupportEvidence(near.unit, *near.span, near.share, Layer.LEXICAL, MatchKind.TERMS)
        for near in part.index.nearest(topic.without_names, MAX_PASSAGES)
    ]


def _context(passage: SupportEvidence) -> str:
    """
    Return the text for a model: the statements of the unit, after the speaker's name unless they answer a question.
    """
    speaker = passage.unit.locator.speaker
    text = stated_text(passage.unit)
    return f"{speaker}: {text}" if speaker and not passage.unit.answer_start else text


_NO_EMBEDDINGS = "embeddings were requested and are not available: decided without a model"

_CACHE_FILE = "embeddings.sqlite3"


class _EmbedderLayers:
    """Creates layers of embedders with their scales and cache."""

    def __init__(self, scales: str | os.PathLike[str] | None, cache_dir: str | os.PathLike[str] | None) -> None:
        self._scales = {**published_scales(), **({} if scales is None else read_scales(scales))}
        self._cache_dir = None if cache_dir is None else Path(cache_dir)
        if self._cache_dir is not None:
            self._cache_dir.mkdir(mode=0o700, parents=True, exist_ok=True)

    def similarity(self, embedder: Embedder) -> EmbeddingSimilarity:
        """Return the layer of *embedder*, with a cache and a scale if available."""
        scale = self._scales.get(name_of(embedder))
        if self._cache_dir is not None:
            from groundwire.embedding.cache import CachedEmbedder

            embedder = CachedEmbedder(embedder, self._cache_dir / _CACHE_FILE)
        return EmbeddingSimilarity(embedder, scale=() if scale is None else scale.points)

    def local(self) -> EmbeddingSimilarity:
        """Return the layer of the local embedder."""
        return self.similarity(local_embedder())


def _named(name: str, warnings: list[str]) -> Embedder | None:
    try:
        embedder = embedder_named(name)
    except (ImportError, EmbeddingError) as error:
        warnings.append(f"{_NO_EMBEDDINGS} ({error})")
        return None
    if name != LOCAL and _server(embedder) is None:
        warnings.append(
            f"{show(name)} was requested, but no server is configured for it: {name_of(embedder)} was used instead"
        )
    return embedder


def _server(embedder: Embedder | None) -> "ServerEmbedder | None":
    """Return *embedder* if it uses a server."""
    from groundwire.embedding.openai import ServerEmbedder

    return embedder if isinstance(embedder, ServerEmbedder) else None


def _hhem(asked: PairScorer | bool | Literal["require"] | None, warnings: list[str]) -> Iterable[_RequestedScorer]:
    if asked is None or asked is False:
        return
    if not isinstance(asked, bool | str):
        yield _RequestedScorer(Layer.HHEM, asked)
        return
    if asked not in (True, "require"):
        raise ValueError("hhem must be a classifier, True, False or 'require'")
    is_required = asked == "require"
    from groundwire.faithfulness.hhem import HHEMClassifier

    try:
        yield _RequestedScorer(Layer.HHEM, HHEMClassifier(), is_required=is_required)
    except (ImportError, OSError, GroundwireError) as error:
        reason = error.reason if isinstance(error, ModelError) else str(error)
        if is_required:
            raise ModelError(Layer.HHEM, reason) from None
        warnings.append(f"hhem was requested and is not available ({reason}): decided without it")


_PAIRS = 8
_TEXTS = 8
_REQUEST_CHARS = 12_000
"""The limits of one request: the answer must fit the length of a reply."""

_Item = TypeVar("_Item", str, tuple[str, str])


class _JudgeAdapter:
    """
    An adapter of a judge.

    Args:
        judge: The language model: a `groundwire.judge.LLMJudge`.
    """

    def __init__(self, judge: "TaskJudge") -> None:
        self._judge = judge

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._judge.model

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class JudgeScorer(_JudgeAdapter):
    """
    Lets a judge score how far claims follow from passages; a `PairScorer`.

    Args:
        judge: The language model: a `groundwire.judge.LLMJudge`.
    """

    def consistencies(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """
        Return a score for each (context, claim) pair, 0.0 to 1.0.

        Raises:
            ModelError: A request failed. Partial scores are not returned.
        """
        from groundwire.judge.schemas import consistency_task

        filled = self._judge.run_tasks([consistency_task(batch) for batch in _batches(pairs, _PAIRS)])
        if filled.error is not None:
            raise ModelError("judge", _reason(filled.error))
        return [score for answer in filled.answers if answer is not None for score in answer]


class JudgedStatements(_JudgeAdapter):
    """
    Lets a judge split prose into atomic statements.

    Args:
        judge: The language model: a `groundwire.judge.LLMJudge`.
    """

    def read(self, texts: Sequence[str]) -> ExtractedStatements:
        """
        Return the checked statements of each of *texts*.

        The rules split the texts that the judge did not answer, and the sentences that its statements do not cover. The
        warnings count these, and the statements that were dropped because the prose does not contain them.
        """
        from groundwire.judge.schemas import statements_task

        distinct = list(dict.fromkeys(texts))
        batches = list(_batches(distinct, _TEXTS))
        filled = self._judge.run_tasks([statements_task(batch) for batch in batches])
        by_text: dict[str, tuple[str, ...]] = {}
        unread = dropped = uncovered = 0
        for batch, answer in zip(batches, filled.answers, strict=True):
            if answer is None:
                unread += len(batch)
                continue
            for text, proposed in zip(batch, answer, strict=True):
                checked = prose_statements(text, proposed)
                by_text[text] = checked.statements
                dropped += checked.dropped
                uncovered += checked.by_rules
        warnings = []
        if unread:
            summary = f"judge: {_reason(filled.error)}; the rules split {unread:,} of {len(distinct):,} texts of prose"
            warnings.append(summary)
        if dropped or uncovered:
            warnings.append(
                f"judge: statements dropped because the prose does not contain them: {dropped:,}; "
                f"sentences split by the rules instead: {uncovered:,}"
            )
        return ExtractedStatements(by_text, tuple(warnings))


def _batches(items: Sequence[_Item], most: int) -> Iterator[list[_Item]]:
    """Yield batches of *items* in order, each small enough for one request; at least one item per batch."""
    batch: list[_Item] = []
    chars = 0
    for item in items:
        length = len(item) if isinstance(item, str) else sum(map(len, item))
        if batch and (len(batch) == most or chars + length > _REQUEST_CHARS):
            yield batch
            batch, chars = [], 0
        batch.append(item)
        chars += length
    if batch:
        yield batch


def _reason(error: str | None) -> str:
    """Return the reason for a failure, without any text of the request."""
    code = error or ""
    return LLM_FAILURES.get(code) or f"unknown failure {show(code)}"
