"""The words, signs and figures that every report for people shares."""

from collections.abc import Callable, Sequence

from groundwire.evidence.verdicts import STATUSES, Reason
from groundwire.report.changes import DIFFERENCE_CODES, MEANING_CODES
from groundwire.report.model import CheckReport, Place, QuoteResult, ReadScore, SpokenTurn, Status, VerdictReason
from groundwire.report.printable import one_line

# Each status has a word and a sign beside its colour, which may not be seen.
SIGNS: dict[Status, str] = {
    "exact": "✓",
    "normalized": "✓",
    "fuzzy": "≈",
    "near": "≈",
    "elided": "✂",
    "paraphrased": "↔",
    "altered": "≠",
    "found_elsewhere": "↷",
    "wrong_speaker": "✗",
    "absent": "✗",
    "blank": "∅",
}
STATUS_MEANINGS: dict[Status, str] = {
    **{status.value: words for status, words in STATUSES.items()},
    "fuzzy": "stands in the source in nearly these characters; what differs was not looked at",
}
_REJECTED_SIGN = "✗"
_HIGH_SCORE = 0.9
_SECONDS = 60
_MINUTES = 60
_MOST_WORDS = 8


def status_text(status: Status) -> str:
    """Return the word for *status*."""
    return status.replace("_", " ")


def sign_of(result: QuoteResult) -> str:
    """Return the sign of the verdict; that of a quote that is there and not accepted is a cross."""
    held = ("exact", "normalized", "near", "elided")
    return _REJECTED_SIGN if result.status in held and not result.accepted else SIGNS[result.status]


def score_text(score: float | None) -> str:
    """
    Return *score* with three digits, or a dash for none.

    Cut off, not rounded: only a full match reads 1.000.
    """
    return "–" if score is None else f"{int(score * 1000) / 1000:.3f}"


def rate_text(rate: float | None) -> str:
    """Return *rate* in per cent with one digit, cut off, or a dash for none."""
    return "–" if rate is None else f"{int(rate * 1000) / 10:.1f} %"


def plural(count: int, noun: str) -> str:
    """Return *count* and *noun*, with an s unless there is one."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def quoted(text: str) -> str:
    """Return *text* on one line in quotation marks."""
    return f"“{one_line(text.strip())}”"


def missing_text(words: Sequence[str], shown: Callable[[str], str] = quoted) -> str:
    """Return which words of a claim have no counterpart, as *shown* makes them; of more than eight the first."""
    more = f" and {len(words) - _MOST_WORDS:,} more" if len(words) > _MOST_WORDS else ""
    return f"no counterpart for {', '.join(map(shown, words[:_MOST_WORDS]))}{more}"


def read_text(read: ReadScore) -> str:
    """Return what a model that read claim and passage says."""
    return f"read by {read.model}: score {score_text(read.score)}, threshold {read.threshold:g}"


def accepted_word(report: CheckReport) -> str:
    """Return what is said of a quote that passes."""
    return "grounded" if report.settings.policy == "literal" else "accepted"


def verdict_text(report: CheckReport) -> str:
    """Return the one line that answers whether all quotes pass."""
    summary = report.summary
    if not summary.quotes:
        return "no quotes to check"
    quotes = plural(summary.quotes, "quote")
    return f"{summary.accepted:,} of {quotes} {accepted_word(report)} ({rate_text(summary.rate)})"


def status_counts(report: CheckReport) -> list[tuple[Status, int]]:
    """Return the statuses that occur, with their counts, best first."""
    return [(status, count) for status in SIGNS if (count := getattr(report.summary, status))]


def settings_text(report: CheckReport, shown: Callable[[str], str] = one_line) -> str:
    """Return how quotes were compared, in one line; names of speakers as *shown* makes them."""
    settings = report.settings
    compared = "near" if settings.mode is None else f"mode {settings.mode}"
    threshold = "" if settings.threshold is None else f" from {settings.threshold:g}"
    least = [
        f", at least {plural(count, noun)}"
        for count, noun in ((settings.min_chars, "character"), (settings.min_words, "word"))
        if count is not None and count > 1
    ]
    speakers = "" if settings.speakers is None else f", said by {', '.join(map(shown, settings.speakers))}"
    return f"policy {settings.policy}, {compared}{threshold}{''.join(least)}{speakers}"


def position_text(place: Place) -> str:
    """Return `name:line:column` of *place*, which many terminals make a link."""
    return f"{place.name}:{place.line}:{place.column}"


def span_text(place: Place) -> str:
    """Return the span of *place* in characters, end excluded."""
    return f"{place.start}–{place.end}"


def time_text(seconds: float) -> str:
    """Return a time of a recording as `h:mm:ss`; fractions are cut off."""
    minutes, second = divmod(int(seconds), _SECONDS)
    hour, minute = divmod(minutes, _MINUTES)
    return f"{hour}:{minute:02}:{second:02}"


def spoken_text(turns: tuple[SpokenTurn, ...]) -> str:
    """Return who speaks and when the first one starts; nothing of a text that does not say."""
    speakers = list(dict.fromkeys(turn.speaker or "?" for turn in turns)) if any(t.speaker for t in turns) else []
    starts = [turn.start_time_s for turn in turns if turn.start_time_s is not None]
    return " ".join([*([", ".join(speakers)] if speakers else []), *([f"at {time_text(starts[0])}"] if starts else [])])


def notable_reasons(result: QuoteResult) -> list[VerdictReason]:
    """Return the reasons that decided, and those that a comparison with the passage does not show."""
    deciding = MEANING_CODES if result.status == "altered" else frozenset[Reason]()
    return [each for each in result.reasons if each.code not in DIFFERENCE_CODES or each.code in deciding]


def telling_words(reason: VerdictReason, result: QuoteResult) -> tuple[str, ...]:
    """Return what *reason* is about: words of the source, who says them, or a name that the quote gives."""
    if reason.code is Reason.TRUNCATED_CONDITION and result.truncated is not None:
        return (result.truncated,)
    if reason.code is Reason.WRONG_SPEAKER and result.places:
        return tuple(dict.fromkeys(turn.speaker for turn in result.places[0].turns if turn.speaker is not None))
    if reason.code is Reason.UNKNOWN_SPEAKER and result.speaker is not None:
        return (result.speaker,)
    if reason.code is Reason.UNKNOWN_SOURCE and result.source is not None:
        return (result.source,)
    return result.hidden if reason.code is Reason.HIDDEN_MEANING else ()


SCORE_NOTE = "The score compares characters, the verdict compares meaning."
"""Explains a quote that is altered at a high score."""


def has_misleading_score(result: QuoteResult) -> bool:
    """Tell whether a quote is altered though most of its characters are those of the passage."""
    return result.status == "altered" and (result.score or 0.0) >= _HIGH_SCORE


def legend(report: CheckReport) -> list[tuple[Status, str]]:
    """Return the statuses of the report with their meaning in words, best first."""
    return [(status, STATUS_MEANINGS[status]) for status, _ in status_counts(report)]


def nearest_text(result: QuoteResult) -> str | None:
    """Return where the nearest passage is, with its score and speaker; None if there is none."""
    near = result.nearest
    if near is None:
        return None
    spoken = spoken_text(near.turns)
    return f"{near.name}:{near.line}:{near.column}, score {score_text(near.score)}{f', {spoken}' if spoken else ''}"


def reason_text(reason: VerdictReason, result: QuoteResult) -> str:
    """Return *reason* in words, with those of the source that it is about."""
    telling = ", ".join(f"“{words}”" for words in telling_words(reason, result))
    return f"{reason.words}: {telling}" if telling else reason.words
