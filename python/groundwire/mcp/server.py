"""Builds the server and its tools."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from groundwire import Source, __version__
from groundwire._engine import sentences
from groundwire.citations import RiskThresholds, assess_answer, explain_finding, explain_risk
from groundwire.citations.report import ClaimRecord
from groundwire.citations.support import support_of
from groundwire.ingestion import CitationVerifier, IngestionGate, IngestionValidator, MemoryClaim
from groundwire.mcp.folders import SourceFolders, SourceReadError
from groundwire.mcp.results import (
    AnswerCheck,
    CheckedClaim,
    CheckedQuote,
    FoundPassage,
    GivenQuote,
    PassageList,
    QuoteCheck,
    Remembered,
    SearchResult,
    SourceList,
)
from groundwire.report import QuoteEntry, TranscriptFile, build_guarded_report, render_html
from groundwire.report.check.model import Nearest, Place, QuoteResult

if TYPE_CHECKING:
    from groundwire.memory import MemoryStore
    from groundwire.review import ReviewQueue

__all__ = ["MAX_FILE_BYTES", "create_server"]

MAX_FILE_BYTES = 32 << 20
"""Maximum size of a source, unless the caller sets another limit."""

_MAX_QUOTES = 1_000
_MAX_PATHS = 200
_MAX_RESULTS = 200
_MAX_REPORTS = 20
_PASSAGE_CONTEXT_CHARS = 400
_MIN_SUPPORT = 0.2

_INSTRUCTIONS = """\
Checks that what you write is grounded in the sources. Copy quotes word for word, and check them with check_quotes
before you show them. If a quote is not accepted, read the reasons and correct it, or leave it out. Check answers that
cite search results with check_answer. Offer facts that are worth keeping to remember; it decides, or asks a person."""

_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

Paths = Annotated[list[str], Field(max_length=_MAX_PATHS, description="Paths of sources; empty for all of them.")]
_Result = TypeVar("_Result")


def create_server(
    roots: Sequence[str | Path],
    *,
    store: "MemoryStore | None" = None,
    queue: "ReviewQueue | None" = None,
    max_file_bytes: int = MAX_FILE_BYTES,
) -> MCPServer:
    """
    Return a server whose tools check quotes and answers against the files below *roots*.

    Args:
        roots: Folders with transcripts and documents. The server reads nothing else.
        store: The memory that `remember` writes to; without it, there is no such tool.
        queue: The review queue for claims that a person has to decide.
        max_file_bytes: Maximum size of a file.

    Raises:
        ValueError, OSError: The roots cannot be used; see `SourceFolders`.
    """
    tools = _SourceTools(SourceFolders(roots, max_bytes=max_file_bytes))
    server = MCPServer(
        "groundwire", title="groundwire", version=__version__, instructions=_INSTRUCTIONS, log_level="WARNING"
    )
    for tool in (tools.list_sources, tools.check_quotes, tools.find_passage, tools.check_answer):
        server.tool(annotations=_READS)(tool)
    server.resource("groundwire://reports/{number}", name="report", mime_type="text/html")(tools.report)
    if store is not None:
        server.tool(annotations=_WRITES)(_MemoryTools(tools, store, queue).remember)
    return server


class _SourceTools:
    """Holds the tools that read sources. Each runs in a thread, so that the server stays responsive."""

    def __init__(self, folders: SourceFolders) -> None:
        self._folders = folders
        self._reports: OrderedDict[int, str] = OrderedDict()
        self._lock = Lock()

    async def list_sources(self) -> SourceList:
        """List the sources that can be checked against."""
        paths, left_out = await _in_thread(self._folders.paths)
        return SourceList(paths=paths, left_out=left_out)

    async def check_quotes(
        self,
        quotes: Annotated[list[GivenQuote], Field(min_length=1, max_length=_MAX_QUOTES)],
        sources: Paths = [],  # noqa: B006  # the schema needs a plain default, and nothing changes it
    ) -> QuoteCheck:
        """
        Check that quotes are in the sources, word for word and by the right speaker.

        A quote whose status is altered says something else than the source: correct it by the reasons.
        """
        return await _in_thread(lambda: self._check_quotes(quotes, self.read(sources)))

    async def find_passage(
        self,
        statement: Annotated[str, Field(min_length=1, max_length=10_000, description="Words or a statement.")],
        sources: Paths = [],  # noqa: B006  # see check_quotes
        most: Annotated[int, Field(ge=1, le=20, description="Maximum number of passages.")] = 5,
    ) -> PassageList:
        """Find where the sources have these words, or the passages that support the statement best."""
        return await _in_thread(lambda: _find_passages(statement, self.read(sources), most))

    async def check_answer(
        self,
        answer: Annotated[str, Field(min_length=1, max_length=200_000, description="The answer with its citations.")],
        results: Annotated[
            list[SearchResult],
            Field(max_length=_MAX_RESULTS, description="The results that it cites; empty to cite sources by path."),
        ] = [],  # noqa: B006  # see check_quotes
        sources: Paths = [],  # noqa: B006  # see check_quotes
    ) -> AnswerCheck:
        """Assess the risk of an answer that cites search results or sources in brackets, such as [1] or [notes.md]."""
        return await _in_thread(lambda: self._check_answer(answer, results, sources))

    def report(self, number: int) -> str:
        """Return a report of check_quotes as an HTML page; the last 20 are kept."""
        try:
            return self._reports[number]
        except KeyError:
            raise ResourceNotFoundError(f"there is no report {number}; the last {_MAX_REPORTS} are kept") from None

    def read(self, paths: Sequence[str]) -> list[TranscriptFile]:
        """
        Return the sources at *paths*, or all sources.

        Raises:
            ToolError: One cannot be read, or there are too many.
        """
        chosen = list(dict.fromkeys(paths)) or self._folders.paths()[0]
        if len(chosen) > _MAX_PATHS:
            raise ToolError(f"there are {len(chosen):,} sources; name at most {_MAX_PATHS} of them")
        if not chosen:
            raise ToolError("there are no sources")
        return [self._folders.read(path) for path in chosen]

    def _check_quotes(self, quotes: Sequence[GivenQuote], files: list[TranscriptFile]) -> QuoteCheck:
        entries = [QuoteEntry(each.text, source=each.source, speaker=each.speaker, page=each.page) for each in quotes]
        report = build_guarded_report(files, entries)
        page = render_html(report, [each.text for each in files])
        # An agent may call several tools at once.
        with self._lock:
            number = next(reversed(self._reports), 0) + 1
            self._reports[number] = page
            if len(self._reports) > _MAX_REPORTS:
                self._reports.popitem(last=False)
        return QuoteCheck(
            accepted=report.summary.accepted,
            rejected=report.summary.rejected,
            quotes=[_checked(result) for result in report.quotes],
            report=f"groundwire://reports/{number}",
        )

    def _check_answer(self, answer: str, results: Sequence[SearchResult], sources: Sequence[str]) -> AnswerCheck:
        texts = [{"id": each.id, "text": each.text} for each in results]
        if not texts or sources:
            texts += [{"id": file.name, "text": file.text} for file in self.read(sources)]
        assessment = assess_answer("", answer, texts)
        limits = RiskThresholds()
        return AnswerCheck(
            level=assessment.level.value,
            score=assessment.score,
            action=str(assessment.action),
            accepted=assessment.accepted,
            reasons=explain_risk(assessment, limits),
            claims=[_claim(each, limits) for each in assessment.report.claims],
        )


class _MemoryTools:
    """Holds the tool that writes to memory."""

    def __init__(self, sources: _SourceTools, store: "MemoryStore", queue: "ReviewQueue | None") -> None:
        # No repository, no network: a citation that cannot be verified here is decided by a person.
        validator = IngestionValidator(store, verifier=CitationVerifier(), pending=queue)
        self._sources = sources
        self._gate = IngestionGate(validator, store, queue)

    async def remember(
        self,
        claim: Annotated[str, Field(min_length=1, max_length=10_000, description="One fact in one sentence.")],
        memory_type: Annotated[str, Field(description="fact, preference or decision")] = "fact",
        user: Annotated[str, Field(max_length=256, description="The person whom the memory belongs to.")] = "local",
        quote: Annotated[str | None, Field(description="The words that the fact is based on.")] = None,
        source: Annotated[str | None, Field(description="The path of the transcript with the quote.")] = None,
    ) -> Remembered:
        """
        Offer a fact to memory. It is stored, queued for a person, or rejected.

        A quote from a transcript is checked. Hedged, duplicate and unverified facts are not stored.
        """
        if (quote is None) != (source is None):
            raise ToolError("quote and source belong together")
        conversation = None if source is None else (await _in_thread(lambda: self._sources.read([source])))[0].reading
        # The origin is fixed: an agent must not pass for a person.
        offered = MemoryClaim(claim, memory_type, "ai_synthesis", user, quote=quote)
        submission = await self._gate.submit(offered, conversation=conversation)
        code = submission.result.code
        return Remembered(
            outcome=submission.outcome.value,
            code="" if code is None else code.value,
            reason=submission.result.reason,
            memory_id=submission.memory_id,
            queue_id=submission.queue_id,
        )


async def _in_thread(work: Callable[[], _Result]) -> _Result:
    """Return the result of *work*; its errors become errors of the tool, which an agent can read."""
    try:
        return await asyncio.to_thread(work)
    except SourceReadError as error:
        raise ToolError(str(error)) from None


def _checked(result: QuoteResult) -> CheckedQuote:
    return CheckedQuote(
        quote=result.quote,
        status=str(result.status),
        accepted=result.accepted,
        reasons=[each.words for each in result.reasons],
        passage=_passage(result.places[0]) if result.places else None,
        nearest=None if result.nearest is None else _passage(result.nearest),
    )


def _passage(place: Place | Nearest) -> FoundPassage:
    return FoundPassage(
        source=place.name,
        start=place.start,
        end=place.end,
        text=place.passage,
        score=place.score,
        page=place.pages[0] if place.pages else None,
        speaker=next((turn.speaker for turn in place.turns if turn.speaker is not None), None),
    )


def _claim(claim: ClaimRecord, limits: RiskThresholds) -> CheckedClaim:
    return CheckedClaim(
        text=claim.text,
        status=claim.status.value,
        cites=[*claim.valid, *claim.invalid],
        support=claim.support,
        reasons=[explain_finding(each, claim, limits) for each in claim.findings],
    )


def _find_passages(statement: str, files: Sequence[TranscriptFile], most: int) -> PassageList:
    """Return where the files have the words themselves, then the passages that support the statement best."""
    said = [
        _found(file, match.start, match.end, 1.0)
        for file in files
        for match in Source(file.text, profile="typographic").find_all(statement)
    ]
    if said:
        return PassageList(passages=said[:most])
    supporting = [each for file in files for each in _supporting(file, statement)]
    return PassageList(passages=sorted(supporting, key=lambda each: -each.score)[:most])


def _supporting(file: TranscriptFile, statement: str) -> Iterator[FoundPassage]:
    [passage] = support_of(statement, [file.text]).passages
    if passage is not None and passage.score >= _MIN_SUPPORT and passage.start < passage.end:
        yield _found(file, *_whole_sentences(file.text, passage.start, passage.end), passage.score)


def _whole_sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span extended to whole sentences, as far as they are not too long."""
    first = max(0, start - _PASSAGE_CONTEXT_CHARS)
    around = sentences(text[first : end + _PASSAGE_CONTEXT_CHARS])
    starts = [first + each[0] for each in around if first + each[0] <= start]
    ends = [first + each[1] for each in around if first + each[1] >= end]
    return max(starts, default=start), min(ends, default=end)


def _found(file: TranscriptFile, start: int, end: int, score: float) -> FoundPassage:
    turns = [] if file.reading is None else file.reading.turns_in(start, end)
    return FoundPassage(
        source=file.name,
        start=start,
        end=end,
        text=file.text[start:end],
        score=score,
        page=None if file.document is None else file.document.locate(start, end).page,
        speaker=next((turn.speaker for turn in turns if turn.speaker is not None), None),
    )
