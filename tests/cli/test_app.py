"""The group of commands: its help, loading on use, suggestions, and completion in shells."""

import inspect
import json
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

import groundwire
from cli.command import environment, run_here
from groundwire.cli.app import GROUNDWIRE, Deferred
from groundwire.cli.commands import COMMANDS
from waits import PATIENCE_S


def tree(command=GROUNDWIRE, path=()):
    """Yield every command with its path."""
    yield path, command
    for name, each in getattr(command, "commands", {}).items():
        yield from tree(each.load() if isinstance(each, Deferred) else each, (*path, name))


TREE = dict(tree())
DEFERRED = [
    (path, name)
    for path, command in TREE.items()
    for name, each in getattr(command, "commands", {}).items()
    if isinstance(each, Deferred)
]


@pytest.mark.parametrize(("path", "name"), DEFERRED)
def test_the_listed_help_is_the_first_sentence_of_the_docstring(path, name):
    """A group lists the help of commands that it has not imported."""
    listed = TREE[path].commands[name].short_help
    assert TREE[*path, name].name == name
    help_ = inspect.cleandoc(TREE[*path, name].help)
    assert help_.startswith(listed)
    assert help_[len(listed) :][:1] in ("", "\n", " ")
    assert len(listed) <= 66


@pytest.mark.parametrize("path", TREE, ids=" ".join)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_is_shown_for_every_command(run, path, option):
    """It is on standard output, at most 80 columns wide, with the whole help of each command of a group."""
    result = run(*path, option)
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"Usage: {' '.join(('groundwire', *path))} [OPTIONS]")
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "..." not in result.stdout.partition("Commands:")[2]


def test_the_overview_is_that_of_the_parser(run):
    """The overview, which is printed without click, has the commands and options that click knows."""
    shown = run("--help").stdout
    context = click.Context(GROUNDWIRE, info_name="groundwire", **GROUNDWIRE.context_settings)
    assert shown == click.Group.get_help(GROUNDWIRE, context) + "\n"
    assert run().stderr == shown


@pytest.mark.parametrize("path", [path for path in TREE if hasattr(TREE[path], "commands")], ids=" ".join)
def test_a_group_alone_shows_its_help(run, path):
    """The help is on standard error, because nothing was done."""
    result = run(*path)
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr == run(*path, "--help").stdout


@pytest.mark.parametrize(
    ("args", "stderr"),
    [
        (["chekc"], "error: no such command 'chekc'\nhint: did you mean `check`?\n"),
        (["review", "aprove"], "error: no such command 'aprove'\nhint: did you mean `approve`?\n"),
        (["memory", "revoek"], "error: no such command 'revoek'\nhint: did you mean `revoke`?\n"),
        (["xyz"], "error: no such command 'xyz'\nhint: `groundwire --help` lists arguments and options\n"),
        (["--verison"], "error: no such option '--verison'\nhint: did you mean `--version`?\n"),
        (["check", "--quote", "q"], "error: no such option '--quote'\nhint: did you mean `--quotes`?\n"),
        (
            ["bulk", "a", "b", "--minscore", "1"],
            "error: no such option '--minscore'\nhint: did you mean `--min-score`?\n",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistyped_name_is_reported_with_the_likely_one(run, args, stderr):
    """This holds for commands, subcommands and options."""
    assert run(*args) == (2, "", stderr)


# Completion


def complete(folder, shell, words, current):
    """Return the completions of *words* in *shell*, as lines of tab-separated fields."""
    env = {"_GROUNDWIRE_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": current}
    result = run_here(cwd=folder, env=env)
    assert (result.code, result.stderr) == (0, "")
    return result.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_printed(run, shell):
    """The script calls the command itself, with the same variable."""
    result = run(env={"_GROUNDWIRE_COMPLETE": f"{shell}_source"})
    assert (result.code, result.stderr) == (0, "")
    assert f"_GROUNDWIRE_COMPLETE={shell}_complete" in result.stdout
    assert "groundwire" in result.stdout


def test_an_unknown_shell_is_reported(run):
    """The message lists the known shells."""
    expected = "error: _GROUNDWIRE_COMPLETE `csh_source` is unknown\nhint: bash_source, zsh_source or fish_source\n"
    assert run(env={"_GROUNDWIRE_COMPLETE": "csh_source"}) == (2, "", expected)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("groundwire ", {f"plain,{name}" for name in COMMANDS}),
        ("groundwire c", {"plain,check", "plain,cite", "plain,calibrate"}),
        ("groundwire review ver", {"plain,verify-audit"}),
        ("groundwire memory re", {"plain,revoke", "plain,review"}),
        ("groundwire check --input", {"plain,--input-format"}),
        ("groundwire check a.txt --mode ", {"plain,substring", "plain,fuzzy"}),
        ("groundwire validate -f j", {"plain,json", "plain,jsonl", "plain,junit"}),
        ("groundwire check --quotes f", {"file,f"}),
        ("groundwire check --reader f", {"dir,f"}),
        ("groundwire check tran", {"file,tran"}),
        ("groundwire schema v", {"plain,validate"}),
    ],
)
def test_words_are_completed(tmp_path, words, expected):
    """Completions are commands, options, allowed values, files and folders."""
    assert set(complete(tmp_path, "bash", words, str(len(words.split(" ")) - 1)).split()) == expected


def test_zsh_and_fish_get_the_help_as_well(tmp_path):
    """The words are the same, in the format of these shells."""
    zsh = complete(tmp_path, "zsh", "groundwire sch", "1").split("\n")
    assert zsh[:3] == ["plain", "schema", COMMANDS["schema"]]
    env = {"_GROUNDWIRE_COMPLETE": "fish_complete", "COMP_WORDS": "groundwire sch", "COMP_CWORD": "sch"}
    fish = run_here(cwd=tmp_path, env=env).stdout
    assert "schema" in fish
    assert COMMANDS["schema"] in fish


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_completes_by_the_script(tmp_path):
    """Bash runs the script, and the script runs the command."""
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "groundwire"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m groundwire "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    program = (
        'eval "$(_GROUNDWIRE_COMPLETE=bash_source groundwire)"\n'
        "complete -p groundwire\n"
        "COMP_WORDS=(groundwire check --policy gu) COMP_CWORD=3\n"
        "_groundwire_completion groundwire\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    packages = str(Path(groundwire.__file__).parents[1])
    env = environment({"PATH": f"{folder}:/usr/bin:/bin", "PYTHONPATH": packages})
    done = subprocess.run(
        ["bash", "-c", program], capture_output=True, text=True, env=env, cwd=tmp_path, timeout=PATIENCE_S
    )
    registered, *words = done.stdout.splitlines()
    assert "_groundwire_completion" in registered
    assert (words, done.stderr) == (["guarded"], "")


def test_completion_of_commands_imports_none(tmp_path):
    """The group has the list of commands."""
    program = (
        "import json, os, sys\n"
        "os.environ |= {'_GROUNDWIRE_COMPLETE': 'bash_complete', 'COMP_WORDS': 'groundwire ', 'COMP_CWORD': '1'}\n"
        "from groundwire.cli import main\n"
        "main([])\n"
        "print(json.dumps(sorted(name for name in sys.modules if name.startswith('groundwire.cli'))))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == [
        "groundwire.cli",
        "groundwire.cli.app",
        "groundwire.cli.commands",
    ]
