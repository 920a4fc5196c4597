"""docs/evidence.md names what there is."""

from pathlib import Path

import pytest

from groundwire.settings import EvidenceSettings

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "evidence.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "field"), EvidenceSettings.model_fields.items())
def test_every_setting_is_in_the_table_with_its_default(name, field):
    """Ruling A12: the table of settings has the variable's name and default."""
    default = "–" if field.default is None else f"`{str(field.default).lower()}`"
    assert f"| `QUANTITATIVE_{name.upper()}` | {default} |" in PAGE
