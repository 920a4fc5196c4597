"""
Validates personas against research: from claims, units and layers to results.

The best evidence of all layers supports a claim. A contradiction outweighs any support (ruling D9).
"""

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from groundwire.faithfulness.claims import ClaimExtractor, PersonaClaim
from groundwire.faithfulness.fields import FieldPolicies, FieldPolicy
from groundwire.faithfulness.models import LEXICAL_BACKEND, ModelRun, Models
from groundwire.faithfulness.personas import Persona, read_personas
from groundwire.faithfulness.results import (
    ClaimResult,
    ClaimStatus,
    FaithfulnessResult,
    SupportLevel,
    checked_share,
    rates_of,
    status_of,
)
from groundwire.faithfulness.search import ClaimFindings, PreparedSources, SourceBatch, source_batches, with_progress
from groundwire.faithfulness.source_data.reading import SourceData
from groundwire.faithfulness.statements import ExtractedStatements, StatementReader
from groundwire.faithfulness.support.cues import Topic
from groundwire.faithfulness.support.evidence import Layer, MatchKind, SupportEvidence
from groundwire.labels import show
from groundwire.language import read_terms
from groundwire.pair_scorer import PairScorer
from groundwire.support_score import SUPPORTED_FROM, SupportScore, chosen_score

if TYPE_CHECKING:
    from groundwire.embedding.protocol import Embedder

__all__ = ["LEXICAL_BACKEND", "FaithfulnessValidator"]


class _PersonaSearch:
    """
    The claims of one persona with their evidence.

    Attributes:
        found: The claims that count.
        synthetic: The claims that do not count.
    """

    __slots__ = ("found", "synthetic")

    def __init__(self, claims: Sequence[PersonaClaim], score: SupportScore) -> None:
        names = frozenset(term.form for claim in claims if claim.is_own_name for term in read_terms(claim.value))
        self.synthetic = tuple(claim for claim in claims if claim.policy is FieldPolicy.SYNTHETIC)
        self.found = [
            ClaimFindings(Topic(claim, names), score) for claim in claims if claim.policy is FieldPolicy.CHECK
        ]

    def ask(self, part: SourceBatch) -> None:
        """Run every rule on *part*."""
        verbatim = part.verbatim.evidence([found.topic.claim for found in self.found])
        for found, words in zip(self.found, verbatim, strict=True):
            found.add([*words, *part.values.evidence(found.topic.claim)], part)


NEAR_FROM = 0.2
"""Lexical evidence below this score shares only a word or two with the claim and is not reported as a near miss."""


class FaithfulnessValidator:
    """
    Compares personas with the research behind them.

    An embedder that the validator opened by name has a thread and connections: call `close`, or use the validator in a
    `with` statement. Models passed as objects are closed by the caller.

    Args:
        embedding_model: The name of an embedding model on a server, as `groundwire.embedding.embedder_named` takes it.
            Without a server the local model is used, with a warning that is also in the result (ruling D8).
        similarity_threshold: The minimum confidence for a claim to count as supported, 0.0 to 1.0; None for 0.6 (ruling
            D2).
        policies: Which fields count, as `ClaimExtractor` takes them.
        embedder: An embedder, instead of a name.
        scales: A file with scales of embedders' cosines that `groundwire calibrate` wrote. They take precedence over
            the published ones.
        hhem: A classifier, True for the model in the usual folder, or "require" to raise an error without it (ruling
            D6).
        reader: A model that reads the best passages of each claim: `OnnxPairScorer`.
        judge: A language model that reads passages and claims after all other models: `JudgeScorer`.
        statements: A language model that splits prose into statements instead of the rules: `JudgedStatements`.
        cache_dir: A folder for cached vectors, created if needed. It stores hashes and no text.
        score: A score of support, or a file that `groundwire calibrate --fit` wrote, for passages that lack a part of
            the claim; None for the shipped score.

    Attributes:
        threshold: The minimum confidence for a claim to count as supported.
        score: The score of support.

    Raises:
        TypeError, ValueError: An argument is invalid.
        OSError: A file of policies, scales or a score cannot be read, or the folder cannot be created.
        ModelError: A required model is missing.
    """

    def __init__(
        self,
        embedding_model: str | None = None,
        similarity_threshold: float | None = None,
        *,
        policies: Mapping[str, FieldPolicy | str] | FieldPolicies | os.PathLike[str] | None = None,
        embedder: "Embedder | None" = None,
        scales: str | os.PathLike[str] | None = None,
        hhem: "PairScorer | bool | Literal['require'] | None" = None,
        reader: PairScorer | None = None,
        judge: PairScorer | None = None,
        statements: StatementReader | None = None,
        cache_dir: str | os.PathLike[str] | None = None,
        score: SupportScore | str | os.PathLike[str] | None = None,
    ) -> None:
        if embedding_model is not None and not isinstance(embedding_model, str):
            raise TypeError(f"embedding_model must be a str or None, got {type(embedding_model).__name__}")
        self.threshold = SUPPORTED_FROM
        if similarity_threshold is not None:
            self.threshold = checked_share("similarity_threshold", similarity_threshold)
        self.score = chosen_score(score)
        self._extractor = ClaimExtractor(policies=policies)
        self._statements = statements
        self._models = Models.chosen(
            embedding_model=embedding_model,
            embedder=embedder,
            scales=scales,
            hhem=hhem,
            reader=reader,
            judge=judge,
            cache_dir=cache_dir,
        )

    def validate(self, *, persona: object, source_data: object) -> FaithfulnessResult:
        """
        Validate one persona against the sources.

        Args:
            persona: A single persona in any form that `read_personas` takes.
            source_data: Sources in any form that `SourceData` takes, or `PreparedSources`.

        Raises:
            PersonaError, SourceDataError: The persona or a source is broken.
            TypeError, ValueError, OSError: As `read_personas` and `SourceData`; ValueError also for more or less than
                one persona.
        """
        results = self.validate_many(personas=persona, source_data=source_data)
        if len(results) != 1:
            raise ValueError(f"validate takes one persona, got {len(results)}; use validate_many for several")
        return results[0]

    def validate_many(
        self, *, personas: object, source_data: object, on_progress: Callable[[int], object] | None = None
    ) -> list[FaithfulnessResult]:
        """
        Return one result for each of *personas*, in order. The sources are read once.

        Args:
            personas: Personas in any form that `read_personas` takes.
            source_data: Sources in any form that `SourceData` takes, or `PreparedSources`.
            on_progress: Called with the number of characters of source read since the last call; not called for
                `PreparedSources`.

        Raises as `validate`.
        """
        read = read_personas(personas)
        statements = self._read_statements(read)
        extracted = [self._extractor.extract_parsed(persona, splitter=statements.split) for persona in read]
        searches = [_PersonaSearch(claims, self.score) for claims in extracted]
        every = [found for each in searches for found in each.found]
        models = ModelRun(self._models)
        models.warnings += statements.warnings
        if isinstance(source_data, PreparedSources):
            names, parts = source_data.names, iter(source_data.parts)
        else:
            source = SourceData(source_data)
            names, parts = source.names, source_batches(with_progress(source.units(), on_progress))
        models.begin(every)
        silent = list(names)
        for part in parts:
            silent = [name for name in silent if name not in part.sources]
            for each in searches:
                each.ask(part)
            models.ask(part, every)
        models.finish(every)
        models.warnings += [f"{show(name)} has no text to compare claims with" for name in silent]
        for warning in models.warnings:
            warnings.warn(warning, RuntimeWarning, stacklevel=2)
        backend = models.backend
        if self._statements is not None and statements.by_text:
            backend += f"+statements:{self._statements.name}"
        return [self._result(each, names, models, backend) for each in searches]

    def close(self) -> None:
        """Close the connections of an embedder that was opened by name. Later requests to it fail."""
        self._models.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read_statements(self, personas: Sequence[Persona]) -> ExtractedStatements:
        """Return the statements of a language model, if one was given."""
        if self._statements is None:
            return ExtractedStatements({})
        prose = [text for persona in personas for text in self._extractor.prose(persona)]
        return self._statements.read(prose) if prose else ExtractedStatements({})

    def _result(
        self, search: _PersonaSearch, names: Sequence[str], models: ModelRun, backend: str
    ) -> FaithfulnessResult:
        details = [self._claim_result(found, names) for found in search.found]
        rates = rates_of(((each.confidence, each.contradicted) for each in details), threshold=self.threshold)
        details.sort(key=lambda each: (not each.contradicted, each.confidence))
        return FaithfulnessResult(
            rates,
            tuple(details),
            search.synthetic,
            self.threshold,
            backend,
            tuple(names),
            tuple(models.warnings),
            self.score.identity,
        )

    def _claim_result(self, found: ClaimFindings, names: Sequence[str]) -> ClaimResult:
        ranked = found.ranked()
        contradictions = found.contradictions(self.threshold)
        confidence = 0.0 if contradictions or not ranked else ranked[0].score
        status = status_of(confidence, threshold=self.threshold, contradicted=bool(contradictions))
        is_supported = status is ClaimStatus.SUPPORTED
        support = tuple(each for each in ranked if is_supported and each.score >= self.threshold)
        layer = Layer.CONTRADICTION if contradictions else ranked[0].layer if ranked else None
        return ClaimResult(
            found.topic.claim.text,
            status,
            confidence,
            SupportLevel.of(confidence),
            support,
            tuple(each for each in ranked[len(support) :] if _is_near(each, is_supported=is_supported)),
            contradictions,
            layer,
            _sources(support, names),
            _sources(contradictions, names),
            found.topic.claim,
        )


def _is_near(evidence: SupportEvidence, *, is_supported: bool) -> bool:
    # Beside an accepted quote, its altered copies are of no interest.
    if is_supported and evidence.kind in (MatchKind.ALTERED, MatchKind.NOT_ACCEPTED):
        return False
    return evidence.layer is not Layer.LEXICAL or evidence.score >= NEAR_FROM


def _sources(evidence: Iterable[SupportEvidence], names: Sequence[str]) -> tuple[str, ...]:
    found = {each.unit.locator.source for each in evidence}
    return tuple(name for name in names if name in found)
