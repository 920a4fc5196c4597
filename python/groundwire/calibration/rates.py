"""Shares of a count, with what a sample of that size can say about them."""

from dataclasses import dataclass
from math import sqrt

__all__ = ["CONFIDENCE", "Rate", "Z"]

CONFIDENCE = 0.95
"""How often an interval covers the true share."""

Z = 1.959963984540054
"""The standard normal distribution has CONFIDENCE of its mass within this of 0."""


@dataclass(frozen=True, slots=True)
class Rate:
    """
    So many of so many.

    Attributes:
        count: 0 to *total*.
        total: How many there were; may be 0.
    """

    count: int
    total: int

    @property
    def share(self) -> float | None:
        """`count / total`; None of nothing."""
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """
        The 95 % interval of the true share, 0.0 to 1.0; all of it where *total* is 0.

        Source: Wilson 1927, "Probable inference, the law of succession, and statistical
        inference"; unlike the textbook interval it is of use at 0 of 20 as well.
        """
        if self.total == 0:
            return 0.0, 1.0
        share = self.count / self.total
        shrink = 1 + Z * Z / self.total
        middle = (share + Z * Z / (2 * self.total)) / shrink
        half = Z * sqrt(share * (1 - share) / self.total + Z * Z / (4 * self.total * self.total)) / shrink
        low = 0.0 if self.count == 0 else max(0.0, middle - half)
        high = 1.0 if self.count == self.total else min(1.0, middle + half)
        return low, high

    def __str__(self) -> str:
        if self.share is None:
            return "–"
        low, high = self.interval
        return f"{100 * self.share:.1f} % ({100 * low:.1f}–{100 * high:.1f}; {self.count}/{self.total})"
