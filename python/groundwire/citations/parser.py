"""
Splits an answer into its citations and claims, and finds the claims that need a citation and have none.

The engine reads an answer as people do; the specified rules (rulings B1, B2, B8) count like `detect_hallucination`.
Both return the same types. Links are citations, too: `[1](url)`, `[title](url)` and a bare URL cite the results with
this URL (ruling B16). Each such link is replaced by a citation of the same length before the engine reads the answer,
so that one set of rules reads sentences, code and citations after a full stop. A link to no result stays a link.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from typing import NamedTuple, TypeAlias

from groundwire import _engine as engine
from groundwire._engine import read_answer
from groundwire.citations.literal import (
    CLAIM_CHARS,
    LONG_CHARS,
    has_bracket,
    literal_brackets,
    literal_citations,
    literal_pieces,
)
from groundwire.citations.report import Figures
from groundwire.language import one_of, word_list
from groundwire.search_results import Results
from groundwire.urls import canonical_url, find_urls

__all__ = [
    "Claim",
    "LinkMarker",
    "Marker",
    "OwnClaim",
    "OwnMarker",
    "Reading",
    "bare_claim_words",
    "claim_words",
    "read",
    "read_literally",
]

_MARKDOWN = re.compile(
    r"(?P<image>!?)\[(?P<title>(?:[^\[\]\n]|\[[^\[\]\n]*\]){0,300})\]"
    r"\(\s{0,3}<?(?P<url>https?://(?:[^\s<>()]|\([^\s<>()]*\))+)>?(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\s{0,3}\)",
    re.IGNORECASE,
)
_SENTENCE_ENDS = frozenset(".!?…。！？:")
_CLOSING = frozenset("\"'”’»)]*_")
_BETWEEN = frozenset(" \t,;|·")
_LINK_CONTEXT_CHARS = 20
"""Number of characters on each side of a link that decide whether it is inside a sentence."""

_PRIVATE = range(0xE000, 0xF900)
"""Private-use characters: an id that begins with one cannot be confused with another id."""


class _Link(NamedTuple):
    """
    Holds a link to a result.

    Attributes:
        start, end: Offsets in the answer.
        words: Span of the title if it is part of the sentence; otherwise empty.
        url: The target, in canonical spelling.
    """

    start: int
    end: int
    words: tuple[int, int]
    url: str


class _LinkedAnswer(NamedTuple):
    """
    Holds an answer whose links are replaced by citations.

    Attributes:
        text: The answer, with unchanged length.
        links: Links, by the start of the citation that replaces them.
        urls: URL of each new id.
    """

    text: str
    links: Mapping[int, _Link]
    urls: Mapping[str, str]

    def link_at(self, start: int) -> _Link:
        """Return the link whose citation is at *start*, or one bracket later, because `[[1]]` is one citation."""
        return self.links.get(start) or self.links[start + 1]

    def without_links(self, answer: str, starts: Set[int]) -> str:
        """Return *answer* with white space for the links whose citations are at *starts*; offsets do not change."""
        chars = list(answer)
        for start in starts:
            link = self.link_at(start)
            for place in (*range(link.start, link.words[0]), *range(link.words[1], link.end)):
                chars[place] = " "
        return "".join(chars)


def _replace_links(answer: str, urls: Set[str], ids: Set[str]) -> _LinkedAnswer | None:
    """
    Return *answer* with a citation for each link to one of *urls*, which are canonical; None without such links.

    Also None for an answer with every private-use character, so that no id is left for a link.

    Args:
        answer: The answer of a model.
        urls: URLs of the results.
        ids: Ids that may be cited; a title that is an id is no word of the sentence.
    """
    links = list(_find_links(answer, urls, ids))
    private = next((chr(code) for code in _PRIVATE if chr(code) not in answer), None)
    if not links or private is None:
        return None
    numbers = {url: f"{private}{number}" for number, url in enumerate(dict.fromkeys(link.url for link in links))}
    chars = list(answer)
    placed = {}
    for link in links:
        # Adds a space after the title, because `title[1](…` would be code.
        start = link.words[1] + (link.words[0] < link.words[1])
        id_ = numbers[link.url]
        chars[link.start : link.words[0]] = " " * (link.words[0] - link.start)
        chars[link.words[1] : start] = " " * (start - link.words[1])
        chars[start : link.end] = f"[{id_.ljust(link.end - start - 2)}]"
        placed[start] = link
    for start, end in _brackets_around(answer, links):
        chars[start] = chars[end] = " "
    return _LinkedAnswer("".join(chars), placed, {id_: url for url, id_ in numbers.items()})


def _find_links(answer: str, urls: Set[str], ids: Set[str]) -> Iterator[_Link]:
    end = 0
    bare = iter(find_urls(answer))
    place = next(bare, None)
    for match in _MARKDOWN.finditer(answer):
        while place is not None and place[0] < match.start():
            yield from _bare_link(answer, *place, urls)
            place = next(bare, None)
        while place is not None and place[0] < match.end():
            place = next(bare, None)
        url = canonical_url(match["url"])
        if not match["image"] and url in urls:
            is_apart = _is_label(match["title"], ids) or _is_apart(answer, match.start(), match.end(), end)
            words = (match.start(), match.start()) if is_apart else match.span("title")
            end = match.end()
            yield _Link(match.start(), match.end(), words, url)
    while place is not None:
        yield from _bare_link(answer, *place, urls)
        place = next(bare, None)


def _bare_link(answer: str, start: int, end: int, urls: Set[str]) -> Iterator[_Link]:
    url = canonical_url(answer[start:end])
    if url in urls:
        if answer[start - 1 : start] == "<" and answer[end : end + 1] == ">":
            start, end = start - 1, end + 1
        yield _Link(start, end, (start, start), url)


@cache
def _label() -> re.Pattern[str]:
    """The text of a link without content of its own: `[source 2](url)`."""
    labels = one_of(word_list("en", "answers", "link_labels"))
    return re.compile(rf"[\W_]*+(?:(?:{labels})[\W_]*+)?\d*+[\W_]*+", re.IGNORECASE)


def _is_label(title: str, ids: Set[str]) -> bool:
    """Tell whether a title only names the source: a number, an id, an address."""
    return _label().fullmatch(title) is not None or title.strip("[]^ ") in ids or "://" in title or _is_host(title)


def _is_host(title: str) -> bool:
    return "." in title.strip(".") and not any(map(str.isspace, title.strip()))


def _is_apart(answer: str, start: int, end: int, last: int) -> bool:
    """Tell whether a link is outside of sentences: alone in brackets, or after a sentence with none following."""
    before = answer[max(0, start - _LINK_CONTEXT_CHARS) : start].rstrip(" \t")
    after = answer[end : end + _LINK_CONTEXT_CHARS].lstrip(" \t")
    if before.endswith("(") and after.startswith((")", ",", ";")):
        return True
    follows_link = bool(last) and _BETWEEN.issuperset(answer[last:start])
    stripped = before.rstrip("".join(_CLOSING))
    is_behind = follows_link or (stripped != "" and stripped[-1] in _SENTENCE_ENDS)
    begins_sentence = after[:1].isalnum() and not after[:1].isupper()
    return is_behind and not begins_sentence and not after.startswith(("'", "’"))


def _brackets_around(answer: str, links: Sequence[_Link]) -> Iterator[tuple[int, int]]:
    """Yield the parentheses that contain only links."""
    place = 0
    while place < len(links):
        first = last = place
        while last + 1 < len(links) and _BETWEEN.issuperset(answer[links[last].end : links[last + 1].start]):
            last += 1
        start, end = links[first].start - 1, links[last].end
        if start >= 0 and answer[start] == "(" and answer[end : end + 1] == ")":
            yield start, end
        place = last + 1


_NONE: frozenset[str] = frozenset()


@cache
def _lead() -> re.Pattern[str]:
    """List marks and labels of steps before a claim, in any language."""
    steps = one_of(word for language in ("en", "de", "fr", "es") for word in word_list(language, "answers", "steps"))
    return re.compile(
        r"\A\s*(?:[-*+•–]\s+)?(?:\(?(?:\d{1,3}|[a-z])\)\s+|\d{1,3}\.\s+)?"
        rf"(?:\*{{0,2}}(?:{steps})\s+\d{{1,3}}\*{{0,2}}\s*[:.),–-]\*{{0,2}}\s+)?",
        re.IGNORECASE,
    )


@cache
def _passage_names() -> tuple[frozenset[str], re.Pattern[str]]:
    """Names of passages in an answer: `Passage 2`, `sources 1 and 3`."""
    names = word_list("en", "answers", "passages")
    numbered = r"(?:\s*\#?\d{1,4}\b|s\s+\d{1,4}(?:\s*(?:,|and|&|to|[-–])\s*\d{1,4}\b)+)"
    return names, re.compile(rf"\b(?:{one_of(names)}){numbered}", re.IGNORECASE)


class OwnMarker(NamedTuple):
    """Describes a citation, like the engine's `Marker`: its span, its ids, and which of them exist."""

    start: int
    end: int
    ids: tuple[str, ...]
    valid_ids: tuple[str, ...]
    invalid_ids: tuple[str, ...]


class LinkMarker(OwnMarker):
    """Holds a link that is a citation, with the names of the results with its URL."""


class OwnClaim(NamedTuple):
    """Describes a claim, like the engine's `Claim`: its span, the indexes of its markers, and whether it needs one."""

    start: int
    end: int
    markers: Sequence[int]
    is_long: bool


Marker: TypeAlias = engine.Marker | OwnMarker
Claim: TypeAlias = engine.Claim | OwnClaim


class Reading(NamedTuple):
    """
    Holds all citations and claims in order, and tells which claims need a citation and have none.

    `text` is the answer with white space in place of links that are citations; its length is unchanged.
    """

    markers: Sequence[Marker]
    claims: Sequence[Claim]
    uncited: Sequence[bool]
    text: str


def read(answer: str, known: Results) -> tuple[Figures, Callable[[], Reading]]:
    """
    Split *answer* as people read it; *known* are the ids that may be cited.

    The parts are created on first use, because the figures alone take a tenth of the time.
    """
    ids = known.citable()
    if "://" in answer and known.by_url and (linked := _replace_links(answer, known.by_url.keys(), {*ids})):
        return _read_linked(answer, linked, known, ids)
    found = read_answer(answer, ids)

    def parts() -> Reading:
        return _reading(found.markers, found.claims, answer)

    return Figures(*found.counts()), parts


def _read_linked(
    answer: str, linked: _LinkedAnswer, known: Results, ids: list[str]
) -> tuple[Figures, Callable[[], Reading]]:
    """Split an answer with links to results, which are citations (ruling B16)."""
    found = read_answer(linked.text, [*ids, *linked.urls])
    names = {id_: known.names_of_url(url) for id_, url in linked.urls.items()}
    figures = Figures(*found.counts())
    valid = {name for id_ in figures.valid for name in names.get(id_, (id_,))}

    def parts() -> Reading:
        markers = [_link_marker(marker, linked, names) for marker in found.markers]
        starts = {marker.start for marker in found.markers if not names.keys().isdisjoint(marker.valid_ids)}
        claims = _linked_claims(found.claims, linked.links.values())
        return _reading(markers, claims, linked.without_links(answer, starts))

    ignored = [id_ for id_ in figures.ignored if id_ not in names]
    return figures._replace(valid=sorted(valid), ignored=ignored), parts


def _link_marker(marker: Marker, linked: _LinkedAnswer, names: Mapping[str, list[str]]) -> Marker:
    """Return the link that the engine's *marker* replaces, or the marker itself."""
    if names.keys().isdisjoint(marker.ids):
        return marker
    link = linked.link_at(marker.start)
    # The engine reads some brackets as code, and these cite nothing.
    cited = tuple(names[marker.ids[0]]) if marker.valid_ids else ()
    return LinkMarker(link.start, link.end, cited, cited, ())


def _linked_claims(claims: Iterable[Claim], links: Iterable[_Link]) -> list[Claim]:
    """Return the engine's *claims*, each extended over a link whose title begins or ends it."""
    titled = [link for link in links if link.words[0] < link.words[1]]
    starts = {link.words[0]: link.start for link in titled}
    ends = {link.words[1]: link.end for link in titled}
    return [
        OwnClaim(starts.get(claim.start, claim.start), ends.get(claim.end, claim.end), claim.markers, claim.is_long)
        for claim in claims
    ]


def _reading(markers: Sequence[Marker], claims: Sequence[Claim], text: str) -> Reading:
    uncited = [claim.is_long and not any(markers[place].valid_ids for place in claim.markers) for claim in claims]
    return Reading(markers, claims, uncited, text)


def claim_words(text: str, start: int, end: int, markers: Sequence[Marker]) -> str:
    """
    Return the claim `text[start:end]` with white space in place of parts that need no support; offsets do not change.

    These are citations, list marks and labels of steps before the claim, and names of passages (`Passage 2`).
    """
    parts, position = [], start
    for marker in markers:
        # Links are white space already.
        if position <= marker.start < end and not isinstance(marker, LinkMarker):
            parts += [text[position : marker.start], " " * (min(marker.end, end) - marker.start)]
            position = min(marker.end, end)
    words = "".join([*parts, text[position:end]])
    if (lead := _lead().match(words)) is not None and lead[0]:
        words = _blank(lead) + words[lead.end() :]
    # This check is faster than the pattern, and most claims have none of its words.
    folded = words.casefold()
    names, pattern = _passage_names()
    return pattern.sub(_blank, words) if any(map(folded.__contains__, names)) else words


def bare_claim_words(claim: str) -> str:
    """Do the same as `claim_words` for a claim outside of an answer; all of its citations become white space."""
    if "[" not in claim and "【" not in claim:
        return claim_words(claim, 0, len(claim), ())
    markers = [marker for marker in read_answer(claim, []).markers if marker.invalid_ids]
    return claim_words(claim, 0, len(claim), markers)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def read_literally(answer: str, known: frozenset[str]) -> tuple[Figures, Callable[[], Reading]]:
    """
    Split *answer* by the specified rules.

    Each bracket is a citation of one id. A sentence of more than 20 characters is a
    claim; one of more than 50 without brackets is uncited.
    """
    return _counted(answer, known) or _figures(_parts(answer, known)), lambda: _parts(answer, known)


def _counted(answer: str, known: frozenset[str]) -> Figures | None:
    """Return the figures without the parts; None if a citation may extend over two sentences."""
    cited: set[str] = set()
    claims = covered = uncited = 0
    for piece in literal_pieces(answer):
        own: Set[str] = _NONE
        if "[" in piece:
            if piece.rfind("[") > piece.rfind("]"):
                return None
            own = literal_citations(piece)
            cited |= own
        length = len(piece.strip())
        if length > CLAIM_CHARS:
            claims += 1
            if not own:
                uncited += length > LONG_CHARS
            elif not known.isdisjoint(own):
                covered += 1
    return Figures(claims, covered, uncited, sorted(cited & known), sorted(cited - known), [])


def _figures(parts: Reading) -> Figures:
    covered = sum(any(parts.markers[place].valid_ids for place in claim.markers) for claim in parts.claims)
    valid = {id_ for marker in parts.markers for id_ in marker.valid_ids}
    invalid = {id_ for marker in parts.markers for id_ in marker.invalid_ids}
    return Figures(len(parts.claims), covered, sum(parts.uncited), sorted(valid), sorted(invalid), [])


def _parts(answer: str, known: Set[str]) -> Reading:
    markers = [_marker(match.start(), match.end(), match[1], known) for match in literal_brackets(answer)]
    starts = [marker.start for marker in markers]
    claims: list[OwnClaim] = []
    uncited: list[bool] = []
    position = 0
    for piece in literal_pieces(answer):
        sentence = piece.strip()
        end = position + len(piece)
        if len(sentence) > CLAIM_CHARS:
            start = end - len(piece.lstrip())
            inside = _inside(markers, starts, position, end)
            claims.append(OwnClaim(start, start + len(sentence), inside, len(sentence) > LONG_CHARS))
            uncited.append(len(sentence) > LONG_CHARS and not has_bracket(piece))
        position = end + 1
    return Reading(markers, claims, uncited, answer)


def _marker(start: int, end: int, written: str, known: Set[str]) -> OwnMarker:
    if written in known:
        return OwnMarker(start, end, (written,), (written,), ())
    return OwnMarker(start, end, (written,), (), (written,))


def _inside(markers: Sequence[OwnMarker], starts: list[int], start: int, end: int) -> tuple[int, ...]:
    """Return the indexes of the markers that are entirely in *start* to *end*."""
    first, last = bisect_left(starts, start), bisect_left(starts, end)
    return tuple(place for place in range(first, last) if markers[place].end <= end)
