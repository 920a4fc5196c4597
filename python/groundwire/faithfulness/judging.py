"""
A language model beside the rules: how far claims follow from passages, and what prose states.

Nothing that it writes is taken on trust. A score without its pair is refused; a statement has to
stand on the words of one sentence, in their order, with its numbers and denials; and a
sentence that its statements do not cover is taken apart by the rules, so that no model can
leave out what the sources deny.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from groundwire.errors import LLM_FAILURES, ModelError
from groundwire.faithfulness.statements import ExtractedStatements, prose_statements
from groundwire.labels import show

if TYPE_CHECKING:
    from groundwire.judge.schemas import TaskJudge

__all__ = ["JudgeScorer", "JudgedStatements"]

_PAIRS = 8
_TEXTS = 8
_REQUEST_CHARS = 12_000
"""So many items and characters go into one question: what is asked for fits the length of an answer."""

_Item = TypeVar("_Item", str, tuple[str, str])


class _Asking:
    """
    Asks a judge.

    Args:
        judge: Who is asked: a `groundwire.judge.LLMJudge`.
    """

    def __init__(self, judge: "TaskJudge") -> None:
        self._judge = judge

    @property
    def name(self) -> str:
        """Which model it is."""
        return self._judge.model

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class JudgeScorer(_Asking):
    """
    Asks a judge how far claims follow from passages; a `PairScorer`.

    Args:
        judge: Who is asked: a `groundwire.judge.LLMJudge`.
    """

    def consistencies(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """
        Return for each (context, claim) how far it follows, 0.0 to 1.0.

        Raises:
            ModelError: One question is not answered: half of the scores would be no scores.
        """
        from groundwire.judge.schemas import consistency_task

        filled = self._judge.run_tasks([consistency_task(batch) for batch in _batches(pairs, _PAIRS)])
        if filled.error is not None:
            raise ModelError("judge", _reason(filled.error))
        return [score for answer in filled.answers if answer is not None for score in answer]


class JudgedStatements(_Asking):
    """
    Asks a judge what prose states, one thing at a time.

    Args:
        judge: Who is asked: a `groundwire.judge.LLMJudge`.
    """

    def read(self, texts: Sequence[str]) -> ExtractedStatements:
        """
        Return the statements of each of *texts*, checked; by the rules where the judge did not answer.

        What was not as it should be is in the warnings: how many statements stand nowhere, how
        many sentences the rules took apart in their place, and why the judge gave none.
        """
        from groundwire.judge.schemas import statements_task

        distinct = list(dict.fromkeys(texts))
        batches = list(_batches(distinct, _TEXTS))
        filled = self._judge.run_tasks([statements_task(batch) for batch in batches])
        by_text: dict[str, tuple[str, ...]] = {}
        unread = dropped = uncovered = 0
        for batch, answer in zip(batches, filled.answers, strict=True):
            if answer is None:
                unread += len(batch)
                continue
            for text, proposed in zip(batch, answer, strict=True):
                checked = prose_statements(text, proposed)
                by_text[text] = checked.statements
                dropped += checked.dropped
                uncovered += checked.by_rules
        warnings = []
        if unread:
            told = (
                f"judge: {_reason(filled.error)}; {unread:,} of {len(distinct):,} texts of prose taken apart by rules"
            )
            warnings.append(told)
        if dropped or uncovered:
            warnings.append(
                f"judge: statements left out because they stand nowhere in the prose: {dropped:,}; "
                f"sentences taken apart by rules in their place: {uncovered:,}"
            )
        return ExtractedStatements(by_text, tuple(warnings))


def _batches(items: Sequence[_Item], most: int) -> Iterator[list[_Item]]:
    """Yield *items* in order, so many of them together as go into one question; at least one."""
    batch: list[_Item] = []
    chars = 0
    for item in items:
        length = len(item) if isinstance(item, str) else sum(map(len, item))
        if batch and (len(batch) == most or chars + length > _REQUEST_CHARS):
            yield batch
            batch, chars = [], 0
        batch.append(item)
        chars += length
    if batch:
        yield batch


def _reason(error: str | None) -> str:
    """Why there is no answer, in words that hold nothing of what was asked."""
    code = error or ""
    return LLM_FAILURES.get(code) or f"it failed: {show(code)}"
