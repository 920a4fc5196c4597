"""Settings: names, defaults, ranges, sources (rulings A11, A12, A15, A16, B5, B13)."""

import itertools
import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from groundwire import settings
from groundwire.settings import EvidenceSettings, RiskSettings

pytestmark = pytest.mark.usefixtures("bare_environment")

DEFAULTS = {
    "evidence_quote_validation_enabled": True,
    "evidence_quote_validation_mode": "substring",
    "evidence_quote_fuzzy_threshold": 0.85,
    "evidence_quote_guard": None,
    "evidence_quote_fail_on_all_rejected": False,
    "evidence_quote_log_rejections": True,
    "evidence_quote_hash_key": None,
    "evidence_quote_unsafe_debug_path": None,
}


def test_defaults_are_the_printed_ones():
    """Rulings A11 and A12: the names and defaults of the specification; no key and no debug file (A15, A16)."""
    assert EvidenceSettings().model_dump() == DEFAULTS


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("evidence_quote_validation_enabled", "false", False),
        ("evidence_quote_validation_mode", "fuzzy", "fuzzy"),
        ("evidence_quote_fuzzy_threshold", "0.9", 0.9),
        ("evidence_quote_guard", "meaning", "meaning"),
        ("evidence_quote_fail_on_all_rejected", "1", True),
        ("evidence_quote_log_rejections", "no", False),
        ("evidence_quote_unsafe_debug_path", "rejected.jsonl", Path("rejected.jsonl")),
    ],
)
@pytest.mark.parametrize("place", ["environment", "dotenv"])
def test_every_setting_is_read_from_the_environment_and_from_dotenv(
    monkeypatch, bare_environment, place, field, text, value
):
    """Ruling A12: QUANTITATIVE_ and the field's name in capitals, in the environment or in .env."""
    name = f"QUANTITATIVE_{field.upper()}"
    if place == "environment":
        monkeypatch.setenv(name, text)
    else:
        (bare_environment / ".env").write_text(f"{name}={text}\n")
    assert EvidenceSettings().model_dump() == {**DEFAULTS, field: value}


def test_arguments_win_over_environment_over_dotenv(monkeypatch, bare_environment):
    """Ruling A12: the nearer source wins."""
    name = "QUANTITATIVE_EVIDENCE_QUOTE_FUZZY_THRESHOLD"
    (bare_environment / ".env").write_text(f"{name}=0.6\n")
    assert EvidenceSettings().evidence_quote_fuzzy_threshold == 0.6
    monkeypatch.setenv(name, "0.7")
    assert EvidenceSettings().evidence_quote_fuzzy_threshold == 0.7
    assert EvidenceSettings(evidence_quote_fuzzy_threshold=0.8).evidence_quote_fuzzy_threshold == 0.8


def test_other_names_in_dotenv_are_left_alone(bare_environment):
    """Ruling A12: another program's QUANTITATIVE_ variable is ignored."""
    (bare_environment / ".env").write_text(
        "QUANTITATIVE_TRACK=1\nOTHER=2\nQUANTITATIVE_EVIDENCE_QUOTE_LOG_REJECTIONS=0\n"
    )
    assert EvidenceSettings().evidence_quote_log_rejections is False


@pytest.mark.parametrize("threshold", [0.49, 1.01, float("nan"), float("inf"), "high"])
def test_a_threshold_outside_a_half_to_one_is_refused(threshold):
    """Ruling A11: the settings accept 0.5 to 1.0."""
    with pytest.raises(ValidationError, match="evidence_quote_fuzzy_threshold"):
        EvidenceSettings(evidence_quote_fuzzy_threshold=threshold)


@pytest.mark.parametrize("threshold", [0.5, 1.0])
def test_the_ends_of_the_range_are_in_it(threshold):
    """Ruling A11: 0.5 and 1.0 are allowed."""
    assert EvidenceSettings(evidence_quote_fuzzy_threshold=threshold).evidence_quote_fuzzy_threshold == threshold


def test_an_unknown_mode_is_refused(monkeypatch):
    """Ruling A7: a misspelt mode is an error at the start."""
    monkeypatch.setenv("QUANTITATIVE_EVIDENCE_QUOTE_VALIDATION_MODE", "substrings")
    with pytest.raises(ValidationError, match="'substring' or 'fuzzy'"):
        EvidenceSettings()


def test_a_misspelt_argument_is_refused():
    """An unknown argument raises instead of being dropped."""
    with pytest.raises(TypeError, match=r"no setting evidence_quote_fail_on_all_reject$"):
        EvidenceSettings(evidence_quote_fail_on_all_reject=True)


def test_settings_do_not_change():
    """An EvidenceSettings is frozen."""
    with pytest.raises(ValidationError, match="frozen"):
        EvidenceSettings().evidence_quote_log_rejections = False


def test_the_key_is_shown_nowhere(monkeypatch):
    """Ruling A15: neither repr nor str nor JSON shows the hash key."""
    monkeypatch.setenv("QUANTITATIVE_EVIDENCE_QUOTE_HASH_KEY", "zyxwhale")
    settings = EvidenceSettings()
    assert settings.evidence_quote_hash_key.get_secret_value() == "zyxwhale"
    assert "zyxwhale" not in f"{settings!r}{settings}{settings.model_dump_json()}"


def test_an_empty_key_is_refused(monkeypatch):
    """Ruling A15: an empty key is a mistake, not a request for plain hashes."""
    monkeypatch.setenv("QUANTITATIVE_EVIDENCE_QUOTE_HASH_KEY", "")
    with pytest.raises(ValidationError, match="evidence_quote_hash_key"):
        EvidenceSettings()


def test_a_refusal_does_not_show_the_value():
    """Ruling A15: the error does not print a key of a wrong type."""
    with pytest.raises(ValidationError) as caught:
        EvidenceSettings(evidence_quote_hash_key=["zyxwhale"])
    assert "zyxwhale" not in str(caught.value)


RISK_DEFAULTS = {
    "citation_risk_factual_moderate_above": 0.3,
    "citation_risk_factual_high_above": 0.6,
    "citation_risk_open_moderate_above": 0.3,
    "citation_risk_open_high_above": 0.6,
    "citation_risk_poor_sources_shift": 0.0,
    "citation_risk_good_sources_shift": 0.0,
    "citation_risk_confidence_from": 0.5,
    "citation_risk_forced_accept_within": 0,
}


def test_defaults_of_risk_are_the_printed_bands():
    """Rulings B5 and B13: 0.3 and 0.6 for everybody; forced in the last iteration alone."""
    assert RiskSettings().model_dump() == RISK_DEFAULTS


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("citation_risk_factual_moderate_above", "0.2", 0.2),
        ("citation_risk_factual_high_above", "0.5", 0.5),
        ("citation_risk_open_moderate_above", "0.4", 0.4),
        ("citation_risk_open_high_above", "0.8", 0.8),
        ("citation_risk_poor_sources_shift", "-0.1", -0.1),
        ("citation_risk_good_sources_shift", "0.1", 0.1),
        ("citation_risk_confidence_from", "0.8", 0.8),
        ("citation_risk_forced_accept_within", "3", 3),
    ],
)
def test_every_setting_of_risk_is_read_from_the_environment(monkeypatch, field, text, value):
    """Ruling A12: QUANTITATIVE_ and the field's name in capitals."""
    monkeypatch.setenv(f"QUANTITATIVE_{field.upper()}", text)
    assert RiskSettings().model_dump() == {**RISK_DEFAULTS, field: value}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("citation_risk_factual_moderate_above", 1.1),
        ("citation_risk_factual_moderate_above", 0.7),
        ("citation_risk_open_high_above", 0.2),
        ("citation_risk_open_high_above", float("nan")),
        ("citation_risk_poor_sources_shift", 0.1),
        ("citation_risk_good_sources_shift", -0.1),
        ("citation_risk_forced_accept_within", -1),
    ],
)
def test_a_band_out_of_its_range_or_order_is_refused(field, value):
    """Ruling B5: bands are in order; poor sources make them stricter, good ones milder."""
    with pytest.raises(ValidationError, match=field.removesuffix("_high_above")):
        RiskSettings(**{field: value})


EXAMPLE = Path(__file__).resolve().parents[1] / ".env.example"
SETTINGS = [
    each
    for name, each in vars(settings).items()
    if name.endswith("Settings") and getattr(each, "model_fields", None) and each.__module__ == settings.__name__
]
FIELDS = {f"QUANTITATIVE_{name.upper()}": field for each in SETTINGS for name, field in each.model_fields.items()}
EXAMPLE_LINE = re.compile(r"(?P<hash># )?(?P<name>[A-Z_]+)=(?P<value>.*)")


def test_the_example_has_every_setting_once_with_its_description():
    """Ruling A12: `.env.example` names each variable below its description; one without a default is commented out."""
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    places = {match["name"]: place for place, line in enumerate(lines) if (match := EXAMPLE_LINE.fullmatch(line))}
    assert [*places] == [*FIELDS]
    assert sum(EXAMPLE_LINE.fullmatch(line) is not None for line in lines) == len(FIELDS)
    for name, place in places.items():
        above = itertools.takewhile(lambda line: line.startswith("# "), reversed(lines[:place]))
        words = " ".join(line.removeprefix("# ") for line in reversed([*above]))
        assert words == " ".join(FIELDS[name].description.split())
        assert lines[place].startswith("# ") == (FIELDS[name].default is None)


def test_the_example_changes_nothing(bare_environment):
    """Ruling A12: with the example as `.env`, every setting has its default."""
    expected = [each().model_dump() for each in SETTINGS]
    (bare_environment / ".env").write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    assert [each().model_dump() for each in SETTINGS] == expected


def test_every_line_of_the_example_is_a_setting():
    """Ruling A12: other lines are blank or comments."""
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, value = line.partition("=")
            assert str(FIELDS[name].default).lower() == value.lower()
