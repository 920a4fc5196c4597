"""A part of a text around what is shown of it, between words."""

__all__ = ["cut_around", "whole_words"]


def cut_around(text: str, low: int, high: int, room: int) -> tuple[int, int]:
    """
    Return the span of *text* around [low, high) that has about *room* characters, cut between words.

    All of [low, high) is inside of it, however long; a text that fits is not cut.
    """
    if len(text) <= room:
        return 0, len(text)
    margin = max(room - (high - low), room // 4) // 2
    start = max(0, min(low - margin, len(text) - room))
    end = min(len(text), max(high + margin, start + room))
    return whole_words(text, min(start, low), end, low, high)


def whole_words(text: str, start: int, end: int, low: int, high: int) -> tuple[int, int]:
    """Move *start* and *end* inwards to white space, if there is some before *low* and behind *high*."""
    if start:
        space = text.find(" ", start, low)
        start = start if space < 0 else space + 1
    if end < len(text):
        space = text.rfind(" ", high, end)
        end = end if space < 0 else space
    return start, end
