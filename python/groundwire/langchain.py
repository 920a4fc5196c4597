"""
Provides middleware for agents of LangChain: an answer may quote only what this turn's tools returned.

    from groundwire.langchain import QuotationMiddleware

    agent = create_agent(model, tools, middleware=[QuotationMiddleware()])
    result = agent.invoke({"messages": [...]})
    result["quotations"]["accepted"]

An answer with a quotation that no tool result contains goes back to the model, with the reasons. When the retries are
used up, the answer is withheld. The state says what happened, under `quotations`. Needs `groundwire[langchain]`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, NotRequired, get_args

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, hook_config
    from langchain.agents.middleware.types import OmitFromInput, PrivateStateAttr
    from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
    from langchain_core.runnables import run_in_executor
    from typing_extensions import TypedDict
except ModuleNotFoundError as error:
    raise ImportError(
        f"groundwire.langchain needs {error.name}: pip install 'groundwire[langchain]'", name=error.name
    ) from error

from groundwire.agents import QuotationCheck, UnreadResult, check_quotations
from groundwire.evidence.explanations import correction
from groundwire.evidence.verdicts import QuotePolicy
from groundwire.labels import check_choice, plural
from groundwire.thresholds import MIN_QUOTATION_WORDS

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

__all__ = ["CheckedQuotation", "QuotationMiddleware", "QuotationRecord", "QuotationState"]

OnFailure = Literal["withhold", "keep"]

# LangChain marks messages of middleware in this way; they do not begin a turn.
_MARK = {"lc_source": "groundwire"}


class CheckedQuotation(TypedDict):
    """
    Holds a quotation of an answer, as plain data.

    Attributes:
        text: The quotation.
        status: A value of `groundwire.evidence.QuoteStatus`.
        accepted: Whether the policy accepts it.
        reasons: Why it is not accepted, with the words of the results; empty if it is accepted.
    """

    text: str
    status: str
    accepted: bool
    reasons: str


class QuotationRecord(TypedDict):
    """
    Holds what became of an answer, as plain data that a checkpointer can store.

    Attributes:
        accepted: Whether the answer was checked and all its quotations are accepted.
        retries: How many answers went back to the model in this turn.
        withheld: The answer that was replaced; None if it was not.
        quotations: The quotations of the answer that was checked last.
        unread: Results of tools, and answers, that could not be read: each with `name` and `reason`.
    """

    accepted: bool
    retries: int
    withheld: str | None
    quotations: list[CheckedQuotation]
    unread: list[dict[str, str]]


class QuotationState(AgentState[Any]):
    """Adds the record of the turn's answer to the state: None before there is an answer."""

    quotations: NotRequired[Annotated[QuotationRecord | None, OmitFromInput]]
    quotation_retries: NotRequired[Annotated[int, PrivateStateAttr]]


class QuotationMiddleware(AgentMiddleware[QuotationState, Any]):
    """
    Sends an answer back to the model if it quotes what this turn's tools did not return.

    A turn begins with the last message of the user. Answers that call tools are not checked, because the turn goes on.
    Results of failed tools support nothing, since an error may repeat what the model wrote. Structured output is
    not accepted and not asked for again: use `groundwire.pydantic` for it.

    Args:
        max_retries: How many answers of a turn may go back to the model.
        on_failure: What happens when the retries are used up: "withhold" replaces the answer by a notice, "keep" leaves
            it in place. The state says in both cases that it is not accepted.
        policy, min_words: See `groundwire.agents.check_quotations`.

    Raises:
        ValueError, TypeError: An argument has another value or type.
    """

    state_schema = QuotationState

    def __init__(
        self,
        *,
        max_retries: int = 2,
        on_failure: OnFailure = "withhold",
        policy: QuotePolicy | None = None,
        min_words: int = MIN_QUOTATION_WORDS,
    ) -> None:
        super().__init__()
        if not isinstance(max_retries, int) or isinstance(max_retries, bool):
            raise TypeError(f"max_retries must be an int, got {type(max_retries).__name__}")
        if max_retries < 0:
            raise ValueError(f"max_retries must be at least 0, got {max_retries}")
        self._max_retries = max_retries
        self._on_failure = check_choice("on_failure", on_failure, get_args(OnFailure))
        self._policy = policy
        self._min_words = min_words

    def before_agent(self, state: QuotationState, runtime: "Runtime[Any]") -> dict[str, Any]:
        """Forget the record of the turn before."""
        return {"quotations": None, "quotation_retries": 0}

    @hook_config(can_jump_to=["model"])
    def after_model(self, state: QuotationState, runtime: "Runtime[Any]") -> dict[str, Any] | None:
        """Check the answer; send it back, withhold it, or let it pass. The record in the state says which."""
        turn = _read_turn(state["messages"])
        retries = state.get("quotation_retries", 0)
        if state.get("structured_response") is not None:
            unread = [UnreadResult("answer", "structured output")]
            return {"quotations": _record(None, unread, retries)}
        if turn.answer is None or turn.answer.tool_calls:
            return None
        check = check_quotations(turn.answer.text, turn.results, policy=self._policy, min_words=self._min_words)
        check = replace(check, unread=(*turn.unread, *check.unread))
        if check.accepted:
            return {"quotations": _record(check, check.unread, retries)}
        if retries < self._max_retries:
            return {
                "messages": [HumanMessage(check.feedback, additional_kwargs=_MARK)],
                "jump_to": "model",
                "quotation_retries": retries + 1,
                "quotations": _record(check, check.unread, retries + 1),
            }
        record = _record(check, check.unread, retries)
        if self._on_failure == "keep":
            return {"quotations": record}
        record["withheld"] = str(turn.answer.text)
        return {"messages": [_notice(turn.answer, check, retries)], "quotations": record}

    @hook_config(can_jump_to=["model"])
    async def aafter_model(self, state: QuotationState, runtime: "Runtime[Any]") -> dict[str, Any] | None:
        """Do the same in a thread, so that the event loop stays free."""
        return await run_in_executor(None, self.after_model, state, runtime)


class _Turn(NamedTuple):
    """Holds the last answer of a turn, the results that it may quote, and those that cannot be read."""

    answer: AIMessage | None
    results: dict[str, object]
    unread: list[UnreadResult]


def _read_turn(messages: Sequence[AnyMessage]) -> _Turn:
    """Return the messages after the last one of the user."""
    starts = [place for place, message in enumerate(messages) if _begins_turn(message)]
    turn = messages[starts[-1] + 1 if starts else 0 :]
    answers = [message for message in turn if isinstance(message, AIMessage)]
    results: dict[str, object] = {}
    unread: list[UnreadResult] = []
    for message in turn:
        if isinstance(message, ToolMessage):
            name = f"{message.name or 'tool'} {message.tool_call_id}"
            if message.status == "error":
                unread.append(UnreadResult(name, "the tool failed"))
            else:
                results[name] = message.content
        elif isinstance(message, AIMessage):
            unread += _server_results(message)
    return _Turn(answers[-1] if answers else None, results, unread)


def _begins_turn(message: AnyMessage) -> bool:
    return isinstance(message, HumanMessage) and message.additional_kwargs.get("lc_source") != _MARK["lc_source"]


def _server_results(message: AIMessage) -> list[UnreadResult]:
    """Return the results of tools that the provider runs, which are blocks of the answer in a format of its own."""
    blocks = message.content if isinstance(message.content, list) else []
    kinds = [str(block.get("type")) for block in blocks if isinstance(block, dict)]
    return [UnreadResult(kind, "a result of the provider's own tool") for kind in kinds if kind.endswith("tool_result")]


def _record(check: QuotationCheck | None, unread: Sequence[UnreadResult], retries: int) -> QuotationRecord:
    """Return the record of an answer; *check* is None if it was not checked."""
    return {
        "accepted": check is not None and check.accepted,
        "retries": retries,
        "withheld": None,
        "quotations": [] if check is None else _checked(check),
        "unread": [each._asdict() for each in unread],
    }


def _checked(check: QuotationCheck) -> list[CheckedQuotation]:
    return [
        {
            "text": verdict.quote,
            "status": verdict.status.value,
            "accepted": verdict.accepted,
            "reasons": "" if verdict.accepted else correction(verdict, policy=check.policy),
        }
        for verdict in check.verdicts
    ]


def _notice(answer: AIMessage, check: QuotationCheck, retries: int) -> AIMessage:
    """Return a message that takes the place of *answer*, and has nothing of its text."""
    count = plural(len(check.rejected), "quotation is", "quotations are")
    tries = plural(retries, "retry", "retries")
    text = f"This answer was withheld: {count} not in the results of the tools, after {tries}."
    return AIMessage(
        text, id=answer.id, name=answer.name, usage_metadata=answer.usage_metadata, additional_kwargs=_MARK
    )
