"""
The results of a search, read once: which ids may be cited, and the passage behind each.

Nothing that stands in a result raises: what is odd is left out or made a str, and
counted under a code. Only results that are none at all are refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

__all__ = ["ANOMALIES", "Anomaly", "Results", "check_answer", "check_results", "read_results", "read_titles"]

PASSAGE_KEYS = ("content", "text", "passage", "snippet", "matches")
"""Where the passage of a result may stand; the first that is there counts. `matches` is a list of str."""

_ALL_PASSAGE_KEYS = frozenset(PASSAGE_KEYS)


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


@dataclass(frozen=True)
class Results:
    """
    All results, and what may be cited; the lists have one entry for each result.

    Attributes:
        ids: Its `id` as a str; None if there is none.
        parent_ids: The same of the document that it is a part of.
        passages: Its text; None if it has none.
        written: Both ids of all of them as they were given.
        anomalies: How often each oddity was met, in the order of `Anomaly`.
    """

    ids: list[str | None]
    parent_ids: list[str | None]
    passages: list[str | None]
    written: list[object]
    anomalies: tuple[tuple[Anomaly, int], ...]

    @cached_property
    def by_id(self) -> dict[str, list[int]]:
        """The places of each `id`."""
        return _places(self.ids)

    @cached_property
    def by_parent(self) -> dict[str, list[int]]:
        """The places of each `parent_id`."""
        return _places(self.parent_ids)

    def literal_ids(self) -> frozenset[str]:
        """Return what may be cited by the printed rules: each id that is a str, as it was given."""
        return frozenset([id_ for id_ in self.written if isinstance(id_, str)])

    def citable(self) -> list[str]:
        """Return what may be cited: every `id`, then every `parent_id` (ruling B9)."""
        return [id_ for id_ in (*self.ids, *self.parent_ids) if id_ is not None]

    def has_passages(self) -> bool:
        """Tell whether any of them has a text."""
        return self.passages.count(None) < len(self.passages)

    def places(self, cited: str) -> list[int]:
        """Return the places of the results that a citation of *cited* means; none if there is no such id."""
        return [*self.by_id.get(cited, ()), *self.by_parent.get(cited, ())]

    def name(self, place: int) -> str | None:
        """Return by what the result at *place* may be cited."""
        return self.ids[place] or self.parent_ids[place]


def _places(ids: list[str | None]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, id_ in enumerate(ids):
        if id_ is not None:
            places.setdefault(id_, []).append(place)
    return places


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
        # The first question is the cheaper one.
        if type(result) is not dict and not isinstance(result, Mapping):
            raise TypeError(f"results[{place}] must be a mapping, got {type(result).__name__}")
    return results


def read_results(results: object) -> Results:
    """
    Read what a search returned.

    Raises:
        TypeError: *results* are no sequence of mappings.
    """
    given = check_results(results)
    met: list[Anomaly] = []
    written = [result.get("id") for result in given]
    written_parents = [result.get("parent_id") for result in given]
    # Most ids are letters and digits, about which there is nothing odd.
    ids, parent_ids = (
        [id_ if id_ is None or (type(id_) is str and id_.isalnum()) else _id(id_, met) for id_ in row]
        for row in (written, written_parents)
    )
    passages = [None if _ALL_PASSAGE_KEYS.isdisjoint(result) else _passage(result, met) for result in given]
    if None in ids:
        met += [Anomaly.NO_ID for pair in zip(ids, parent_ids, strict=True) if pair == (None, None)]
    met += [Anomaly.REPEATED_ID] * (len(ids) - ids.count(None) - len({*ids} - {None}))
    counts = tuple([(anomaly, met.count(anomaly)) for anomaly in Anomaly if anomaly in met]) if met else ()
    return Results(ids, parent_ids, passages, written + written_parents, counts)


def read_titles(results: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the `title` of each result, empty where it has none that is a str."""
    titles = [result.get("title") for result in results]
    return [title if isinstance(title, str) else "" for title in titles]


def _id(value: object, met: list[Anomaly]) -> str | None:
    if isinstance(value, str):
        if "[" in value or "]" in value:
            met.append(Anomaly.BRACKET_IN_ID)
        # The engine looks for ids without the white space around them.
        return value.strip() or None
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
