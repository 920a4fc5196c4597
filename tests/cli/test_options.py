"""An option has the same meaning in every command."""

import click
import pytest

from cli.test_app import TREE
from groundwire.cli.options import Choice

OPTIONS = [
    (" ".join(path), option)
    for path, command in TREE.items()
    if not hasattr(command, "commands")
    for option in command.params
    if isinstance(option, click.Option)
]
NAMES = sorted({name for _, option in OPTIONS for name in (*option.opts, *option.secondary_opts)})

# Options that differ between commands by nature, with the reason.
DIFFERENT = {
    "--policy": "each system has its own policies",
    "--judge": "in `cite` a judge is asked at times, in `validate` for tasks",
    "--cursor": "a page of memories begins behind an id, one of the queue behind a place",
    "--reason": "memories keep a label, the queue a text",
    "--embedder": "a folder can be calibrated as well",
    "--workers": "`bulk` takes all processors by default",
    "--memory-type": "claims have a type, and lists are filtered by it",
    "--source": "API.md: research in `validate`; elsewhere the origin of a claim",
    "-s": "the same",
}


def of_name(name):
    """Return the options with this *name*, with their commands."""
    return [(path, each) for path, each in OPTIONS if name in (*each.opts, *each.secondary_opts)]


def kind(option):
    """Return an option's value: its metavar or that of its type, and whether it can be repeated."""
    choices = None if isinstance(option.type, Choice) else option.metavar or vars(option.type).get("_metavar")
    return option.is_flag, type(option.type).__name__, choices, option.multiple


@pytest.mark.parametrize("name", [name for name in NAMES if name not in DIFFERENT])
def test_an_option_takes_the_same_everywhere(name):
    """The value is a flag, a file, a number, or one of several words."""
    options = of_name(name)
    assert {kind(option) for _, option in options} == {kind(options[0][1])}, options


@pytest.mark.parametrize(
    ("name", "help_"),
    [
        ("--format", "Show the results on standard output in this format."),
        ("--output", "Also write the results to this file"),
        ("--min-score", "The minimum "),
        ("--threshold", "The minimum "),
        ("--input-format", "Read "),
        ("--no-progress", "Show no progress bar."),
    ],
)
def test_shared_options_begin_with_the_same_words(name, help_):
    """`--format` is about output and `--input-format` about input; `--min-score` is the gate."""
    options = of_name(name)
    assert len(options) > 1
    assert [path for path, option in options if not option.help.startswith(help_)] == []


@pytest.mark.parametrize("name", ["-f", "-o"])
def test_a_letter_has_one_name(name):
    """That name has the letter in every command."""
    long = {"-f": "--format", "-o": "--output"}[name]
    assert [path for path, option in OPTIONS if (name in option.opts) != (long in option.opts)] == []


def test_old_names_are_removed():
    """There is one name for the minimum score and one for the input format."""
    assert not {"--fail-under", "--quotes-format", "--claims-format"} & {*NAMES}


def choices_of(command, option):
    """Return the words that an option takes."""
    (found,) = [each for path, each in OPTIONS if path == command and option in each.opts]
    return found.type.choices


def test_words_are_those_of_the_packages():
    """Options list them, so that help need not load the packages."""
    from typing import get_args

    from groundwire.bulk.inputs import FileFormat
    from groundwire.bulk.policies import MODES as BULK_MODES
    from groundwire.bulk.policies import POLICIES as BULK_POLICIES
    from groundwire.cli.claims import ClaimsFormat
    from groundwire.cli.quotes import QuotesFormat
    from groundwire.ingestion.duplicates.index import DEDUP_METHODS
    from groundwire.report.check.model import MODES, POLICIES
    from groundwire.report.cite.model import POLICIES as CITE_POLICIES
    from groundwire.report.cite.model import QUESTION_TYPES, SOURCE_QUALITIES, WHEN

    stated = {
        ("check", "--policy"): POLICIES,
        ("check", "--mode"): MODES,
        ("check", "--input-format"): get_args(QuotesFormat),
        ("cite", "--policy"): CITE_POLICIES,
        ("cite", "--judge"): WHEN,
        ("cite", "--question-type"): QUESTION_TYPES,
        ("cite", "--source-quality"): SOURCE_QUALITIES,
        ("ingest", "--dedup-method"): DEDUP_METHODS,
        ("ingest", "--input-format"): get_args(ClaimsFormat),
        ("bulk", "--policy"): BULK_POLICIES,
        ("bulk", "--mode"): BULK_MODES,
        ("bulk", "--input-format"): tuple(FileFormat),
    }
    assert {place: sorted(choices_of(*place)) for place in stated} == {
        place: sorted(words) for place, words in stated.items()
    }
