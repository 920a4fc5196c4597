"""
Links as citations: `[1](url)`, `[title](url)` and a bare URL cite the results that have this URL (ruling B16).

The engine reads an answer in which each such link is replaced by a citation of the same length, so that sentences,
code and citations behind a full stop are read by one set of rules. A link to no result stays as it is: a link.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from typing import NamedTuple

from groundwire.language import one_of, word_list
from groundwire.urls import canonical_url, find_urls

__all__ = ["Link", "LinkedAnswer", "replace_links"]

_MARKDOWN = re.compile(
    r"(?P<image>!?)\[(?P<title>(?:[^\[\]\n]|\[[^\[\]\n]*\]){0,300})\]"
    r"\(\s{0,3}<?(?P<url>https?://(?:[^\s<>()]|\([^\s<>()]*\))+)>?(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\s{0,3}\)",
    re.IGNORECASE,
)
_SENTENCE_ENDS = frozenset(".!?…。！？:")
_CLOSING = frozenset("\"'”’»)]*_")
_BETWEEN = frozenset(" \t,;|·")
_PRIVATE = range(0xE000, 0xF900)
"""Characters for private use: an id that begins with one looks like no other id."""


class Link(NamedTuple):
    """
    A link to a result.

    Attributes:
        start, end: Where it is in the answer.
        words: Where its title is, if that is a part of the sentence; empty otherwise.
        url: Where it leads to, in canonical spelling.
    """

    start: int
    end: int
    words: tuple[int, int]
    url: str


class LinkedAnswer(NamedTuple):
    """
    An answer with citations in the place of its links.

    Attributes:
        text: The answer, as long as it was.
        links: The links, by the start of the citation that replaces them.
        urls: The URL that each of the new ids stands for.
    """

    text: str
    links: Mapping[int, Link]
    urls: Mapping[str, str]

    def link_at(self, start: int) -> Link:
        """Return the link whose citation is at *start*, or one bracket later: `[[1]]` is one citation."""
        return self.links.get(start) or self.links[start + 1]

    def without_links(self, answer: str, starts: Set[int]) -> str:
        """Return *answer* with white space for the links whose citation is at one of *starts*; offsets stay."""
        chars = list(answer)
        for start in starts:
            link = self.link_at(start)
            for place in (*range(link.start, link.words[0]), *range(link.words[1], link.end)):
                chars[place] = " "
        return "".join(chars)


def replace_links(answer: str, urls: Set[str], ids: Set[str]) -> LinkedAnswer | None:
    """
    Return *answer* with a citation for each link to one of *urls*, which are canonical; None without any.

    Args:
        answer: What a model wrote.
        urls: What the results are from.
        ids: What may be cited: a title that is one of these is no word of the sentence.
    """
    links = list(_find_links(answer, urls, ids))
    if not links:
        return None
    private = next(chr(code) for code in _PRIVATE if chr(code) not in answer)
    numbers = {url: f"{private}{number}" for number, url in enumerate(dict.fromkeys(link.url for link in links))}
    chars = list(answer)
    placed = {}
    for link in links:
        # A space behind the title: `title[1](…` would be a place in a program.
        start = link.words[1] + (link.words[0] < link.words[1])
        id_ = numbers[link.url]
        chars[link.start : link.words[0]] = " " * (link.words[0] - link.start)
        chars[link.words[1] : start] = " " * (start - link.words[1])
        chars[start : link.end] = f"[{id_.ljust(link.end - start - 2)}]"
        placed[start] = link
    for start, end in _brackets_around(answer, links):
        chars[start] = chars[end] = " "
    return LinkedAnswer("".join(chars), placed, {id_: url for url, id_ in numbers.items()})


def _find_links(answer: str, urls: Set[str], ids: Set[str]) -> Iterator[Link]:
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
            yield Link(match.start(), match.end(), words, url)
    while place is not None:
        yield from _bare_link(answer, *place, urls)
        place = next(bare, None)


def _bare_link(answer: str, start: int, end: int, urls: Set[str]) -> Iterator[Link]:
    url = canonical_url(answer[start:end])
    if url in urls:
        if answer[start - 1 : start] == "<" and answer[end : end + 1] == ">":
            start, end = start - 1, end + 1
        yield Link(start, end, (start, start), url)


@cache
def _label() -> re.Pattern[str]:
    """The text of a link that names nothing: `[source 2](url)`."""
    labels = one_of(word_list("en", "answers", "link_labels"))
    return re.compile(rf"[\W_]*+(?:(?:{labels})[\W_]*+)?\d*+[\W_]*+", re.IGNORECASE)


def _is_label(title: str, ids: Set[str]) -> bool:
    """Return whether a title only names the source: a number, an id, an address."""
    return _label().fullmatch(title) is not None or title.strip("[]^ ") in ids or "://" in title or _is_host(title)


def _is_host(title: str) -> bool:
    return "." in title.strip(".") and not any(map(str.isspace, title.strip()))


def _is_apart(answer: str, start: int, end: int, last: int) -> bool:
    """Return whether a link is outside of sentences: alone in brackets, or behind a sentence and before no other."""
    before = answer[max(0, start - 20) : start].rstrip(" \t")
    after = answer[end : end + 20].lstrip(" \t")
    if before.endswith("(") and after.startswith((")", ",", ";")):
        return True
    follows_link = bool(last) and _BETWEEN.issuperset(answer[last:start])
    stripped = before.rstrip("".join(_CLOSING))
    is_behind = follows_link or (stripped != "" and stripped[-1] in _SENTENCE_ENDS)
    begins_sentence = after[:1].isalnum() and not after[:1].isupper()
    return is_behind and not begins_sentence and not after.startswith(("'", "’"))


def _brackets_around(answer: str, links: Sequence[Link]) -> Iterator[tuple[int, int]]:
    """Yield the round brackets that hold nothing but links."""
    place = 0
    while place < len(links):
        first = last = place
        while last + 1 < len(links) and _BETWEEN.issuperset(answer[links[last].end : links[last + 1].start]):
            last += 1
        start, end = links[first].start - 1, links[last].end
        if start >= 0 and answer[start] == "(" and answer[end : end + 1] == ")":
            yield start, end
        place = last + 1
