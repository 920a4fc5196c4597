"""
Checks whether the cited texts of a claim state it (rulings C18 and C19).

The words of the claim are compared with the statements of the text, one of which must state the whole claim. The
engine's support of citations selects the statements to compare. If there is a judge, the judge decides instead. A claim
that cannot be compared goes to review.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from groundwire.ingestion.checks import RelevanceResult, ValidationState
from groundwire.ingestion.citation_detector import Citation
from groundwire.ingestion.duplicates.conflicts import ConflictDetector
from groundwire.ingestion.records import CitedPassage, PassageVerdict
from groundwire.ingestion.statements import Assertion, CitingClaim, split_assertions, split_statements
from groundwire.ingestion.tiers import Tier, apply_tier_rules
from groundwire.ingestion.verification.protocol import VerificationStatus
from groundwire.ingestion.verification.verifier import CitationKey, citation_key
from groundwire.judge.protocol import JudgeDecision, Judgement, JudgeStatus

if TYPE_CHECKING:
    from asyncio import Semaphore

    from groundwire.citations.support import Passages, Support
    from groundwire.ingestion.verification.protocol import BatchVerifier
    from groundwire.judge.protocol import Judge

__all__ = ["RelevanceCheck"]

QUESTION = "Does the cited source state the claim?"
"""The question for the judge."""

_MAX_COMPARED_STATEMENTS = 16
"""The maximum number of statements of a text, those with most of the claim's words, that are compared."""

_MAX_PASSAGE_CHARS = 500
"""The maximum length of a passage that is stored as evidence."""

_MAX_CONCURRENT_JUDGEMENTS = 8
"""The maximum number of concurrent judgements."""

_CITATIONS_PER_TIMEOUT = 64
"""The number of citations that are read within one timeout."""


class RelevanceCheck:
    """
    Compares claims with the texts of their verified citations.

    Args:
        verifier: Reads the texts, by a method `read_many` like that of `CitationVerifier`.
        judge: Decides; None to compare words alone.
        timeout_s: The timeout, in seconds, of a judgement, and of reading the sources of a claim.
    """

    def __init__(self, verifier: "BatchVerifier", judge: "Judge | None", timeout_s: float) -> None:
        self._verifier = verifier
        self._judge = judge
        self._timeout_s = timeout_s

    async def check(self, states: Sequence[ValidationState]) -> None:
        """
        Check the claims that have verified citations and are not blocked.

        Only claims that would otherwise be approved go to the judge, because judgements cost money.
        """
        from asyncio import Semaphore, gather, to_thread

        citing = [state for state in states if not state.is_blocked and state.cited(VerificationStatus.VERIFIED)]
        if not citing:
            return
        texts = await self._read([citation for state in citing for citation in _cited(state).values()])
        if isinstance(texts, str):
            for state in citing:
                state.relevance = RelevanceResult(failure=texts)
            return
        would_pass = [apply_tier_rules(state.tier_inputs()).tier is Tier.AUTO_APPROVE for state in citing]
        for state, relevance in zip(citing, await to_thread(_compare_all, citing, texts), strict=True):
            state.relevance = relevance
        if self._judge is None:
            return
        room = Semaphore(_MAX_CONCURRENT_JUDGEMENTS)
        judged = [state for state, passes in zip(citing, would_pass, strict=True) if passes]
        answers = await gather(*(self._judge_in_turn(room, self._judge, state, texts) for state in judged))
        for state, answer in zip(judged, answers, strict=True):
            state.relevance = answer

    async def _read(self, citations: Sequence[Citation]) -> dict[CitationKey, str | None] | str:
        """Return the text of each of *citations*; after a failure, the name of its class."""
        from asyncio import timeout

        read_many = getattr(self._verifier, "read_many", None)
        if read_many is None or not citations:
            return {}
        wanted = {citation_key(citation): citation for citation in citations}
        portions = -(-len(wanted) // _CITATIONS_PER_TIMEOUT)
        try:
            async with timeout(self._timeout_s * portions):
                return dict(zip(wanted, await read_many(list(wanted.values())), strict=True))
        except Exception as error:  # a custom verifier may raise anything, and its message may contain the claim
            return type(error).__name__

    async def _judge_in_turn(
        self, room: "Semaphore", judge: "Judge", state: ValidationState, texts: Mapping[CitationKey, str | None]
    ) -> RelevanceResult:
        """Return the judge's verdict, with the passages found by comparing words."""
        passages = () if state.relevance is None else state.relevance.passages
        cited = _cited(state)
        names = [each.source for each in passages if each.verdict is not PassageVerdict.UNREAD]
        readable = {name: text for name in names if (text := texts.get(citation_key(cited[name])))}
        if not readable:
            return RelevanceResult(passages)
        async with room:
            answer = await self._is_supported_by_judge(judge, state.claim.content, readable)
        if isinstance(answer, str):
            return RelevanceResult(passages, failure=answer)
        verdict = PassageVerdict.SUPPORTS if answer else PassageVerdict.UNRELATED
        return RelevanceResult(
            tuple(replace(each, verdict=verdict) if each.source in readable else each for each in passages)
        )

    async def _is_supported_by_judge(self, judge: "Judge", content: str, texts: Mapping[str, str]) -> bool | str:
        """Return whether the texts together support the claim; after a failure, its class or code."""
        from asyncio import timeout, to_thread

        from groundwire.judge.protocol import ground_issues

        answer = " ".join([content, *(f"[{name}]" for name in texts)])
        results = [{"id": name, "content": text} for name, text in texts.items()]
        try:
            async with timeout(self._timeout_s):
                judgement = await judge.ajudge(QUESTION, answer, results)
            if not isinstance(judgement, Judgement):
                return "no judgement"
            if judgement.status != JudgeStatus.OK:
                return judgement.error or "no judgement"
            # Quotes that no text contains void the issues they should prove (ruling B12).
            judgement = await to_thread(ground_issues, judgement, results)
            return _is_borne_out(judgement)
        except Exception as error:  # a custom judge may raise anything, and its message may contain the claim
            return type(error).__name__


def _cited(state: ValidationState) -> dict[str, Citation]:
    """Return the verified citations by name."""
    return {each.name: each.citation for each in state.cited(VerificationStatus.VERIFIED)}


def _is_borne_out(judgement: Judgement) -> bool:
    """Return whether the judge is confident that the risk is low, and names no issue (ruling B11)."""
    from groundwire.citations.risk_rules import RiskThresholds

    limits = RiskThresholds()
    risk, confidence = judgement.hallucination_risk, judgement.confidence
    return (
        risk is not None
        and 0.0 <= risk <= limits.moderate_above
        and (confidence is None or confidence >= limits.confidence_from)
        and judgement.decision in (None, JudgeDecision.SYNTHESIZE)
        and not judgement.issues
    )


def _compare_all(citing: Sequence[ValidationState], texts: Mapping[CitationKey, str | None]) -> list[RelevanceResult]:
    """Compare each claim with its cited texts, each of which is split once."""
    read: dict[CitationKey, _CitedText | None] = {}
    results = []
    for state in citing:
        spans = [(each.citation.start, each.citation.end) for each in state.citations]
        claim = CitingClaim(state.claim.content, spans)
        passages = []
        for name, citation in _cited(state).items():
            key = citation_key(citation)
            if key not in read:
                text = texts.get(key)
                read[key] = _CitedText(text) if isinstance(text, str) and text.strip() else None
            cited = read[key]
            passages.append(CitedPassage(name, PassageVerdict.UNREAD) if cited is None else cited.compare(name, claim))
        results.append(RelevanceResult(tuple(passages)))
    return results


class _CitedText:
    """The statements of a cited text, prepared for the first claim."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._statements = split_statements(text)
        self._assertions: dict[int, list[Assertion]] = {}
        self._prepared: Passages | None = None

    def compare(self, name: str, claim: CitingClaim) -> CitedPassage:
        """Return the verdict of this text on *claim*, with the statement that decides."""
        if not self._statements:
            return CitedPassage(name, PassageVerdict.UNREAD)
        support = [] if claim.is_empty else self._passages().support(claim.sentences)
        if not support:
            return self._passage(name, PassageVerdict.UNRELATED, 0)
        likely = self._likely(support)
        in_force = [place for place in likely if self._statements[place].in_force]
        saying = [
            next((place for place in in_force if any(map(part.is_stated_in, self._read(place)))), None)
            for part in claim.parts
        ]
        if None not in saying:
            return self._passage(name, PassageVerdict.SUPPORTS, next(place for place in saying if place is not None))
        for place in in_force:
            if any(each.contradictions[place] is not None for each in support) or self._conflicts(claim, place):
                return self._passage(name, PassageVerdict.CONTRADICTS, place)
        return self._passage(name, PassageVerdict.UNRELATED, likely[0] if likely else 0)

    def _likely(self, support: "Sequence[Support]") -> list[int]:
        """Return the indices of the statements that support the claim best, in descending order."""
        scores = [
            max((each.scores[place] or 0.0 for each in support), default=0.0) for place in range(len(self._statements))
        ]
        order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
        return [place for place in order if scores[place] > 0.0][:_MAX_COMPARED_STATEMENTS]

    def _conflicts(self, claim: CitingClaim, place: int) -> bool:
        """Return whether a statement differs from the claim only in negations, numbers, dates or names."""
        statement = self._words(place)
        return any(ConflictDetector(each).contradicts(statement, is_same=False) for each in claim.sentences)

    def _words(self, place: int) -> str:
        statement = self._statements[place]
        return self._text[statement.start : statement.end]

    def _read(self, place: int) -> list[Assertion]:
        assertions = self._assertions.get(place)
        if assertions is None:
            assertions = self._assertions[place] = split_assertions(self._words(place))
        return assertions

    def _passages(self) -> "Passages":
        if self._prepared is None:
            from groundwire.citations.support import Passages

            self._prepared = Passages([self._words(place) for place in range(len(self._statements))])
        return self._prepared

    def _passage(self, name: str, verdict: PassageVerdict, place: int) -> CitedPassage:
        start, end, _ = self._statements[place]
        end = min(end, start + _MAX_PASSAGE_CHARS)
        shown = self._text[start:end].replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
        return CitedPassage(name, verdict, shown, start, end, self._text.count("\n", 0, start) + 1)
