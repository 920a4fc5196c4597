"""
Build every wheel that this machine can build, try each one that it can run, and say what is missing for the others.

    python tools/build_wheels.py                            every target and version
    python tools/build_wheels.py --only musllinux-aarch64   one target
    python tools/build_wheels.py --python 3.14t             one version
    python tools/build_wheels.py --quick                    without optimisation across crates, for a trial
    python tools/build_wheels.py --complete                 exit code 1 if a wheel could not be built

zig links for an old C library, and maturin knows what the interpreters look like, so
neither a container nor the interpreter is needed. Where rustup has no standard library
for a target, Debian's packages rustc-web, cargo-web and rust-web-src build it from
source. A wheel runs on this processor with an interpreter of the PATH, and elsewhere
with an emulator and an interpreter below `target/roots` (`.ci/run wheels` puts some there).
The files stay in `dist/`. Exit code 1 if a wheel that was built is not as it should be.
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from check_wheel import DIST, QUICK, ROOT, SMOKE, CheckError, check_content, rust_flags

VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.14t", "3.15", "3.15t")
ROOTS = ROOT / "target" / "roots"
LOGS = ROOT / "target" / "wheel-logs"

DEBIAN_SOURCES = Path("/usr/lib/rustlib/src/rust/library/std")


class Target(NamedTuple):
    """A system that wheels are built for: its name for Rust, the tag of its wheels, and what runs its programs."""

    rust: str
    tag: str
    emulator: str | None


TARGETS = {
    "manylinux-x86-64": Target("x86_64-unknown-linux-gnu", "manylinux_2_17", None),
    "manylinux-aarch64": Target("aarch64-unknown-linux-gnu", "manylinux_2_17", "qemu-aarch64"),
    "musllinux-x86-64": Target("x86_64-unknown-linux-musl", "musllinux_1_2", None),
    "musllinux-aarch64": Target("aarch64-unknown-linux-musl", "musllinux_1_2", "qemu-aarch64"),
}


class Outcome(NamedTuple):
    """What became of one wheel: `built`, `not built` or `broken`, its size in MB, and a remark."""

    name: str
    version: str
    state: str
    size_mb: float | None
    remark: str


def main() -> int:
    """Build, try and tell; 1 if a built wheel is broken, or a wanted one was not built."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=TARGETS, help="a target; may be given several times")
    parser.add_argument("--python", action="append", choices=VERSIONS, help="a version; may be given several times")
    parser.add_argument("--quick", action="store_true", help="without optimisation across crates")
    parser.add_argument("--complete", action="store_true", help="every wheel must be built")
    options = parser.parse_args()
    outcomes = []
    for name in options.only or TARGETS:
        for version in options.python or VERSIONS:
            outcomes.append(made(name, version, is_quick=options.quick))
            print(line(outcomes[-1]), flush=True)
    states = [outcome.state for outcome in outcomes]
    print(
        f"wheels: {states.count('built')} built, {states.count('not built')} not built, {states.count('broken')} broken"
    )
    return 1 if "broken" in states or (options.complete and "not built" in states) else 0


def line(outcome: Outcome) -> str:
    """Return the row of one wheel."""
    size = "" if outcome.size_mb is None else f"{outcome.size_mb:.1f} MB"
    return f"{outcome.name:18} {outcome.version:6} {outcome.state:10} {size:>7}  {outcome.remark}"


def made(name: str, version: str, *, is_quick: bool) -> Outcome:
    """Build the wheel of one target and version, check its content, and try it if something can run it."""
    target = TARGETS[name]
    settings = toolchain(target)
    if settings is None:
        reason = f"Rust has no standard library for {target.rust} here: `rustup target add {target.rust}`"
        return Outcome(name, version, "not built", None, f"{reason}, or Debian's rustc-web, cargo-web and rust-web-src")
    log = LOGS / f"{name}-{version}.log"
    wheel = build(target, version, log, settings | (QUICK if is_quick else {}))
    if wheel is None:
        return Outcome(name, version, "not built", None, f"{last_error(log)} ({log.relative_to(ROOT)})")
    size_mb = wheel.stat().st_size / 1e6
    try:
        check_content(wheel)
        remark = tried(wheel, target, version)
    except CheckError as error:
        return Outcome(name, version, "broken", size_mb, str(error))
    return Outcome(name, version, "built", size_mb, remark)


def toolchain(target: Target) -> dict[str, str] | None:
    """Return the settings with which cargo builds for *target*, or None if no toolchain can."""
    command = ["rustc", "--print", "target-libdir", "--target", target.rust]
    libraries = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    if libraries and any(Path(libraries).glob("libstd-*.rlib")):
        return {}
    if not DEBIAN_SOURCES.exists():
        return None
    return {"PATH": f"/usr/bin{os.pathsep}{os.environ['PATH']}", "RUSTC_BOOTSTRAP": "1"}


def build(target: Target, version: str, log: Path, settings: dict[str, str]) -> Path | None:
    """Run maturin and return the wheel, or None if it failed."""
    # A folder for each run, because the name of the wheel tells neither target nor version in our words.
    folder = LOGS / log.stem
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    from_source = ["-Z", "build-std=std,panic_abort"] if "RUSTC_BOOTSTRAP" in settings else []
    command = [
        *(sys.executable, "-m", "maturin", "build", "--release", "--locked", "--zig", *from_source),
        *("--target", target.rust, "--compatibility", target.tag, "--interpreter", f"python{version}"),
        *("--out", str(folder)),
    ]
    # A library for musl is loaded by an interpreter that has the C library already.
    flags = [*rust_flags(), *(["-Ctarget-feature=-crt-static"] if target.rust.endswith("musl") else [])]
    settings = settings | {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags), "CARGO_ZIGBUILD_ZIG_PATH": zig()}
    with log.open("wb") as output:
        code = subprocess.call(command, cwd=ROOT, stdout=output, stderr=output, env=os.environ | settings)
    built = [*folder.glob("*.whl")]
    if code != 0 or not built:
        return None
    DIST.mkdir(exist_ok=True)
    return Path(shutil.copy2(built[0], DIST))


def zig() -> str:
    """Return the path of zig, which is in the package `ziglang`."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise SystemExit("error: no package `ziglang`: python3 dev.py wheels")
    return str(Path(spec.origin).with_name("zig.exe" if os.name == "nt" else "zig"))


def last_error(log: Path) -> str:
    """Return the line of *log* that says best why a build failed."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    errors = [each.strip() for each in lines if each.startswith("error") or "Caused by:" in each or "💥" in each]
    return errors[-1] if errors else "maturin wrote no wheel"


def tried(wheel: Path, target: Target, version: str) -> str:
    """Check a sample with *wheel* in every interpreter that can run it, and return a remark on that."""
    names = []
    for name, command in interpreters(target, version):
        folder = LOGS / f"{wheel.stem}-installed"
        shutil.rmtree(folder, ignore_errors=True)
        try_installed(wheel, target, version, command, folder)
        names.append(name)
    return f"works with {', '.join(names)}" if names else "not tried: no interpreter here runs it"


def interpreters(target: Target, version: str) -> Iterator[tuple[str, list[str]]]:
    """Yield a name and a command for each interpreter of *version* that runs programs of *target* here."""
    root = ROOTS / target.rust
    inside = root / "usr" / "bin" / f"python{version}"
    if inside.exists() and target.emulator is None:
        loader = next(root.glob("lib/ld-musl-*.so.1"), None)
        yield f"{inside.name} of target/roots", [*([str(loader)] if loader else []), str(inside)]
    elif inside.exists() and target.emulator is not None and shutil.which(target.emulator):
        yield f"{inside.name} under {target.emulator}", [target.emulator, "-L", str(root), str(inside)]
    if target.rust == host():
        found = shutil.which(f"python{version}")
        if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
            yield Path(found).name, [found]


def host() -> str:
    """Return the target that programs of this machine are built for."""
    return subprocess.check_output(["rustc", "--print", "host-tuple"], text=True).strip()


def try_installed(wheel: Path, target: Target, version: str, interpreter: list[str], folder: Path) -> None:
    """
    Install *wheel* with its requirements into *folder*, and use it there.

    Raises:
        CheckError: It cannot be installed, or a sample is not checked as it should be.
    """
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", str(folder), str(wheel)]
    system = ["--python-version", version, "--python-platform", target.rust]
    if target.rust == host() and len(interpreter) == 1:
        system = ["--python", interpreter[0]]
    if subprocess.call([*install, "--only-binary", ":all:", *system]) != 0:
        raise CheckError(f"{wheel.name} cannot be installed")
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    if subprocess.call([*interpreter, "-c", SMOKE], cwd=folder, env=environment) != 0:
        raise CheckError(f"{wheel.name} finds nothing")
    sample = ["check", str(ROOT / "examples" / "interview.txt"), "-q", str(ROOT / "examples" / "extraction.json")]
    report = folder / "report.html"
    command = [*interpreter, "-m", "groundwire", *sample, "-o", str(report)]
    code = subprocess.call(command, env=environment, stdout=subprocess.DEVNULL)
    if code != 1 or "<style>" not in report.read_text(encoding="utf-8"):
        raise CheckError(f"`groundwire check` of {wheel.name} ended with {code}")


if __name__ == "__main__":
    sys.exit(main())
