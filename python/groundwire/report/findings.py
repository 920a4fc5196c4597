"""
Gives the items of a report to tools that read results of checks: GitHub's annotations, SARIF, JUnit, and test tools.

A finding is about a place in a file of the user: the quotes, or the answer that a model wrote. Sources: GitHub's
workflow commands, SARIF 2.1.0 (OASIS), and the JUnit schema of Ant. A failure is lines of text for the message of a
test tool.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from groundwire._engine import __version__
from groundwire.citations import CitedClaimStatus, ClaimRecord
from groundwire.citations.report import CLAIM_STATUSES
from groundwire.evidence.verdicts import STATUSES
from groundwire.report.check.model import CheckReport, QuoteResult
from groundwire.report.cite.model import AnswerReport, CiteReport, ClaimEntry
from groundwire.report.highlights import diff_text
from groundwire.report.labels import score_text
from groundwire.report.labels.check import notable_reasons, position_text, quote_status_text
from groundwire.sanitize import one_line
from groundwire.templating import render

__all__ = [
    "Position",
    "ReportFinding",
    "check_findings",
    "cite_findings",
    "claim_failure",
    "has_failed",
    "quote_failure",
    "render_cases",
    "render_github",
    "render_sarif",
]

_MAX_NAME_CHARS = 200

RULES: Mapping[str, str] = {
    **{f"quote/{status.value}": words for status, words in STATUSES.items()},
    **{f"claim/{status.value}": words for status, words in CLAIM_STATUSES.items()},
    "answer/risk": "the risk of the answer is too high to accept it",
}
"""Explains each rule that a finding may name."""


class Position(NamedTuple):
    """
    Holds a place in a file.

    Attributes:
        file: The path as given.
        line: Line from 1; None for the file as a whole.
        column: Code point within the line, from 1.
    """

    file: str
    line: int | None = None
    column: int | None = None


class ReportFinding(NamedTuple):
    """
    Holds one item of a report.

    Attributes:
        group: The name of the group: a domain of quotes, or an answer.
        name: The item: a quote or a claim.
        rule: Its status.
        message: Why it is not accepted, in sentences; empty if it is accepted.
        position: Where it was written.
        source: The passage of the source that it was compared with.
    """

    group: str
    name: str
    rule: str
    message: str
    position: Position
    source: Position | None = None

    @property
    def is_fault(self) -> bool:
        """Return whether the item is not accepted."""
        return bool(self.message)


def check_findings(
    report: CheckReport, quotes_file: str, answer: str | None = None, lines: Sequence[int | None] = ()
) -> list[ReportFinding]:
    """
    Return the quotes of *report* as findings.

    Args:
        report: The report.
        quotes_file: The file of the quotes, as given.
        answer: Its text, if the quotes are quotations of an answer.
        lines: The line of each quote in the file; empty if they are not known.
    """
    return [
        _of_quote(result, _written_at(result, quotes_file, answer, line))
        for result, line in zip_longest(report.quotes, lines)
    ]


def _of_quote(result: QuoteResult, position: Position) -> ReportFinding:
    passage = result.places[0] if result.places else result.nearest
    words = " ".join(reason.words for reason in result.reasons) or RULES[f"quote/{result.status}"]
    return ReportFinding(
        group=result.domain or "quotes",
        name=one_line(result.quote, limit=_MAX_NAME_CHARS) or "(empty)",
        rule=f"quote/{result.status}",
        message="" if result.accepted else one_line(words),
        position=position,
        source=None if passage is None else Position(passage.name, passage.line, passage.column),
    )


def _written_at(result: QuoteResult, quotes_file: str, answer: str | None, line: int | None) -> Position:
    """Return the place of a quotation in *answer*, or else the *line* of a quote."""
    start = None if result.origin is None else result.origin.start
    if start is None or answer is None:
        return Position(quotes_file, line)
    before = answer[:start]
    return Position(quotes_file, before.count("\n") + 1, start - before.rfind("\n"))


def cite_findings(report: CiteReport) -> list[ReportFinding]:
    """Return the claims of *report* as findings, and for each answer one for its risk."""
    return [finding for answer in report.answers for finding in _of_answer(answer)]


def _of_answer(answer: AnswerReport) -> Iterator[ReportFinding]:
    # The line of a batch is that of the answer, and those of the claims are inside of it.
    for claim in answer.claims:
        position = (
            Position(answer.name, claim.line, claim.column)
            if answer.line is None
            else Position(answer.name, answer.line)
        )
        yield ReportFinding(
            group=answer.name,
            name=one_line(claim.text, limit=_MAX_NAME_CHARS),
            rule=f"claim/{claim.status}",
            message=_fault_of(claim),
            position=position,
        )
    words = "" if answer.accepted else " ".join(reason.words for reason in answer.reasons)
    yield ReportFinding(
        answer.name, f"risk: {answer.level}", "answer/risk", one_line(words), Position(answer.name, answer.line)
    )


def _fault_of(claim: ClaimEntry) -> str:
    """Return why a claim is not accepted; a short claim without a citation is no fault."""
    if claim.status == "supported" and not claim.invalid:
        return ""
    words = " ".join(finding.words for finding in claim.findings)
    return one_line(words) if words or claim.status == "uncited" else RULES[f"claim/{claim.status}"]


def render_github(findings: Sequence[ReportFinding]) -> str:
    """Return workflow commands that annotate the files of a pull request, one line for each fault."""
    return "".join(f"{_command(finding)}\n" for finding in findings if finding.is_fault)


def _command(finding: ReportFinding) -> str:
    place = finding.position
    values = {"file": place.file, "line": place.line, "col": place.column, "title": f"groundwire: {finding.rule}"}
    given = ",".join(f"{key}={_property(str(value))}" for key, value in values.items() if value is not None)
    at = "" if finding.source is None else f" (source: {_shown(finding.source)})"
    return f"::error {given}::{_data(f'{finding.name}: {finding.message}{at}')}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _shown(place: Position) -> str:
    return ":".join(str(value) for value in place if value is not None)


def render_sarif(findings: Sequence[ReportFinding]) -> str:
    """Return SARIF 2.1.0 with a result for each fault, and the rules that the faults name."""
    faults = [finding for finding in findings if finding.is_fault]
    names = list(dict.fromkeys(finding.rule for finding in faults))
    rules = [{"id": name, "shortDescription": {"text": RULES[name]}} for name in names]
    run = {
        "tool": {"driver": {"name": "groundwire", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, names.index(finding.rule)) for finding in faults],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _result(finding: ReportFinding, rule: int) -> dict[str, Any]:
    result = {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": "error",
        "message": {"text": f"{finding.name}: {finding.message}"},
        "locations": [_location(finding.position)],
    }
    if finding.source is None:
        return result
    related = {"id": 0, "message": {"text": "the passage of the source"}, **_location(finding.source)}
    return {**result, "relatedLocations": [related]}


def _location(place: Position) -> dict[str, Any]:
    region = {"startLine": place.line, "startColumn": place.column}
    given = {key: value for key, value in region.items() if value is not None}
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(place.file)}}
    return {"physicalLocation": {**physical, "region": given} if given else physical}


def _uri(path: str) -> str:
    """Return a path as a relative reference."""
    from urllib.parse import quote

    # A name that is not UTF-8 is spelled out, as in the other formats.
    return quote(path.replace("\\", "/"), safe="/", errors="backslashreplace")


def render_cases(findings: Sequence[ReportFinding], suite: str) -> str:
    """
    Return JUnit XML: a suite for each group of *findings*, a case for each item.

    Args:
        findings: The findings, in order.
        suite: The package of the suites, such as `groundwire.check`.
    """
    groups: dict[str, list[ReportFinding]] = {}
    for finding in findings:
        groups.setdefault(finding.group, []).append(finding)
    return render("groundwire.report", "cases.xml.j2", {"groups": [*groups.items()], "suite": suite})


_NEARBY = frozenset({"near", "altered", "elided", "wrong_speaker"})
_FAILED = frozenset(
    {
        CitedClaimStatus.CONTRADICTED,
        CitedClaimStatus.MISATTRIBUTED,
        CitedClaimStatus.UNSUPPORTED,
        CitedClaimStatus.UNREAD,
    },
)


def has_failed(claim: ClaimRecord) -> bool:
    """Return whether *claim* cites an id that does not exist, or its sources do not support it."""
    return claim.status in _FAILED or bool(claim.invalid)


def quote_failure(result: QuoteResult) -> Iterator[str]:
    """
    Yield the lines about a quote: its status, and the corresponding passage of the source.

    In the passage, `[-...-]` is only in the source, and `{+...+}` only in the quote.
    """
    why = " ".join(reason.words for reason in notable_reasons(result))
    yield f"#{result.number} {quote_status_text(result.status)}{f': {one_line(why)}' if why else ''}"
    yield f"   quote:  {one_line(result.quote) or '(empty)'}"
    for place in result.places[:1]:
        shown = diff_text(result) if result.status in _NEARBY else one_line(place.passage)
        where = one_line(position_text(place))
        yield f"   source: {shown}"
        yield f"           at {where}, characters {place.start} to {place.end}, score {score_text(place.score)}"


def claim_failure(number: int, claim: ClaimRecord) -> Iterator[str]:
    """Yield the lines about a claim of an answer: its status, its text and its citations; `!` marks unknown ids."""
    yield f"#{number} {claim.status.value}: {CLAIM_STATUSES[claim.status]}"
    yield f"   claim:  {one_line(claim.text)}"
    yield f"   cites:  {one_line(', '.join([*claim.valid, *(f'!{id_}' for id_ in claim.invalid)])) or '–'}"
