"""Defines types of option values, and the options that commands share with one meaning."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from groundwire.cli.app import CommandError, choose
from groundwire.thresholds import FUZZY_THRESHOLD

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from groundwire.support_score import ScoreSubject, SupportScore

_Command = TypeVar("_Command", bound=Callable[..., Any])

# The engine and databases take no larger numbers.
_LARGEST = (1 << 62) - 1


class Choice(click.Choice[str]):
    """One of several words; the error for any other word suggests the most similar one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return *value* if it is allowed."""
        return choose(_name(param), value, self.choices)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the words for the help."""
        return "|".join(self.choices)

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """Return nothing to add, because the usage lists the words."""
        return ""


class Number(click.ParamType[float]):
    """
    A number within limits.

    Args:
        least: The minimum.
        most: The maximum.
        metavar: Its name in help.
        is_whole: Whether it must be an int.
    """

    name = "number"

    def __init__(self, least: float, most: float = _LARGEST, *, metavar: str = "N", is_whole: bool = True) -> None:
        self._least = least
        self._most = most
        self._metavar = metavar
        self._is_whole = is_whole

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return *value* as a number within the limits."""
        name = _name(param)
        try:
            number: float = int(value) if self._is_whole else float(value)
        except ValueError:
            kind = "a whole number" if self._is_whole else "a number"
            raise CommandError(f"{name} must be {kind}, got `{value}`") from None
        # In this form the test also refuses NaN, which compares false with everything.
        if not self._least <= number <= self._most:
            is_open = self._most == _LARGEST and number < self._least
            limits = f"at least {self._least}" if is_open else f"between {self._least} and {self._most}"
            raise CommandError(f"{name} must be {limits}, got {value}")
        return number

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the name of the number in help."""
        return self._metavar


class PathName(click.ParamType[str]):
    """The name of a file or folder, with completion; whoever reads it checks that it exists."""

    name = "file"

    def __init__(self, metavar: str = "FILE") -> None:
        self._metavar = metavar

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the placeholder of the name in help."""
        return self._metavar

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,
        incomplete: str,
    ) -> "list[CompletionItem]":
        """Let the shell complete file names."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="dir" if self._metavar == "FOLDER" else "file")]


FILE = PathName()
FOLDER = PathName("FOLDER")
DATABASE = PathName("FILE|URL")
SHARE = Number(0, 1, metavar="0-1", is_whole=False)
COUNT = Number(1)


def _name(param: click.Parameter | None) -> str:
    """Return the name of a parameter for messages: its long option, or its metavar."""
    if param is None:
        return "the value"
    return max(param.opts, key=len) if isinstance(param, click.Option) else param.human_readable_name


def input_format_option(*formats: str, reads: str) -> Callable[[_Command], _Command]:
    """Return `--input-format` of a command that *reads* files in one of *formats*."""
    help_ = f"Read {reads} in this format, regardless of name and content."
    return click.option("--input-format", type=Choice(formats), help=help_)


_LONGEST_METAVAR = 60


def format_option(*formats: str, default: str = "text") -> Callable[[_Command], _Command]:
    """Return `--format` of a command that shows its results in one of *formats*."""
    help_ = "Show the results on standard output in this format."
    listed = "|".join(formats)
    if len(listed) > _LONGEST_METAVAR:
        # Help wraps its text, and not the values of an option.
        help_, metavar = f"{help_} Formats: {', '.join(formats)}.", "FORMAT"
    else:
        metavar = listed
    return click.option(
        "--format", "-f", "report_format", type=Choice(formats), metavar=metavar, default=default, help=help_
    )


def output_option(
    *names: str,
    help: str = "Also write the results to this file, in the format of its suffix or else of --format; repeatable.",
) -> Callable[[_Command], _Command]:
    """Return `--output`, also called *names*."""
    return click.option(
        "--output",
        "-o",
        *names,
        "outputs",
        type=PathName("OUT"),
        multiple=True,
        help=help,
    )


policy_option = click.option(
    "--policy",
    type=Choice(("guarded", "literal")),
    help="The rule that decides: guarded reports differences and accepts none that changes the meaning; literal "
    "compares strings.  [default: literal if --mode is given, else guarded]",
)
mode_option = click.option(
    "--mode",
    type=Choice(("substring", "fuzzy")),
    help="How the literal policy compares strings: substring accepts quotes that occur in the normalised text, fuzzy "
    "also similar ones.  [default: substring]",
)
threshold_option = click.option(
    "--threshold",
    type=SHARE,
    help=f"The minimum score of a similar quote.  [default: {FUZZY_THRESHOLD}]",
)
workers_option = click.option("--workers", type=COUNT, default=1, help="The number of engine threads.")
allow_empty_option = click.option("--allow-empty", is_flag=True, help="Pass when there is nothing to check.")
score_option = click.option(
    "--score",
    type=FILE,
    help="Score support by this file, which `groundwire calibrate` fits to your own labelled claims.  "
    "[default: the shipped score]",
)
quote_score_option = click.option(
    "--score",
    type=FILE,
    help="Add the probability that each quote is right, by this file, which `groundwire calibrate` fits to your own "
    "labelled quotes. For the guarded policy.",
)
reader_option = click.option(
    "--reader",
    type=FOLDER,
    help="Use the ONNX classifier in this folder, which recognises support in other words.",
)
model_option = click.option(
    "--model", metavar="NAME", help="The language model that judges.  [default: QUANTITATIVE_JUDGE_MODEL]"
)
base_url_option = click.option(
    "--base-url", metavar="URL", help="The model's OpenAI-compatible server.  [default: from the environment]"
)
no_progress_option = click.option("--no-progress", is_flag=True, help="Show no progress bar.")
person_option = click.option(
    "--as", "person", metavar="NAME", default="local", help="Your name, for permissions and the audit log."
)
limit_option = click.option("--limit", type=COUNT, default=20, help="The maximum number of rows.")
type_filter_option = click.option("--memory-type", "memory_type", metavar="TYPE", help="Restrict to one type.")
user_filter_option = click.option("--user", metavar="NAME", help="Restrict to one user.")
database_argument = click.argument(
    "database", type=PathName("DATABASE"), help="The database: an SQLite file, sqlite:///… or postgresql://…"
)


def min_score_option(help: str, default: float) -> Callable[[_Command], _Command]:
    """Return `--min-score`, the gate of a command: a lower score gives exit code 1."""
    return click.option("--min-score", type=SHARE, default=default, help=help)


def support_score(path: str | None, subject: "ScoreSubject" = "claims") -> "SupportScore | None":
    """
    Return the score in a file, which must score *subject*; None without a file.

    Raises:
        CommandError: The file cannot be read, holds no score, or holds a score of another subject.
    """
    if path is None:
        return None
    from groundwire.cli.inputs import error_reason
    from groundwire.support_score import SupportScore, SupportScoreError

    try:
        score = SupportScore.load(path)
    except OSError as error:
        raise CommandError(f"cannot read `{path}`: {error_reason(error)}") from None
    except (SupportScoreError, ValueError) as error:
        raise CommandError(
            f"`{path}` is not a score of support: {error}", hint="`groundwire calibrate --fit` writes one"
        ) from None
    try:
        return score.check_subject(subject)
    except SupportScoreError:
        raise CommandError(
            f"`{path}` was fitted on {score.subject}; this command scores {subject}",
            hint=f"`groundwire calibrate --fit LABELS --save FILE` with labelled {subject} writes a score for it",
        ) from None


def quote_score(path: str | None, policy: str, threshold: float | None) -> "SupportScore | None":
    """
    Return the score of quotes in a file; None without a file.

    Raises:
        CommandError: As `support_score`, or the score was fitted with another policy or threshold.
    """
    if path is not None and policy != "guarded":
        raise CommandError("--score requires --policy guarded")
    score = support_score(path, "quotes")
    fitted_at = FUZZY_THRESHOLD if score is None else dict(score.data).get("threshold", FUZZY_THRESHOLD)
    if threshold is not None and threshold != fitted_at and score is not None:
        raise CommandError(
            f"`{path}` was fitted at threshold {fitted_at}, got --threshold {threshold:g}",
            hint="leave out --threshold or --score",
        )
    return score
