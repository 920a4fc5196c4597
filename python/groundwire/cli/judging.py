"""The judge that the options of `groundwire cite` ask for."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.cli.problems import CommandError, choose, setting_problems, warn

if TYPE_CHECKING:
    from groundwire.judge import LLMJudge
    from groundwire.judge.protocol import Judge
    from groundwire.report.cite.model import AnswerReport, CiteReport, When

__all__ = ["JudgeOptions", "Judging", "judging", "make_judge", "warn_of_failures"]


class JudgeOptions(NamedTuple):
    """What the command line says of the judge; None where it says nothing."""

    when: str | None
    model: str | None
    base_url: str | None


class Judging(NamedTuple):
    """Who is asked, when, by which name, and how many answers at once; nobody without a judge."""

    judge: "Judge | None" = None
    when: "When" = "never"
    model: str | None = None
    workers: int = 1


def when_of(options: JudgeOptions) -> "When":
    """
    Return when the judge is asked: never, unless an option names one.

    Raises:
        CommandError: There is no such choice.
    """
    from groundwire.report.cite.model import WHEN

    if options.when is None:
        return "never" if options.model is None and options.base_url is None else "auto"
    when = choose("--judge", options.when, WHEN)
    if when == "never":
        for name, value in (("--model", options.model), ("--base-url", options.base_url)):
            if value is not None:
                warn(f"{name} has no effect with --judge never")
    return when


@contextmanager
def judging(options: JudgeOptions) -> Iterator[Judging]:
    """
    Give the judge, and close it in the end. Nothing of it is loaded if nobody is to be asked.

    Raises:
        CommandError: It cannot be made: the extra is not installed, no model is named, or a
            setting is wrong.
    """
    when = when_of(options)
    if when == "never":
        yield Judging()
        return
    from groundwire.judge.circuit_breaker import CircuitBreakerJudge
    from groundwire.report.labels import plural

    judge, workers = make_judge(when, options.model, options.base_url)
    with judge:
        patient = CircuitBreakerJudge(judge)
        yield Judging(patient, when, judge.model, workers)
        if unsent := patient.unsent:
            warn(f"the judge's server is not to be had: {plural(unsent, 'answer')} not sent to it")


def make_judge(asked: str, model: str | None, base_url: str | None) -> "tuple[LLMJudge, int]":
    """
    Return the judge of the environment and of the options, and how many answers it judges at once.

    Args:
        asked: The value of `--judge`.
        model: That of `--model`; None for the environment's.
        base_url: That of `--base-url`, likewise.

    Raises:
        CommandError: It cannot be made: the extra is not installed, no model is named, or a
            setting is wrong.
    """
    from groundwire.judge import LLMJudge
    from groundwire.settings import JudgeSettings

    named = {"judge_model": model, "judge_base_url": base_url}
    chosen: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    try:
        settings = JudgeSettings(**chosen)
        if settings.judge_model is None:
            hint = "name one by --model, or set QUANTITATIVE_JUDGE_MODEL"
            raise CommandError(f"--judge {asked} needs a model", hint=hint)
        return LLMJudge.from_settings(settings), settings.judge_concurrency
    except ImportError as error:
        raise CommandError(str(error)) from None
    except (OSError, ValueError) as error:
        # What pydantic and the judge say of a setting names it and the rule, never the value.
        raise CommandError(f"no judge can be made: {setting_problems(error)}") from None


def warn_of_failures(report: "CiteReport") -> None:
    """Say of how many answers there is no judgement although one was asked for, and why."""
    from groundwire.report.labels import plural

    for error in dict.fromkeys(errors := [_error_of(each) for each in report.answers if each.judge_status == "error"]):
        failed = plural(errors.count(error), "judgement")
        levels = "the level is that" if errors.count(error) == 1 else "these levels are those"
        warn(f"{failed} failed ({error}); {levels} of the rules")


def _error_of(answer: "AnswerReport") -> str:
    return (answer.judgement.error if answer.judgement else None) or "unreadable"
