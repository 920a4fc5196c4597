"""What a judgement takes: requests, tokens, money."""

from collections.abc import Mapping
from dataclasses import dataclass

from groundwire.judgement import Usage

__all__ = ["Price", "Tally"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a model costs, in any currency, for a million tokens."""

    prompt_per_million: float
    completion_per_million: float

    def __post_init__(self) -> None:
        for name in ("prompt_per_million", "completion_per_million"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise ValueError(f"{name} must be a finite number of at least 0")


class Tally:
    """
    The usage of one judgement, as it grows.

    The cost is known as long as the server told the tokens of every completion, and
    its model has a price.
    """

    def __init__(self, prices: Mapping[str, Price]) -> None:
        self._prices = prices
        self._calls = self._prompt_tokens = self._completion_tokens = 0
        self._cost = 0.0
        self._is_cost_known = True

    def add_call(self) -> None:
        """Count a request that is about to be sent."""
        self._calls += 1

    def add_tokens(self, model: str, prompt_tokens: int | None, completion_tokens: int | None) -> None:
        """Count the tokens of a completion; None where the server does not tell them."""
        self._prompt_tokens += prompt_tokens or 0
        self._completion_tokens += completion_tokens or 0
        price = self._prices.get(model)
        if price is None or prompt_tokens is None or completion_tokens is None:
            self._is_cost_known = False
            return
        self._cost += prompt_tokens * price.prompt_per_million / 1e6
        self._cost += completion_tokens * price.completion_per_million / 1e6

    def usage(self) -> Usage:
        """Return what it came to."""
        return Usage(
            calls=self._calls,
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._completion_tokens,
            cost=round(self._cost, 12) if self._is_cost_known and self._prices else None,
        )
