"""
The report on personas as JUnit XML, for the gates of CI: a suite for each persona, a case for each claim.

The form is that of Ant's JUnit task, which is the strictest in use. It wants times and a
host; a report that is to be the same each time has none, so these are constants.
"""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from groundwire.faithfulness.results import ReviewStatus
from groundwire.report.faithfulness import ClaimEntry, FaithfulnessReport, PersonaReport
from groundwire.report.labels import (
    claim_reason_text,
    difference_lines,
    evidence_text,
    groups_of,
    persona_counts_text,
    persona_text,
    place_text,
    review_text,
    score_text,
    sources_text,
)
from groundwire.report.text.faithfulness import highlighted
from groundwire.sanitize import one_line, sanitize

__all__ = ["render_junit"]

_NO_CLOCK = {"time": "0", "timestamp": "1970-01-01T00:00:00", "hostname": "localhost"}
_CLASS = "groundwire.faithfulness"
_QUOTE = {'"': "&quot;"}


def render_junit(report: FaithfulnessReport) -> str:
    """
    Return *report* as JUnit XML.

    A claim that is not supported is a failure, whose type is the verdict; one that is made up is
    skipped. Characters that XML forbids are spelled out, as in the other reports.
    """
    suites = (line for persona in report.personas for line in _suite(persona, report))
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", *suites, "</testsuites>", ""])


def _suite(persona: PersonaReport, report: FaithfulnessReport) -> Iterator[str]:
    failures = sum(claim.verdict != "supported" for claim in persona.claim_details)
    counts = {
        "tests": persona.total_claims + len(persona.synthetic),
        "failures": failures,
        "errors": 0,
        "skipped": len(persona.synthetic),
    }
    yield f"  <testsuite{_attributes(name=persona.name, package=_CLASS, id=persona.number - 1, **counts, **_NO_CLOCK)}>"
    yield "    <properties>"
    for key, value in _properties(persona, report):
        yield f"      <property{_attributes(name=key, value=value)}/>"
    yield "    </properties>"
    for claim in persona.claim_details:
        yield from _case(claim, persona)
    for each in persona.synthetic:
        yield f"    <testcase{_of(each.path, each.claim)}><skipped/></testcase>"
    yield f"    <system-out>{_text(persona_text(persona))}\n{_text(persona_counts_text(persona))}</system-out>"
    yield f"    <system-err>{_text(chr(10).join(persona.warnings))}</system-err>"
    yield "  </testsuite>"


def _properties(persona: PersonaReport, report: FaithfulnessReport) -> Iterator[tuple[str, str]]:
    yield "groundwire", report.tool.version
    yield "backend", persona.backend
    yield "threshold", f"{report.settings.threshold:g}"
    yield "min_score", f"{report.settings.min_score:g}"
    if report.settings.support_score is not None:
        yield "support_score", report.settings.support_score
    if persona.faithfulness_score is not None:
        yield "faithfulness_score", score_text(persona.faithfulness_score)
    if persona.reviews is not None:
        for status in ReviewStatus:
            yield f"review_{status}", str(getattr(persona.reviews, status.value))
        yield "supported_or_approved", str(persona.reviews.supported_or_approved)
        yield "adjusted_score", score_text(persona.reviews.adjusted_score)


def _case(claim: ClaimEntry, persona: PersonaReport) -> Iterator[str]:
    opening = f"    <testcase{_of(claim.path, claim.claim)}"
    if claim.verdict == "supported":
        yield f"{opening}/>"
        return
    review = review_text(claim)
    message = f"{claim.verdict}: {claim_reason_text(claim)}{f'; {review}' if review else ''}"
    yield f"{opening}><failure{_attributes(type=claim.verdict, message=message)}>"
    yield from map(_text, _lines(claim, persona))
    yield "    </failure></testcase>"


def _lines(claim: ClaimEntry, persona: PersonaReport) -> Iterator[str]:
    said = sources_text(claim, len(persona.sources))
    yield f"confidence {score_text(claim.confidence)}, {claim.level}{f', {said}' if said else ''}"
    for group in groups_of(claim):
        for entry in group.entries:
            yield f"{group.words}: {evidence_text(entry)}, {place_text(entry)}: {highlighted(entry)}"
            yield from difference_lines(entry)


def _of(path: str, claim: str) -> str:
    return _attributes(classname=f"{_CLASS}.{path}", name=claim, time="0")


def _attributes(**values: object) -> str:
    # Its own quotation marks, so that no text decides how an attribute is written.
    quoted = {name: escape(one_line(str(value)), _QUOTE) for name, value in values.items()}
    return "".join(f' {name}="{value}"' for name, value in quoted.items())


def _text(text: str) -> str:
    return escape(sanitize(text))
