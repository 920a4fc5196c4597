"""What a benchmark promises: a ratio or a difference of two medians, and its limit."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Bar", "Measure", "duration"]


class Measure(StrEnum):
    """How the two medians are compared; the limit itself meets the bar."""

    FASTER = "times faster"
    """The other's median over ours: at least the limit."""
    LARGER = "times as much"
    """Ours over the other's: at most the limit."""
    EXCESS = "seconds more"
    """Ours less the other's: at most the limit."""


@dataclass(frozen=True, slots=True)
class Bar:
    """
    A bar to clear.

    Attributes:
        measure: How the medians are compared.
        than: The engine that ours is compared with; of several, the one with the
            smallest median of those that are there.
        limit: A ratio, or seconds for an excess.
    """

    measure: Measure
    than: str | tuple[str, ...]
    limit: float

    @property
    def others(self) -> tuple[str, ...]:
        """The engines that *than* names."""
        return (self.than,) if isinstance(self.than, str) else self.than

    def best(self, medians: Mapping[str, float]) -> str | None:
        """Return the engine that ours is compared with, or None if none of them is among *medians*."""
        return min((other for other in self.others if other in medians), key=medians.__getitem__, default=None)

    def value(self, medians: Mapping[str, float]) -> float | None:
        """Return what *medians* of engines come to, or None if one of the two is not among them."""
        best = self.best(medians)
        if "groundwire" not in medians or best is None:
            return None
        ours, other = medians["groundwire"], medians[best]
        if self.measure is Measure.EXCESS:
            return ours - other
        return other / ours if self.measure is Measure.FASTER else ours / other

    def is_met(self, value: float) -> bool:
        """Tell whether *value* is on the right side of the limit."""
        return value >= self.limit if self.measure is Measure.FASTER else value <= self.limit

    def show(self, value: float) -> str:
        """Return *value* as people read it."""
        if self.measure is Measure.EXCESS:
            return f"+{duration(value)}" if value >= 0 else f"-{duration(-value)}"
        return f"{value:.2f}×" if value < 10 else f"{value:,.0f}×"

    def __str__(self) -> str:
        than = self.than if isinstance(self.than, str) else f"the best of {len(self.than)}"
        if self.measure is Measure.EXCESS:
            return f"≤ {duration(self.limit)} over {than}"
        sign = "≥" if self.measure is Measure.FASTER else "≤"
        return f"{sign} {self.limit:g}× {than}"


def duration(seconds: float) -> str:
    """Return *seconds* with three digits and the unit that suits them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
