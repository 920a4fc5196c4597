"""Turns a request into a report, by the same functions as the command line."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import UNSET

from groundwire.citations.risk import check_iterations
from groundwire.errors import PersonaError, SourceDataError, TranscriptError
from groundwire.evidence import QuotePolicy
from groundwire.faithfulness import FaithfulnessValidator, read_personas
from groundwire.http_server.responses import HttpProblem
from groundwire.memory.records import textless
from groundwire.report import (
    CheckReport,
    CiteReport,
    FaithfulnessReport,
    QuoteEntry,
    TranscriptFile,
    build_cite_report,
    build_faithfulness_report,
    build_guarded_report,
)
from groundwire.report.cite import Case
from groundwire.server.schemas import AnswerRequest, GivenSource, NamedQuote, PersonasRequest, QuotesRequest
from groundwire.server.source_store import KeptSource, SourceStore, unreadable

__all__ = ["UnknownSources", "assess_cited_answer", "check_quoted", "validate_personas"]


class UnknownSources(HttpProblem):
    """
    The request names sources that the service does not keep, or no longer.

    Attributes:
        hashes: Their hashes, as sent.
    """

    def __init__(self, hashes: Sequence[str]) -> None:
        super().__init__(404, "unknown_source", "A source is not kept, or no longer; send it again.", field="sources")
        self.hashes = list(hashes)


class _Named(NamedTuple):
    name: str
    source: KeptSource

    def __repr__(self) -> str:
        return textless(self, self._asdict())


def check_quoted(request: QuotesRequest, store: SourceStore) -> CheckReport:
    """
    Check quotes against their sources.

    Raises:
        UnknownSources: A source is not kept.
        HttpProblem: A source cannot be read, or a field contradicts another.
    """
    files = [_as_file(place, each) for place, each in enumerate(_sources(request.sources, store))]
    if request.speakers is not None and not all(each.reading is not None and each.reading.turns for each in files):
        raise _invalid("speakers", "every source must have turns of speakers")
    policy = QuotePolicy(
        threshold=request.threshold,
        min_chars=request.min_chars,
        min_words=request.min_words,
        speakers=request.speakers,
        accept_across_turns=not request.single_speaker,
        fold_variants=request.fold_variants,
    )
    return build_guarded_report(files, [_entry(each) for each in request.quotes], policy=policy)


def _as_file(place: int, each: _Named) -> TranscriptFile:
    try:
        return each.source.as_file(each.name)
    except TranscriptError as error:
        problem = unreadable(error, f"sources[{place}]")
    # Raised here, the problem has no context.
    raise problem


def _entry(quote: str | NamedQuote) -> QuoteEntry:
    if isinstance(quote, str):
        return QuoteEntry(quote)
    return QuoteEntry(quote.text, quote.domain, quote.id, source=quote.source, speaker=quote.speaker, page=quote.page)


def assess_cited_answer(request: AnswerRequest, store: SourceStore) -> CiteReport:
    """
    Assess an answer and its citations. Raises as `check_quoted`.

    Raises:
        UnknownSources: A source is not kept.
        HttpProblem: Only one of the two fields of iterations is given, or they contradict each other.
    """
    kept = _found([each.sha256 for each in request.sources], store)
    cited = [{"id": each.id, "text": source.text} for each, source in zip(request.sources, kept, strict=True)]
    iteration = None if request.iteration is UNSET else request.iteration
    last = None if request.max_iterations is UNSET else request.max_iterations
    try:
        check_iterations(iteration, last)
    except ValueError as error:
        raise _invalid("iteration", str(error)) from None
    case = Case(
        request.answer,
        [*request.results, *cited],
        request.question,
        id=request.id,
        name="answer",
        iteration=iteration,
        max_iterations=last,
        question_type=request.question_type,
        source_quality=request.source_quality,
    )
    return build_cite_report([case], policy=request.policy)


def validate_personas(request: PersonasRequest, store: SourceStore) -> FaithfulnessReport:
    """
    Compare personas with their research, by the rules alone.

    Raises:
        UnknownSources: A source is not kept.
        HttpProblem: A persona or a source cannot be read.
    """
    sources = [(each.name, each.source.text) for each in _sources(request.sources, store)]
    field: str
    words: str
    try:
        return _validated(request.personas, sources, request)
    except PersonaError as error:
        field, words = "personas", str(error)
    except SourceDataError as error:
        field, words = "sources", error.reason
    except TranscriptError as error:
        field, words = "sources", str(error)
    raise _invalid(field, words)


def _validated(
    given: Sequence[dict[str, Any]], sources: Sequence[tuple[str, str]], request: PersonasRequest
) -> FaithfulnessReport:
    personas = read_personas(given)
    with FaithfulnessValidator(similarity_threshold=request.threshold) as validator:
        results = validator.validate_many(personas=personas, source_data=list(sources))
    return build_faithfulness_report(personas, results, threshold=validator.threshold, min_score=request.min_score)


def _sources(given: Sequence[GivenSource], store: SourceStore) -> list[_Named]:
    """
    Return the sources of a request with their names.

    Raises:
        UnknownSources: One is not kept.
        HttpProblem: One has a hash and a text, or neither, or two have the same name.
    """
    for place, each in enumerate(given):
        if (each.sha256 is UNSET) == (each.text is UNSET):
            raise _invalid(f"sources[{place}]", "exactly one of sha256 and text is required")
    names = [each.name or f"source {place}" for place, each in enumerate(given, start=1)]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise _invalid(f"sources[{place}].name", "another source has the same name")
    kept = iter(_found([each.sha256 for each in given if each.sha256 is not UNSET], store))
    return [
        _Named(name, next(kept) if each.text is UNSET else KeptSource.of_text(each.text))
        for name, each in zip(names, given, strict=True)
    ]


def _found(hashes: Sequence[str], store: SourceStore) -> list[KeptSource]:
    """Return the kept sources with these hashes; raises `UnknownSources` if one is missing."""
    found = [store.get(digest) for digest in hashes]
    missing = [digest for digest, source in zip(hashes, found, strict=True) if source is None]
    if missing:
        raise UnknownSources([*dict.fromkeys(missing)])
    return [source for source in found if source is not None]


def _invalid(field: str, words: str) -> HttpProblem:
    return HttpProblem(422, "invalid", f"{field}: {words}", field=field)
