"""docs/how-to/judge.md agrees with the code."""

import re
from dataclasses import fields
from importlib.resources import files
from pathlib import Path

from groundwire import telemetry
from groundwire.judge import HallucinationType, Judgement, TokenUsage
from groundwire.judge.llm_judge import DEFAULT_PARAMETERS
from judge.test_failures import ACTS

TRIED_AGAIN = {code for _, code, calls in (act.values for act in ACTS) if calls > 1} - {"rejected"}

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "how-to" / "judge.md").read_text(encoding="utf-8")


def test_the_page_says_what_is_tried_again():
    """It lists the codes of temporary failures."""
    (again,) = re.findall(r"^- (.+) are tried again", PAGE, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", again)) == TRIED_AGAIN


def test_every_field_of_a_judgement_is_named():
    """So are those of its usage, and every type of issue."""
    named = set(re.findall(r"`(\w+)`", PAGE))
    assert {field.name for field in (*fields(Judgement), *fields(TokenUsage))} | {*HallucinationType} <= named


def test_every_template_is_named():
    """Users who replace one need its name."""
    for each in (files("groundwire.judge") / "prompts").iterdir():
        name = each.name.removesuffix(".jinja").removesuffix(".system").removesuffix(".user")
        assert f"`{name}`" in PAGE or f"`{name}.jinja`" in PAGE


def test_every_event_is_named():
    """There are two."""
    for event in (telemetry.judge_failed, telemetry.judge_cache_entry_ignored):
        assert f"`{event.__name__}`" in PAGE


def test_figures_are_those_of_the_code():
    """They are the parameters of a request."""
    assert (
        f'`{{"temperature": {DEFAULT_PARAMETERS["temperature"]}, "max_tokens": {DEFAULT_PARAMETERS["max_tokens"]}}}`'
        in PAGE
    )
