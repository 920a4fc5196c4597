"""
The results of a search, read once: which ids may be cited, and the passage behind each.

No value in a result raises an error: an odd one is left out or made a str, and
counted under a code. Only a result that is neither a mapping nor a document object is refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from groundwire.citations.result_shapes import PASSAGE_KEYS, Shape, key_name, read_shape
from groundwire.judgement import SearchResults
from groundwire.urls import canonical_url

__all__ = [
    "ANOMALIES",
    "PASSAGE_KEYS",
    "Anomaly",
    "Results",
    "check_answer",
    "check_mappings",
    "check_results",
    "read_results",
]

_MAX_UNREAD_KEYS = 20
"""The report names so many keys of results without a text."""


class Anomaly(StrEnum):
    """What is odd about a result."""

    NO_ID = "no_id"
    NUMBER_AS_ID = "number_as_id"
    ID_OF_OTHER_TYPE = "id_of_other_type"
    REPEATED_ID = "repeated_id"
    BRACKET_IN_ID = "bracket_in_id"
    PASSAGE_OF_OTHER_TYPE = "passage_of_other_type"


ANOMALIES: dict[Anomaly, str] = {
    Anomaly.NO_ID: "has neither an `id` nor a `parent_id`; only a link can cite it",
    Anomaly.NUMBER_AS_ID: "an id is an int; its decimal digits are taken for it",
    Anomaly.ID_OF_OTHER_TYPE: "an id is neither a str nor an int of at most 64 bits, and is left out",
    Anomaly.REPEATED_ID: "has the `id` of an earlier result; a citation of it means either",
    Anomaly.BRACKET_IN_ID: "an id has a square bracket in it, so that a citation in brackets may not name it",
    Anomaly.PASSAGE_OF_OTHER_TYPE: "its passage is neither a str nor a list of texts, and is not read",
}


@dataclass(frozen=True)
class Results:
    """
    All results, and what may be cited; the lists have one entry for each result.

    Attributes:
        ids: Its `id` as a str; None if there is none.
        parent_ids: The same of the document that it is a part of.
        other_ids: Ids of what is nested in it: of its metadata, of its document.
        passages: Its text; None if it has none, or a blank one.
        shapes: Where its fields are.
        written: Both ids of all of them as they were given.
        anomalies: How often each oddity was met, in the order of `Anomaly`.
    """

    ids: list[str | None]
    parent_ids: list[str | None]
    other_ids: list[tuple[str, ...]]
    passages: list[str | None]
    shapes: list[Shape]
    written: list[object]
    anomalies: tuple[tuple[Anomaly, int], ...]

    @cached_property
    def by_id(self) -> dict[str, list[int]]:
        """The places of each `id`; a nested one counts where no result has it itself."""
        places = _places(self.ids)
        for id_, own in _places_of_several(self.other_ids).items():
            places.setdefault(id_, own)
        return places

    @cached_property
    def by_url(self) -> dict[str, list[int]]:
        """The places of each URL, in its canonical spelling (ruling B16)."""
        return _places_of_several([tuple(dict.fromkeys(map(canonical_url, shape.urls()))) for shape in self.shapes])

    @cached_property
    def titles(self) -> list[str]:
        """The title of each; empty without one."""
        return [shape.title() for shape in self.shapes]

    @cached_property
    def unread_keys(self) -> tuple[str, ...]:
        """The names of the keys of all results without a text, sorted; at most 20."""
        unread = (shape for place, shape in enumerate(self.shapes) if not self._is_readable(place))
        keys = {key for shape in unread for key in shape.all_keys()}
        return tuple(sorted({key_name(*key) for key in keys})[:_MAX_UNREAD_KEYS])

    @cached_property
    def by_parent(self) -> dict[str, list[int]]:
        """The places of each `parent_id`."""
        return _places(self.parent_ids)

    def literal_ids(self) -> frozenset[str]:
        """Return what may be cited by the printed rules: each id that is a str, as it was given."""
        return frozenset([id_ for id_ in self.written if isinstance(id_, str)])

    def citable(self) -> list[str]:
        """Return what may be cited: every `id`, then every `parent_id` (ruling B9), then those of nested mappings."""
        own = [id_ for id_ in (*self.ids, *self.parent_ids) if id_ is not None]
        return own if not any(self.other_ids) else [*own, *(id_ for ids in self.other_ids for id_ in ids)]

    def has_passages(self) -> bool:
        """Return whether any of them has a text."""
        return self.passages.count(None) < len(self.passages)

    def places(self, cited: str) -> list[int]:
        """Return the places of the results that a citation of *cited* means; none if there is no such id."""
        places = [*self.by_id.get(cited, ()), *self.by_parent.get(cited, ())]
        return places or self.by_url.get(cited, [])

    def name(self, place: int) -> str | None:
        """Return by what the result at *place* may be cited: its id, or else its parent's, or else its URL."""
        own = self.ids[place] or self.parent_ids[place]
        return own or next((url for url, places in self.by_url.items() if place in places), None)

    def names_of_url(self, url: str) -> list[str]:
        """Return the names of the results that have a canonical *url*, each once."""
        return list(dict.fromkeys(self.ids[place] or self.parent_ids[place] or url for place in self.by_url[url]))

    def has_text(self, cited: str) -> bool:
        """Return whether every result that a citation of *cited* means has a text with a letter or a digit."""
        return all(map(self._is_readable, self.places(cited)))

    def _is_readable(self, place: int) -> bool:
        text = self.passages[place]
        return text is not None and any(map(str.isalnum, text))


def _places(ids: list[str | None]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, id_ in enumerate(ids):
        if id_ is not None:
            places.setdefault(id_, []).append(place)
    return places


def _places_of_several(ids: list[tuple[str, ...]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, several in enumerate(ids):
        for id_ in several:
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


def check_results(results: object) -> list[Shape]:
    """
    Return where the fields of each of *results* are.

    Raises:
        TypeError: They are not a sequence of mappings and document objects. Says what was got, and nothing of it.
    """
    return [_shape(result, place) for place, result in enumerate(_check_sequence(results))]


def check_mappings(results: object) -> Sequence[Mapping[str, object]]:
    """
    Return *results* if they are a sequence of mappings, which the printed rules read.

    Raises:
        TypeError: They are not. Says what was got, and nothing of it.
    """
    given = _check_sequence(results)
    for place, result in enumerate(given):
        # The first question is the cheaper one.
        if type(result) is not dict and not isinstance(result, Mapping):
            raise TypeError(f"results[{place}] must be a mapping, got {type(result).__name__}")
    return given


def _check_sequence(results: object) -> SearchResults:
    if not isinstance(results, Sequence) or isinstance(results, str | bytes | bytearray):
        raise TypeError(f"results must be a sequence of mappings, got {type(results).__name__}")
    return results


def _shape(result: object, place: int) -> Shape:
    shape = read_shape(result)
    if shape is None:
        raise TypeError(f"results[{place}] must be a mapping, got {type(result).__name__}")
    return shape


def read_results(results: object) -> Results:
    """
    Read what a search returned.

    Raises:
        TypeError: *results* are not a sequence of mappings and document objects.
    """
    shapes = check_results(results)
    met: list[Anomaly] = []
    all_ids = [shape.ids() for shape in shapes]
    all_parents = [shape.parent_id() for shape in shapes]
    # Most ids are letters and digits, about which there is nothing odd.
    ids, parent_ids = (
        [id_ if id_ is None or (type(id_) is str and id_.isalnum()) else _id(id_, met) for id_ in row]
        for row in ([each[0] if each else None for each in all_ids], all_parents)
    )
    other_ids = [_other_ids(each) if len(each) > 1 else () for each in all_ids]
    passages = [_passage(shape, met) for shape in shapes]
    if None in ids:
        rows = zip(ids, parent_ids, other_ids, strict=True)
        met += [Anomaly.NO_ID for row in rows if row == (None, None, ())]
    met += [Anomaly.REPEATED_ID] * (len(ids) - ids.count(None) - len({*ids} - {None}))
    counts = tuple([(anomaly, met.count(anomaly)) for anomaly in Anomaly if anomaly in met]) if met else ()
    return Results(ids, parent_ids, other_ids, passages, shapes, _written(shapes), counts)


def _written(shapes: list[Shape]) -> list[object]:
    """The ids of the printed rules: those that a result has itself."""
    return [shape.levels[0][1].get(key) for key in ("id", "parent_id") for shape in shapes]


def _other_ids(ids: list[object]) -> tuple[str, ...]:
    read = [_id(id_, []) for id_ in ids]
    return tuple(dict.fromkeys(id_ for id_ in read[1:] if id_ is not None and id_ != read[0]))


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


def _passage(shape: Shape, met: list[Anomaly]) -> str | None:
    text, is_other_type = shape.text()
    if is_other_type:
        met.append(Anomaly.PASSAGE_OF_OTHER_TYPE)
    return text
