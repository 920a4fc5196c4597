"""
Defines judgements, the protocol of judges, and `evaluate_results`, which asks any judge.

A judge's quotes are looked up like all others. A judge that raises an exception, or returns something else, has failed.
This module loads no model and no network library. Source: citation-risk, "LLM-as-a-Judge 檢測" and "LLM 評估輸出格式",
with rulings B11 and B12.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol, runtime_checkable

from groundwire.search_results import SearchResults, check_results, read_results

__all__ = [
    "AsyncJudge",
    "HallucinationType",
    "Judge",
    "JudgeDecision",
    "JudgeIssue",
    "JudgeStatus",
    "Judgement",
    "SyncJudge",
    "TokenPrice",
    "TokenUsage",
    "UsageCounter",
    "aevaluate_results",
    "ajudge_answer",
    "evaluate_results",
    "ground_issues",
    "has_readable_issues",
    "judge_answer",
]


class HallucinationType(StrEnum):
    """The five ways in which an answer can differ from its sources."""

    UNSUPPORTED_CLAIM = "unsupported_claim"
    INVALID_CITATION = "invalid_citation"
    CONTRADICTION = "contradiction"
    OVER_EXTRAPOLATION = "over_extrapolation"
    UNCITED_CLAIM = "uncited_claim"


_TYPES = frozenset(HallucinationType)


class JudgeDecision(StrEnum):
    """The step that a judge proposes next."""

    CONTINUE = "continue"
    REFINE_SEARCH = "refine_search"
    SYNTHESIZE = "synthesize"


class JudgeStatus(StrEnum):
    """Whether a judge gave a judgement."""

    NOT_RUN = "not_run"
    OK = "ok"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeIssue:
    """
    A fault that a judge found in an answer.

    Attributes:
        type: The type of the fault.
        claim: The words of the answer that have the fault.
        evidence: The judge's quote of a source that shows it; None without a quote.
        grounded: Whether the engine finds that quote in a source; None without a quote, or before it was looked up.
    """

    type: HallucinationType
    claim: str
    evidence: str | None = None
    grounded: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage:
    """
    The calls, tokens and cost of a judgement.

    Attributes:
        calls: The number of requests, including retries.
        prompt_tokens: The tokens that the model read, as the server counts them.
        completion_tokens: The tokens that it wrote.
        cost: The cost in the currency of the prices; None if a price or a count is missing.
        cached: Whether the judgement comes from the cache, without a request.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    cached: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """
    A judge's opinion of an answer. Unless `status` is `ok`, the values of the opinion are None or empty.

    Attributes:
        score: The quality of the whole answer, 0.0 to 1.0.
        reasoning: The reasons for the score.
        confidence: The judge's own certainty, 0.0 to 1.0. It moves a result only toward review (ruling B11).
        decision: The step that the judge proposes next.
        hallucination_risk: From 0.0 (every claim is supported) to 1.0 (important claims are made up).
        hallucination_notes: The findings in words.
        issues: The issues that count: a source contains their quote, or they have no quote.
        void_issues: The issues whose quote is in no source; they do not count (ruling B12).
        status: Whether there is an opinion.
        error: The reason why there is no opinion: a stable code (`timeout`, `rate_limited`, ...), never text of the
            answer or the sources.
        model: The model that judged.
        prompt_version: The version of the prompt templates.
        usage: The calls, tokens and cost.
        repaired: Whether the JSON in the model's output had to be repaired (ruling A23). False for a cached judgement.
    """

    score: float | None = None
    reasoning: str = ""
    confidence: float | None = None
    decision: JudgeDecision | None = None
    hallucination_risk: float | None = None
    hallucination_notes: str = ""
    issues: tuple[JudgeIssue, ...] = ()
    void_issues: tuple[JudgeIssue, ...] = ()
    status: JudgeStatus = JudgeStatus.OK
    error: str | None = None
    model: str | None = None
    prompt_version: str | None = None
    usage: TokenUsage = TokenUsage()
    repaired: bool = False


class SyncJudge(Protocol):
    """A judge that blocks the caller, for `assess_answer`."""

    def judge(self, question: str, answer: str, results: SearchResults) -> Judgement: ...


class AsyncJudge(Protocol):
    """A judge that lets other tasks run, for `aassess_answer`."""

    async def ajudge(self, question: str, answer: str, results: SearchResults) -> Judgement: ...


@runtime_checkable
class Judge(SyncJudge, AsyncJudge, Protocol):
    """
    A judge with both methods.

    `results` are search results: mappings with `id`, `parent_id` and the text. Neither method raises an exception for a
    failure of the model or the network, which the judgement's `status` reports.
    """

    def judge(self, question: str, answer: str, results: SearchResults) -> Judgement: ...

    async def ajudge(self, question: str, answer: str, results: SearchResults) -> Judgement: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPrice:
    """The price of a million tokens of a model, in any currency."""

    prompt_per_million: float
    completion_per_million: float

    def __post_init__(self) -> None:
        for name in ("prompt_per_million", "completion_per_million"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise ValueError(f"{name} must be a finite number of at least 0")


class UsageCounter:
    """
    Adds up the usage of one judgement.

    The cost is known as long as the server reports the tokens of every completion, and its model has a price.
    """

    def __init__(self, prices: Mapping[str, TokenPrice]) -> None:
        self._prices = prices
        self._calls = self._prompt_tokens = self._completion_tokens = 0
        self._cost = 0.0
        self._is_cost_known = True

    def add_call(self) -> None:
        """Count a request about to be sent."""
        self._calls += 1

    def add_tokens(self, model: str, prompt_tokens: int | None, completion_tokens: int | None) -> None:
        """Count the tokens of a completion; None if the server does not report them."""
        self._prompt_tokens += prompt_tokens or 0
        self._completion_tokens += completion_tokens or 0
        price = self._prices.get(model)
        if price is None or prompt_tokens is None or completion_tokens is None:
            self._is_cost_known = False
            return
        self._cost += prompt_tokens * price.prompt_per_million / 1e6
        self._cost += completion_tokens * price.completion_per_million / 1e6

    def usage(self, *, cached: bool = False) -> TokenUsage:
        """Return the sums."""
        return TokenUsage(
            cached=cached,
            calls=self._calls,
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._completion_tokens,
            cost=round(self._cost, 12) if self._is_cost_known and self._prices else None,
        )


def evaluate_results(question: str, answer: str, results: SearchResults, *, judge: Judge) -> Judgement:
    """
    Return the judgement of *judge* on *answer*, with the quotes of its issues looked up in *results*.

    Args:
        question: The user's question.
        answer: The answer of the system, with its citations.
        results: The search results: mappings with `id`, `parent_id`, `title` and the text under `content`, `text`,
            `passage`, `snippet` or `matches`.
        judge: The judge. If it raises an exception, or returns something other than a judgement with well-formed
            issues, the judgement has the error `bad_judge`.

    Raises:
        TypeError: An argument has the wrong type.
    """
    _check(question, answer, results, judge)
    return judge_answer(judge, question, answer, results)


async def aevaluate_results(question: str, answer: str, results: SearchResults, *, judge: Judge) -> Judgement:
    """Do the same as `evaluate_results` without blocking."""
    _check(question, answer, results, judge)
    return await ajudge_answer(judge, question, answer, results)


def _check(question: object, answer: object, results: SearchResults, judge: object) -> None:
    for name, value in (("question", question), ("answer", answer)):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, got {type(value).__name__}")
    if not isinstance(judge, Judge):
        raise TypeError(f"judge must have the methods judge and ajudge, got {type(judge).__name__}")
    check_results(results)


def judge_answer(judge: SyncJudge, question: str, answer: str, results: SearchResults) -> Judgement:
    """Return the judgement of *judge*, with its quotes looked up; a failed one if the judge raises an exception."""
    try:
        judgement = judge.judge(question, answer, results)
    except Exception as error:
        return _failed(error)
    return _checked(judgement, results)


async def ajudge_answer(judge: AsyncJudge, question: str, answer: str, results: SearchResults) -> Judgement:
    """Do the same as `judge_answer` without blocking. A cancellation is not a failure and passes through."""
    try:
        judgement = await judge.ajudge(question, answer, results)
    except Exception as error:
        return _failed(error)
    # Looking up thousands of characters of quotes takes time.
    from asyncio import to_thread

    return await to_thread(_checked, judgement, results)


def ground_issues(judgement: Judgement, results: SearchResults) -> Judgement:
    """
    Return *judgement* with the quotes of its issues looked up in the texts and titles of *results*.

    An issue is void if the guarded policy accepts its quote in no result. Issues without a quote, and issues that were
    looked up before, stay as they are.

    Raises:
        TypeError: *results* is not a sequence of mappings.
    """
    quotes = [issue.evidence for issue in judgement.issues if issue.grounded is None and issue.evidence is not None]
    if not quotes:
        return judgement
    found = iter(_are_grounded(quotes, results))
    issues = [
        issue if issue.grounded is not None or issue.evidence is None else replace(issue, grounded=next(found))
        for issue in judgement.issues
    ]
    void = tuple(issue for issue in issues if _is_void(issue))
    valid = tuple(issue for issue in issues if not _is_void(issue))
    return replace(judgement, issues=valid, void_issues=judgement.void_issues + void)


def has_readable_issues(judgement: Judgement) -> bool:
    """Tell whether the issues of a judgement are well-formed, because custom judges may return anything."""
    return isinstance(judgement.issues, tuple | list) and all(map(_is_readable, judgement.issues))


def _is_readable(issue: object) -> bool:
    return (
        isinstance(issue, JudgeIssue)
        and isinstance(issue.type, str)
        and issue.type in _TYPES
        and isinstance(issue.claim, str)
        and (issue.evidence is None or isinstance(issue.evidence, str))
    )


def _is_void(issue: JudgeIssue) -> bool:
    return issue.grounded is False


def _are_grounded(quotes: list[str], results: SearchResults) -> list[bool]:
    known = read_results(results)
    texts = [text for text in (*known.passages, *known.titles) if text]
    if not texts:
        return [False] * len(quotes)
    # Imported here because most judgements quote nothing, and rules alone need no verdicts.
    from groundwire.evidence import assess_quotes
    from groundwire.sources import Sources

    return [verdict.accepted for verdict in assess_quotes(quotes, Sources(texts))]


def _checked(judgement: object, results: SearchResults) -> Judgement:
    if isinstance(judgement, Judgement) and has_readable_issues(judgement):
        return ground_issues(judgement, results)
    return Judgement(status=JudgeStatus.ERROR, error="bad_judge")


def _failed(error: Exception) -> Judgement:
    """Return a failed judgement. The exception may quote the answer, so only its class counts."""
    return Judgement(status=JudgeStatus.ERROR, error="timeout" if isinstance(error, TimeoutError) else "bad_judge")
