"""The rule that the options of `groundwire check` ask for."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from groundwire.cli.options import threshold_of
from groundwire.cli.problems import CommandError, choose, warn

if TYPE_CHECKING:
    from groundwire.cli.quotes import QuoteSet
    from groundwire.report import CheckReport, TranscriptFile


_SPEAKERS_LISTED = 20


class RuleOptions(NamedTuple):
    """What the command line says of the rule; None where it says nothing."""

    policy: str | None
    mode: str | None
    threshold: float | None
    speakers: Sequence[str]
    min_chars: int | None
    min_words: int | None
    single_speaker: bool
    reader: str | None


class Rule(NamedTuple):
    """
    A rule, ready to be applied.

    `needs_turns` says whether transcripts are read with their turns, and
    `build` checks quotes against them.
    """

    needs_turns: bool
    build: "Callable[[Sequence[TranscriptFile], QuoteSet, int, Callable[[int], object]], CheckReport]"


def rule_of(options: RuleOptions) -> Rule:
    """
    Return the rule that *options* ask for.

    Raises:
        CommandError: A value is unknown or out of range, or belongs to the other policy.
    """
    from groundwire.report.check import POLICIES

    # Only strings are compared in a mode, so who asks for one asks for that.
    policy = options.policy or ("guarded" if options.mode is None else "literal")
    return _guarded(options) if choose("--policy", policy, POLICIES) == "guarded" else _literal(options)


def _literal(options: RuleOptions) -> Rule:
    from groundwire.report import build_report
    from groundwire.report.check import MODES

    for name, value in (
        ("--speaker", options.speakers or None),
        ("--min-chars", options.min_chars),
        ("--min-words", options.min_words),
        ("--single-speaker", options.single_speaker or None),
        ("--reader", options.reader),
    ):
        if value is not None:
            raise CommandError(f"{name} is an option of --policy guarded")
    mode = choose("--mode", "substring" if options.mode is None else options.mode, MODES)
    threshold = threshold_of(options.threshold)
    if options.threshold is not None and mode != "fuzzy":
        warn(f"--threshold has no effect in {mode} mode")

    def build(
        transcripts: "Sequence[TranscriptFile]", wanted: "QuoteSet", workers: int, on_progress: Callable[[int], object]
    ) -> "CheckReport":
        for number, quote in enumerate(wanted.quotes, start=1):
            if quote.speaker is not None or quote.page is not None:
                named = "page" if quote.speaker is None else "speaker"
                raise CommandError(f"quote {number} names a {named}, which --policy literal does not check")
        return build_report(
            transcripts,
            wanted.quotes,
            mode=mode,
            threshold=threshold,
            workers=workers,
            domains=wanted.domains,
            on_progress=on_progress,
        )

    return Rule(needs_turns=False, build=build)


def _guarded(options: RuleOptions) -> Rule:
    from groundwire.cli.readers import reader_in
    from groundwire.evidence.verdicts import QuotePolicy
    from groundwire.report import build_guarded_report

    if options.mode is not None:
        raise CommandError("--mode is an option of --policy literal")
    for name, count in (("--min-chars", options.min_chars), ("--min-words", options.min_words)):
        if count is not None and count < 1:
            raise CommandError(f"{name} must be at least 1, got {count}")
    policy = QuotePolicy(
        threshold=threshold_of(options.threshold),
        min_chars=options.min_chars or 1,
        min_words=options.min_words or 1,
        speakers=tuple(options.speakers) or None,
        accept_across_turns=not options.single_speaker,
    )

    reader = reader_in(options.reader)

    def build(
        transcripts: "Sequence[TranscriptFile]", wanted: "QuoteSet", workers: int, on_progress: Callable[[int], object]
    ) -> "CheckReport":
        _check_names(transcripts)
        _check_speakers(transcripts, options.speakers)
        quotes = [
            quote if quote.source is None else quote._replace(source=_cited(quote.source, transcripts))
            for quote in wanted.quotes
        ]
        return build_guarded_report(
            transcripts,
            quotes,
            policy=policy,
            workers=workers,
            reader=reader,
            domains=wanted.domains,
            on_progress=on_progress,
        )

    return Rule(needs_turns=True, build=build)


def _check_names(transcripts: "Sequence[TranscriptFile]") -> None:
    """Refuse a transcript that is given twice: which one of them holds a quote could not be said."""
    seen = set()
    for transcript in transcripts:
        if transcript.name in seen:
            raise CommandError(f"`{transcript.name}` is given twice")
        seen.add(transcript.name)


def _check_speakers(transcripts: "Sequence[TranscriptFile]", speakers: Sequence[str]) -> None:
    """
    Check that everybody who may be quoted says something.

    Raises:
        CommandError: A transcript names nobody, or nobody is called so. Lists who speaks.
    """
    from groundwire.labels import closest
    from groundwire.sanitize import one_line
    from groundwire.transcripts.speakers import speaker_key

    if not speakers:
        return
    silent = next((each.name for each in transcripts if each.reading is None or not each.reading.speakers), None)
    if silent is not None:
        raise CommandError(f"--speaker needs transcripts with speakers; `{silent}` names nobody")
    # Each speaker once, as first written.
    named = {
        speaker_key(name): name for each in reversed(transcripts) if each.reading for name in each.reading.speakers
    }
    for speaker in speakers:
        if speaker_key(speaker) not in named:
            known = sorted(named.values())
            listed = ", ".join(f"`{one_line(name)}`" for name in known[:_SPEAKERS_LISTED])
            more = f" and {len(known) - _SPEAKERS_LISTED} more" if len(known) > _SPEAKERS_LISTED else ""
            guess = closest(speaker, known)
            raise CommandError(
                f"--speaker `{one_line(speaker)}` speaks in none of the transcripts; speakers: {listed}{more}",
                hint=f"did you mean `{one_line(guess)}`?" if guess else None,
            )


def _cited(source: str, transcripts: "Sequence[TranscriptFile]") -> str:
    """
    Return the name of the transcript that a quote calls *source*: as given, or without its folders.

    A name that no transcript has, or several have, stays as it is: the verdict on that quote says so.
    """
    if any(each.name == source for each in transcripts):
        return source
    called = [each.name for each in transcripts if each.name.replace("\\", "/").rpartition("/")[2] == source]
    return called[0] if len(called) == 1 else source
