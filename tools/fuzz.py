"""
Build and run the fuzz targets one after the other.

    python tools/fuzz.py fuzz                             every target of rust/fuzz/targets, a minute each
    python tools/fuzz.py fuzz partial_ratio --seconds 60  one of them
    python tools/fuzz.py asan                             the same inputs under AddressSanitizer

`python3 dev.py fuzz` and `asan` run this. The corpus stays in `target/fuzz/corpus` for the next run. Exit code 1: a
target found a fault, whose input is in `target/fuzz/faults`. Exit code 2: a target is unknown, or cannot be built.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CRATE = ROOT / "rust" / "fuzz"
# The corpus and the logs of the fuzzer, which stay outside of the sources for the next run.
KEPT = ROOT / "target" / "fuzz"

# The coverage that guides libFuzzer, with the flags of cargo-fuzz that stable Rust supports.
COVERAGE_FLAGS = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
]
FLAGS = {"fuzz": COVERAGE_FLAGS, "asan": ["-Zsanitizer=address", *COVERAGE_FLAGS]}
# Stable Rust includes the sanitizer, but not its flag. It checks for invalid accesses, not for leaks: searching for
# leaks needs rights that containers do not give.
ENVIRONMENTS = {
    "fuzz": {},
    "asan": {"RUSTC_BOOTSTRAP": "1", "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1"},
}


class FuzzError(Exception):
    """A target cannot be run. Has a message of one line and a hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def main(argv: list[str]) -> int:
    """Run the targets in *argv*, and return the exit code."""
    try:
        return fuzz(argv)
    except FuzzError as error:
        say(f"error: {error}")
        if error.hint:
            say(f"hint: {error.hint}")
        return 2


def fuzz(argv: list[str]) -> int:
    """
    Build and run the targets in *argv*; return 1 if one found a fault.

    Raises:
        FuzzError: A target is unknown, the time is too short, or the build failed.
    """
    known = sorted(path.stem for path in (CRATE / "targets").glob("*.rs"))
    parser = argparse.ArgumentParser(prog="fuzz.py", description="Run the fuzz targets.")
    parser.add_argument("command", choices=FLAGS, help="whether to run them under AddressSanitizer")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(known)}; all if none is named")
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="for each target (default: 60)")
    options = parser.parse_args(argv)
    targets = options.targets or known
    if unknown := sorted({*targets} - {*known}):
        raise FuzzError(f"no fuzz target `{unknown[0]}`", f"targets: {', '.join(known)}")
    if options.seconds < 1:
        raise FuzzError(f"--seconds must be at least 1, got {options.seconds}")
    programs = build(options.command, targets)
    sound = [run_target(program, options.seconds, ENVIRONMENTS[options.command]) for program in programs]
    return 0 if all(sound) else 1


def build(command: str, targets: list[str]) -> list[Path]:
    """
    Build *targets* for *command*, and return their programs.

    Raises:
        FuzzError: The build failed.
    """
    folder = ROOT / "target" / command
    # With a named target, the flags apply to the engine and not to its build scripts.
    host = subprocess.check_output(["rustc", "--print", "host-tuple"], text=True).strip()
    cargo = ["cargo", "build", "--release", "--locked", "--manifest-path", str(CRATE / "Cargo.toml")]
    chosen = [word for target in targets for word in ("--bin", target)]
    settings = {"RUSTFLAGS": " ".join(FLAGS[command]), **ENVIRONMENTS[command]}
    built = [*cargo, *chosen, "--target", host, "--target-dir", str(folder)]
    say(" ".join(["$", *(f"{name}={value}" for name, value in settings.items()), *built]))
    if subprocess.call(built, cwd=ROOT, env={**os.environ, **settings}) != 0:
        raise FuzzError("cannot build the fuzz targets; see the messages above", "is a C++ compiler installed?")
    return [folder / host / "release" / target for target in targets]


def run_target(program: Path, seconds: int, environment: dict[str, str]) -> bool:
    """Run a fuzz target with *environment* added, print its progress, and return whether it found no fault."""
    name = program.stem
    corpus, faults, log = KEPT / "corpus" / name, KEPT / "faults" / name, KEPT / f"{name}.log"
    for folder in (corpus, faults):
        folder.mkdir(parents=True, exist_ok=True)
    limits = [f"-max_total_time={seconds}", "-max_len=512", "-timeout=60", "-rss_limit_mb=4096"]
    command = [program, *limits, "-print_final_stats=1", f"-artifact_prefix={faults}{os.sep}", corpus]
    say(f"fuzz: {name} for {seconds} s; log in {log.relative_to(ROOT)}")
    with log.open("wb") as output:
        code = subprocess.call(command, cwd=KEPT, stdout=output, stderr=output, env={**os.environ, **environment})
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    stats = dict(re.findall(r"^stat::(\w+): *(\d+)", "\n".join(lines), re.MULTILINE))
    runs, speed = (stats.get(key, "?") for key in ("number_of_executed_units", "average_exec_per_sec"))
    say(f"fuzz: {name}: {runs} runs, {speed} a second, {len(list(corpus.iterdir()))} inputs in the corpus")
    if code != 0:
        start = next((at for at, line in enumerate(lines) if "panicked at" in line or "ERROR:" in line), -40)
        say("\n".join(lines[start:][:8]))
        written = [line.partition("written to ")[2] for line in lines if "Test unit written to" in line]
        say(f"fuzz: {name}: a fault (exit code {code}); to reproduce it: {program} {' '.join(written)}")
    return code == 0


def say(line: str) -> None:
    """Write *line* to standard error, in order with what the programs write."""
    sys.stdout.flush()
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
