"""What all tests share: the optional data folder, hypothesis without a deadline, a bare environment."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no failure: slow examples are not reported as one.
settings.register_profile("groundwire", deadline=None)
settings.load_profile("groundwire")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real texts and labelled quotes beside the project, or a visible skip."""
    default = Path(__file__).resolve().parents[2] / "shared"
    data = Path(os.environ.get("GROUNDWIRE_SHARED", default)) / "data"
    if not data.is_dir():
        pytest.skip(f"no test data at {data}; set GROUNDWIRE_SHARED to the folder that holds data/")
    return data


@pytest.fixture
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No QUANTITATIVE_ variable, and an empty working directory, which is returned."""
    for name in os.environ:
        if name.upper().startswith("QUANTITATIVE_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path
