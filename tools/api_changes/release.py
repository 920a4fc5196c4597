"""Compares what callers rely on today with what the last release had, in `tests/released/VERSION` or at its tag."""

import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from api_changes import commands, python_api, rust_api, schemas

__all__ = ["RELEASED", "ROOT", "allows_breaking", "changes", "last_release", "last_tag", "rust_changes", "write"]

ROOT = Path(__file__).resolve().parents[2]
RELEASED = ROOT / "tests" / "released"
SCHEMAS = ROOT / "docs" / "schema"

_VERSION = re.compile(r"v?(\d+)\.(\d+)\.(\d+)")
_TARGET = ROOT / "target" / "api"


def last_release() -> Path:
    """
    Return the folder of the newest release.

    Raises:
        FileNotFoundError: No release has left a folder.
    """
    folders = [path for path in RELEASED.iterdir() if _VERSION.fullmatch(path.name)]
    if not folders:
        raise FileNotFoundError("tests/released has no release")
    return max(folders, key=lambda path: _numbers(path.name))


def last_tag(repository: Path = ROOT) -> str | None:
    """Return the newest tag of a release that HEAD descends from; None without one, or outside of a repository."""
    command = ["git", "tag", "--list", "v*", "--merged", "HEAD"]
    listed = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False).stdout.split()
    return max((tag for tag in listed if _VERSION.fullmatch(tag)), key=_numbers, default=None)


def allows_breaking(old: str, new: str) -> bool:
    """Tell whether Semantic Versioning lets *new* break callers of *old*: a new major version, or a minor of 0.x."""
    before, after = _numbers(old), _numbers(new)
    kept = 2 if before[0] == 0 else 1
    return after[:kept] > before[:kept]


def changes() -> Mapping[str, list[str]]:
    """Return what breaks callers of the last release, by subject; the Rust crates are in `rust_changes`."""
    release = last_release()
    tag = last_tag()
    stubs = _read(release / "public-api.txt") if tag is None else python_api.listing(python_api.load_tag(ROOT, tag))
    return {
        "Python": python_api.breaking_changes(stubs, python_api.listing(python_api.load(ROOT / "python"))),
        "command line": commands.breaking_changes(json.loads(_read(release / "commands.json")), commands.listing()),
        "JSON reports": list(_schema_changes(release)),
    }


def rust_changes() -> list[str]:
    """Return what breaks callers of the crates of the last release, after running `cargo doc`."""
    rust_api.document(ROOT, _TARGET)
    return rust_api.breaking_changes(_read(last_release() / "rust-api.txt"), rust_api.listing(_TARGET))


def write(version: str) -> Path:
    """
    Write the listings of a release, and return their folder.

    Raises:
        ValueError: *version* is not of the form 1.2.3.
    """
    if not _VERSION.fullmatch(version) or version.startswith("v"):
        raise ValueError(f"a version has the form 1.2.3, got {version!r}")
    folder = RELEASED / version
    (folder / "schema").mkdir(parents=True, exist_ok=True)
    rust_api.document(ROOT, _TARGET)
    files = {
        "public-api.txt": python_api.listing(python_api.load(ROOT / "python")),
        "commands.json": json.dumps(commands.listing(), indent=1) + "\n",
        "rust-api.txt": rust_api.listing(_TARGET),
        **{f"schema/{path.name}": _read(path) for path in SCHEMAS.glob("*.schema.json")},
    }
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def _schema_changes(release: Path) -> Iterable[str]:
    """Yield the breaking changes of each published schema. A schema of an older version stays published."""
    for path in sorted((release / "schema").iterdir()):
        published = SCHEMAS / path.name
        if published.is_file():
            found = schemas.breaking_changes(json.loads(_read(path)), json.loads(_read(published)))
            yield from (f"{path.name}: {change}" for change in found)
        else:
            yield f"{path.name}: the schema was removed"


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.fullmatch(version)
    if found is None:
        raise ValueError(f"a version has the form 1.2.3, got {version!r}")
    return tuple(map(int, found.groups()))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
