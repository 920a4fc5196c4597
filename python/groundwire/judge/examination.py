"""One examination: what the models are told, in one step or two, and what is read from what they write."""

from dataclasses import dataclass
from typing import Any

from groundwire.errors import ModelOutputError
from groundwire.judge.conversation import Conversation
from groundwire.judge.echoes import refuse_copied_object, refuse_echo
from groundwire.judge.failures import FailureCode, JudgeError
from groundwire.judge.fencing import to_data
from groundwire.judge.forms import Form
from groundwire.judge.passages import read_passages
from groundwire.judge.questions import Question
from groundwire.judge.schema import JUDGEMENT
from groundwire.judge.templates import Message, Prompts
from groundwire.judgement import SearchResults
from groundwire.model_output import ModelObject, extract_json_object

__all__ = ["Case", "Examination"]


@dataclass(frozen=True, slots=True)
class Case:
    """One answer to be judged, or one question: what is sent first, and the texts that it was made of."""

    messages: list[Message]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Examination:
    """
    How answers are examined.

    Attributes:
        prompts: The templates.
        model: Who examines.
        formatter_model: Who puts the notes into a form; None for one step: the examiner
            fills in the form.
        max_chars: The most characters of all texts together, and of the notes.
    """

    prompts: Prompts
    model: str
    formatter_model: str | None
    max_chars: int

    def prepare(self, question: str, answer: str, results: SearchResults) -> Case:
        """
        Return what is sent first.

        Raises:
            TypeError: An argument is of another type.
            JudgeError: TOO_LONG or BAD_PROMPT; nothing can be sent.
        """
        for name, value in (("question", question), ("answer", answer)):
            if not isinstance(value, str):
                raise TypeError(f"{name} must be a str, got {type(value).__name__}")
        advice = [passage.fields() for passage in read_passages(results)]
        texts = (question, answer, *(text for fields in advice for text in fields.values()))
        if sum(map(len, texts)) > self.max_chars:
            raise JudgeError(FailureCode.TOO_LONG)
        data = {
            "question": to_data(question),
            "expert_advice": to_data(advice),
            "candidate_answer": to_data(answer),
        }
        return Case(self.prompts.messages("one_step" if self.formatter_model is None else "critique", data), texts)

    async def carry_out(self, case: Case, conversation: Conversation) -> ModelObject:
        """
        Return the object with the fields of a judgement, which `read_judgement` accepts.

        Raises:
            JudgeError: There is none.
        """
        messages, model = case.messages, self.model
        if self.formatter_model is not None:
            notes = await conversation.ask(model, messages, form=None)
            refuse_echo(notes, messages)
            if len(notes) > self.max_chars:
                raise JudgeError(FailureCode.TOO_LONG)
            messages, model = self.prompts.messages("format", {"notes": to_data(notes)}), self.formatter_model
        return await self.fill_in(Case(messages, case.texts), JUDGEMENT, conversation, model=model)

    def prepare_question(self, question: Question[Any]) -> Case:
        """
        Return what is sent for *question*.

        Raises:
            JudgeError: TOO_LONG or BAD_PROMPT; nothing can be sent.
        """
        texts = tuple(value for item in question.items for value in item.values() if isinstance(value, str))
        if sum(map(len, texts)) > self.max_chars:
            raise JudgeError(FailureCode.TOO_LONG)
        return Case(self.prompts.messages(question.conversation, {"items": to_data(list(question.items))}), texts)

    async def fill_in(
        self, case: Case, form: Form[Any], conversation: Conversation, *, model: str | None = None
    ) -> ModelObject:
        """
        Return the object with the fields of *form* as the examiner, or *model*, fills it in; its `read` accepts them.

        Raises:
            JudgeError: There are none.
        """
        written = await conversation.ask(model or self.model, case.messages, form=form)
        refuse_echo(written, case.messages)
        found = conversation.redacted(_read_object(written))
        form.read(found.members)
        refuse_copied_object(found.written, case.texts)
        return found


def _read_object(written: str) -> ModelObject:
    """
    Return the one object in what a model wrote.

    Raises:
        JudgeError: TRUNCATED if the output is cut off; NOT_JSON if it holds no object, more
            than one or a broken one.
    """
    try:
        return extract_json_object(written)
    except ModelOutputError as error:
        code = FailureCode.TRUNCATED if error.truncated else FailureCode.NOT_JSON
    raise JudgeError(code)
