"""
Provides assertions for tests of programs in which a language model quotes, cites or describes people.

    from groundwire.testing import assert_cited, assert_faithful, assert_grounded

    def test_summary_quotes_what_was_said():
        assert_grounded(quotes_of(summary), Path("interview.txt"))

    def test_answer_rests_on_what_it_cites():
        assert_cited(answer, results)

    def test_persona_rests_on_the_interviews():
        assert_faithful(persona, [Path("interview.txt")])

A text may be a str, the `Path` of a text file or document, a `Source`, or a `Document`. The message of a failure lists
each failed quote or claim with the corresponding text of the sources.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Literal, TypeAlias

from groundwire import Source, Transcript
from groundwire.citations import CitationReport, RiskThresholds, assess_answer
from groundwire.documents.document import Document
from groundwire.evidence import QuotePolicy
from groundwire.evidence.schema import check_mode
from groundwire.file_kinds import DOCUMENT_KINDS, unreadable_kind
from groundwire.files import read_file
from groundwire.labels import plural, show
from groundwire.report import QuoteEntry, TranscriptFile, build_guarded_report, build_report
from groundwire.report.check.builder import with_distinct_names
from groundwire.report.check.model import CheckReport
from groundwire.report.findings import claim_failure, has_failed, quote_failure
from groundwire.sanitize import one_line
from groundwire.search_results import SearchResults
from groundwire.sources import transcript_of
from groundwire.thresholds import FUZZY_THRESHOLD

__all__ = ["assert_cited", "assert_faithful", "assert_grounded", "take_counts"]

_Text: TypeAlias = str | Path | Source | Transcript | Document

_counts: Counter[str] = Counter()
_lock = Lock()


def take_counts() -> dict[str, int]:
    """
    Return what the assertions have counted since the last call, for the summary of the pytest plugin.

    Returns:
        Numbers by subject and status, such as `assertions: passed`, `quotes: exact` and `claims: unsupported`.
    """
    with _lock:
        taken = dict(_counts)
        _counts.clear()
    return taken


def _finish(failure: str | None, subject: str, statuses: Iterable[str]) -> None:
    """Count the statuses of an assertion; raise AssertionError if there is a *failure*."""
    __tracebackhide__ = True
    with _lock:
        _counts["assertions: passed" if failure is None else "assertions: failed"] += 1
        _counts.update(f"{subject}: {status}" for status in statuses)
    if failure is not None:
        raise AssertionError(failure)


def assert_grounded(
    quotes: str | Sequence[str],
    source: _Text | Sequence[_Text],
    *,
    policy: Literal["guarded", "literal"] | QuotePolicy = "guarded",
    mode: Literal["substring", "fuzzy"] = "substring",
    threshold: float = FUZZY_THRESHOLD,
) -> None:
    """
    Assert that a source, or one of several, contains all quotes.

    Args:
        quotes: One or more quotes.
        source: One or more texts: each a str, the Path of a UTF-8 file or a document such as a PDF, a Source, a
            Transcript or a Document.
        policy: "guarded" for the verdicts of `groundwire.evidence.assess_quotes`, or a `QuotePolicy`;
            "literal" compares strings.
        mode: Comparison of the literal policy: "substring" or "fuzzy".
        threshold: Minimum score of a similar passage, 0.0 to 1.0.

    Raises:
        AssertionError: A quote is not accepted. The message shows each such quote and its passage:
            `[-...-]` is only in the source, `{+...+}` only in the quote.
        TypeError, ValueError: An argument has the wrong type or is out of range, or there are no quotes,
            which would always pass.
        DocumentError, OSError: A file cannot be read.
    """
    # Hides this frame from pytest's traceback.
    __tracebackhide__ = True
    check_mode(mode)
    wanted = [QuoteEntry(quote) for quote in _checked(quotes)]
    texts = with_distinct_names([_file(each, number) for number, each in enumerate(_several(source), start=1)])
    guarded = build_guarded_report(texts, wanted, policy=_policy(policy, threshold))
    if policy == "literal":
        report = build_report(texts, wanted, mode=mode, threshold=threshold)
        accepted = [result.accepted for result in report.quotes]
    else:
        accepted = [result.accepted for result in guarded.quotes]
    failure = None if all(accepted) else _failure(guarded, accepted)
    _finish(failure, "quotes", (result.status for result in guarded.quotes))


def assert_cited(
    answer: _Text,
    results: Sequence[object] | Mapping[str, _Text] | _Text,
    *,
    settings: RiskThresholds | None = None,
) -> None:
    """
    Assert that an answer cites existing sources, and that these support its claims.

    Args:
        answer: The answer of a model, with its citations.
        results: The search results, as for `groundwire.citations.assess_citations`; or texts, by the ids that the
            answer cites, or in a list if the answer cites them by their numbers from 1.
        settings: Limits of the risk levels; None for the defaults.

    Raises:
        AssertionError: The answer has no claims, the risk is not low, or a claim is contradicted, unsupported, unread,
            or cites the wrong source. The message lists the reasons and the claims.
        TypeError, ValueError, OSError: An argument has the wrong type, or a file cannot be read.
    """
    __tracebackhide__ = True
    text = _to_text("answer", answer)
    assessment = assess_answer("", text, _results(results), settings=settings)
    report = assessment.report
    failed = sum(map(has_failed, report.claims))
    lines = []
    if failed or not assessment.accepted:
        total = plural(report.total_claims, "claim")
        lines = [f"{failed} of {total} not supported by what it cites; {assessment.level.value} risk"]
        lines += [f"reasons: {', '.join(assessment.reasons)}", *_unread_lines(report)]
        for number, claim in enumerate(report.claims, start=1):
            if has_failed(claim) or claim.is_uncited:
                lines += ["", *claim_failure(number, claim)]
    elif not report.claims:
        lines = ["the answer has no claims to check"]
    _finish("\n".join(lines) if lines else None, "claims", (claim.status.value for claim in report.claims))


def assert_faithful(
    persona: object,
    source_data: object,
    *,
    similarity_threshold: float | None = None,
    min_score: float = 1.0,
) -> None:
    """
    Assert that the claims of a persona are supported by its research data.

    Args:
        persona: One or more personas, as for `groundwire.faithfulness.FaithfulnessValidator`: mappings, or the Path of
            a file.
        source_data: Research data, as for the validator: one or more texts as str, Path, Source or Document.
        similarity_threshold: Minimum confidence of a supported claim, 0.0 to 1.0; None for 0.6.
        min_score: Minimum share of supported claims, 0.0 to 1.0. A contradicted claim always fails.

    Raises:
        AssertionError: The share is too low, a claim is contradicted, or there are no claims.
        TypeError, ValueError, OSError: See `FaithfulnessValidator`.
    """
    __tracebackhide__ = True
    # Imported late, because the word lists for personas take time to load.
    from groundwire.faithfulness import FaithfulnessValidator

    validator = FaithfulnessValidator(None, similarity_threshold)
    results = validator.validate_many(personas=persona, source_data=_research(source_data))
    lines = []
    for number, result in enumerate(results, start=1):
        score = result.faithfulness_score
        contradicted = [claim for claim in result.claim_details if claim.contradictions]
        if score is not None and score >= min_score and not contradicted:
            continue
        lines.append(
            f"persona {number}: {result.supported_claims} of {plural(result.total_claims, 'claim')} supported"
            if score is not None
            else f"persona {number}: no claims to check"
        )
        for claim in result.claim_details:
            if claim.status.value != "SUPPORTED":
                nearest = (*claim.contradictions, *claim.near_misses)[:1]
                lines += ["", f"   claim:  {one_line(claim.claim)}"]
                lines += [f"   source: {one_line(each.unit.text)}" for each in nearest]
    if not results:
        lines.append("there are no personas")
    statuses = (claim.status.value.lower() for result in results for claim in result.claim_details)
    _finish("\n".join(lines) if lines else None, "persona claims", statuses)


def _results(results: object) -> SearchResults:
    """Return *results* in the form for `assess_citations`; the id of a text is its key or number."""
    if isinstance(results, _Text):
        results = [results]
    if isinstance(results, Mapping):
        return [{"id": str(key), "text": _to_text(f"results[{key!r}]", text)} for key, text in results.items()]
    if not isinstance(results, Sequence):
        raise TypeError(f"results must be a sequence, a mapping or a text, got {type(results).__name__}")
    return [
        {"id": str(number), "text": _to_text(f"result {number}", each)} if isinstance(each, _Text) else each
        for number, each in enumerate(results, start=1)
    ]


def _unread_lines(report: CitationReport) -> Iterator[str]:
    if report.unread_keys:
        yield f"cited results have no text; their keys: {', '.join(report.unread_keys)}"


def _checked(quotes: str | Sequence[str]) -> list[str]:
    chosen = [quotes] if isinstance(quotes, str) else list(quotes)
    if not chosen:
        raise ValueError("there are no quotes to look for")
    for place, quote in enumerate(chosen):
        if not isinstance(quote, str):
            raise TypeError(f"quotes[{place}] must be a str, got {type(quote).__name__}")
    return chosen


def _several(source: _Text | Sequence[_Text]) -> list[_Text]:
    return [source] if isinstance(source, _Text) else list(source)


def _file(source: _Text, number: int) -> TranscriptFile:
    name = f"source {number}"
    if isinstance(source, str):
        return TranscriptFile(name, source)
    if isinstance(source, Path):
        source = _read(source)
    if isinstance(source, Document):
        text = source.without_running_heads()
        return TranscriptFile(source.name or name, text, reading=transcript_of(source), document=source)
    if isinstance(source, Transcript):
        return TranscriptFile(source.name or name, source.text, reading=source)
    if isinstance(source, Source):
        return TranscriptFile(source.name or name, source.text)
    got = type(source).__name__
    raise TypeError(f"source {number} must be a str, a Path, a Source, a Transcript or a Document, got {got}")


def _read(path: Path) -> Source | Document:
    """
    Return the text of a UTF-8 file, without a byte order mark, or a document in another format.

    Raises:
        OSError: The file cannot be read.
        DocumentError: The document cannot be read.
        ValueError: The file is not UTF-8.
    """
    content = read_file(path)
    kind = unreadable_kind(content)
    if kind is not None and kind.code in DOCUMENT_KINDS:
        from groundwire.documents import read_document

        return read_document(path)
    try:
        return Source(content.decode("utf-8-sig"), name=path.name)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not UTF-8: invalid byte at offset {error.start}") from None


def _research(source_data: object) -> object:
    """Return *source_data* with documents as sources, which keep their offsets."""
    if isinstance(source_data, list | tuple):
        return [_research(each) for each in source_data]
    if isinstance(source_data, Path) and source_data.is_file():
        kind = unreadable_kind(read_file(source_data))
        source_data = _read(source_data) if kind is not None and kind.code in DOCUMENT_KINDS else source_data
    return source_data.source() if isinstance(source_data, Document) else source_data


def _to_text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Path):
        value = _read(value)
    if isinstance(value, Document):
        return value.without_running_heads()
    if isinstance(value, Source | Transcript):
        return value.text
    raise TypeError(f"{name} must be a str, a Path, a Source or a Document, got {type(value).__name__}")


def _policy(policy: str | QuotePolicy, threshold: float) -> QuotePolicy:
    if isinstance(policy, QuotePolicy):
        return policy
    if policy not in ("guarded", "literal"):
        raise ValueError(f'policy must be "guarded", "literal" or a QuotePolicy, got {show(policy)}')
    return QuotePolicy(threshold=threshold)


def _failure(report: CheckReport, accepted: Sequence[bool]) -> str:
    failed = [result for result, is_accepted in zip(report.quotes, accepted, strict=True) if not is_accepted]
    lines = [f"{len(failed)} of {plural(len(accepted), 'quote')} not grounded"]
    for result in failed:
        lines += ["", *quote_failure(result)]
    return "\n".join(lines)
