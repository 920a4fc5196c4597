"""Nothing that callers of the last release rely on has gone, and each kind of breaking change would be found."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from api_changes import commands, python_api, rust_api
from api_changes.release import ROOT, allows_breaking, changes, last_release, last_tag
from groundwire import __version__

STUBS = """\
# module groundwire

class Quote:
    def __init__(text: str, page: int | None = None) -> None: ...
    text: str
    def find(name: str, *, cutoff: float = 0.8) -> int: ...

class Status(StrEnum):
    EXACT = 'exact'
    NEAR = 'near'

def check(quotes: list[str], source: str) -> bool: ...


# module groundwire.review

LIMIT: int
"""


def test_no_change_breaks_callers_of_the_last_release():
    """A version may break them only as Semantic Versioning allows; `python tools/api_changes` lists the same."""
    found = {subject: listed for subject, listed in changes().items() if listed}
    if not allows_breaking(last_release().name, __version__):
        assert found == {}


def test_the_last_release_is_in_the_changelog_and_the_citation():
    """All three name the same version, and a reader finds no version twice in the changelog."""
    headings = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", _read("CHANGELOG.md"), re.MULTILINE)
    assert len(headings) == len({*headings})
    assert headings[0] == last_release().name
    assert f"\nversion: {headings[0]}\n" in _read("CITATION.cff")


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "is_allowed"),
    [
        ("0.2.0", "0.2.1", False),
        ("0.2.0", "0.3.0", True),
        ("0.2.0", "1.0.0", True),
        ("0.2.0", "0.1.9", False),
        ("1.2.0", "1.3.0", False),
        ("1.2.0", "2.0.0", True),
        ("1.2.0", "0.9.0", False),
        ("v0.9.0", "0.10.0", True),
    ],
)
def test_versions_that_may_break_callers(old, new, is_allowed):
    """A new major version, and before 1.0 a new minor one (Semantic Versioning, 4 and 8)."""
    assert allows_breaking(old, new) is is_allowed


def test_a_listing_of_today_breaks_nothing_of_itself():
    """The listing is read back as it was written."""
    listing = python_api.listing(python_api.load(ROOT / "python"))
    assert "\n# module groundwire.evidence\n" in listing
    assert "def assess_quotes(" in listing
    assert python_api.breaking_changes(listing, listing) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("page: int | None = None", "page: int | None = None, name: str = ''"),
        ("cutoff: float = 0.8", "cutoff: float = 0.8, exact: bool = False"),
        ("    NEAR = 'near'", "    NEAR = 'near'\n    FAR = 'far'"),
        ("LIMIT: int", "LIMIT: int\n\ndef more() -> None: ..."),
    ],
)
def test_what_may_be_added_to_python(before, after):
    """Parameters with a default, members and names."""
    assert python_api.breaking_changes(STUBS, STUBS.replace(before, after)) == []


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("# module groundwire.review\n\nLIMIT: int\n", "", "groundwire.review: the module was removed"),
        ("def check(quotes: list[str], source: str) -> bool: ...", "", "groundwire.check: Public object was removed"),
        ("source: str)", "text: str)", "groundwire.check(source): Parameter was removed"),
        ("source: str)", "source: str, mode: str)", "groundwire.check(mode): Parameter was added as required"),
        ("quotes: list[str], source: str", "source: str, quotes: list[str]", "groundwire.check(source): Positional"),
        ("source: str)", "*, source: str)", "groundwire.check(source): Parameter kind was changed"),
        ("cutoff: float = 0.8", "cutoff: float = 0.9", "groundwire.Quote.find(cutoff): Parameter default was changed"),
        ("page: int | None = None", "page: int | None", "groundwire.Quote.__init__(page): Parameter is now required"),
        ("    text: str\n", "", "groundwire.Quote.text: Public object was removed"),
        ("    NEAR = 'near'\n", "", "groundwire.Status.NEAR: Public object was removed"),
        ("'near'", "'close'", "groundwire.Status.NEAR: the value was 'near' and is 'close'"),
        ("(StrEnum)", "", "groundwire.Status: Base class was removed"),
        ("class Quote:", "class Passage:", "groundwire.Quote: Public object was removed"),
        ("LIMIT: int", "def LIMIT() -> int: ...", "groundwire.review.LIMIT: Public object points to a different kind"),
    ],
)
def test_what_breaks_callers_in_python(before, after, expected):
    """The message begins with the name of what changed."""
    found = python_api.breaking_changes(STUBS, STUBS.replace(before, after))
    assert [line for line in found if line.startswith(expected)] != [], found


COMMAND: dict[str, commands.ParameterListing] = {
    "--mode": {
        "spellings": ["--mode", "-m"],
        "required": False,
        "repeatable": True,
        "takes_value": True,
        "choices": ["exact", "fuzzy"],
        "default": "exact",
    },
    "--strict": {
        "spellings": ["--strict"],
        "required": False,
        "repeatable": False,
        "takes_value": False,
        "choices": [],
        "default": None,
    },
}


def changed_command(name: str, **fields: object) -> list[str]:
    """Return what is found after a change of one option."""
    new = {**COMMAND, name: {**COMMAND.get(name, COMMAND["--strict"]), **fields}}
    return commands.breaking_changes({"groundwire check": COMMAND}, {"groundwire check": new})


@pytest.mark.parametrize(
    ("name", "fields", "expected"),
    [
        ("--mode", {"spellings": ["--mode"]}, ["the spelling -m was removed"]),
        ("--mode", {"required": True}, ["was optional and is required"]),
        ("--mode", {"repeatable": False}, ["may be given only once"]),
        ("--mode", {"choices": ["fuzzy", "near"]}, ["the value exact was removed"]),
        ("--mode", {"default": "fuzzy"}, ["the default was exact and is fuzzy"]),
        ("--strict", {"takes_value": True}, ["takes a value"]),
        ("--new", {"required": True}, ["is new and required"]),
        ("--new", {}, []),
        ("--mode", {"choices": ["exact", "fuzzy", "near"], "spellings": ["--mode", "-m", "--how"]}, []),
        ("--strict", {"repeatable": True}, []),
    ],
)
def test_what_breaks_scripts(name, fields, expected):
    """The message has the command, the option and what changed."""
    assert changed_command(name, **fields) == [f"groundwire check {name}: {change}" for change in expected]


def test_commands_and_options_that_are_gone():
    """Both are named."""
    assert commands.breaking_changes({"groundwire check": COMMAND}, {}) == ["groundwire check: the command was removed"]
    without = {"groundwire check": {"--mode": COMMAND["--mode"]}}
    found = commands.breaking_changes({"groundwire check": COMMAND}, without)
    assert found == ["groundwire check --strict: was removed"]


def test_the_listing_of_commands_goes_down_to_the_last_one():
    """Groups, arguments and options are in it."""
    listing = commands.listing()
    assert {"groundwire", "groundwire check", "groundwire review", "groundwire review token"} <= listing.keys()
    assert "--version" in listing["groundwire"]
    assert json.loads(json.dumps(listing)) == listing


PAGE = """
<pre class="rust item-decl"><code>#[non_exhaustive]pub enum Error {
    Empty,
    TooLong(usize),
}</code></pre>
<div id="implementations-list"><section>
<h4 class="code-header">pub fn <a>code</a>(&amp;self) -&gt; u8</h4></section></div>
<div id="trait-implementations-list"><section><h3 class="code-header">impl Debug for Error</h3></section></div>
<div id="synthetic-implementations-list"><section><h3 class="code-header">impl Send for Error</h3></section></div>
"""


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Pages of rustdoc with one enum."""
    folder = tmp_path / "doc" / "groundwire_engine" / "errors"
    folder.mkdir(parents=True)
    (folder / "enum.Error.html").write_text(PAGE, encoding="utf-8")
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    return tmp_path


def test_what_is_listed_of_a_crate(pages):
    """Declaration, methods and traits; an open enum has a line for each variant, because it may get more."""
    assert rust_api.listing(pages).splitlines() == [
        "groundwire_engine::errors::Error: #[non_exhaustive]pub enum Error",
        "groundwire_engine::errors::Error: impl Debug for Error",
        "groundwire_engine::errors::Error: pub fn code(&self) -> u8",
        "groundwire_engine::errors::Error: variant Empty",
        "groundwire_engine::errors::Error: variant TooLong(usize)",
    ]


def test_what_breaks_callers_in_rust(pages):
    """A line that is gone; more lines break nothing."""
    old = rust_api.listing(pages)
    assert rust_api.breaking_changes(old, f"{old}groundwire_engine::errors::Error: variant New\n") == []
    found = rust_api.breaking_changes(old, old.replace("&self", "self"))
    assert found == ["groundwire_engine::errors::Error: pub fn code(&self) -> u8 was removed or changed"]


def test_the_listing_of_the_crates_names_what_their_readmes_show():
    """It was written from the real pages."""
    listed = (last_release() / "rust-api.txt").read_text(encoding="utf-8")
    assert "\ngroundwire_engine::partial_ratio: pub fn partial_ratio" in listed
    assert "\ngroundwire_language::reading::Reader: pub fn read" in listed


def git(folder: Path, *arguments: str) -> None:
    """Run git with a made-up author."""
    author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True, capture_output=True)


def test_the_last_tag_is_the_newest_release_before_this_commit(tmp_path):
    """By numbers and not by letters; other tags and other branches do not count."""
    assert last_tag(tmp_path) is None
    git(tmp_path, "init", "--initial-branch=main")
    git(tmp_path, "commit", "--allow-empty", "-m", "one")
    assert last_tag(tmp_path) is None
    for tag in ("v0.2.0", "v0.10.0", "v0.9.0", "nightly"):
        git(tmp_path, "tag", tag)
    git(tmp_path, "checkout", "-b", "other")
    git(tmp_path, "commit", "--allow-empty", "-m", "two")
    git(tmp_path, "tag", "v0.11.0")
    git(tmp_path, "checkout", "main")
    assert last_tag(tmp_path) == "v0.10.0"


def test_the_api_of_a_tag_is_read_from_git(tmp_path):
    """Uncommitted files do not count."""
    package = tmp_path / "python" / "groundwire"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__all__ = ["check"]\n\n\ndef check(text: str) -> bool: ...\n')
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "one")
    git(tmp_path, "tag", "v0.2.0")
    (package / "__init__.py").write_text("")
    old, new = python_api.load_tag(tmp_path, "v0.2.0"), python_api.load(tmp_path / "python")
    found = python_api.breaking_changes(python_api.listing(old), python_api.listing(new))
    assert found == ["groundwire.check: Public object was removed"]
