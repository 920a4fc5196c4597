"""Lists the words, signs and figures of reports on quotes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.evidence.verdicts import STATUSES, QuoteReason
from groundwire.labels import plural
from groundwire.report.highlights import DIFFERENCE_CODES, MEANING_CODES
from groundwire.report.labels import rate_text, score_text
from groundwire.sanitize import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.report.check.model import CheckReport, Nearest, Place, QuoteResult, SpokenTurn, Status
    from groundwire.report.check.pages import PageSpot, PagesView
    from groundwire.report.model import VerdictReason


# Each status has a word and a sign besides its colour, because not everybody sees colours.
QUOTE_SIGNS: dict[Status, str] = {
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
    "unreadable": "?",
    "blank": "∅",
}
STATUS_MEANINGS: dict[Status, str] = {
    **{status.value: words for status, words in STATUSES.items()},
    "fuzzy": "the source contains similar characters; the differences were not examined",
}
_REJECTED_SIGN = "✗"
_HIGH_SCORE = 0.9
_SECONDS = 60
_MINUTES = 60


def quote_status_text(status: Status) -> str:
    """Return the word for *status*."""
    return status.replace("_", " ")


def sign_of(result: QuoteResult) -> str:
    """Return the sign of the verdict; a quote that was found but rejected has a cross."""
    held = ("exact", "normalized", "near", "elided")
    return _REJECTED_SIGN if result.status in held and not result.accepted else QUOTE_SIGNS[result.status]


def accepted_word(report: CheckReport) -> str:
    """Return the word for a quote that passes."""
    return "grounded" if report.settings.policy == "literal" else "accepted"


def verdict_text(report: CheckReport) -> str:
    """Return how many quotes pass, in one line, and how many quotations of an answer were too short to check."""
    summary = report.summary
    left_out = f"; {plural(summary.left_out, 'short quotation')} left out" if summary.left_out else ""
    if not summary.quotes:
        return f"no quotes to check{left_out}"
    quotes = plural(summary.quotes, "quote")
    return f"{summary.accepted:,} of {quotes} {accepted_word(report)} ({rate_text(summary.rate)}){left_out}"


def quote_status_counts(report: CheckReport) -> list[tuple[Status, int]]:
    """Return the statuses that occur, with their counts, best first."""
    return [(status, count) for status in QUOTE_SIGNS if (count := getattr(report.summary, status))]


def settings_text(report: CheckReport, shown: Callable[[str], str] = one_line) -> str:
    """Return the settings of the comparison in one line, with names of speakers formatted by *shown*."""
    settings = report.settings
    compared = "near" if settings.mode is None else f"mode {settings.mode}"
    threshold = "" if settings.threshold is None else f" from {settings.threshold:g}"
    least = [
        f", at least {plural(count, noun)}"
        for count, noun in ((settings.min_chars, "character"), (settings.min_words, "word"))
        if count is not None and count > 1
    ]
    speakers = "" if settings.speakers is None else f", said by {', '.join(map(shown, settings.speakers))}"
    score = "" if settings.support_score is None else f", score of support {shown(settings.support_score)}"
    folded = ", variants of characters folded" if settings.fold_variants else ""
    return f"policy {settings.policy}, {compared}{threshold}{''.join(least)}{speakers}{folded}{score}"


def probability_text(result: QuoteResult) -> str:
    """Return the probability that a quote is right; nothing without one."""
    return "" if result.probability is None else f"probability {score_text(result.probability)}"


def position_text(place: Place) -> str:
    """Return `name:line:column` of *place*, which many terminals turn into a link."""
    return f"{place.name}:{place.line}:{place.column}"


def span_text(place: Place | Nearest) -> str:
    """Return the span of *place* in characters, end excluded."""
    return f"{place.start}–{place.end}"


def time_text(seconds: float) -> str:
    """Return a time of a recording as `h:mm:ss`; fractions are cut off."""
    minutes, second = divmod(int(seconds), _SECONDS)
    hour, minute = divmod(minutes, _MINUTES)
    return f"{hour}:{minute:02}:{second:02}"


def spoken_text(turns: tuple[SpokenTurn, ...]) -> str:
    """Return the speakers and the first start time; empty if the text gives neither."""
    speakers = list(dict.fromkeys(turn.speaker or "?" for turn in turns)) if any(t.speaker for t in turns) else []
    starts = [turn.start_time_s for turn in turns if turn.start_time_s is not None]
    return " ".join([*([", ".join(speakers)] if speakers else []), *([f"at {time_text(starts[0])}"] if starts else [])])


def notable_reasons(result: QuoteResult) -> list[VerdictReason]:
    """Return the deciding reasons, and those that a comparison with the passage does not show."""
    deciding = MEANING_CODES if result.status == "altered" else frozenset[QuoteReason]()
    return [each for each in result.reasons if each.code not in DIFFERENCE_CODES or each.code in deciding]


SCORE_NOTE = "The score compares characters, the verdict compares meaning."
"""Explains an altered quote with a high score."""


def has_misleading_score(result: QuoteResult) -> bool:
    """Tell whether an altered quote has a high score."""
    return result.status == "altered" and (result.score or 0.0) >= _HIGH_SCORE


def any_misleading_score(report: CheckReport) -> bool:
    """Tell whether any quote needs the note on scores."""
    return any(map(has_misleading_score, report.quotes))


def misleading_note(report: CheckReport) -> str | None:
    """Return the explanation of high scores of altered quotes; None if no quote needs it."""
    return SCORE_NOTE if any(map(has_misleading_score, report.quotes)) else None


def legend(report: CheckReport) -> list[tuple[Status, str]]:
    """Return the statuses of the report with their meanings, best first."""
    return [(status, STATUS_MEANINGS[status]) for status, _ in quote_status_counts(report)]


def nearest_text(result: QuoteResult) -> str | None:
    """Return position, pages, score and speaker of the nearest passage; None without one."""
    near = result.nearest
    if near is None:
        return None
    spoken = spoken_text(near.turns)
    pages = "".join(f", page {page}" for page in near.pages)
    score = f"score {score_text(near.score)}{f', {spoken}' if spoken else ''}"
    return f"{near.name}:{near.line}:{near.column}{pages}, {score}"


def pages_text(view: PagesView) -> str:
    """Return which pages of a PDF are shown, and what is left out."""
    if view.problem is not None:
        return f"No page images: this is {view.problem}."
    parts = [f"{len(view.pages):,} of {plural(view.total, 'page')} shown: those with a verdict"]
    if view.left_out:
        parts.append(
            f"{plural(view.left_out, 'more page')} with a verdict left out "
            "(--page-images and --page-images-mib set the limits)"
        )
    if view.undrawn:
        parts.append(f"{plural(view.undrawn, 'page')} could not be drawn")
    return f"{'; '.join(parts)}."


def spot_text(spot: PageSpot) -> str:
    """Return what a place on a page is, for people who hear the report."""
    quote = f"quote {spot.result.number}, {quote_status_text(spot.status)}"
    return f"{quote}, nearest passage; back to the list" if spot.is_nearest else f"{quote}; back to the list"
