"""`groundwire bench`: measures groundwire against other engines on this machine."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from groundwire.cli.app import CommandError
from groundwire.cli.commands import FOUND, PASS
from groundwire.cli.inputs import error_reason
from groundwire.cli.options import FILE, format_option, no_progress_option
from groundwire.cli.output import progress, write_stdout
from groundwire.files import check_total, file_limit
from groundwire.labels import closest

if TYPE_CHECKING:
    from groundwire.benchmarks.cases import Benchmark, Mean
    from groundwire.benchmarks.corpus import Corpus
    from groundwire.benchmarks.runner import BenchmarkResult

_SHORT_BUDGET_S = 0.3
_FULL_BUDGET_S = 2.0


@click.command()
@click.option("--filter", "only", metavar="NAME", help="Run only this benchmark, or the benchmarks of this topic.")
@click.option(
    "--corpus",
    type=FILE,
    multiple=True,
    help="Use this English text in the rows of `reach`, not synthetic text; absent quotes come from the last file.",
)
@click.option("--full", is_flag=True, help="Run all benchmarks with more rounds, which takes many minutes.")
@click.option("--check", is_flag=True, help="Exit with code 1 if a target is missed.")
@format_option("text", "json")
@no_progress_option
def bench(
    *,
    only: str | None,
    corpus: tuple[str, ...],
    full: bool,
    check: bool,
    report_format: str,
    no_progress: bool,
) -> int:
    """
    Measure groundwire against other engines on this machine.

    Every answer is checked before its time counts. Engines take turns, so that
    ratios hold on a busy machine; times are medians.
    """
    from groundwire.benchmarks.runner import run

    cases = _cases(only, corpus, full=full)
    outcomes = []
    with progress(len(cases), label="benchmarks", enabled=not no_progress) as advance:
        for outcome in run(cases, budget_s=_FULL_BUDGET_S if full else _SHORT_BUDGET_S):
            outcomes.append(outcome)
            advance(1)
    _publish(outcomes, report_format)
    return FOUND if check and any(outcome.is_met is False for outcome in outcomes) else PASS


def _cases(only: str | None, corpus: tuple[str, ...], *, full: bool) -> list["Benchmark | Mean"]:
    """
    Return the benchmarks to run: the short set, unless a name or *full* selects others.

    Raises:
        CommandError: No benchmark has this name, or a file is missing.
    """
    from groundwire.benchmarks import cases

    rows = [*cases.CASES, *cases.reach(_corpus(corpus))]
    if only is None:
        return [case for case in rows if full or case.is_short]
    named = [case for case in rows if f"{case.name}/".startswith(f"{only}/")]
    short = [case for case in named if full or case.is_short]
    if not named:
        guess = closest(only, [*dict.fromkeys(case.name.partition("/")[0] for case in rows)])
        raise CommandError(f"no benchmark `{only}`", hint=f"did you mean `{guess}`?" if guess else None)
    return short or named


def _corpus(names: tuple[str, ...]) -> "Corpus":
    """
    Return the corpus in the files *names*, or a synthetic one without names.

    Raises:
        CommandError: A file is missing, or there is only one.
    """
    from groundwire.benchmarks.corpus import Corpus

    if len(names) == 1:
        raise CommandError("--corpus needs at least two files", hint="repeat it: absent quotes come from the last file")
    for name in names:
        if not Path(name).is_file():
            raise CommandError(f"no file `{name}`")
        try:
            check_total(Path(name).stat().st_size, file_limit(), name)
        except OSError as error:
            raise CommandError(f"cannot read `{name}`: {error_reason(error)}") from None
    return Corpus(tuple(map(Path, names[:-1])), tuple(map(Path, names[-1:])))


def _publish(outcomes: list["BenchmarkResult"], report_format: str) -> None:
    """Write *outcomes* to standard output."""
    if report_format == "json":
        import json

        from groundwire.benchmarks.runner import machine

        result = {"machine": machine(), "benchmarks": [outcome.as_record() for outcome in outcomes]}
        write_stdout(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
        return
    from rich.console import Console

    from groundwire.benchmarks.runner import print_table

    print_table(outcomes, Console(highlight=False, markup=False, emoji=False))
