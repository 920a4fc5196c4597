"""
Install a wheel in a bare Debian, as somebody without Rust and without a compiler would, and time it.

    python tools/stranger.py                 from nothing to a report, then each extra in an environment of its own
    python tools/stranger.py --extra judge   of the extras only this one
    python tools/stranger.py --no-extras     none of them
    python tools/stranger.py --write         also write what these weigh into docs/reference/extras.md

The Debian is a folder below `target/stranger`, made by mmdebstrap from the mirror of
this machine (`apt-get install mmdebstrap`); it has Python and nothing to build with.
It needs root, for chroot. The wheel is the one for its Python in `dist/`, which
`python3 dev.py wheels --only manylinux-x86-64 --python 3.11` makes. Exit code 1 if an
installation fails, or the first report takes more than a minute.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
DEBIAN = ROOT / "target" / "stranger" / "debian"
SUITE = "bookworm"
PACKAGES = ("ca-certificates", "python3", "python3-venv")
# With one of these a package could be built on the machine, which is not what is tried.
BUILDERS = ("cargo", "rustc", "cc", "gcc", "clang", "make")
PAGE = ROOT / "docs" / "reference" / "extras.md"
BEGIN, END = "<!-- table: python tools/stranger.py --write -->\n", "<!-- end of table -->\n"

MAX_FIRST_REPORT_S = 60.0
CERTIFICATES = Path("etc/ssl/certs/ca-certificates.crt")
# What a package costs is what it adds, so pip itself does not count.
INSTALLERS = ("pip", "setuptools", "_distutils_hack", "pkg_resources", "distutils-precedence")


class StrangerError(Exception):
    """The machine cannot be made, or something does not install or work there."""


class Installed(NamedTuple):
    """What an installation took and left: seconds, packages, and MB on disk."""

    seconds: float
    packages: int
    size_mb: float


def main() -> int:
    """Try the wheel; 1 and one line on the first thing that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--extra", action="append", choices=extras(), help="an extra; may be given several times")
    parser.add_argument("--no-extras", action="store_true", help="install the core alone")
    parser.add_argument("--write", action="store_true", help="write the table of the documentation")
    options = parser.parse_args()
    try:
        prepare()
        wheel = carry_in()
        core, is_quick = first_report(wheel)
        print(row("groundwire", core), flush=True)
        found = {}
        for extra in [] if options.no_extras else options.extra or extras():
            found[extra] = install(f"/{wheel.name}[{extra}]", f"with-{extra}")
            print(row(extra, found[extra]), flush=True)
    except (StrangerError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if options.write:
        write_table(core, found)
    print(f"stranger: groundwire and {len(found)} extras install without a compiler")
    if not is_quick:
        print(f"error: the first report took more than {MAX_FIRST_REPORT_S:.0f} s", file=sys.stderr)
    return 0 if is_quick else 1


def row(name: str, installed: Installed) -> str:
    """Return the line that is printed for an installation."""
    return f"{name:12} {installed.seconds:6.1f} s {installed.packages:4} packages {installed.size_mb:7.1f} MB"


def extras() -> dict[str, str]:
    """Return the extras of the project, each with the comment above it."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    names = tomllib.loads(text)["project"]["optional-dependencies"]
    comments = dict(reversed(pair) for pair in re.findall(r"^# (.+)\n([\w-]+) = \[", text, re.MULTILINE))
    return {name: comments.get(name, "") for name in names}


def prepare() -> None:
    """Make the Debian, unless it is there."""
    if not DEBIAN.exists():
        if shutil.which("mmdebstrap") is None:
            raise StrangerError("no `mmdebstrap`: apt-get install mmdebstrap")
        DEBIAN.parent.mkdir(parents=True, exist_ok=True)
        making = DEBIAN.with_suffix(".new")
        shutil.rmtree(making, ignore_errors=True)
        command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(PACKAGES)}", SUITE, str(making)]
        subprocess.run([*command, mirror()], check=True)
        making.rename(DEBIAN)
    # The network of this machine: its names, and the certificates that it trusts.
    for path in (Path("etc/resolv.conf"), Path("etc/hosts"), CERTIFICATES):
        shutil.copy2(Path("/") / path, DEBIAN / path)
    found = [name for name in BUILDERS if inside(["sh", "-c", f"command -v {name}"], check=False).returncode == 0]
    if found:
        raise StrangerError(f"the machine has {', '.join(found)}")


def mirror() -> str:
    """Return the address from which this machine gets Debian's packages."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    known = subprocess.check_output(command, text=True).split()
    return next((uri for uri in known if uri.rstrip("/").endswith("/debian")), "http://deb.debian.org/debian")


def inside(command: list[str], *, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run *command* in the Debian, with nothing of this machine's environment but the way to the network."""
    passed = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    passed |= {name: os.environ[name] for name in ("PIP_INDEX_URL",) if name in os.environ}
    passed |= {"PATH": "/usr/bin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "PIP_CERT": f"/{CERTIFICATES}"}
    whole = ["chroot", str(DEBIAN), "env", "-i", *(f"{name}={value}" for name, value in passed.items()), *command]
    return subprocess.run(whole, check=check, capture_output=True, text=True)


def carry_in() -> Path:
    """Copy the wheel and the sample to the machine, and return the wheel."""
    version = inside(["python3", "-c", "import sys; print('cp%d%d' % sys.version_info[:2])"]).stdout.strip()
    wheels = sorted((ROOT / "dist").glob(f"groundwire-*-{version}-{version}-manylinux*_x86_64.whl"))
    if not wheels:
        raise StrangerError(f"dist/ has no wheel for {version}: python3 dev.py wheels --only manylinux-x86-64")
    for path in (wheels[-1], ROOT / "examples" / "interview.txt", ROOT / "examples" / "extraction.json"):
        shutil.copy2(path, DEBIAN / path.name)
    return wheels[-1]


def first_report(wheel: Path) -> tuple[Installed, bool]:
    """Install the core and write a report, from nothing; return what that took, and whether it was quick enough."""
    begin, processor_begin_s = time.monotonic(), processor_time_s()
    core = install(f"/{wheel.name}", "core")
    report = DEBIAN / "report.html"
    report.unlink(missing_ok=True)
    command = ["/environments/core/bin/groundwire", "check", "/interview.txt", "-q", "/extraction.json"]
    done = inside([*command, "-o", "/report.html"], check=False)
    seconds = time.monotonic() - begin
    processor_s = processor_time_s() - processor_begin_s
    if done.returncode != 1 or "<style>" not in report.read_text(encoding="utf-8"):
        raise StrangerError(f"`groundwire check` ended with {done.returncode}: {done.stderr.strip()[-200:]}")
    # On a busy machine only the second figure says something about the package.
    print(f"from nothing to a report: {seconds:.1f} s, {processor_s:.1f} s of a processor", flush=True)
    return core, seconds <= MAX_FIRST_REPORT_S


def processor_time_s() -> float:
    """Return the time that processors worked for the commands so far, in seconds."""
    used = os.times()
    return used.children_user + used.children_system


def install(requirement: str, name: str) -> Installed:
    """Install *requirement* into a new environment, from wheels alone, and return what it took."""
    environment = DEBIAN / "environments" / name
    shutil.rmtree(environment, ignore_errors=True)
    begin = time.monotonic()
    inside(["python3", "-m", "venv", f"/environments/{name}"])
    pip = [f"/environments/{name}/bin/pip", "--disable-pip-version-check", "install", "--quiet", "--no-cache-dir"]
    done = inside([*pip, "--only-binary", ":all:", requirement], check=False)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        raise StrangerError(f"`pip install {requirement}` failed: {done.stderr.strip()[-400:]}")
    files = [path for path in installed_files(environment) if path.is_file() and not path.is_symlink()]
    packages = {path.parent for path in files if path.name == "METADATA"}
    return Installed(seconds, len(packages), sum(path.stat().st_size for path in files) / 1e6)


def installed_files(environment: Path) -> Iterator[Path]:
    """Yield the installed files without those of the installer."""
    for packages in environment.glob("lib/python*/site-packages"):
        for path in packages.iterdir():
            if not path.name.startswith(INSTALLERS):
                yield from path.rglob("*") if path.is_dir() else [path]


def write_table(core: Installed, found: dict[str, Installed]) -> None:
    """Write what was measured into the table of the page. Other extras keep their rows."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    old, _, after = rest.partition(END)
    rows = {name: line for line in old.splitlines() for name in extras() if line.startswith(f"| `{name}` |")}
    for name, installed in found.items():
        packages, size_mb = installed.packages - core.packages, installed.size_mb - core.size_mb
        rows[name] = f"| `{name}` | {extras()[name].rstrip('.')} | +{packages} | +{size_mb:.0f} |"
    lines = ["| extra | for | packages | MB |", "| --- | --- | ---: | ---: |"]
    lines.append(f"| (none) | The package itself | {core.packages} | {core.size_mb:.0f} |")
    lines += [rows[name] for name in extras() if name in rows]
    PAGE.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + after, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
