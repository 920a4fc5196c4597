"""
Change the rules that decide, one place at a time, and report the changes that no test notices.

    python tools/rule_mutants.py                       every module below
    python tools/rule_mutants.py --only tiers          one module
    python tools/rule_mutants.py --sample 20           at most 20 changes of each module, chosen by a fixed seed

`python3 dev.py mutants rules` installs Cosmic Ray and runs this. It works on a copy in target/mutants. Decorators of
data classes are left alone: whether a result can be changed after the decision is no rule. Exit code 1: a change
survives.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkResult

ROOT = Path(__file__).resolve().parents[1]
COPY = ROOT / "target" / "mutants"

# The modules, each with the tests of its rules. Tests beyond these would notice no more and take much longer.
MODULES = {
    "ingestion/tiers": ["ingestion/test_tiers.py"],
    "citations/risk_rules": ["citations/test_risk.py", "citations/test_unread.py", "citations/test_monitor.py"],
    "evidence/verdicts": [
        *(f"evidence/test_{name}.py" for name in ("assess_policy", "assess_sources", "explanations", "speaker_filter")),
        *("evidence/test_elision.py", "test_support_score.py"),
    ],
}

# Conditions, limits and numbers. Other operators make code that fails at its first call.
OPERATORS = re.compile(
    r"core/(AddNot|NumberReplacer|ReplaceAndWithOr|ReplaceOrWithAnd|ReplaceTrueWithFalse|ReplaceFalseWithTrue"
    r"|ReplaceUnaryOperator_Delete_Not|ZeroIterationForLoop|ReplaceBinaryOperator_(Mul_Div|Div_Mul|Sub_Add|Add_Sub)"
    r"|ReplaceComparisonOperator_(Gt_GtE|GtE_Gt|Lt_LtE|LtE_Lt|Eq_NotEq|Is_IsNot|IsNot_Is))"
)

CONFIG = """
[cosmic-ray]
module-path = "{module}"
timeout = 120.0
excluded-modules = []
test-command = "{python} -m pytest -q -x -n0 -p no:cacheprovider {tests}"

[cosmic-ray.distributor]
name = "local"
"""


def main() -> int:
    """Run the modules that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", help="the module with this name")
    parser.add_argument("--sample", type=int, metavar="N", help="at most so many changes of each module")
    options = parser.parse_args()
    chosen = {module: tests for module, tests in MODULES.items() if options.only in (None, module.partition("/")[2])}
    if not chosen:
        parser.error(f"no module `{options.only}`")
    shutil.rmtree(COPY, ignore_errors=True)
    for folder in ("python", "tests", "docs", "examples"):
        shutil.copytree(ROOT / folder, COPY / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "DESIGN.md", "README.md"):
        shutil.copy(ROOT / name, COPY / name)
    return max(survivors(module, tests, options.sample) for module, tests in chosen.items())


def survivors(module: str, tests: list[str], sample: int | None) -> int:
    """Print the changes of *module* that its tests do not notice; return 1 if there are any."""
    name = module.replace("/", "-")
    config, session = COPY / f"{name}.toml", COPY / f"{name}.sqlite"
    values = {"module": f"python/groundwire/{module}.py", "python": sys.executable}
    config.write_text(CONFIG.format(**values, tests=" ".join(f"tests/{each}" for each in tests)), encoding="utf-8")
    _cosmic_ray("init", config, session)
    _cosmic_ray("baseline", config)
    total = _skip(session, (COPY / values["module"]).read_text(encoding="utf-8").splitlines(), sample)
    _cosmic_ray("exec", config, session)
    with use_db(session, WorkDB.Mode.open) as database:
        alive = [result for _, result in database.results if result.test_outcome is TestOutcome.SURVIVED]
    print(f"{module}: {total} changes, {len(alive)} survived")
    for result in alive:
        print(result.diff)
    return 1 if alive else 0


def _cosmic_ray(command: str, *files: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": "python"}
    program = [str(Path(sys.executable).with_name("cosmic-ray")), command, *(each.name for each in files)]
    subprocess.run(program, cwd=COPY, env=environment, check=True)


def _skip(session: Path, lines: list[str], sample: int | None) -> int:
    """Leave out other operators, decorators, and what is beyond the sample; return the number that stays."""
    kept, skipped = [], []
    with use_db(session, WorkDB.Mode.open) as database:
        for item in database.pending_work_items:
            (change,) = item.mutations
            is_rule = OPERATORS.fullmatch(change.operator_name) and "@dataclass" not in lines[change.start_pos[0] - 1]
            (kept if is_rule else skipped).append(item.job_id)
        if sample is not None and sample < len(kept):
            random.Random(1).shuffle(kept)
            skipped += kept[sample:]
            del kept[sample:]
        for job_id in skipped:
            database.set_result(job_id, WorkResult(worker_outcome=WorkerOutcome.SKIPPED))
    return len(kept)


if __name__ == "__main__":
    sys.exit(main())
