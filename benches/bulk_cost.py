"""
Draw and print the cost of a billion rows, from the record of benches/bulk_spark.py.

    python benches/bulk_cost.py

Writes docs/figures/bulk-cost.svg. The model is that of docs/figures/bulk-cost.md: processor time for each row on one
core, times the rows, by the cores; of more cores than were measured, each is worth as much as the second one.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

import matplotlib as mpl

mpl.use("agg")

from matplotlib import pyplot as plt

from bulk_spark import MODES, RECORD, WAYS

FIGURE = RECORD.parents[2] / "docs" / "figures" / "bulk-cost.svg"
BILLION = 1_000_000_000
CORES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
SHOWN = (1, 16, 128)
NAMES = {"ground_file": "ground_file", "ground": "Spark, by rows", "ground_files": "Spark, by files"}
# Colours that people with any form of colour blindness tell apart (Okabe and Ito); line and marker tell as well.
COLOURS = {"ground_file": "#0072B2", "ground": "#D55E00", "ground_files": "#009E73"}
LINES = {"substring": "-", "fuzzy": "--"}


def hours(record: dict[str, Any], mode: str, way: str, cores: int) -> float:
    """Return the hours that a billion rows take."""
    measured = {each["cores"]: each[f"{way}_s"] for each in record["found"] if each["mode"] == mode}
    # The cost of a row on the largest measured number of cores includes sharing memory and disk.
    row_seconds = measured[min(cores, max(measured))] / record["rows"]
    return BILLION * row_seconds / cores / 3600


def ways(record: dict[str, Any]) -> list[str]:
    """Return the ways that were measured."""
    return [way for way in WAYS if all(f"{way}_s" in each for each in record["found"])]


def table(record: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a table."""
    head = ["1 core" if cores == 1 else f"{cores} cores" for cores in SHOWN]
    yield f"| mode | way | rows a second of a core | {' | '.join(head)} |"
    yield f"| --- | --- | ---: |{' ---: |' * len(SHOWN)}"
    for mode in MODES:
        for way in ways(record):
            rate = BILLION / hours(record, mode, way, 1) / 3600
            times = " | ".join(f"{hours(record, mode, way, cores):.2g} h" for cores in SHOWN)
            yield f"| {mode} | {NAMES[way]} | {rate:,.0f} | {times} |"


def draw(record: dict[str, Any]) -> None:
    """Write the figure: the same record gives the same file."""
    mpl.rcParams["svg.hashsalt"] = "groundwire"
    figure, axes = plt.subplots(figsize=(7.2, 4.4), layout="constrained")
    for mode in MODES:
        for way in ways(record):
            times = [hours(record, mode, way, cores) for cores in CORES]
            style = {"color": COLOURS[way], "linestyle": LINES[mode], "marker": "o" if mode == "substring" else "s"}
            axes.plot(CORES, times, label=f"{mode}, {NAMES[way]}", markersize=4, **style)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(CORES, [str(cores) for cores in CORES])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g} h")
    axes.set(xlabel="cores", ylabel="hours for a billion rows")
    axes.set_title(
        f"Measured on 1 and 2 cores with {record['rows']:,} rows; from there computed", fontsize=10, loc="left"
    )
    axes.grid(visible=True, which="major", alpha=0.3)
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    # Without a date a figure changes only if the record does.
    figure.savefig(FIGURE, metadata={"Date": None})
    plt.close(figure)
    machine = record["machine"]
    head, _, rest = FIGURE.read_text(encoding="utf-8").partition("\n")
    made = f"{record['command']}, {record['date']}, {machine['processor']}"
    FIGURE.write_text("\n".join([head, f"<!-- {made} -->", rest]), encoding="utf-8")


def main() -> int:
    """Draw and print."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    draw(record)
    for line in table(record):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
