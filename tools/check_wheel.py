"""
Build the wheel and the sdist, and check them as a user would meet them.

    python tools/check_wheel.py              build both for this interpreter, and check them
    python tools/check_wheel.py --try DIR    check the wheel in DIR that pip chooses for this interpreter

The wheel is for many Linux systems, holds what it must, its bill of materials too,
and works in an empty environment far from the sources. It is small, and few packages
come with it. Its library holds no path of this machine. The sdist holds both crates,
and the wheel that is built from it works too. The built files stay in `dist/`.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
BILL = ROOT / "groundwire.cdx.json"

IN_WHEEL = (
    "groundwire/__init__.py",
    "groundwire/_engine.pyi",
    "groundwire/han_variants.LICENSE.txt",
    "groundwire/han_variants.txt",
    "groundwire/judge/prompts/_criteria.jinja",
    "groundwire/support_score.json",
    "groundwire/language/lexicons/en.toml",
    "groundwire/language/lexicons/en/LICENSES.txt",
    "groundwire/language/lexicons/en/rarity.txt",
    "groundwire/language/lexicons/en/words.txt",
    "groundwire/language/lexicons/units.toml",
    "groundwire/judge/prompts/one_step.system.jinja",
    "groundwire/py.typed",
    "groundwire/report/templates/report.css",
    "groundwire/report/templates/report.js",
    "groundwire/report/templates/base.html.j2",
    "groundwire/review/web/static/review.css",
    "groundwire/review/web/static/review.js",
    "groundwire/review/web/static/vendor/htmx.LICENSE.txt",
    "groundwire/review/web/static/vendor/htmx.min.js",
    "groundwire/review/web/templates/base.html.j2",
    "pytest_groundwire/__init__.py",
    r"groundwire/_engine\..+\.(so|pyd)",
    r"groundwire-.+\.dist-info/licenses/LICENSE",
    r"groundwire-.+\.dist-info/licenses/THIRD_PARTY\.txt",
    r"groundwire-.+\.dist-info/sboms/groundwire\.cdx\.json",
    r"groundwire-.+\.dist-info/entry_points\.txt",
)
IN_SDIST = (
    "Cargo.toml",
    "Cargo.lock",
    "LICENSE",
    "THIRD_PARTY.txt",
    "groundwire.cdx.json",
    "README.md",
    "pyproject.toml",
    "rust/engine/Cargo.toml",
    "rust/engine/src/lib.rs",
    "rust/language/Cargo.toml",
    "rust/language/src/lib.rs",
    "rust/python/Cargo.toml",
    "rust/python/src/lib.rs",
    "python/groundwire/__init__.py",
    "python/groundwire/han_variants.LICENSE.txt",
    "python/groundwire/han_variants.txt",
    "python/groundwire/judge/prompts/one_step.system.jinja",
    "python/groundwire/report/templates/report.css",
    "python/groundwire/report/templates/report.js",
    "python/groundwire/report/templates/base.html.j2",
    "python/groundwire/py.typed",
    "python/pytest_groundwire/__init__.py",
    "python/groundwire/review/web/static/vendor/htmx.LICENSE.txt",
    "python/groundwire/review/web/static/vendor/htmx.min.js",
)
MAX_WHEEL_MB = 6
# Those that come with groundwire.
MAX_PACKAGES = 8
# Nothing of these belongs into either.
UNWANTED = (r".*/__pycache__/.*", r".*\.pyc", r".*/target/.*")

SMOKE = """
import groundwire
assert groundwire.build_info()["profile"] == "release"
match = groundwire.Source("I can\\u2019t  sleep").find("i can't sleep")
assert (match.start, match.end, match.kind) == (0, 14, "normalized"), match
"""


# Whether a sdist can be built shows without optimisation across crates, which takes longer than all the rest.
QUICK = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}


class CheckError(Exception):
    """The package is not as it should be."""


def main() -> int:
    """Check what is built, or found; 1 and one line on the first thing that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--try", dest="folder", type=Path, metavar="DIR", help="a folder with wheels")
    folder = parser.parse_args().folder
    try:
        with tempfile.TemporaryDirectory() as elsewhere:
            if folder is None:
                check_both(Path(elsewhere))
            else:
                wheel = chosen(folder, Path(elsewhere))
                check_content(wheel)
                try_out(wheel, Path(elsewhere) / "from-wheel")
    except (CheckError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print("all is there, and works in an empty environment")
    return 0


def check_both(elsewhere: Path) -> None:
    """Build wheel and sdist and check them."""
    shutil.rmtree(DIST, ignore_errors=True)
    check_wheel(build("build", "--release", "--locked", suffix=".whl"), elsewhere)
    check_sdist(build("sdist", suffix=".tar.gz"), elsewhere)


def chosen(folder: Path, elsewhere: Path) -> Path:
    """Return a copy of the wheel in *folder* that pip takes for this interpreter."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    options = ["--no-index", "--no-deps", "--only-binary", ":all:", "--find-links", folder, "--dest", elsewhere]
    subprocess.run([*pip, *options, "groundwire"], check=True)
    (wheel,) = elsewhere.glob("*.whl")
    return wheel


def build(*maturin: str, suffix: str) -> Path:
    """Run maturin and return the file that it made."""
    interpreter = ["--interpreter", sys.executable] if suffix == ".whl" else []
    command = [sys.executable, "-m", "maturin", *maturin, *interpreter, "--out", DIST]
    subprocess.run(
        command, cwd=ROOT, check=True, env=os.environ | {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(rust_flags())}
    )
    (built,) = DIST.glob(f"*{suffix}")
    return built


def own_paths() -> dict[Path, str]:
    """Return the folders of this machine that the compiler writes into a library, and what stands for each."""
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    rustup = Path(os.environ.get("RUSTUP_HOME", Path.home() / ".rustup"))
    # Of several prefixes that fit the compiler takes the last one.
    return {Path.home(): "/home", rustup: "/rustup", cargo: "/cargo", ROOT: "/groundwire"}


def rust_flags() -> list[str]:
    """Return the caller's flags and those that leave own paths out; a profile that does so is not stable yet."""
    encoded, plain = (os.environ.get(name, "") for name in ("CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"))
    given = encoded.split("\x1f") if encoded else plain.split()
    return [*given, *(f"--remap-path-prefix={path}={name}" for path, name in own_paths().items())]


def check_paths(wheel: Path) -> None:
    """Check that no file of the wheel holds a path of who built it."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            for path in own_paths():
                if f"{path}{os.sep}".encode() in content:
                    raise CheckError(f"{wheel.name}: {name} holds the path of a folder of this machine, {path}")


def check_content(wheel: Path) -> None:
    """Check the wheel's size and files, and that its bill of materials is the one of these sources."""
    size_mb = wheel.stat().st_size / 1e6
    if size_mb > MAX_WHEEL_MB:
        raise CheckError(f"{wheel.name} has {size_mb:.1f} MB, more than {MAX_WHEEL_MB}")
    with zipfile.ZipFile(wheel) as archive:
        check_names(wheel, archive.namelist(), IN_WHEEL)
        (bill,) = (name for name in archive.namelist() if name.endswith(f"/sboms/{BILL.name}"))
        if archive.read(bill) != BILL.read_bytes():
            raise CheckError(f"{wheel.name}: {bill} is not {BILL.name}")
    check_paths(wheel)


def check_wheel(wheel: Path, elsewhere: Path) -> None:
    """Check the wheel's content, the systems it is for, that it works, and how many packages it needs."""
    check_content(wheel)
    if sys.platform == "linux":
        if not re.search(r"-(many|musl)linux_\d+_\d+_\w+\.whl$", wheel.name):
            raise CheckError(f"{wheel.name} has no manylinux tag")
        subprocess.run([sys.executable, "-m", "auditwheel", "show", wheel], check=True)
    try_out(wheel, elsewhere / "from-wheel")
    count_packages(elsewhere / "from-wheel")


def count_packages(environment: Path) -> None:
    """Check that groundwire has brought no more packages than promised into an empty environment."""
    list_command = [sys.executable, "-m", "uv", "pip", "list", "--quiet", "--format=json", "--python", environment]
    installed = {each["name"] for each in json.loads(subprocess.check_output(list_command))}
    brought = installed - {"groundwire", "pip", "setuptools"}
    print(f"{len(brought)} packages come with groundwire: {', '.join(sorted(brought))}", flush=True)
    if len(brought) > MAX_PACKAGES:
        raise CheckError(f"{len(brought)} packages come with groundwire, more than {MAX_PACKAGES}")


def check_sdist(sdist: Path, elsewhere: Path) -> None:
    """Check the sdist's files, and that the wheel which pip builds of it works."""
    with tarfile.open(sdist) as archive:
        check_names(sdist, [name.partition("/")[2] for name in archive.getnames()], IN_SDIST)
    try_out(sdist, elsewhere / "from-sdist")


def check_names(package: Path, names: list[str], wanted: tuple[str, ...]) -> None:
    """Check that each pattern of *wanted* is met by a file of *package*, and no unwanted one is."""
    for pattern in wanted:
        if not any(re.fullmatch(pattern, name) for name in names):
            raise CheckError(f"{package.name} holds no `{pattern}`")
    unwanted = [name for name in names for pattern in UNWANTED if re.fullmatch(pattern, name)]
    if unwanted:
        raise CheckError(f"{package.name} holds {', '.join(unwanted[:3])}")


def try_out(package: Path, folder: Path) -> None:
    """Install *package* into an empty environment at *folder* and let it find something, in a report too."""
    print(f"trying {package.name} in an empty environment", flush=True)
    venv.create(folder, with_pip=True)
    scripts = folder / ("Scripts" if sys.platform == "win32" else "bin")
    python = str(scripts / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]
    subprocess.run(install, check=True, env=os.environ | QUICK)
    subprocess.run([python, "-c", SMOKE], cwd=folder, check=True)
    report = folder / "report.html"
    command = [str(scripts / "groundwire"), "check", str(ROOT / "examples" / "interview.txt")]
    quotes = ["--quotes", str(ROOT / "examples" / "extraction.json"), "--output", str(report)]
    code = subprocess.call([*command, *quotes], cwd=folder)
    if code != 1 or "<style>" not in report.read_text(encoding="utf-8"):
        raise CheckError(f"`groundwire check` of {package.name} ended with {code}, or its report has no style")


if __name__ == "__main__":
    sys.exit(main())
