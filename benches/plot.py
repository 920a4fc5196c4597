"""
Draw the time of partial_ratio over the length of the text, for groundwire and rapidfuzz.

    python benches/plot.py partial_ratio.png
"""

import sys
from functools import partial

import matplotlib as mpl

mpl.use("agg")

from matplotlib import pyplot as plt
from rapidfuzz import fuzz

from groundwire import build_info, partial_ratio
from groundwire.benchmarks.measure import interleave
from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.benchmarks.search_tasks import PartialRatio
from groundwire.benchmarks.texts import MadeUp

QUOTE_CHARS = (20, 60, 200)
TEXT_CHARS = (300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
CUTOFF = 85.0
BUDGET_S = 0.3


def times(chars: int, text_chars: int) -> dict[str, float]:
    """Return each engine's median seconds for a quote with slips, measured by turns."""
    text = MadeUp("english", text_chars)
    quote = PartialRatio(chars, text, is_near=True, cutoff=CUTOFF, score=0.0).quote()
    functions = {"groundwire": partial_ratio, "rapidfuzz": fuzz.partial_ratio}
    calls = {name: partial(each, quote, text.read(), score_cutoff=CUTOFF) for name, each in functions.items()}
    scores = {call() for call in calls.values()}
    assert len(scores) == 1, "the engines disagree"
    return interleave(calls, budget_s=BUDGET_S)


def main(path: str) -> None:
    """Measure, and write the curves to *path*."""
    refuse_debug_build()
    figure, all_axes = plt.subplots(1, len(QUOTE_CHARS), figsize=(12, 4.2), sharey=True, layout="constrained")
    for axes, chars in zip(all_axes, QUOTE_CHARS, strict=True):
        measured = [times(chars, text_chars) for text_chars in TEXT_CHARS]
        for name, style in (("rapidfuzz", "s--"), ("groundwire", "o-")):
            axes.loglog(TEXT_CHARS, [each[name] for each in measured], style, label=name)
        axes.set_title(f"quote of {chars} characters")
        axes.set_xlabel("characters of text")
        axes.grid(visible=True, which="major", alpha=0.3)
    all_axes[0].set_ylabel("seconds, median")
    all_axes[0].legend()
    features = ", ".join(build_info()["cpu_features"])
    figure.suptitle(f"partial_ratio of a quote with slips, cutoff {CUTOFF:g} ({features})")
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "partial_ratio.png")
