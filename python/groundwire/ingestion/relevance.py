"""
Does what a claim cites say what it claims?

Source: ruling C18. A judge is asked if there is one. Else the words of both are compared,
by the rules on citations: that finds a source which does not speak of the matter, or has
another number, and misses one from which the claim draws the wrong conclusion. What
nobody can tell goes to people.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from groundwire.ingestion.examination import Examination, Relevance
from groundwire.ingestion.provenance import Citation
from groundwire.ingestion.tiers import Tier, decide
from groundwire.ingestion.verify.cache import Key, key_of
from groundwire.ingestion.verify.results import VerificationStatus
from groundwire.judgement import Decision, Judgement, JudgeStatus

if TYPE_CHECKING:
    from asyncio import Semaphore

    from groundwire.citations.support import PassageSupport
    from groundwire.ingestion.verify.protocol import BatchVerifier
    from groundwire.judgement import Judge

__all__ = ["RelevanceCheck"]

QUESTION = "Does the source that is cited say what is claimed?"

_LEAST_WORDS = 2
"""One word of content that stands in a text proves nothing: the text may say the opposite of it."""

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
        """Look at the claims that would be approved otherwise, and cite something that is there."""
        from asyncio import Semaphore, gather

        asked = [one for one in found if one.cited(VerificationStatus.VERIFIED)]
        asked = [one for one in asked if decide(one.findings()).tier is Tier.AUTO_APPROVE]
        texts = await self._read([citation for one in asked for citation in _cited(one).values()])
        room = Semaphore(_MOST_AT_ONCE)
        answers = await gather(*(self._relevance(one, texts, room) for one in asked))
        for one, answer in zip(asked, answers, strict=True):
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

    async def _relevance(self, one: Examination, texts: Mapping[Key, str | None] | str, room: "Semaphore") -> Relevance:
        if isinstance(texts, str):
            return Relevance(failure=texts)
        cited = {name: texts.get(key_of(citation)) for name, citation in _cited(one).items()}
        readable = {name: text for name, text in cited.items() if isinstance(text, str) and text.strip()}
        unreadable = tuple(name for name in cited if name not in readable)
        if not readable:
            return Relevance(unreadable=unreadable)
        async with room:
            if self._judge is None:
                return await _compared(_without_citations(one), readable, unreadable)
            return await self._judged(self._judge, one.claim.content, readable, unreadable)

    async def _judged(
        self, judge: "Judge", content: str, texts: Mapping[str, str], unreadable: tuple[str, ...]
    ) -> Relevance:
        """Ask the judge whether the texts together bear the claim out."""
        from asyncio import timeout, to_thread

        from groundwire.citations.judging import ground_issues

        answer = " ".join([content, *(f"[{name}]" for name in texts)])
        results = [{"id": name, "content": text} for name, text in texts.items()]
        try:
            async with timeout(self._timeout_s):
                judgement = await judge.ajudge(QUESTION, answer, results)
            if not isinstance(judgement, Judgement):
                return Relevance(unreadable=unreadable, failure="no judgement")
            if judgement.status != JudgeStatus.OK:
                return Relevance(unreadable=unreadable, failure=judgement.error or "no judgement")
            # Quotes that no text has void what they should prove (ruling B12).
            judgement = await to_thread(ground_issues, judgement, results)
            is_borne_out = _is_borne_out(judgement)
        except Exception as error:  # a judge may be anybody's, and its words may hold the claim
            return Relevance(unreadable=unreadable, failure=type(error).__name__)
        named = tuple(texts)
        return Relevance(named if is_borne_out else (), () if is_borne_out else named, unreadable)


def _cited(one: Examination) -> dict[str, Citation]:
    """What is cited and there, by its name."""
    return {each.name: each.citation for each in one.cited(VerificationStatus.VERIFIED)}


def _is_borne_out(judgement: Judgement) -> bool:
    """Whether the judge is sure enough that there is hardly a risk, and names no fault (ruling B11)."""
    from groundwire.citations.thresholds import RiskThresholds

    limits = RiskThresholds()
    risk, confidence = judgement.hallucination_risk, judgement.confidence
    return (
        risk is not None
        and 0.0 <= risk <= limits.moderate_above
        and (confidence is None or confidence >= limits.confidence_from)
        and judgement.decision in (None, Decision.SYNTHESIZE)
        and not judgement.issues
    )


async def _compared(claim: str, texts: Mapping[str, str], unreadable: tuple[str, ...]) -> Relevance:
    """Compare the words of a claim, without its citations, with those of each text."""
    from asyncio import to_thread

    from groundwire.citations.support import support_of

    found = await to_thread(support_of, claim, list(texts.values()))
    says_so = {name: _says_so(passage) for name, passage in zip(texts, found.passages, strict=True)}
    silent = tuple(name for name, holds in says_so.items() if not holds)
    # One text that says otherwise outweighs another one that says so.
    is_contradicted = any(kind is not None for kind in found.contradictions)
    supporting = () if is_contradicted else tuple(name for name, holds in says_so.items() if holds)
    return Relevance(supporting, silent, unreadable)


def _says_so(passage: "PassageSupport | None") -> bool:
    from groundwire.citations.thresholds import RiskThresholds

    if passage is None or passage.contradiction is not None:
        return False
    # Of a short claim the score is low even if the text has all of its words.
    has_all = passage.words_found == passage.words and passage.details_found == passage.details
    is_enough = has_all and passage.words >= _LEAST_WORDS
    return is_enough or passage.score >= RiskThresholds().supported_from


def _without_citations(one: Examination) -> str:
    """The claim with blanks in the place of its citations: a number of theirs is none that a source has to have."""
    pieces, end = [], 0
    for each in one.citations:
        pieces.append(one.claim.content[end : each.citation.start])
        end = each.citation.end
    return " ".join([*pieces, one.claim.content[end:]])
