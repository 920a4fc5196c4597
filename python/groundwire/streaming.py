"""
Checks the quotes and claims of an answer while a model is still writing it.

    from groundwire.streaming import QuoteStream

    stream = QuoteStream(source)
    for chunk in chunks_of_the_answer:
        for verdict in stream.feed(chunk):
            print(verdict.status, verdict.quote)
    for verdict in stream.close():
        print(verdict.status, verdict.quote)

A quote is complete when no text after it can change it, usually one word after its closing mark. A claim is complete
when the next paragraph or list item begins, because a citation may follow anywhere in its own. In paragraphs of more
than 8,000 characters, both come later. Together, the verdicts are those for the whole answer.
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from groundwire._engine import Source
from groundwire.citations.assessment import assess_read, check_settings, passages_of
from groundwire.citations.risk_rules import Policy
from groundwire.evidence.assessment import assess_quotes
from groundwire.evidence.quotations import QuotedSpan, complete_quotes, may_end_quote, quotes_in, start_of_rest
from groundwire.evidence.verdicts import QuotePolicy, QuoteVerdict
from groundwire.prose import Prose
from groundwire.search_results import read_results

if TYPE_CHECKING:
    import os

    from groundwire.citations import ClaimRecord, RiskThresholds
    from groundwire.documents.document import Document
    from groundwire.pair_scorer import PairScorer
    from groundwire.search_results import SearchResults
    from groundwire.sources import Sources
    from groundwire.support_score import SupportScore
    from groundwire.transcripts.transcript import Transcript

__all__ = ["ClaimStream", "QuoteStream"]

# The beginning of a line up to the end of its first word; markers of lists, headings and block quotes are no words.
_FIRST_WORD = re.compile(r"[\s>*+#-]*+(?:\d{1,9}[.)]\s++)?[\s>*_#-]*+[^\s>*_#-]\S*+\s")


# A longer paragraph is read again only when it has grown by an eighth, so the time for an answer is nearly linear.
_ALWAYS_READ_CHARS = 8_000
_GROWTH = 8


class _UnreadText:
    """
    Holds the end of an answer that its continuation can still change.

    Attributes:
        text: The end of the answer.
        offset: Its offset in the answer.
        whole: Length of the beginning of `text` in which every word is complete.
    """

    def __init__(self) -> None:
        self.text = ""
        self.offset = 0
        self.whole = 0
        self._read = 0
        self._is_closed = False

    def append(self, chunk: str) -> bool:
        """
        Append *chunk*, and tell whether it completes a word.

        Raises:
            TypeError: *chunk* is not a str.
            ValueError: The answer is closed.
        """
        if not isinstance(chunk, str):
            raise TypeError(f"chunk must be a str, got {type(chunk).__name__}")
        if self._is_closed:
            raise ValueError("the stream is closed")
        self.text += chunk
        if " " not in chunk and "\n" not in chunk:
            return False
        self.whole = len(self.text) - len(chunk) + max(chunk.rfind(" "), chunk.rfind("\n")) + 1
        return True

    def is_due(self) -> bool:
        """Tell whether to read the text: it is short, or much longer than at the last reading."""
        if self.whole > _ALWAYS_READ_CHARS and self.whole < self._read + self._read // _GROWTH:
            return False
        self._read = self.whole
        return True

    def drop(self, chars: int) -> None:
        """Remove the first *chars* characters."""
        self.text = self.text[chars:]
        self.offset += chars
        self.whole = max(0, self.whole - chars)
        self._read = max(0, self._read - chars)

    def close(self) -> str:
        """Return the rest of the answer, once; after that, an empty text."""
        rest = "" if self._is_closed else self.text
        self._is_closed = True
        return rest


class QuoteStream:
    """
    Checks each quote of an answer as soon as it is complete.

    Args:
        source: See `groundwire.evidence.assess_quotes`. It is prepared once.
        policy: Rules of acceptance; None for the default.
        min_chars: Minimum number of characters of a quote. Shorter ones have no verdict.

    Attributes:
        spans: The quotes that have a verdict so far, in the order of the verdicts. Offsets are those of the whole
            answer. The depth of a quote counts only those around it that were complete.

    Raises:
        TypeError, ValueError: An argument has the wrong type, or the policy does not fit the source.
    """

    def __init__(
        self,
        source: "str | Source | Transcript | Document | Sources",
        *,
        policy: QuotePolicy | None = None,
        min_chars: int = 1,
    ) -> None:
        self.spans: list[QuotedSpan] = []
        self._source = _prepared(source)
        self._policy = QuotePolicy() if policy is None else policy
        self._min_chars = min_chars
        self._unread = _UnreadText()
        self._checked: set[tuple[int, int]] = set()
        self._may_complete = False
        self._has_others = False
        # Offset in the unread text after which nothing before it matters.
        self._rest: int | None = None
        # Reports wrong arguments now, not at the first quote.
        assess_quotes([], self._source, policy=self._policy)

    def feed(self, chunk: str) -> list[QuoteVerdict]:
        """
        Return the verdicts on the quotes that *chunk* completes, in the order of their starts.

        Args:
            chunk: The next part of the answer, of any length.

        Raises:
            TypeError: *chunk* is not a str.
            ValueError: The stream is closed.
        """
        unread = self._unread
        start = unread.whole
        if not unread.append(chunk):
            return []
        self._may_complete = self._may_complete or self._is_decisive(start)
        if not self._may_complete or not unread.is_due():
            return []
        self._may_complete = False
        if self._rest is not None:
            unread.drop(start_of_rest(unread.text[: unread.whole], self._rest))
        complete = complete_quotes(unread.text[: unread.whole], min_chars=self._min_chars)
        verdicts = self._assess(complete.spans)
        self._has_others = complete.has_others
        self._rest = None if complete.rest is None else complete.rest - complete.done
        unread.drop(complete.done)
        return verdicts

    def close(self) -> list[QuoteVerdict]:
        """Return the verdicts on all other quotes of the answer. After that, the stream takes no more text."""
        return self._assess(quotes_in(self._unread.close(), min_chars=self._min_chars))

    def _is_decisive(self, start: int) -> bool:
        """Tell whether the whole words from *start* may complete a quote."""
        text, end = self._unread.text, self._unread.whole
        return may_end_quote(text, start, end) or (self._has_others and text.find("\n", start, end) >= 0)

    def _assess(self, spans: list[QuotedSpan]) -> list[QuoteVerdict]:
        offset = self._unread.offset
        moved = (replace(span, start=span.start + offset, end=span.end + offset) for span in spans)
        new = [span for span in moved if (span.start, span.end) not in self._checked]
        if not new:
            return []
        self._checked.update((span.start, span.end) for span in new)
        self.spans += new
        return assess_quotes([span.text for span in new], self._source, policy=self._policy)


class ClaimStream:
    """
    Checks each claim of an answer, with its citations, as soon as it is complete.

    Args:
        results, settings, score, reader: See `groundwire.citations.assess_citations`. The results are prepared once.

    Raises:
        TypeError, ValueError, SupportScoreError, OSError: See `groundwire.citations.assess_citations`.
    """

    def __init__(
        self,
        results: "SearchResults",
        *,
        settings: "RiskThresholds | None" = None,
        score: "SupportScore | str | os.PathLike[str] | None" = None,
        reader: "PairScorer | None" = None,
    ) -> None:
        self._settings = check_settings(settings)
        self._results = read_results(results)
        self._passages = passages_of(self._results, score)
        self._reader = reader
        self._unread = _UnreadText()
        self._line = 0

    def feed(self, chunk: str) -> "list[ClaimRecord]":
        """
        Return the claims that *chunk* completes, in order. Their offsets are those of the whole answer.

        Args:
            chunk: The next part of the answer, of any length.

        Raises:
            TypeError: *chunk* is not a str.
            ValueError: The stream is closed.
            ModelError: The reader failed.
        """
        unread = self._unread
        if not unread.append(chunk):
            return []
        text = unread.text[: unread.whole]
        line = text.rfind("\n", 0, max(0, unread.whole - 1)) + 1
        if line == self._line or not unread.is_due() or _FIRST_WORD.match(text, line) is None:
            return []
        self._line = line
        prose = Prose(text)
        done = prose.start_of_last_block() if prose.blocks else 0
        claims = self._assess(text[:done])
        unread.drop(done)
        self._line -= done
        return claims

    def close(self) -> "list[ClaimRecord]":
        """Return all other claims of the answer. After that, the stream takes no more text."""
        return self._assess(self._unread.close())

    def _assess(self, text: str) -> "list[ClaimRecord]":
        if not text:
            return []
        report = assess_read(text, self._results, self._passages, Policy.COVERAGE, self._settings, self._reader)
        return [claim.moved(self._unread.offset) for claim in report.claims]


def _prepared(source: object) -> "str | Source | Transcript | Document | Sources":
    """Return *source* so that `assess_quotes` does not prepare it again on each call."""
    if isinstance(source, str):
        return Source(source, profile="typographic")
    if isinstance(source, Source) and source.profile != "typographic":
        return Source(source.text, name=source.name, profile="typographic")
    return source  # type: ignore[return-value]  # assess_quotes refuses all other types
