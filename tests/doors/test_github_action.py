"""The action of GitHub: its description follows the schema, and its script runs as the runner would run it."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from cli.command import environment
from libraries import need

need("check_jsonschema", lane="doors")

PROJECT = Path(__file__).parents[2]
ACTION = PROJECT / "action.yml"
STEPS = {step["name"]: step for step in yaml.safe_load(ACTION.read_text(encoding="utf-8"))["runs"]["steps"]}


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a step in the sample's folder, and returns the process and the runner's files."""
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "groundwire").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m groundwire "$@"\n', encoding="utf-8")
    (commands / "groundwire").chmod(0o755)
    files = {name: tmp_path / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.touch()

    def run(name="Run groundwire", **inputs):
        usual = {"COMMAND": "check", "ANNOTATIONS": "true", "SUMMARY": "true", "FOLDER": str(tmp_path)}
        own = {**usual, **{key: str(file) for key, file in files.items()}, **inputs}
        variables = environment(own)
        variables["PATH"] = f"{commands}:{variables['PATH']}"
        # The runner starts bash with these options.
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]["run"]]
        done = subprocess.run(command, cwd=PROJECT / "examples", capture_output=True, text=True, env=variables)
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        return done, outputs, files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")

    return run


def test_the_action_follows_the_schema_of_github():
    """The schema comes with check-jsonschema."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", str(ACTION)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    assert (done.returncode, done.stderr) == (0, "")


def test_findings_annotate_and_fail_at_the_end(run, tmp_path):
    """The script succeeds, so that the upload still runs; the last step has the exit code of the command."""
    done, outputs, summary = run(ARGS="interview.txt\n--quotes\n\nquotes.csv\n")
    assert (done.returncode, outputs["exit-code"]) == (0, "1")
    assert done.stdout.startswith("::error file=quotes.csv,line=5,")
    assert summary.startswith("# ")
    assert outputs["sarif-file"] == str(tmp_path / "groundwire.sarif")
    assert '"version": "2.1.0"' in (tmp_path / "groundwire.sarif").read_text(encoding="utf-8")
    assert run("Report the result", CODE="1")[0].returncode == 1
    assert run("Report the result", CODE="0")[0].returncode == 0


def test_answers_are_checked_too(run):
    """Without annotations, the log has the text."""
    done, outputs, summary = run(
        COMMAND="cite", ARGS="answer.md\n--results\nresults.json", ANNOTATIONS="false", SUMMARY="false"
    )
    assert outputs["exit-code"] in ("0", "1")
    assert "::error" not in done.stdout
    assert (done.stdout != "", summary) == (True, "")


def test_a_command_that_cannot_run_has_no_report(run):
    """An earlier report is no result of this run."""
    run(ARGS="interview.txt\n--quotes\nquotes.csv")
    done, outputs, _ = run(ARGS="missing.txt\n--quotes\nquotes.csv")
    assert (done.returncode, outputs["exit-code"]) == (0, "2")
    assert "no file" in done.stderr
    assert run(COMMAND="erase; rm -rf x", ARGS="")[0].returncode == 2


def test_inputs_are_arguments_and_no_script(run, tmp_path):
    """Neither a space nor a command substitution is interpreted."""
    _, outputs, _ = run(ARGS=f"$(touch {tmp_path}/made)\n--quotes\nquotes.csv; touch {tmp_path}/made")
    assert outputs["exit-code"] == "2"
    assert not (tmp_path / "made").exists()
    assert all("${{" not in step.get("run", "") for step in STEPS.values())
