"""
Does what a claim cites say what it claims?

Source: rulings C18 and C19. The claim is compared with the statements of the text, by the
words of both: one of them has to say all that the claim says. The engine's support of
citations chooses the statements that are read. A judge, if there is one, decides instead.
What nobody can tell goes to a person.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from groundwire.ingestion.duplicates_conflict import Conflicts
from groundwire.ingestion.evidence import CitedPassage, PassageVerdict
from groundwire.ingestion.examination import Examination, Relevance
from groundwire.ingestion.passages import CitingClaim, PassageTerms, assertions_of, statements_of
from groundwire.ingestion.provenance import Citation
from groundwire.ingestion.tiers import Tier, decide
from groundwire.ingestion.verify.cache import Key, key_of
from groundwire.ingestion.verify.results import VerificationStatus
from groundwire.judge.protocol import JudgeDecision, Judgement, JudgeStatus

if TYPE_CHECKING:
    from asyncio import Semaphore

    from groundwire.citations.support import Passages, Support
    from groundwire.ingestion.verify.protocol import BatchVerifier
    from groundwire.judge.protocol import Judge

__all__ = ["RelevanceCheck"]

QUESTION = "Does the source that is cited say what is claimed?"

_NEAREST_STATEMENTS = 16
"""So many statements of a text, those that have most of a claim's words, are read beside it."""

_EVIDENCE_CHARS = 500
"""So much of a passage is kept as evidence."""

_MOST_AT_ONCE = 8
"""So many claims are judged at the same time."""

_MOST_AT_A_TIME = 64
"""So many citations are read within the time of one answer."""


class RelevanceCheck:
    """
    Asks what verified citations say.

    Args:
        verifier: Who can read them, by a method `read_many` as `CitationVerifier` has it.
        judge: Who decides; None for the words alone.
        timeout_s: How long a judgement may take, and reading what a claim cites, in seconds.
    """

    def __init__(self, verifier: "BatchVerifier", judge: "Judge | None", timeout_s: float) -> None:
        self._verifier = verifier
        self._judge = judge
        self._timeout_s = timeout_s

    async def check(self, found: Sequence[Examination]) -> None:
        """
        Look at the claims that cite something that is there, unless they are blocked.

        A judge is asked about those alone that would be approved otherwise: it costs something.
        """
        from asyncio import Semaphore, gather, to_thread

        asked = [one for one in found if not one.is_blocked and one.cited(VerificationStatus.VERIFIED)]
        texts = await self._read([citation for one in asked for citation in _cited(one).values()])
        if isinstance(texts, str):
            for one in asked:
                one.relevance = Relevance(failure=texts)
            return
        would_pass = [decide(one.findings()).tier is Tier.AUTO_APPROVE for one in asked]
        for one, relevance in zip(asked, await to_thread(_compare_all, asked, texts), strict=True):
            one.relevance = relevance
        if self._judge is None:
            return
        room = Semaphore(_MOST_AT_ONCE)
        judged = [one for one, passes in zip(asked, would_pass, strict=True) if passes]
        answers = await gather(*(self._judged_in(room, self._judge, one, texts) for one in judged))
        for one, answer in zip(judged, answers, strict=True):
            one.relevance = answer

    async def _read(self, citations: Sequence[Citation]) -> dict[Key, str | None] | str:
        """Return what stands in *citations*; else why nothing is known of any, as the name of a class."""
        from asyncio import timeout

        read_many = getattr(self._verifier, "read_many", None)
        if read_many is None or not citations:
            return {}
        wanted = {key_of(citation): citation for citation in citations}
        portions = -(-len(wanted) // _MOST_AT_A_TIME)
        try:
            async with timeout(self._timeout_s * portions):
                return dict(zip(wanted, await read_many(list(wanted.values())), strict=True))
        except Exception as error:  # a verifier may be anybody's, and its words may hold the claim
            return type(error).__name__

    async def _judged_in(
        self, room: "Semaphore", judge: "Judge", one: Examination, texts: Mapping[Key, str | None]
    ) -> Relevance:
        """Return what the judge says instead of the words, with the passages that the words have found."""
        passages = () if one.relevance is None else one.relevance.passages
        cited = _cited(one)
        names = [each.source for each in passages if each.verdict is not PassageVerdict.UNREAD]
        readable = {name: text for name in names if (text := texts.get(key_of(cited[name])))}
        if not readable:
            return Relevance(passages)
        async with room:
            answer = await self._judged(judge, one.claim.content, readable)
        if isinstance(answer, str):
            return Relevance(passages, failure=answer)
        verdict = PassageVerdict.SUPPORTS if answer else PassageVerdict.UNRELATED
        return Relevance(
            tuple(replace(each, verdict=verdict) if each.source in readable else each for each in passages)
        )

    async def _judged(self, judge: "Judge", content: str, texts: Mapping[str, str]) -> bool | str:
        """Return whether the texts together support the claim; else why the judge cannot say, as a class or a code."""
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
            # Quotes that no text has void what they should prove (ruling B12).
            judgement = await to_thread(ground_issues, judgement, results)
            return _is_borne_out(judgement)
        except Exception as error:  # a judge may be anybody's, and its words may hold the claim
            return type(error).__name__


def _cited(one: Examination) -> dict[str, Citation]:
    """What is cited and there, by its name."""
    return {each.name: each.citation for each in one.cited(VerificationStatus.VERIFIED)}


def _is_borne_out(judgement: Judgement) -> bool:
    """Whether the judge is sure enough that there is hardly a risk, and names no fault (ruling B11)."""
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


def _compare_all(asked: Sequence[Examination], texts: Mapping[Key, str | None]) -> list[Relevance]:
    """Compare each claim with the texts that it cites; each text is cut up once."""
    read: dict[Key, _CitedText | None] = {}
    found = []
    for one in asked:
        places = [(each.citation.start, each.citation.end) for each in one.citations]
        claim = CitingClaim(one.claim.content, places)
        passages = []
        for name, citation in _cited(one).items():
            key = key_of(citation)
            if key not in read:
                text = texts.get(key)
                read[key] = _CitedText(text) if isinstance(text, str) and text.strip() else None
            cited = read[key]
            passages.append(CitedPassage(name, PassageVerdict.UNREAD) if cited is None else cited.compare(name, claim))
        found.append(Relevance(tuple(passages)))
    return found


class _CitedText:
    """The text of a citation, in statements, prepared when a claim is first compared with them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._statements = statements_of(text)
        self._said: dict[int, list[PassageTerms]] = {}
        self._prepared: Passages | None = None

    def compare(self, name: str, claim: CitingClaim) -> CitedPassage:
        """Return what this text says of *claim*, by the statement that decides."""
        if not self._statements:
            return CitedPassage(name, PassageVerdict.UNREAD)
        support = [] if claim.is_empty else self._passages().support(claim.sentences)
        if not support:
            return self._passage(name, PassageVerdict.UNRELATED, 0)
        likely = self._likely(support)
        in_force = [place for place in likely if self._statements[place].in_force]
        saying = [
            next((place for place in in_force if any(map(part.is_in, self._read(place)))), None) for part in claim.parts
        ]
        if None not in saying:
            return self._passage(name, PassageVerdict.SUPPORTS, next(place for place in saying if place is not None))
        for place in in_force:
            if any(each.contradictions[place] is not None for each in support) or self._conflicts(claim, place):
                return self._passage(name, PassageVerdict.CONTRADICTS, place)
        return self._passage(name, PassageVerdict.UNRELATED, likely[0] if likely else 0)

    def _likely(self, support: "Sequence[Support]") -> list[int]:
        """Return the places of the statements that have most of the claim, the best first."""
        scores = [
            max((each.scores[place] or 0.0 for each in support), default=0.0) for place in range(len(self._statements))
        ]
        order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
        return [place for place in order if scores[place] > 0.0][:_NEAREST_STATEMENTS]

    def _conflicts(self, claim: CitingClaim, place: int) -> bool:
        """Whether a statement is that of the claim but for a negation, a number, a date or a name."""
        statement = self._words(place)
        return any(Conflicts(each).has_with(statement, is_same=False) for each in claim.sentences)

    def _words(self, place: int) -> str:
        statement = self._statements[place]
        return self._text[statement.start : statement.end]

    def _read(self, place: int) -> list[PassageTerms]:
        said = self._said.get(place)
        if said is None:
            said = self._said[place] = assertions_of(self._words(place))
        return said

    def _passages(self) -> "Passages":
        if self._prepared is None:
            from groundwire.citations.support import Passages

            self._prepared = Passages([self._words(place) for place in range(len(self._statements))])
        return self._prepared

    def _passage(self, name: str, verdict: PassageVerdict, place: int) -> CitedPassage:
        start, end, _ = self._statements[place]
        end = min(end, start + _EVIDENCE_CHARS)
        shown = self._text[start:end].replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
        return CitedPassage(name, verdict, shown, start, end, self._text.count("\n", 0, start) + 1)
