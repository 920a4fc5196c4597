"""
The results of a search, read once: which ids may be cited, and the passage behind each.

Nothing that stands in a result raises: what is odd is left out or made a str, and
counted under a code. Only results that are none at all are refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

__all__ = ["ANOMALIES", "Anomaly", "Found", "Results", "check_answer", "check_results", "read_results"]

PASSAGE_KEYS = ("content", "text", "passage", "snippet", "matches")
"""Where the passage of a result may stand; the first that is there counts. `matches` is a list of str."""


class Anomaly(StrEnum):
    """What is odd about a result."""

    NO_ID = "no_id"
    NUMBER_AS_ID = "number_as_id"
    ID_OF_OTHER_TYPE = "id_of_other_type"
    REPEATED_ID = "repeated_id"
    BRACKET_IN_ID = "bracket_in_id"
    PASSAGE_OF_OTHER_TYPE = "passage_of_other_type"


ANOMALIES: dict[Anomaly, str] = {
    Anomaly.NO_ID: "has neither an `id` nor a `parent_id`, so nothing can cite it",
    Anomaly.NUMBER_AS_ID: "an id is an int; its decimal digits are taken for it",
    Anomaly.ID_OF_OTHER_TYPE: "an id is neither a str nor an int of at most 64 bits, and is left out",
    Anomaly.REPEATED_ID: "has the `id` of an earlier result; a citation of it means either",
    Anomaly.BRACKET_IN_ID: "an id has a square bracket in it, so that a citation in brackets may not name it",
    Anomaly.PASSAGE_OF_OTHER_TYPE: "its passage is no str, and no list of str, and is not read",
}


class Found(NamedTuple):
    """
    One result.

    Attributes:
        id: As a str; None if there is none.
        parent_id: The same of the document that it is a part of.
        passage: Its text; None if it has none.
    """

    id: str | None
    parent_id: str | None
    passage: str | None


@dataclass(frozen=True, slots=True)
class Results:
    """
    All results, and what may be cited.

    Attributes:
        found: The results in their order.
        by_id: Places in `found` of each `id`.
        by_parent: Places in `found` of each `parent_id` (ruling B9).
        anomalies: How often each oddity was met, in the order of `Anomaly`.
    """

    found: tuple[Found, ...]
    by_id: dict[str, list[int]]
    by_parent: dict[str, list[int]]
    anomalies: tuple[tuple[Anomaly, int], ...]

    def places(self, cited: str) -> list[int]:
        """Return the places of the results that a citation of *cited* means; none if there is no such id."""
        return [*self.by_id.get(cited, ()), *self.by_parent.get(cited, ())]


def check_answer(answer: object) -> None:
    """
    Refuse what is no answer.

    Raises:
        TypeError: *answer* is no str. Says what it is, and nothing of it.
    """
    if not isinstance(answer, str):
        raise TypeError(f"answer must be a str, got {type(answer).__name__}")


def check_results(results: object) -> Sequence[Mapping[str, object]]:
    """
    Return *results* if they are a sequence of mappings.

    Raises:
        TypeError: They are not. Says what was got, and nothing of it.
    """
    if not isinstance(results, Sequence) or isinstance(results, str | bytes | bytearray):
        raise TypeError(f"results must be a sequence of mappings, got {type(results).__name__}")
    for place, result in enumerate(results):
        if not isinstance(result, Mapping):
            raise TypeError(f"results[{place}] must be a mapping, got {type(result).__name__}")
    return results


def read_results(results: object) -> Results:
    """
    Read what a search returned.

    Raises:
        TypeError: *results* are no sequence of mappings.
    """
    met: list[Anomaly] = []
    found = tuple(_read(result, met) for result in check_results(results))
    by_id: dict[str, list[int]] = {}
    by_parent: dict[str, list[int]] = {}
    for place, result in enumerate(found):
        if result.id is not None:
            by_id.setdefault(result.id, []).append(place)
        if result.parent_id is not None:
            by_parent.setdefault(result.parent_id, []).append(place)
    met += [Anomaly.REPEATED_ID] * sum(len(places) - 1 for places in by_id.values())
    counts = tuple((anomaly, met.count(anomaly)) for anomaly in Anomaly if anomaly in met) if met else ()
    return Results(found, by_id, by_parent, counts)


def _read(result: Mapping[str, object], met: list[Anomaly]) -> Found:
    id_ = _id(result.get("id"), met)
    parent_id = _id(result.get("parent_id"), met)
    if id_ is None and parent_id is None:
        met.append(Anomaly.NO_ID)
    return Found(id_, parent_id, _passage(result, met))


def _id(value: object, met: list[Anomaly]) -> str | None:
    if isinstance(value, str):
        if "[" in value or "]" in value:
            met.append(Anomaly.BRACKET_IN_ID)
        return value or None
    if value is None:
        return None
    # Python refuses to write out an int of more than 4,300 digits.
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= 64:
        met.append(Anomaly.NUMBER_AS_ID)
        return str(value)
    met.append(Anomaly.ID_OF_OTHER_TYPE)
    return None


def _passage(result: Mapping[str, object], met: list[Anomaly]) -> str | None:
    for key in PASSAGE_KEYS:
        value = result.get(key)
        if value is None:
            continue
        if isinstance(value, str):
            return value
        if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
            return "\n".join(value)
        met.append(Anomaly.PASSAGE_OF_OTHER_TYPE)
        return None
    return None
