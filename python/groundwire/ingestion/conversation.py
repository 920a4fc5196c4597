"""
Checks the quotes of claims against their conversation (ruling C21).

The verdict is that of `assess_quotes`. A claim goes to review if its quote was altered, is not in the conversation, is
by another speaker, or cannot be checked.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from groundwire.ingestion.tiers import QuoteFault
from groundwire.transcripts import Transcript, read_transcript, speaker_key

if TYPE_CHECKING:
    from groundwire.evidence import QuotePolicy, QuoteVerdict
    from groundwire.ingestion.records import MemoryClaim
    from groundwire.transcripts import Turn

__all__ = ["Conversation", "ConversationLike", "QuoteFinding", "conversation_of"]

_SPEAKERS = ("speaker", "role", "name", "author")
_TEXTS = ("text", "content")
_TURN_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class QuoteFinding:
    """
    The finding on the quote of a claim.

    Attributes:
        fault: The fault of the quote; None without a fault.
        turn: The number of the turn with the quote or the nearest passage; None without either.
    """

    fault: QuoteFault | None
    turn: int | None = None


class Conversation:
    """
    The turns of a conversation.

    Args:
        transcript: The turns.
        ids: The numbers of turns by their ids, if the turns have ids.
    """

    def __init__(self, transcript: Transcript, ids: Mapping[str, int] | None = None) -> None:
        self.transcript = transcript
        self._ids = dict(ids or {})

    def check(self, claim: "MemoryClaim") -> QuoteFinding:
        """Return the finding on the quote of *claim*, which must have one."""
        quote = claim.quote or ""
        turn = None if claim.turn is None else self._turn(claim.turn)
        if claim.turn is not None and turn is None:
            return QuoteFinding(QuoteFault.UNCHECKED)
        if turn is not None and claim.speaker is not None and not _is_by(turn, claim.speaker):
            return QuoteFinding(QuoteFault.WRONG_SPEAKER, turn.number)
        if turn is not None and self._is_said_in(quote, turn):
            return QuoteFinding(None, turn.number)
        speaker = claim.speaker if turn is None else turn.speaker
        if speaker is not None and not self.transcript.turns:
            return QuoteFinding(QuoteFault.UNCHECKED)
        return self._anywhere(quote, speaker, is_in_turn=turn is not None)

    def _turn(self, given: int | str) -> "Turn | None":
        number = given if isinstance(given, int) else self._ids.get(given)
        if number is None and not self._ids and _TURN_NUMBER.fullmatch(str(given)):
            number = int(given)
        turns = self.transcript.turns
        return turns[number - 1] if number is not None and 1 <= number <= len(turns) else None

    def _is_said_in(self, quote: str, turn: "Turn") -> bool:
        from groundwire.evidence import assess_quotes

        words = self.transcript.text[turn.start : turn.end]
        return bool(words) and _is_quoted(assess_quotes([quote], words, policy=_policy())[0])

    def _anywhere(self, quote: str, speaker: str | None, *, is_in_turn: bool) -> QuoteFinding:
        from groundwire.evidence import QuoteStatus, assess_quotes

        [verdict] = assess_quotes([quote], self.transcript, policy=_policy(speaker))
        number = verdict.turns[0].number if verdict.turns else None
        if _is_quoted(verdict):
            # The quote is in another turn than the claim says.
            return QuoteFinding(QuoteFault.OTHER_TURN if is_in_turn else None, number)
        if verdict.status is QuoteStatus.WRONG_SPEAKER:
            return QuoteFinding(QuoteFault.WRONG_SPEAKER, number)
        return QuoteFinding(QuoteFault.ABSENT if _is_absent(verdict) else QuoteFault.ALTERED, number)


ConversationLike: TypeAlias = Conversation | Transcript | str | Sequence[Mapping[str, object]]
"""
A transcript, its text, or a list of messages: mappings with `text` or `content`, `speaker` or `role`, and optionally
`id`.
"""


def conversation_of(given: ConversationLike) -> Conversation:
    """
    Return *given* as a conversation.

    Raises:
        TypeError: *given* has another type.
        ValueError: A message has no text, or two messages have the same id. No error contains text of the conversation.
        TranscriptError: A text is not in the format that it seems to have.
    """
    if isinstance(given, Conversation):
        return given
    if isinstance(given, Transcript):
        return Conversation(given)
    if isinstance(given, str):
        messages = _messages_in(given)
        return Conversation(read_transcript(given)) if messages is None else conversation_of(messages)
    if not isinstance(given, Sequence) or isinstance(given, bytes):
        got = type(given).__name__
        raise TypeError(f"conversation must be a Transcript, a str or a list of messages, got {got}")
    segments: list[dict[str, object]] = []
    ids: dict[str, int] = {}
    for number, message in enumerate(given, start=1):
        if not isinstance(message, Mapping):
            raise TypeError(f"conversation[{number - 1}] must be a mapping, got {type(message).__name__}")
        text = next((message[key] for key in _TEXTS if isinstance(message.get(key), str)), None)
        if text is None:
            raise ValueError(f"conversation[{number - 1}] must have a str as text or content")
        speaker = next((message[key] for key in _SPEAKERS if isinstance(message.get(key), str)), None)
        segments.append({"speaker": speaker, "text": text})
        name = message.get("id")
        if name is not None and ids.setdefault(str(name), number) != number:
            raise ValueError(f"conversation[{number - 1}] has the id of an earlier message")
    return Conversation(read_transcript(json.dumps(segments), format="json"), ids)


def _messages_in(text: str) -> list[Mapping[str, object]] | None:
    """Return the messages of *text* if it is JSON; None for the formats of the transcript reader."""
    if text.lstrip("\ufeff \t\r\n")[:1] not in ("[", "{"):
        return None
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        value = value.get("messages", value.get("segments"))
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        return None
    return value if any("id" in each or "content" in each for each in value) else None


def _policy(speaker: str | None = None) -> "QuotePolicy":
    """Return the policy. A quote across turns, or without its condition, does not support a claim."""
    from groundwire.evidence import QuotePolicy

    speakers = None if speaker is None else (speaker,)
    return QuotePolicy(accept_truncated=False, accept_across_turns=False, speakers=speakers)


def _is_by(turn: "Turn", speaker: str) -> bool:
    return turn.speaker is not None and speaker_key(turn.speaker) == speaker_key(speaker)


def _is_quoted(verdict: "QuoteVerdict") -> bool:
    """Return whether the policy accepts the quote without an added, dropped or replaced word."""
    from groundwire.evidence import QuoteReason

    changed = {QuoteReason.WORD_ADDED, QuoteReason.WORD_DROPPED, QuoteReason.WORD_REPLACED}
    return verdict.accepted and changed.isdisjoint(verdict.reasons)


def _is_absent(verdict: "QuoteVerdict") -> bool:
    from groundwire.evidence import QuoteStatus

    return verdict.match is None or verdict.status in (QuoteStatus.ABSENT, QuoteStatus.BLANK)
