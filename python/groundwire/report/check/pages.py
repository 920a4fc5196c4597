"""Chooses the pages of PDFs that a check report shows, and has them drawn with the places of its quotes."""

from __future__ import annotations

import base64
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from groundwire.documents.pdf_pages import PageImage, PixelBox, render_pages
from groundwire.errors import DocumentError
from groundwire.report.highlights import Marked, passage_spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.documents import Document
    from groundwire.report.check.model import CheckReport, QuoteResult, Status

__all__ = ["DEFAULT_LIMITS", "PageLimits", "PageSpot", "PageView", "PagesView", "page_views"]

# Sizes of the numbers beside the text, in pixels of an image that is 1000 wide.
_TAG_HEIGHT = 32.0
_DIGIT_WIDTH = 14.0
_TAG_SPACE = 4.0


class PageLimits(NamedTuple):
    """Limits of a report: the most page images, and the most bytes of all of them together."""

    images: int
    total_bytes: int


DEFAULT_LIMITS = PageLimits(50, 20 << 20)
"""50 pages and 20 MiB. A page of text takes about 40 KiB."""


class PageTag(NamedTuple):
    """Holds the place of a quote's number on a page, in pixels of the image."""

    x: float
    y: float
    width: float
    height: float


class PageSpot(NamedTuple):
    """
    Holds the place of a quote on one page.

    Attributes:
        result: The quote.
        status: The verdict that decides the colour.
        shows: The filters of the page that the quote belongs to.
        is_nearest: Whether this is only the nearest passage.
        boxes: One rectangle for each line.
        tag: The place of its number.
    """

    result: QuoteResult
    status: Status
    shows: str
    is_nearest: bool
    boxes: tuple[PixelBox, ...]
    tag: PageTag


class PageView(NamedTuple):
    """Holds a page with its image as base64, the quotes on it, and the numbers of quotes that only name it."""

    number: int
    width: int
    height: int
    png: str
    spots: tuple[PageSpot, ...]
    named_by: tuple[int, ...]


class PagesView(NamedTuple):
    """
    Holds the pages of one PDF that a report shows.

    Attributes:
        pages: In order of their numbers.
        total: Number of all pages of the PDF.
        left_out: Number of pages with a verdict that the limits leave out.
        undrawn: Number of pages with a verdict that cannot be drawn.
        problem: Why there are no images, as the end of "this is"; None if there are.
    """

    pages: tuple[PageView, ...]
    total: int
    left_out: int
    undrawn: int
    problem: str | None = None

    def has_spot(self, page: int, quote: int) -> bool:
        """Tell whether the quote has a place on an image of the page."""
        return any(spot.result.number == quote for each in self.pages if each.number == page for spot in each.spots)


class _Passage(NamedTuple):
    """Holds a passage that is marked on pages: a quote's place, or its nearest passage."""

    result: QuoteResult
    transcript: int
    pages: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    status: Status
    shows: str
    is_nearest: bool


def page_views(
    report: CheckReport, documents: Sequence[Document | None], limits: PageLimits = DEFAULT_LIMITS
) -> dict[int, PagesView]:
    """
    Return the pages that carry a verdict, by the number of their transcript; PDFs without such a page are missing.

    Pages of found quotes come first, then those of nearest passages, then those that quotes name.

    Args:
        report: The report.
        documents: The document of each transcript, None for a text.
        limits: What is shown at most; no page for a limit of 0 images.
    """
    pdfs = {number: each for number, each in enumerate(documents, start=1) if each is not None and each.format == "pdf"}
    if not pdfs or not limits.images:
        return {}
    passages = [each for each in _passages(report) if each.transcript in pdfs]
    named = _named_pages(report, pdfs)
    wanted = dict.fromkeys([*((each.transcript, page) for each in passages for page in each.pages), *named])
    chosen = list(wanted)[: limits.images]
    views: dict[int, PagesView] = {}
    room = limits.total_bytes
    for number, document in pdfs.items():
        if count := sum(transcript == number for transcript, _ in wanted):
            shown = _Shown(
                [page for transcript, page in chosen if transcript == number],
                [each for each in passages if each.transcript == number],
                {page: quotes for (transcript, page), quotes in named.items() if transcript == number},
            )
            views[number], used = _view(document, shown, count, room)
            room -= used
    return views


class _Shown(NamedTuple):
    """Holds what one PDF shows: pages, the most important first, passages, and quotes that name a page."""

    pages: list[int]
    passages: list[_Passage]
    named: dict[int, list[int]]


def _passages(report: CheckReport) -> Iterator[_Passage]:
    """Yield the places of all quotes, then the nearest passages."""
    for result in report.quotes:
        for place in result.places:
            marked = Marked(result, place)
            spans = passage_spans(result, place)
            yield _Passage(result, place.transcript, place.pages, spans, marked.status, marked.shows, is_nearest=False)
    for result in report.quotes:
        if (near := result.nearest) is not None:
            spans = ((near.start, near.end),)
            shows = f"{result.status} rejected"
            yield _Passage(result, near.transcript, near.pages, spans, result.status, shows, is_nearest=True)


def _named_pages(report: CheckReport, pdfs: dict[int, Document]) -> dict[tuple[int, int], list[int]]:
    """Return the pages that quotes name in the input, with the numbers of the quotes that are not found there."""
    named: dict[tuple[int, int], list[int]] = defaultdict(list)
    for result in report.quotes:
        place = result.places[0] if result.places else result.nearest
        transcript = result.cited or (place.transcript if place is not None else next(iter(pdfs)))
        if result.page is None or transcript not in pdfs or result.page > len(pdfs[transcript].pages):
            continue
        if place is None or place.transcript != transcript or result.page not in place.pages:
            named[transcript, result.page].append(result.number)
    return named


def _view(document: Document, shown: _Shown, wanted: int, room: int) -> tuple[PagesView, int]:
    """Return the pages of one PDF, and the bytes of their images."""
    left_out = wanted - len(shown.pages)
    try:
        drawn = render_pages(document, shown.pages, [each.spans for each in shown.passages], max_bytes=max(room, 0))
    except DocumentError as error:
        return PagesView((), len(document.pages), left_out, 0, error.reason), 0
    except OSError:
        return PagesView((), len(document.pages), left_out, 0, "a file that cannot be read again"), 0
    missing = len(shown.pages) - len(drawn.images)
    on_pages: dict[int, list[tuple[_Passage, list[PixelBox]]]] = defaultdict(list)
    for passage, boxes in zip(shown.passages, drawn.boxes, strict=True):
        for page in dict.fromkeys(box.page for box in boxes):
            on_pages[page].append((passage, [box for box in boxes if box.page == page]))
    pages = tuple(_page(image, on_pages[image.page], shown.named.get(image.page, [])) for image in sorted(drawn.images))
    view = PagesView(
        pages,
        len(document.pages),
        left_out + (missing if drawn.has_more else 0),
        0 if drawn.has_more else missing,
    )
    return view, sum(len(image.png) for image in drawn.images)


def _page(image: PageImage, passages: Sequence[tuple[_Passage, list[PixelBox]]], named_by: list[int]) -> PageView:
    tags: list[PageTag] = []
    spots = []
    for passage, boxes in sorted(passages, key=lambda each: (each[1][0].top, each[1][0].left)):
        tags.append(_tag(boxes[0], len(str(passage.result.number)), image.width, tags))
        spots.append(
            PageSpot(passage.result, passage.status, passage.shows, passage.is_nearest, tuple(boxes), tags[-1])
        )
    png = base64.b64encode(image.png).decode("ascii")
    return PageView(image.page, image.width, image.height, png, tuple(spots), tuple(named_by))


def _tag(box: PixelBox, digits: int, image_width: int, others: Sequence[PageTag]) -> PageTag:
    """Return the place of a number of *digits* in the margin beside *box*, next to *others*."""
    width = digits * _DIGIT_WIDTH + 14.0
    is_left = box.left < image_width / 2
    step = _TAG_SPACE + width if is_left else -_TAG_SPACE - width
    tag = PageTag(
        _TAG_SPACE if is_left else image_width + step, (box.top + box.bottom - _TAG_HEIGHT) / 2, width, _TAG_HEIGHT
    )
    while any(_overlap(tag, other) for other in others):
        tag = tag._replace(x=tag.x + step)
    return tag


def _overlap(one: PageTag, other: PageTag) -> bool:
    is_beside = one.x + one.width <= other.x or other.x + other.width <= one.x
    return not is_beside and abs(one.y - other.y) < _TAG_HEIGHT
