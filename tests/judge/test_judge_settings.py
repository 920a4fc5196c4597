"""The environment variables of a judge."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from groundwire.judge import LLMJudge
from groundwire.settings import JudgeSettings
from judge.cases import ANSWER, QUESTION, RESULTS, written
from judge.scripted_server import writes

pytestmark = pytest.mark.usefixtures("bare_environment")

DEFAULTS = {
    "judge_model": None,
    "judge_formatter_model": None,
    "judge_base_url": None,
    "judge_api_key": None,
    "judge_two_step": True,
    "judge_timeout_s": 60.0,
    "judge_max_retries": 3,
    "judge_concurrency": 4,
    "judge_cache": None,
    "judge_prompts": None,
}


def test_defaults_are_those_of_the_class():
    """A setting without a value has the default of `LLMJudge`."""
    assert JudgeSettings().model_dump() == DEFAULTS
    signature = LLMJudge.__init__.__kwdefaults__
    named = {name.removeprefix("judge_"): value for name, value in DEFAULTS.items() if name != "judge_model"}
    assert {name: signature[name] for name in named} == named


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("judge_model", "strong", "strong"),
        ("judge_formatter_model", "small", "small"),
        ("judge_base_url", "http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1"),
        ("judge_two_step", "false", False),
        ("judge_timeout_s", "5", 5.0),
        ("judge_max_retries", "0", 0),
        ("judge_concurrency", "8", 8),
        ("judge_cache", "kept", Path("kept")),
        ("judge_prompts", "mine", Path("mine")),
    ],
)
def test_every_setting_is_read_from_the_environment(monkeypatch, field, text, value):
    """Ruling A12: QUANTITATIVE_ and the field's name in capitals."""
    monkeypatch.setenv(f"QUANTITATIVE_{field.upper()}", text)
    assert JudgeSettings().model_dump() == {**DEFAULTS, field: value}


@pytest.mark.parametrize(
    "wrong",
    [
        {"judge_timeout_s": 0},
        {"judge_timeout_s": 3601},
        {"judge_max_retries": -1},
        {"judge_max_retries": 21},
        {"judge_concurrency": 0},
        {"judge_concurrency": 257},
        {"judge_model": ""},
        {"judge_api_key": ""},
    ],
    ids=str,
)
def test_a_value_out_of_its_range_is_refused(wrong):
    """A misspelt number is an error at the start."""
    with pytest.raises(ValidationError):
        JudgeSettings(**wrong)


def test_the_key_is_shown_nowhere(monkeypatch):
    """Neither repr nor JSON shows it."""
    monkeypatch.setenv("QUANTITATIVE_JUDGE_API_KEY", "zyxwhale")
    settings = JudgeSettings()
    assert "zyxwhale" not in f"{settings!r}{settings}{settings.model_dump_json()}"


def test_the_settings_make_a_judge(serve, monkeypatch, tmp_path):
    """The judge has the server, key, models, steps and cache of the settings."""
    server = serve(writes("Notes."), writes(written()))
    for name, value in {
        "MODEL": "strong",
        "FORMATTER_MODEL": "small",
        "BASE_URL": server.url,
        "API_KEY": "sk-3",
        "CACHE": str(tmp_path / "kept"),
    }.items():
        monkeypatch.setenv(f"QUANTITATIVE_JUDGE_{name}", value)
    with LLMJudge.from_settings() as judge:
        assert judge.judge(QUESTION, ANSWER, RESULTS).status == "ok"
    assert [request["model"] for request in server.requests] == ["strong", "small"]
    assert server.headers[0]["authorization"] == "Bearer sk-3"
    assert list((tmp_path / "kept").rglob("*.json"))


def test_settings_without_a_model_make_no_judge():
    """The error names the setting."""
    with pytest.raises(ValueError, match="no model: set QUANTITATIVE_JUDGE_MODEL"):
        LLMJudge.from_settings(JudgeSettings())
