"""Decisions of the tools that build and try a release, without building anything."""

import os

import pytest

import audit
import build_wheels
import check_wheel
import stranger


@pytest.mark.parametrize(
    ("rows", "state"),
    [
        ([{"name": "click", "version": "8.5.1", "vulns": []}], "passed"),
        ([{"name": "click", "version": "8.5.1", "vulns": [{"id": "X-1"}]}], "failed"),
        ([{"name": "click", "skip_reason": "not found"}], "skipped"),
        (
            [
                {"name": "click", "version": "8.5.1", "vulns": [{"id": "X-1"}]},
                {"name": "rich", "skip_reason": "not found"},
            ],
            "failed",
        ),
    ],
)
def test_a_package_that_was_not_looked_up_has_not_passed(rows, state):
    """A vulnerability counts more than a package that was skipped."""
    assert audit.judged("packages", rows).state == state


def test_a_build_that_failed_is_explained_by_its_last_error(tmp_path):
    """The log has lines of cargo and of maturin."""
    log = tmp_path / "build.log"
    log.write_text(
        "   Compiling one\nerror: no linker\n💥 maturin failed\n  Caused by: no zig\nnote: see above\n", "utf-8"
    )
    assert build_wheels.last_error(log) == "Caused by: no zig"


def test_a_target_that_no_toolchain_knows_is_not_built(monkeypatch, tmp_path):
    """The row says what would make it possible."""
    monkeypatch.setattr(build_wheels, "DEBIAN_SOURCES", tmp_path / "missing")
    target = build_wheels.Target("s390x-unknown-linux-gnu", "manylinux_2_17", None)
    monkeypatch.setitem(build_wheels.TARGETS, "manylinux-s390x", target)
    outcome = build_wheels.made("manylinux-s390x", "3.12", is_quick=True)
    assert (outcome.state, outcome.size_mb) == ("not built", None)
    assert "rustup target add s390x-unknown-linux-gnu" in outcome.remark


def test_paths_of_the_builder_are_replaced_in_the_library(monkeypatch):
    """The flags of the caller stay in front."""
    monkeypatch.delenv("CARGO_ENCODED_RUSTFLAGS", raising=False)
    monkeypatch.setenv("RUSTFLAGS", "-Ctarget-cpu=native")
    first, *others = check_wheel.rust_flags()
    assert first == "-Ctarget-cpu=native"
    assert f"--remap-path-prefix={check_wheel.ROOT}=/groundwire" in others


def test_the_weight_of_an_installation_leaves_the_installer_out(tmp_path):
    """pip is in every environment, whatever was installed there."""
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    for name in ("pip/cli.py", "pip-23.0.dist-info/METADATA", "click/core.py", "click-8.5.1.dist-info/METADATA"):
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).write_text("x", encoding="utf-8")
    files = {path.relative_to(packages).as_posix() for path in stranger.installed_files(tmp_path) if path.is_file()}
    assert files == {"click/core.py", "click-8.5.1.dist-info/METADATA"}


def test_the_table_of_extras_keeps_what_was_not_measured_again(monkeypatch, tmp_path):
    """A row tells what an extra adds. An extra that is gone loses its row, and the text around the table stays."""
    page = tmp_path / "extras.md"
    rows = "| `yaml` | Personas in YAML | +1 | +3 |\n| `gone` | Nothing | +1 | +1 |\n"
    page.write_text(f"before\n{stranger.BEGIN}{rows}{stranger.END}after\n", encoding="utf-8")
    monkeypatch.setattr(stranger, "PAGE", page)
    stranger.write_table(stranger.Installed(1, 9, 36.0), {"bulk": stranger.Installed(1, 10, 212.0)})
    lines = page.read_text(encoding="utf-8").splitlines()
    assert (lines[0], lines[-1]) == ("before", "after")
    assert lines[-4] == "| `bulk` | Batches and files of rows | +1 | +176 |"
    assert lines[-3] == "| `yaml` | Personas in YAML | +1 | +3 |"
    assert not any("gone" in line for line in lines)


def test_the_page_of_extras_lists_every_extra():
    """`python tools/stranger.py --extra NAME --write` adds one."""
    page = stranger.PAGE.read_text(encoding="utf-8")
    assert [name for name in stranger.extras() if f"| `{name}` |" not in page] == []


@pytest.mark.skipif(os.name == "nt", reason="a list of Debian's commands")
def test_the_bare_machine_gets_nothing_of_the_environment(monkeypatch):
    """Only the way to the network is passed on."""
    ran = []
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:3128")
    monkeypatch.setattr(stranger.subprocess, "run", lambda command, **_: ran.extend(command))
    stranger.inside(["true"])
    assert "https_proxy=http://127.0.0.1:3128" in ran
    assert not any("secret" in word for word in ran)
