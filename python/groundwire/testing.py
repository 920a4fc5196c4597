"""
Assertions for tests of whatever makes a language model quote.

    from groundwire.testing import assert_grounded

    def test_summary_quotes_what_was_said():
        assert_grounded(quotes_of(summary), transcript)

A failure says of each quote that is not there what the source has in its place.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from groundwire import Source, Transcript
from groundwire.evidence import QuotePolicy
from groundwire.evidence.options import check_mode
from groundwire.labels import show
from groundwire.report import Quote, TranscriptFile, build_guarded_report, build_report
from groundwire.report.model import CheckReport, QuoteResult
from groundwire.report.plain import diff_text
from groundwire.report.printable import one_line
from groundwire.report.words import notable_reasons, plural, position_text, reason_text, score_text, status_text

__all__ = ["assert_grounded"]

_Text = str | Source | Transcript
_NEARBY = frozenset({"near", "altered", "elided", "wrong_speaker"})


def assert_grounded(
    quotes: str | Sequence[str],
    source: _Text | Sequence[_Text],
    *,
    policy: Literal["guarded", "literal"] | QuotePolicy = "guarded",
    mode: Literal["substring", "fuzzy"] = "substring",
    threshold: float = 0.85,
) -> None:
    """
    Assert that quotes stand in their source, or in one of several.

    Args:
        quotes: One or several.
        source: A text, or several.
        policy: "guarded" for the verdicts of `groundwire.evidence.assess_quotes`, or what they
            accept; "literal" compares strings.
        mode: How the literal policy compares: "substring", or "fuzzy".
        threshold: The least score of a quote that is nearly there, 0.0 to 1.0.

    Raises:
        AssertionError: One is not accepted. Says which, and what the source has in its place:
            `[-...-]` is in the source alone, `{+...+}` in the quote alone.
        TypeError, ValueError: An argument is of another type, or out of its range; there are no quotes,
            which would pass whatever the source says.
    """
    # pytest shows this frame no more than its own.
    __tracebackhide__ = True
    check_mode(mode)
    wanted = [Quote(quote) for quote in _checked(quotes)]
    texts = [_file(each, number) for number, each in enumerate(_several(source), start=1)]
    guarded = build_guarded_report(texts, wanted, policy=_policy(policy, threshold))
    if policy == "literal":
        report = build_report(texts, wanted, mode=mode, threshold=threshold)
        accepted = [result.accepted for result in report.quotes]
    else:
        accepted = [result.accepted for result in guarded.quotes]
    if not all(accepted):
        raise AssertionError(_failure(guarded, accepted))


def _checked(quotes: str | Sequence[str]) -> list[str]:
    chosen = [quotes] if isinstance(quotes, str) else list(quotes)
    if not chosen:
        raise ValueError("there are no quotes to look for")
    for place, quote in enumerate(chosen):
        if not isinstance(quote, str):
            raise TypeError(f"quotes[{place}] must be a str, got {type(quote).__name__}")
    return chosen


def _several(source: _Text | Sequence[_Text]) -> list[_Text]:
    return [source] if isinstance(source, str | Source | Transcript) else list(source)


def _file(source: _Text, number: int) -> TranscriptFile:
    name = f"source {number}"
    if isinstance(source, str):
        return TranscriptFile(name, source)
    if isinstance(source, Transcript):
        return TranscriptFile(source.name or name, source.text, reading=source)
    if isinstance(source, Source):
        return TranscriptFile(source.name or name, source.text)
    raise TypeError(f"source {number} must be a str, a Source or a Transcript, got {type(source).__name__}")


def _policy(policy: str | QuotePolicy, threshold: float) -> QuotePolicy:
    if isinstance(policy, QuotePolicy):
        return policy
    if policy not in ("guarded", "literal"):
        raise ValueError(f'policy must be "guarded", "literal" or a QuotePolicy, got {show(policy)}')
    return QuotePolicy(threshold=threshold)


def _failure(report: CheckReport, accepted: Sequence[bool]) -> str:
    failed = [result for result, is_accepted in zip(report.quotes, accepted, strict=True) if not is_accepted]
    lines = [f"{len(failed)} of {plural(len(accepted), 'quote')} not grounded"]
    for result in failed:
        lines += ["", *_lines(result)]
    return "\n".join(lines)


def _lines(result: QuoteResult) -> Iterator[str]:
    """Yield what is to be said of a quote: what became of it, and what the source has in its place."""
    why = "; ".join(reason_text(reason, result) for reason in notable_reasons(result))
    yield f"#{result.number} {status_text(result.status)}{f': {one_line(why)}' if why else ''}"
    yield f"   quote:  {one_line(result.quote) or '(empty)'}"
    for place in result.places[:1]:
        shown = diff_text(result) if result.status in _NEARBY else one_line(place.passage)
        where = one_line(position_text(place))
        yield f"   source: {shown}"
        yield f"           at {where}, characters {place.start} to {place.end}, score {score_text(place.score)}"
