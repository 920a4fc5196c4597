"""
Counts in the text format that Prometheus reads, version 0.0.4.

Source: Prometheus documentation, "Exposition formats": a HELP and a TYPE line for each
metric, then its samples, every line ended by a line feed.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from groundwire.citations.thresholds import SCALE

__all__ = ["Metric", "prometheus_text"]


class Metric(NamedTuple):
    """
    One metric.

    Attributes:
        name: Without the prefix `groundwire_`.
        kind: "counter", "gauge" or "summary".
        help: What it counts, in one line without backslashes.
        samples: What follows the name on each line (labels, or the suffix of a summary),
            and the attribute that the line is about.
    """

    name: str
    kind: str
    help: str
    samples: Mapping[str, str]


def prometheus_text(counts: object, metrics: Iterable[Metric]) -> str:
    """Return the attributes of *counts* that *metrics* name; None is NaN."""
    lines: list[str] = []
    for metric in metrics:
        name = f"groundwire_{metric.name}"
        lines += [f"# HELP {name} {metric.help}", f"# TYPE {name} {metric.kind}"]
        for suffix, attribute in metric.samples.items():
            lines.append(f"{name}{suffix} {_value(attribute, getattr(counts, attribute))}")
    return "".join(f"{line}\n" for line in lines)


def _value(attribute: str, value: int | float | None) -> str:
    if value is None:
        return "NaN"
    if attribute.endswith("_parts"):
        # Written out digit by digit: as a float the sum would lose its last ones.
        return f"{value // SCALE}.{value % SCALE:012}"
    return repr(value)
