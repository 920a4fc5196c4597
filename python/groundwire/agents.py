"""
Checks the quotations of an answer against the results of tools, for an agent that calls tools in a loop.

    from groundwire.agents import check_quotations

    check = check_quotations(answer, {"search": result})
    if not check.accepted:
        messages.append({"role": "user", "content": check.feedback})

A result that cannot be read supports nothing, and `unread` names it. The feedback quotes the results, so it belongs in
messages to the model, and never in logs. `groundwire.langchain` has the same rule as middleware.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groundwire._engine import Source
from groundwire.evidence.assessment import assess_quotes
from groundwire.evidence.explanations import correction, in_quotation_marks
from groundwire.evidence.quotations import QuotedSpan, quotes_in
from groundwire.evidence.verdicts import QuotePolicy, QuoteStatus, QuoteVerdict
from groundwire.labels import plural
from groundwire.language import reader
from groundwire.sanitize import one_line
from groundwire.search_results import read_shape
from groundwire.sources import Sources, document_of
from groundwire.structured_text import BrokenJsonError, read_json
from groundwire.thresholds import MIN_QUOTATION_WORDS
from groundwire.transcripts.transcript import Transcript

if TYPE_CHECKING:
    from groundwire.documents.document import Document

__all__ = ["QuotationCheck", "ToolResults", "UnreadResult", "check_quotations"]

ToolResults: TypeAlias = Mapping[str, object] | Sequence[object]
"""Results of tools, by their names or in order."""

_Text: TypeAlias = "str | Source | Transcript | Document"

_REQUEST = (
    "Write the whole answer again. Copy each quotation word for word from the results, or say the same in your own "
    "words, without quotation marks."
)
# Words, because a quotation may leave out white space and punctuation.
_TEXT_END = "-- This text ends here. It does not continue in the next text. --"
_MAX_SHOWN_QUOTATIONS = 20
_TOOL_NAME_CHARS = 80


class UnreadResult(NamedTuple):
    """
    Names a result, or a part of one, that could not be read.

    Attributes:
        name: The name of the result.
        reason: Why it could not be read: the type of its content, or that the tool failed. Never its content.
    """

    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotationCheck:
    """
    Holds the verdicts on the quotations of an answer.

    Attributes:
        spans: The quotations in the answer, in order.
        verdicts: The verdict on each quotation.
        unread: Results that could not be read.
        policy: The policy of the verdicts.
    """

    spans: tuple[QuotedSpan, ...]
    verdicts: tuple[QuoteVerdict, ...]
    unread: tuple[UnreadResult, ...]
    policy: QuotePolicy

    @property
    def accepted(self) -> bool:
        """Return whether all quotations are accepted, as they are in an answer that quotes nothing."""
        return not self.rejected

    @property
    def rejected(self) -> tuple[QuoteVerdict, ...]:
        """Return the verdicts on the quotations that are not accepted."""
        return tuple(verdict for verdict in self.verdicts if not verdict.accepted)

    @property
    def score(self) -> float | None:
        """Return the share of accepted quotations, 0.0 to 1.0; None if the answer quotes nothing."""
        return 1 - len(self.rejected) / len(self.verdicts) if self.verdicts else None

    @property
    def summary(self) -> str:
        """Return the counts in words, without any text: "1 of 2 quotations accepted"."""
        accepted = len(self.verdicts) - len(self.rejected)
        return f"{accepted:,} of {plural(len(self.verdicts), 'quotation')} accepted"

    @property
    def feedback(self) -> str:
        """Return a message that asks the model for a better answer, with the reasons; empty if there is none."""
        rejected = self.rejected
        if not rejected:
            return ""
        count = plural(len(rejected), "quotation of your answer is", "quotations of your answer are")
        shown = [
            f"- {in_quotation_marks(verdict.quote)}: {correction(verdict, policy=self.policy)}"
            for verdict in rejected[:_MAX_SHOWN_QUOTATIONS]
        ]
        more = [f"- {len(rejected) - len(shown)} more"] if len(rejected) > len(shown) else []
        unread = [f"These results could not be read: {self._unread_names()}."] if self.unread else []
        return "\n".join([f"{count} not in the results of the tools:", *shown, *more, *unread, _REQUEST])

    def _unread_names(self) -> str:
        return ", ".join(f"{one_line(name, limit=_TOOL_NAME_CHARS)} ({reason})" for name, reason in self.unread)


def check_quotations(
    answer: str,
    results: ToolResults,
    *,
    policy: QuotePolicy | None = None,
    min_words: int = MIN_QUOTATION_WORDS,
) -> QuotationCheck:
    """
    Check that the results of tools contain what an answer quotes: words in quotation marks and block quotes.

    Without results, no quotation is accepted. Of a result in JSON, the strings may be quoted. The texts of one result
    are joined by a line that no quotation may cross, and passages have offsets in the whole.

    Args:
        answer: The answer, in plain text or Markdown.
        results: The results of this turn's tools, by their names or in order: texts, lists of content blocks, search
            results as for `groundwire.citations.assess_citations`, or other sources of `assess_quotes`.
        policy: Rules of acceptance; None for the default.
        min_words: Minimum number of words of a quotation; in Chinese, Japanese and Thai, of characters. Shorter ones
            are mostly titles and words that the answer talks about, and are left out.

    Raises:
        TypeError: *answer* is not a str, or *results* is neither a mapping nor a sequence.
        ValueError: The policy names speakers, but a result has no turns.
    """
    rules = QuotePolicy() if policy is None else policy
    spans = tuple(span for span in quotes_in(answer) if reader().count_words(span.text) >= min_words)
    sources, unread = _read_results(results)
    quotes = [span.text for span in spans]
    if sources:
        found = assess_quotes(quotes, Sources(sources), policy=rules)
        verdicts = [_in_one_text(verdict, sources) for verdict in found]
    else:
        verdicts = [_absent(quote) for quote in quotes]
    return QuotationCheck(spans=spans, verdicts=tuple(verdicts), unread=tuple(unread), policy=rules)


def _absent(quote: str) -> QuoteVerdict:
    return QuoteVerdict(quote=quote, status=QuoteStatus.ABSENT, accepted=False)


def _in_one_text(verdict: QuoteVerdict, sources: Mapping[str, _Text]) -> QuoteVerdict:
    """Return *verdict*, or another one if its passage is not inside a single text of its source."""
    text = sources.get(verdict.source or "")
    if verdict.match is None or not isinstance(text, str):
        return verdict
    reach = len(_TEXT_END) - 1
    end = text.find(_TEXT_END, max(0, verdict.match.start - reach), verdict.match.end + reach)
    return verdict if end < 0 else _absent(verdict.quote)


class _Unreadable(NamedTuple):
    """Holds why a part of a result cannot be read."""

    reason: str


def _read_results(results: ToolResults) -> tuple[dict[str, _Text], list[UnreadResult]]:
    """Return the texts of *results*, by names that differ, and what cannot be read."""
    sources: dict[str, _Text] = {}
    unread: list[UnreadResult] = []
    for name, result in _named(results):
        parts = list(_parts(result))
        unread += [UnreadResult(name, part.reason) for part in parts if isinstance(part, _Unreadable)]
        texts = [part for part in parts if isinstance(part, str)]
        others = [part for part in parts if not isinstance(part, str | _Unreadable)]
        for source in [*([f"\n\n{_TEXT_END}\n\n".join(texts)] if texts else []), *others]:
            sources[_free_name(name, sources)] = source
    return sources, unread


def _named(results: ToolResults) -> Iterator[tuple[str, object]]:
    if isinstance(results, Mapping):
        yield from ((str(name), result) for name, result in results.items())
    elif isinstance(results, Sequence) and not isinstance(results, str | bytes):
        yield from ((f"result {number}", result) for number, result in enumerate(results, start=1))
    else:
        raise TypeError(f"results must be a mapping or a sequence, got {type(results).__name__}; put a text in a list")


def _free_name(name: str, taken: Mapping[str, object]) -> str:
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free


def _parts(result: object) -> "Iterator[_Text | _Unreadable]":
    """Yield the texts of a result, and why its other parts cannot be read."""
    for part in result if isinstance(result, list) else [result]:
        if isinstance(part, str):
            yield from _texts(part)
        elif isinstance(part, Source | Transcript):
            yield part
        elif (document := document_of(part)) is not None:
            yield document
        else:
            shape = read_shape(part)
            text = None if shape is None else shape.text().text
            yield from [_Unreadable(_kind(part))] if text is None else _texts(text)


def _texts(text: str) -> Iterator[str]:
    """Yield the strings of a text that is JSON, or else the text; nothing that is blank."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            yield from (each for each in _strings(read_json(text)) if each.strip())
            return
        except BrokenJsonError:
            # Markdown begins with a bracket as well.
            pass
    if text.strip():
        yield text


def _strings(value: object) -> Iterator[str]:
    """Yield the strings of a JSON value, without the keys of objects."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, list):
            waiting += reversed(each)
        elif isinstance(each, dict):
            waiting += reversed(each.values())


def _kind(part: object) -> str:
    """Return the type of a content block or an object without a text."""
    kind = part.get("type") if isinstance(part, Mapping) else None
    return one_line(kind, limit=_TOOL_NAME_CHARS) if isinstance(kind, str) else f"{type(part).__name__} without a text"
