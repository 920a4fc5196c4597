"""The examples of the command line's documentation do what they show."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import environment

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```console\n\$ (.+?)\n(.*?)^```", TEXT, re.M | re.S)


@pytest.mark.parametrize(("command", "output"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_documented_command_gives_the_documented_output(command, output):
    """What stands below a `$` line is what the command prints, errors included."""
    program = f"set -o pipefail; groundwire() {{ '{sys.executable}' -m groundwire \"$@\"; }}; {command}"
    done = subprocess.run(
        ["bash", "-c", program],
        cwd=ROOT,
        env=environment({"PYTHONIOENCODING": "utf-8"}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
    )
    assert done.stdout.decode("utf-8") == output


def test_every_option_of_the_command_is_documented(run):
    """An option that the help lists is in the documentation too, and the other way round."""
    helped = set(re.findall(r"(--[a-z-]+)", run("check", "--help").stdout)) - {"--help"}
    documented = set(re.findall(r"^\| .*?`(--[a-z-]+)[ `]", TEXT.partition("## Options")[2], re.M))
    short = set(re.findall(r"^\| `-\w`, `(--[a-z-]+)", TEXT, re.M))
    assert documented | short == helped


def test_example_transcript_is_worth_showing():
    """The sample has enough turns, tags, curly quotes and odd white space to show what normalisation is for."""
    text = (ROOT / "examples" / "interview.txt").read_text(encoding="utf-8")
    assert 60 <= len(re.findall(r"^[A-Z]\w+: ", text, re.M)) <= 100
    assert {"’", "“", "\xa0", "\t"} <= set(text)
    assert "<laughter>" in text


@pytest.mark.parametrize(
    ("mode", "statuses"),
    [
        ("substring", {"exact", "normalized", "absent", "blank"}),
        ("fuzzy", {"exact", "normalized", "fuzzy", "absent", "blank"}),
    ],
)
def test_example_extraction_shows_every_verdict(run, mode, statuses):
    """Each verdict that a mode can give occurs among the samples."""
    files = (str(ROOT / "examples" / name) for name in ("interview.txt", "extraction.json"))
    transcript, quotes = files
    report = run("check", transcript, "-q", quotes, "--mode", mode, "-f", "json").report
    assert {result["status"] for result in report["quotes"]} == statuses


def test_documented_python_runs():
    """The example in Python holds what it asserts."""
    (example,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.M | re.S)
    exec(example, {})
