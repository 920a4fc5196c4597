"""How far around an edit one has to look to read it: glued digits, unspaced characters, neighbouring words."""

from groundwire.evidence.wording.tokens import is_unspaced

__all__ = ["Span", "glued_span", "letters_span", "touches_digit", "wider_span"]

Span = tuple[int, int]

# More digits than a number that people say has; a longer row is read in part.
_GLUED_CHARS = 24
_UNSPACED_SIGHT_CHARS = 4
_ACCENTS = "´`"
_CONTRACTED_CHARS = 3
_WORD_CHARS = 64
_NUMBER_MARKS = ".,:/'%-−$€£¥°<>≤≥"


def touches_digit(text: str, start: int, end: int) -> bool:
    """Say whether a digit stands right before or after `[start, end)`, or the point of a decimal (.5) after it."""
    return (start > 0 and text[start - 1].isdigit()) or text[end : end + 2].removeprefix(".")[:1].isdigit()


def glued_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with the rest of its number or abbreviation, or with some unspaced characters around."""
    left, right = start, end
    while left > 0 and start - left < _GLUED_CHARS and _is_number_part(text[left - 1], text[left : left + 1]):
        left -= 1
    while right < len(text) and right - end < _GLUED_CHARS and _is_number_part(text[right], text[right - 1 : right]):
        right += 1
    while left > 0 and start - left < _UNSPACED_SIGHT_CHARS and is_unspaced(text[left - 1]):
        left -= 1
    while right < len(text) and right - end < _UNSPACED_SIGHT_CHARS and is_unspaced(text[right]):
        right += 1
    right = _contraction_to(text, right)
    if text[right : right + 1] == "." and text[right + 1 : right + 2].isalpha():
        right += 2
    return left, right


def _contraction_to(text: str, end: int) -> int:
    """The end of a contraction whose apostrophe is none (isn´t), which would be a word's end."""
    after = end + 1
    if end and text[end - 1].isalpha() and text[end:after] in tuple(_ACCENTS):
        while after < len(text) and after - end <= _CONTRACTED_CHARS and text[after].isalpha():
            after += 1
    return after if after > end + 1 else end


def _is_number_part(character: str, neighbour: str) -> bool:
    return character.isdigit() or (character in _NUMBER_MARKS and (neighbour.isdigit() or neighbour in ".,-"))


def wider_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with two words more on either side, where they are short."""
    before = text[max(0, start - _GLUED_CHARS) : start]
    after = text[end : end + _GLUED_CHARS]
    left = sum(map(len, before.split(" ")[-3:])) + min(2, before.count(" "))
    right = sum(map(len, after.split(" ")[:3])) + min(2, after.count(" "))
    return start - left, end + right


def letters_span(text: str, start: int, end: int, *, before: bool, after: bool) -> Span:
    """Return the span with the letters right before it, right after it, or both."""
    low, high = max(0, start - _WORD_CHARS), min(len(text), end + _WORD_CHARS)
    while before and start > low and text[start - 1].isalpha():
        start -= 1
    while after and end < high and text[end].isalpha():
        end += 1
    return start, end
