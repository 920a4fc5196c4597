"""docs/judge.md says what the code does."""

import re
from dataclasses import fields
from importlib.resources import files
from pathlib import Path

import pytest

from groundwire import telemetry
from groundwire.judge import LLM_FAILURES, HallucinationType, Judgement, LLMFailureCode, TokenUsage
from groundwire.judge.llm_judge import DEFAULT_PARAMETERS
from groundwire.settings import JudgeSettings
from judge.test_failures import ACTS
from judge.test_injection import ATTEMPTS

TRIED_AGAIN = {code for _, code, calls in (act.values for act in ACTS) if calls > 1} - {"rejected"}

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "judge.md").read_text(encoding="utf-8")


def test_every_code_is_in_the_table_and_no_other():
    """In the order of the code, word for word."""
    section = PAGE.partition("## When there is no judgement")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \| (.+) \|$", section, re.MULTILINE) == list(LLM_FAILURES.items())
    assert LLM_FAILURES.keys() == set(LLMFailureCode)
    (again,) = re.findall(r"^(.+) are tried again", section, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", again)) == TRIED_AGAIN


def test_every_field_of_a_judgement_is_named():
    """And of its usage, and every type of issue."""
    named = set(re.findall(r"`(\w+)`", PAGE))
    assert {field.name for field in (*fields(Judgement), *fields(TokenUsage))} | {*HallucinationType} <= named


@pytest.mark.parametrize(("name", "field"), JudgeSettings.model_fields.items())
def test_every_setting_is_in_the_table_with_its_default(name, field):
    """Ruling A12: the variable's name and default."""
    default = "–" if field.default is None else f"`{str(field.default).lower()}`"
    assert f"| `QUANTITATIVE_{name.upper()}` | {default} |" in PAGE


def test_every_template_is_named():
    """Whoever replaces one knows what it is called."""
    for each in (files("groundwire.judge") / "prompts").iterdir():
        name = each.name.removesuffix(".jinja").removesuffix(".system").removesuffix(".user")
        assert f"`{name}`" in PAGE or f"`{name}.jinja`" in PAGE


def test_every_event_is_named():
    """Both of them."""
    for event in (telemetry.judge_failed, telemetry.judge_cache_entry_ignored):
        assert f"| `{event.__name__}` |" in PAGE


def test_figures_are_those_of_the_code():
    """Attempts and parameters."""
    assert len(ATTEMPTS) > 40
    assert (
        f'`{{"temperature": {DEFAULT_PARAMETERS["temperature"]}, "max_tokens": {DEFAULT_PARAMETERS["max_tokens"]}}}`'
        in PAGE
    )
