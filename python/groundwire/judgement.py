"""
What a judge says of an answer, and what a judge is.

Types alone: the rules of `groundwire.citations` combine a judgement with their own
findings and load no judge, the judges of `groundwire.judge` make one and load no
rules. Source: citation-risk, "LLM 評估輸出格式", with rulings B11 and B12.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeAlias, runtime_checkable

__all__ = [
    "AsyncJudge",
    "Decision",
    "HallucinationType",
    "Issue",
    "Judge",
    "JudgeStatus",
    "Judgement",
    "SearchResults",
    "SyncJudge",
    "Usage",
]

SearchResults: TypeAlias = Sequence[Any]
"""What an answer was given: mappings, or documents of LangChain and LlamaIndex (ruling B15)."""


class HallucinationType(StrEnum):
    """The five ways in which an answer is not what its sources say."""

    UNSUPPORTED_CLAIM = "unsupported_claim"
    INVALID_CITATION = "invalid_citation"
    CONTRADICTION = "contradiction"
    OVER_EXTRAPOLATION = "over_extrapolation"
    UNCITED_CLAIM = "uncited_claim"


class Decision(StrEnum):
    """What the judge would do next."""

    CONTINUE = "continue"
    REFINE_SEARCH = "refine_search"
    SYNTHESIZE = "synthesize"


class JudgeStatus(StrEnum):
    """Whether there is a judgement, and if not, why."""

    NOT_RUN = "not_run"
    OK = "ok"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """
    One fault that the judge found.

    Attributes:
        type: Which of the five it is.
        claim: The words of the answer that are meant.
        evidence: What the judge quotes from a source to prove it; None if it quotes nothing.
        grounded: Whether that quote stands in a source, as the engine says; None if there
            is no quote, or nobody has looked yet.
    """

    type: HallucinationType
    claim: str
    evidence: str | None = None
    grounded: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """
    What a judgement took.

    Attributes:
        calls: Requests that were sent, retries among them.
        prompt_tokens: Tokens read, as the server counts them.
        completion_tokens: Tokens written.
        cost: In the currency of the prices that were given; None without prices.
        cached: Whether it was read from the cache, and nothing was sent.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    cached: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """
    What a judge says of an answer. Without one (`status` is not `ok`) all that it would say is None or empty.

    Attributes:
        score: Quality of the answer as a whole, 0.0 to 1.0.
        reasoning: Why.
        confidence: How sure the judge is, 0.0 to 1.0. It moves a result toward review
            alone (ruling B11).
        decision: What to do next.
        hallucination_risk: 0.0 to 1.0.
        hallucination_notes: What was found, in words.
        issues: The faults that count: their quotes stand in the sources, or they quote nothing.
        void_issues: Those whose quote stands in no source; they count for nothing
            (ruling B12).
        status: Whether this is a judgement.
        error: Why it is none: a stable code (`timeout`, `rate_limited`, ...), never text of
            the answer or the sources.
        model: Who judged.
        prompt_version: Which templates it was asked with.
        usage: What it took.
        repaired: Whether what the model wrote had to be mended before it was JSON (ruling
            A23). False for a judgement that was read from the cache.
    """

    score: float | None = None
    reasoning: str = ""
    confidence: float | None = None
    decision: Decision | None = None
    hallucination_risk: float | None = None
    hallucination_notes: str = ""
    issues: tuple[Issue, ...] = ()
    void_issues: tuple[Issue, ...] = ()
    status: JudgeStatus = JudgeStatus.OK
    error: str | None = None
    model: str | None = None
    prompt_version: str | None = None
    usage: Usage = Usage()
    repaired: bool = False


class SyncJudge(Protocol):
    """Whoever can judge an answer while the caller waits: what `assess_answer` needs."""

    def judge(self, question: str, answer: str, results: SearchResults) -> Judgement: ...


class AsyncJudge(Protocol):
    """Whoever can judge an answer while others work: what `aassess_answer` needs."""

    async def ajudge(self, question: str, answer: str, results: SearchResults) -> Judgement: ...


@runtime_checkable
class Judge(SyncJudge, AsyncJudge, Protocol):
    """
    Whoever can judge an answer in both ways.

    `results` is what the search returned: mappings with `id`, `parent_id` and the text.
    Neither method raises because of what a model answers or a network does: the
    judgement's `status` says so.
    """

    def judge(self, question: str, answer: str, results: SearchResults) -> Judgement: ...

    async def ajudge(self, question: str, answer: str, results: SearchResults) -> Judgement: ...
