"""
Measure which lines of rust/engine its own tests run.

    python tools/rust_coverage.py [--fail-under PERCENT]

Builds the tests with rustc's instrumentation, runs them, and reads the counts
with LLVM's tools: those that LLVM_COV and LLVM_PROFDATA name, or else those of
rustc's own LLVM version (on Debian llvm-22 for Rust 1.95, say), because the
format changes with it.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "target" / "coverage"
PROFILES = TARGET / "profiles"
SOURCES = ROOT / "rust" / "engine" / "src"
CARGO_TEST = ["cargo", "test", "--package", "groundwire-engine", "--tests"]


def main() -> int:
    """Print the report; 1 if tests fail or too few lines are covered, 2 without LLVM's tools."""
    parser = argparse.ArgumentParser(description="Line coverage of rust/engine.")
    parser.add_argument("--fail-under", type=float, default=0.0, metavar="PERCENT")
    fail_under = parser.parse_args().fail_under
    try:
        llvm_cov, llvm_profdata = find_tool("llvm-cov"), find_tool("llvm-profdata")
    except FileNotFoundError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    executables = run_tests()
    if not executables:
        return 1
    merged = TARGET / "tests.profdata"
    counts = sorted(map(str, PROFILES.glob("*.profraw")))
    subprocess.run([llvm_profdata, "merge", "--sparse", *counts, "--output", merged], check=True)
    options = [f"--instr-profile={merged}", *(f"--object={each}" for each in executables), "--sources", str(SOURCES)]
    subprocess.run([llvm_cov, "report", "--show-branch-summary=false", *options], check=True)
    exported = subprocess.run([llvm_cov, "export", "--summary-only", *options], check=True, stdout=subprocess.PIPE)
    percent = json.loads(exported.stdout)["data"][0]["totals"]["lines"]["percent"]
    print(f"rust/engine: {percent:.2f} % of lines covered, at least {fail_under:g} % wanted")
    return 0 if percent >= fail_under else 1


def find_tool(name: str) -> str:
    """
    Return the path of LLVM's tool *name* in the version of rustc's LLVM.

    Raises:
        FileNotFoundError: There is none. Says what would bring it.
    """
    version = subprocess.check_output(["rustc", "--version", "--verbose"], text=True)
    major = re.search(r"LLVM version: (\d+)", version)[1]
    sysroot = Path(subprocess.check_output(["rustc", "--print", "sysroot"], text=True).strip())
    named = os.environ.get(name.upper().replace("-", "_"))
    candidates = [named] if named else [f"{name}-{major}", *map(str, sysroot.glob(f"lib/rustlib/*/bin/{name}"))]
    for candidate in candidates:
        found = shutil.which(candidate)
        if found is not None:
            return found
    raise FileNotFoundError(
        f"no `{candidates[0]}`; `apt-get install llvm-{major}` or `rustup component add llvm-tools` brings it"
    )


def run_tests() -> list[str]:
    """Run the instrumented tests and return the executables; none if one failed."""
    shutil.rmtree(PROFILES, ignore_errors=True)
    environment = {
        **os.environ,
        "CARGO_TARGET_DIR": str(TARGET),
        "LLVM_PROFILE_FILE": str(PROFILES / "%m-%p.profraw"),
        "RUSTFLAGS": f"{os.environ.get('RUSTFLAGS', '')} -C instrument-coverage".strip(),
    }
    listing = [*CARGO_TEST, "--no-run", "--message-format=json-render-diagnostics"]
    built = subprocess.run(listing, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    if built.returncode or subprocess.call(CARGO_TEST, cwd=ROOT, env=environment):
        return []
    messages = [json.loads(line) for line in built.stdout.splitlines()]
    return [message["executable"] for message in messages if message.get("executable")]


if __name__ == "__main__":
    sys.exit(main())
