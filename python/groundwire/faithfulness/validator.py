"""
From a persona and its research to a score: claims, units, layers, results.

What supports a claim is the best of all layers; what contradicts it stands, however
much supports it (ruling D9).
"""

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from groundwire.faithfulness.claims import ClaimExtractor, ClaimKind, PersonaClaim
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
from groundwire.faithfulness.search import ClaimFindings, PreparedSources, SourceBatch, heard, parts_of
from groundwire.faithfulness.sources.reading import SourceData
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

_OWN_NAMES = frozenset({"name", "full_name", "first_name", "last_name", "nickname", "surname"})


class _Gathered:
    """
    The claims of one persona, and what was found of each that counts.

    Attributes:
        found: The claims that count.
        synthetic: Those that do not.
    """

    __slots__ = ("found", "synthetic")

    def __init__(self, claims: Sequence[PersonaClaim], score: SupportScore) -> None:
        names = frozenset(name for claim in claims for name in _own_names(claim))
        self.synthetic = tuple(claim for claim in claims if claim.policy is FieldPolicy.SYNTHETIC)
        self.found = [
            ClaimFindings(Topic(claim, names), score) for claim in claims if claim.policy is FieldPolicy.CHECK
        ]

    def ask(self, part: SourceBatch) -> None:
        """Ask every rule of *part*."""
        verbatim = part.verbatim.evidence([found.topic.claim for found in self.found])
        for found, words in zip(self.found, verbatim, strict=True):
            found.add([*words, *part.values.evidence(found.topic.claim)], part)


def _own_names(claim: PersonaClaim) -> Iterator[str]:
    """The person's names in small letters, where a claim has them."""
    if claim.kind is ClaimKind.NAME and claim.path.rpartition(".")[2] in _OWN_NAMES:
        for term in read_terms(claim.value):
            yield term.form


NEAR_FROM = 0.2
"""By words, what has a lower score has one or two in common with a claim, and is not shown as a near miss."""


class FaithfulnessValidator:
    """
    Compares personas with the research behind them.

    A server's embedder that it made for a name has a thread and connections: close it, or use it in
    a `with`. What was given to it is the caller's to close.

    Args:
        embedding_model: The name of a model that makes vectors, as
            `groundwire.embedding.embedder_named` takes it: of a server, or in its place the
            local one. What did not run is a warning, also in the result (ruling D8).
        similarity_threshold: From which confidence on a claim is supported, 0.0 to 1.0; None
            for 0.6 (ruling D2).
        policies: Which fields count, as `ClaimExtractor` takes them.
        embedder: Who makes vectors, in the place of a name.
        scales: A file with what cosines of embedders are worth, which `groundwire calibrate`
            writes; it comes before what is known of some.
        hhem: A classifier; or True for the one in its usual folder, "require" to do nothing
            without it (ruling D6).
        reader: A model that reads the best passages of each claim: `OnnxPairScorer`.
        judge: Who reads passages and claims after all others: `JudgeScorer`.
        statements: Who takes prose apart, in the place of the rules: `JudgedStatements`.
        cache_dir: A folder to keep vectors in, made if it is not there: hashes, no text.
        score: A score of support, or the file of one that `groundwire calibrate --fit` writes: what a passage is
            worth that lacks something of a claim. None for the shipped one.

    Attributes:
        threshold: From which confidence on a claim is supported.
        score: The score of support.

    Raises:
        TypeError, ValueError: An argument is none of these.
        OSError: A file of policies, scales or a score cannot be read, or the folder not be made.
        ModelError: A model is required and not there.
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
        Return how each claim of one persona stands in the sources.

        Args:
            persona: As `read_personas` takes it, one alone.
            source_data: As `SourceData` takes it, or `PreparedSources`.

        Raises:
            PersonaError, SourceDataError: One of the two is broken.
            TypeError, ValueError, OSError: As `read_personas` and `SourceData`; or it is not
                one persona.
        """
        results = self.validate_many(personas=persona, source_data=source_data)
        if len(results) != 1:
            raise ValueError(f"validate takes one persona, got {len(results)}; validate_many takes them all")
        return results[0]

    def validate_many(
        self, *, personas: object, source_data: object, on_progress: Callable[[int], object] | None = None
    ) -> list[FaithfulnessResult]:
        """
        Return the result of each of *personas*, in their order; the sources are read once.

        Args:
            personas: As `read_personas` takes them.
            source_data: As `SourceData` takes it, or `PreparedSources`.
            on_progress: Called with the number of characters of the sources that have been read
                since the last time; never of sources that are prepared.

        Raises as `validate`.
        """
        read = read_personas(personas)
        statements = self._read_statements(read)
        extracted = [self._extractor.extract_plain(persona, take_apart=statements.take_apart) for persona in read]
        gathered = [_Gathered(claims, self.score) for claims in extracted]
        every = [found for each in gathered for found in each.found]
        models = ModelRun(self._models)
        models.warnings += statements.warnings
        if isinstance(source_data, PreparedSources):
            names, parts = source_data.names, iter(source_data.parts)
        else:
            source = SourceData(source_data)
            names, parts = source.names, parts_of(heard(source.units(), on_progress))
        models.begin(every)
        silent = list(names)
        for part in parts:
            silent = [name for name in silent if name not in part.sources]
            for each in gathered:
                each.ask(part)
            models.ask(part, every)
        models.finish(every)
        models.warnings += [f"{show(name)} has nothing that claims could be compared with" for name in silent]
        for warning in models.warnings:
            warnings.warn(warning, RuntimeWarning, stacklevel=2)
        backend = models.backend
        if self._statements is not None and statements.by_text:
            backend += f"+statements:{self._statements.name}"
        return [self._result(each, names, models, backend) for each in gathered]

    def close(self) -> None:
        """End the connections to a server that a name stood for; what is asked of it later has failed."""
        self._models.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read_statements(self, personas: Sequence[Persona]) -> ExtractedStatements:
        """Let somebody else take the prose of *personas* apart, if that was asked for."""
        if self._statements is None:
            return ExtractedStatements({})
        prose = [text for persona in personas for text in self._extractor.prose(persona)]
        return self._statements.read(prose) if prose else ExtractedStatements({})

    def _result(self, gathered: _Gathered, names: Sequence[str], models: ModelRun, backend: str) -> FaithfulnessResult:
        details = [self._claim_result(found, names) for found in gathered.found]
        rates = rates_of(((each.confidence, each.contradicted) for each in details), threshold=self.threshold)
        details.sort(key=lambda each: (not each.contradicted, each.confidence))
        return FaithfulnessResult(
            rates,
            tuple(details),
            gathered.synthetic,
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
    # Where a quote stands as it is, no other place is of interest.
    if is_supported and evidence.kind in (MatchKind.ALTERED, MatchKind.NOT_ACCEPTED):
        return False
    return evidence.layer is not Layer.LEXICAL or evidence.score >= NEAR_FROM


def _sources(evidence: Iterable[SupportEvidence], names: Sequence[str]) -> tuple[str, ...]:
    found = {each.unit.locator.source for each in evidence}
    return tuple(name for name in names if name in found)
