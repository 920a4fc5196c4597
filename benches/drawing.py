"""Draw curves: the same record gives the same files."""

from collections.abc import Mapping, Sequence
from math import isnan, nan
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter

from groundwire.benchmarks.cases import duration

__all__ = ["draw", "draw_history", "draw_reliability"]

# Colours that people with any form of colour blindness tell apart (Okabe and Ito); line and marker tell as well.
STYLES = {
    "groundwire": {"color": "#0072B2", "marker": "o", "linestyle": "-", "linewidth": 2.2},
    "groundwire, prepared": {"color": "#56B4E9", "marker": "D", "linestyle": "-"},
    "rapidfuzz": {"color": "#D55E00", "marker": "s", "linestyle": "--"},
    "str.find": {"color": "#000000", "marker": "v", "linestyle": ":"},
    "pyahocorasick": {"color": "#CC79A7", "marker": "^", "linestyle": "-."},
    "ahocorasick_rs": {"color": "#E69F00", "marker": "s", "linestyle": "--"},
}


# From a hundredfold on, powers of ten are ticks enough.
_WIDE = 100


def draw(record: dict[str, Any], folder: Path) -> None:
    """Write a figure for each curve of *record* to *folder*."""
    folder.mkdir(exist_ok=True)
    mpl.rcParams["svg.hashsalt"] = "groundwire"
    for name, curve in record["curves"].items():
        figure, axes = plt.subplots(figsize=(7.2, 4.4), layout="constrained")
        _lines(axes, curve)
        _sizes(axes, curve)
        _times(axes, curve)
        axes.set(xlabel=curve["label"], ylabel="time of a call" if "patterns" in curve["label"] else "time of a quote")
        axes.set_title(curve["title"], fontsize=10.5, loc="left", x=0)
        axes.grid(visible=True, which="major", alpha=0.3)
        figure.legend(loc="outside lower center", ncols=len(axes.lines), frameon=False, fontsize=9)
        path = folder / f"{name}.svg"
        # Without a date a figure changes only if the record does.
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)
        _explain(path, record)


def draw_reliability(points: Mapping[str, Sequence[tuple[float, float]]], pooled: str, made: str, path: Path) -> None:
    """
    Write a reliability diagram: which share of the cases with a probability is what the probability says.

    Args:
        points: For each name the mean probability and the share of each bin.
        pooled: The name of all together, which is drawn over the others.
        made: How the figure was made, for a comment in it.
        path: Where it is written.
    """
    mpl.rcParams["svg.hashsalt"] = "groundwire"
    figure, axes = plt.subplots(figsize=(5.4, 5.0), layout="constrained")
    axes.plot((0, 1), (0, 1), color="#000000", linewidth=0.8, linestyle=":")
    for place, (name, line) in enumerate(points.items()):
        style = STYLES["groundwire"] if name == pooled else {"color": "#999999", "marker": "osD^v<"[place % 6]}
        axes.plot(*zip(*line, strict=True), label=name, markersize=5, **style)
    axes.set(xlabel="score", ylabel="share that is supported", xlim=(0, 1), ylim=(0, 1))
    axes.grid(visible=True, alpha=0.3)
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    head, _, rest = path.read_text(encoding="utf-8").partition("\n")
    path.write_text("\n".join([head, f"<!-- {made} -->", rest]), encoding="utf-8")


_PANELS_PER_ROW = 5


def draw_history(runs: Sequence[Mapping[str, Any]], path: Path) -> None:
    """
    Write a small multiple for each topic: the ratios of its rows over the runs, as multiples of what is promised.

    Args:
        runs: The runs of benches/history.py, oldest first; at least one.
        path: Where the figure is written.
    """
    mpl.rcParams["svg.hashsalt"] = "groundwire"
    topics: dict[str, list[str]] = {}
    for name in sorted({name for run in runs for name in run["rows"]}):
        topics.setdefault("/".join(name.split("/")[: 2 if name.startswith("reach/") else 1]), []).append(name)
    rows = -(-len(topics) // _PANELS_PER_ROW)
    size = (_PANELS_PER_ROW * 2.3, rows * 1.9)
    figure, grid = plt.subplots(rows, _PANELS_PER_ROW, figsize=size, sharex=True, squeeze=False, layout="constrained")
    panels = list(grid.flat)
    for axes, (topic, names) in zip(panels, topics.items(), strict=False):
        _topic(axes, topic, names, runs)
    for axes in panels[len(topics) :]:
        axes.set_visible(False)
    figure.supylabel("ratio to the rival, as a multiple of the promised one", fontsize=9)
    # Letters as text: as outlines, they would be most of the file.
    with mpl.rc_context({"svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    head, _, rest = path.read_text(encoding="utf-8").partition("\n")
    path.write_text("\n".join([head, "<!-- python benches/history.py draw -->", rest]), encoding="utf-8")


def _topic(axes: Axes, topic: str, names: Sequence[str], runs: Sequence[Mapping[str, Any]]) -> None:
    """Draw the rows of one topic: grey, the one that is nearest to its bar in colour, and the bar itself at 1."""
    margins = {name: [_margin(run["rows"].get(name)) for run in runs] for name in names}
    nearest = min(names, key=lambda name: next(value for value in reversed(margins[name]) if not isnan(value)))
    for name in names:
        style = {"color": STYLES["groundwire"]["color"], "zorder": 3} if name == nearest else {"color": "#999999"}
        axes.plot(range(len(runs)), margins[name], marker="o", markersize=2.5, markevery=[-1], linewidth=1, **style)
    axes.axhline(1, color=STYLES["rapidfuzz"]["color"], linestyle="--", linewidth=1)
    axes.set_yscale("log", base=2)
    drawn = [1.0, *(value for line in margins.values() for value in line if not isnan(value))]
    axes.set_ylim(min(drawn) / 1.4, max(drawn) * 1.4)
    axes.yaxis.set_major_locator(LogLocator(base=4 if max(drawn) > _WIDE * min(drawn) else 2))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}×" if value >= 1 else f"1/{1 / value:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_xticks([0, len(runs) - 1], [str(run["date"])[5:] for run in (runs[0], runs[-1])])
    axes.tick_params(labelsize=7, labelbottom=True)
    axes.set_title(f"{topic}, {len(names)} {'row' if len(names) == 1 else 'rows'}", fontsize=8, loc="left")
    axes.grid(visible=True, which="major", alpha=0.3)


def _margin(row: Mapping[str, float] | None) -> float:
    """Return how many times a row has what it promises; NaN, which is not drawn, if the run lacks it."""
    return nan if row is None else row["ratio"] / row["bar"]


def _lines(axes: Axes, curve: dict[str, Any]) -> None:
    """Draw a line through the medians of each contestant, with a band between the quartiles."""
    places = range(len(curve["points"])) if _has_no_number(curve) else [each["size"] for each in curve["points"]]
    for name in curve["points"][0]["seconds"]:
        low, middle, high = zip(*(each["seconds"][name] for each in curve["points"]), strict=True)
        style = STYLES[name]
        axes.fill_between(places, low, high, color=style["color"], alpha=0.2, linewidth=0)
        axes.plot(places, middle, label=name, markersize=5, **style)


def _times(axes: Axes, curve: dict[str, Any]) -> None:
    """Make the times' axis logarithmic, with units, and with more ticks where powers of ten would be too few."""
    times = [seconds for each in curve["points"] for spread in each["seconds"].values() for seconds in spread]
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if max(times) < _WIDE * min(times) else (1,)))
    axes.yaxis.set_major_formatter(lambda seconds, _: duration(seconds))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _sizes(axes: Axes, curve: dict[str, Any]) -> None:
    """Write the sizes below their points; a label that is not a number has a place, but no distance."""
    sizes = [each["size"] for each in curve["points"]]
    if _has_no_number(curve):
        axes.set_xticks(range(len(sizes)), ["none" if size is None else f"{size:g}" for size in sizes])
        return
    axes.set_xscale("log")
    axes.set_xticks(sizes, [_short(size) for size in sizes], fontsize=9)
    axes.minorticks_off()


def _has_no_number(curve: dict[str, Any]) -> bool:
    return any(each["size"] is None for each in curve["points"])


def _short(size: float) -> str:
    """Return *size* as people write it at an axis."""
    for unit, value in (("M", 1_000_000), ("k", 1_000)):
        if size >= value:
            return f"{size / value:g}{unit}"
    return f"{size:g}"


def _explain(path: Path, record: dict[str, Any]) -> None:
    """Write into the file how it was made, and on what; nothing in it is left but the figure."""
    machine = record["machine"]
    made = f"{record['command']}, {record['date']}, {machine['processor']}, {', '.join(machine['cpu_features'])}"
    head, _, rest = path.read_text(encoding="utf-8").partition("\n")
    path.write_text("\n".join([head, f"<!-- {made} -->", rest]), encoding="utf-8")
