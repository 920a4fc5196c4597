"""`groundwire bench`: how fast is it here, and against whom?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli import FOUND, PASS
from groundwire.cli.inputs import reason_of
from groundwire.cli.options import NoProgress
from groundwire.cli.problems import CommandError, choose
from groundwire.cli.progress import progress
from groundwire.files import check_total, file_limit
from groundwire.labels import closest

if TYPE_CHECKING:
    from groundwire.benchmarks.case import Case, Mean
    from groundwire.benchmarks.corpus import Corpus
    from groundwire.benchmarks.runner import Outcome

_SHORT_BUDGET_S = 0.3
_FULL_BUDGET_S = 2.0

FORMATS = ("text", "json")

Only = Annotated[
    str | None, typer.Option("--only", metavar="NAME", help="Only this benchmark, or those of this topic.")
]
Corpora = Annotated[
    list[str] | None,
    typer.Option(
        "--corpus",
        metavar="FILE",
        help="English text for the rows of `reach`, instead of made-up text; the last of several is for absent quotes.",
    ),
]
Full = Annotated[bool, typer.Option("--full", help="All benchmarks, and more rounds of each: many minutes.")]
Check = Annotated[bool, typer.Option("--check", help="Exit with 1 if a bar is missed.")]
FormatName = Annotated[str, typer.Option("--format", "-f", metavar="text|json", help="Form of the result.")]


def bench(
    *,
    only: Only = None,
    corpus: Corpora = None,
    full: Full = False,
    check: Check = False,
    result_format: FormatName = "text",
    no_progress: NoProgress = False,
) -> int:
    """
    Measure groundwire against other engines on this machine.

    Every answer is checked before its time counts. Engines take turns, so that
    ratios hold on a busy machine; times are medians.
    """
    chosen_format = choose("--format", result_format, FORMATS)
    from groundwire.benchmarks.runner import run

    cases = _cases(only, corpus or [], full=full)
    outcomes = []
    with progress(len(cases), label="benchmarks", enabled=not no_progress) as advance:
        for outcome in run(cases, budget_s=_FULL_BUDGET_S if full else _SHORT_BUDGET_S):
            outcomes.append(outcome)
            advance(1)
    _publish(outcomes, chosen_format)
    return FOUND if check and any(outcome.is_met is False for outcome in outcomes) else PASS


def _cases(only: str | None, corpus: list[str], *, full: bool) -> list["Case | Mean"]:
    """
    Return the benchmarks to run: those of the short form, unless a name or *full* asks for more.

    Raises:
        CommandError: There is no such name, or no such file.
    """
    from groundwire.benchmarks import cases, reach

    rows = [*cases.CASES, *reach.reach(_corpus(corpus))]
    if only is None:
        return [case for case in rows if full or case.is_short]
    named = [case for case in rows if f"{case.name}/".startswith(f"{only}/")]
    short = [case for case in named if full or case.is_short]
    if not named:
        guess = closest(only, [*dict.fromkeys(case.name.partition("/")[0] for case in rows)])
        raise CommandError(f"no benchmark `{only}`", hint=f"did you mean `{guess}`?" if guess else None)
    return short or named


def _corpus(names: list[str]) -> "Corpus":
    """
    Return the corpus that *names* are the files of; without names, a made-up one.

    Raises:
        CommandError: A file is not there, or there is one file only.
    """
    from groundwire.benchmarks.corpus import Corpus

    if len(names) == 1:
        raise CommandError("--corpus is given once", hint="name two files or more: absent quotes come from the last")
    for name in names:
        if not Path(name).is_file():
            raise CommandError(f"no file `{name}`")
        try:
            check_total(Path(name).stat().st_size, file_limit(), name)
        except OSError as error:
            raise CommandError(f"cannot read `{name}`: {reason_of(error)}") from None
    return Corpus(tuple(map(Path, names[:-1])), tuple(map(Path, names[-1:])))


def _publish(outcomes: list["Outcome"], result_format: str) -> None:
    """Write *outcomes* to standard output."""
    if result_format == "json":
        import json

        from groundwire.benchmarks.runner import machine
        from groundwire.cli.output import write_stdout

        result = {"machine": machine(), "benchmarks": [outcome.as_record() for outcome in outcomes]}
        write_stdout(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
        return
    from rich.console import Console

    from groundwire.benchmarks.table import print_table

    print_table(outcomes, Console(highlight=False, markup=False, emoji=False))
