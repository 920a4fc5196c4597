"""
Time the rules of citations against the specification's own lines of `re`, and against themselves in plain Python.

    python benches/rules.py            the table of ratios: contestants take turns
    pytest benches/test_rules.py       each by itself, under pytest-benchmark
"""

import sys
from pathlib import Path

from rich.console import Console

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from groundwire.benchmarks.cases import Bar, Benchmark, Measure
from groundwire.benchmarks.runner import print_table, refuse_debug_build, run
from rule_tasks import LINES, TWIN, HostileRules, Rules

BUDGET_S = 1.0
TIMES_TWIN = 10
"""Minimum speed of the rules relative to plain Python; they must not be slower than the printed lines either."""
LINEAR = 15.0
"""Maximum factor of time for ten times the text."""

FORMS = ("plain", "markdown", "chinese")

CASES = (
    *(
        Benchmark(
            f"rules/{form}/{policy}",
            f"assess a {form} answer by the policy {policy}; results have ids only",
            Rules(form, policy=policy, engines=("groundwire", LINES)),
            "who takes the rules for the printed lines should not wait for them",
            Bar(Measure.FASTER, LINES, 1),
        )
        for form in FORMS
        for policy in ("coverage", "spec")
    ),
    *(
        Benchmark(
            f"rules/{form}/twin",
            f"assess a {form} answer; results have ids only",
            Rules(form, engines=("groundwire", TWIN)),
            "what the engine is worth",
            Bar(Measure.FASTER, TWIN, TIMES_TWIN),
        )
        for form in FORMS
    ),
    *(
        Benchmark(
            f"rules/hostile/{name}",
            "assess an answer made to be slow",
            HostileRules(piece),
            "time is linear in the answer, whatever is in it",
            Bar(Measure.LARGER, "a tenth of it", LINEAR),
        )
        for name, piece in (("brackets", "["), ("stops", "。"), ("links", "[a]("), ("quotes", "> "), ("stars", "*a "))
    ),
)


def main() -> int:
    """Print the table; exit code 1: a bar is missed."""
    refuse_debug_build()
    outcomes = list(run(CASES, budget_s=BUDGET_S))
    print_table(outcomes, Console())
    return 1 if any(outcome.is_met is False for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
