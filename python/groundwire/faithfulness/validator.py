"""
From a persona and its research to a score: claims, units, layers, results.

What supports a claim is the best of all layers; what contradicts it stands, however
much supports it (ruling D9).
"""

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence

from groundwire.faithfulness.claims import Claim, ClaimExtractor, ClaimKind
from groundwire.faithfulness.levels import (
    DEFAULT_THRESHOLD,
    ClaimStatus,
    SupportLevel,
    checked_share,
    rates_of,
    status_of,
)
from groundwire.faithfulness.personas import read_personas
from groundwire.faithfulness.policies import FieldPolicies, FieldPolicy
from groundwire.faithfulness.prepared import Part, PreparedSources, parts_of
from groundwire.faithfulness.results import ClaimResult, FaithfulnessResult
from groundwire.faithfulness.sources.reading import SourceData
from groundwire.faithfulness.support.contradiction import contradictions_of
from groundwire.faithfulness.support.evidence import MAX_EVIDENCE, Evidence, Layer, MatchKind, best_of
from groundwire.faithfulness.support.lexical import Topic
from groundwire.faithfulness.support.passages import read_passages
from groundwire.faithfulness.support.restated import restated_evidence
from groundwire.faithfulness.support.words import read_words

__all__ = ["LEXICAL_BACKEND", "FaithfulnessValidator"]

LEXICAL_BACKEND = "lexical"
"""No model ran: the rules for words, values and contradictions alone decided."""

NO_EMBEDDINGS = "embeddings were asked for and are not available: decided without a model"

_OTHER_VALUES = frozenset({MatchKind.OTHER_NUMBER, MatchKind.OTHER_DATE, MatchKind.OTHER_FLAG})
_OWN_NAMES = frozenset({"name", "full_name", "first_name", "last_name", "nickname", "surname"})


class FaithfulnessValidator:
    """
    Compares personas with the research behind them.

    Args:
        embedding_model: The name of a model. None is available yet: a warning says so, the
            result has it, and the layers without a model decide (ruling D8).
        similarity_threshold: From which confidence on a claim is supported, 0.0 to 1.0; None
            for 0.6 (ruling D2).
        policies: Which fields count, as `ClaimExtractor` takes them.

    Raises:
        TypeError, ValueError: An argument is none of these.
        OSError: A file of policies cannot be read.
    """

    def __init__(
        self,
        embedding_model: str | None = None,
        similarity_threshold: float | None = None,
        *,
        policies: Mapping[str, FieldPolicy | str] | FieldPolicies | os.PathLike[str] | None = None,
    ) -> None:
        if embedding_model is not None and not isinstance(embedding_model, str):
            raise TypeError(f"embedding_model must be a str or None, got {type(embedding_model).__name__}")
        self.threshold = DEFAULT_THRESHOLD
        if similarity_threshold is not None:
            self.threshold = checked_share("similarity_threshold", similarity_threshold)
        self._extractor = ClaimExtractor(policies=policies)
        self._warnings = () if embedding_model is None else (NO_EMBEDDINGS,)

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

    def validate_many(self, *, personas: object, source_data: object) -> list[FaithfulnessResult]:
        """
        Return the result of each of *personas*, in their order; the sources are read once.

        Raises as `validate`.
        """
        extracted = [self._extractor.extract_plain(persona) for persona in read_personas(personas)]
        gathered = [_Gathered(claims) for claims in extracted]
        if isinstance(source_data, PreparedSources):
            names, parts = source_data.names, iter(source_data.parts)
        else:
            source = SourceData(source_data)
            names, parts = source.names, parts_of(source.units())
        for part in parts:
            for each in gathered:
                each.ask(part)
        for warning in self._warnings:
            warnings.warn(warning, RuntimeWarning, stacklevel=2)
        return [self._result(each, names) for each in gathered]

    def _result(self, gathered: "_Gathered", names: Sequence[str]) -> FaithfulnessResult:
        details = [self._claim_result(found, names) for found in gathered.found]
        rates = rates_of(((each.confidence, each.contradicted) for each in details), threshold=self.threshold)
        details.sort(key=lambda each: (not each.contradicted, each.confidence))
        return FaithfulnessResult(
            rates, tuple(details), gathered.synthetic, self.threshold, LEXICAL_BACKEND, tuple(names), self._warnings
        )

    def _claim_result(self, found: "_Found", names: Sequence[str]) -> ClaimResult:
        ranked = best_of(sorted(found.evidence, key=lambda each: -each.score))
        contradictions = found.contradictions_beside(ranked, self.threshold)
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
            tuple(ranked[len(support) :]),
            contradictions,
            layer,
            _sources(support, names),
            _sources(contradictions, names),
            found.topic.claim,
        )


class _Found:
    """What the parts that were asked have of one claim."""

    __slots__ = ("_contradictions", "_others", "evidence", "topic")

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self.evidence: list[Evidence] = []
        self._contradictions: list[Evidence] = []
        self._others: dict[object, Evidence] = {}

    def add(self, evidence: Iterable[Evidence], part: Part) -> None:
        found = list(evidence)
        found += restated_evidence(self.topic, part.lexical, beside=found)
        passages = read_passages(self.topic, part.lexical, beside=found)
        self.evidence = best_of([*self.evidence, *found, *passages.evidence])
        told = contradictions_of(self.topic, part.lexical)
        self._contradictions += told or passages.contradictions
        if len(self._others) < 2 and not (self.evidence and self.evidence[0].score >= DEFAULT_THRESHOLD):
            for value, other in part.others.of(self.topic.claim).items():
                self._others.setdefault(value, other)

    def contradictions_beside(self, ranked: Sequence[Evidence], threshold: float) -> tuple[Evidence, ...]:
        """
        What contradicts the claim, beside what supports it.

        Another number, date or flag is that of another person where some place has the
        claimed one, and where there are several of them.
        """
        is_told = bool(ranked) and ranked[0].score >= min(threshold, DEFAULT_THRESHOLD)
        others = list(self._others.values()) if len(self._others) == 1 and not is_told else []
        told = [each for each in self._contradictions if not (is_told and each.kind in _OTHER_VALUES)]
        return tuple([*told, *others][:MAX_EVIDENCE])


class _Gathered:
    """The claims of one persona, and what was found of each that counts."""

    __slots__ = ("found", "synthetic")

    def __init__(self, claims: Sequence[Claim]) -> None:
        names = frozenset(stem for claim in claims for stem in _own_names(claim))
        self.synthetic = tuple(claim for claim in claims if claim.policy is FieldPolicy.SYNTHETIC)
        self.found = [_Found(Topic(claim, names)) for claim in claims if claim.policy is FieldPolicy.CHECK]

    def ask(self, part: Part) -> None:
        """Ask every layer of *part*."""
        verbatim = part.words.evidence([found.topic.claim for found in self.found])
        for found, words in zip(self.found, verbatim, strict=True):
            found.add([*words, *part.values.evidence(found.topic.claim), *part.lexical.evidence(found.topic)], part)


def _own_names(claim: Claim) -> Iterator[str]:
    """The stems of the person's names, where a claim has them."""
    if claim.kind is ClaimKind.NAME and claim.path.rpartition(".")[2] in _OWN_NAMES:
        for word in read_words(claim.value):
            yield word.stem


def _sources(evidence: Iterable[Evidence], names: Sequence[str]) -> tuple[str, ...]:
    found = {each.unit.locator.source for each in evidence}
    return tuple(name for name in names if name in found)
