"""Which words of a sentence are denied, no longer so, or only wished for."""

from collections.abc import Sequence

from groundwire.faithfulness.support.equivalents import CEASING, WISHES
from groundwire.faithfulness.support.words import Word, denials_in

__all__ = ["ENDING", "denied_places", "has_fear", "is_past_only", "opinions_in", "wished_places"]

_REACH = 5
_GIVING = frozenset({"give", "gave", "given", "giving", "gives"})
ENDING = CEASING | _GIVING | {"used"}
"""Without one of these words, and without a denial, nothing is denied in a sentence."""

# What is feared is often told with a denial that denies nothing else.
_FEARING = frozenset(
    {"worried", "worry", "worries", "afraid", "fear", "fears", "concerned", "doubt", "doubts", "wonder"}
)
_OPINIONS = frozenset({"think", "thinks", "know", "knows", "knew", "believe", "believes", "mind", "minds"})


def denied_places(words: Sequence[Word], *, with_past: bool = True) -> set[int]:
    """
    Return the places of the words that are denied, or told as what is no longer so.

    Behind `not`, `never`, `stopped`, `used to` and `gave up`; and those before `gave it up`.
    A denial behind `worried that` is none, and `used to` only *with_past*.
    """
    found: set[int] = set()
    for denial, reach in denials_in(words).items():
        if not has_fear(words[:denial]):
            found.update(reach)
    for place in range(len(words)):
        if words[place].text in CEASING or (with_past and is_past_only(words, place)):
            found.update(_behind(words, place + 1))
        elif words[place].text in _GIVING:
            found |= _given_up(words, place)
    return found


def has_fear(words: Sequence[Word]) -> bool:
    """Tell whether somebody fears or doubts what follows."""
    return any(word.text in _FEARING for word in words)


def opinions_in(words: Sequence[Word]) -> dict[str, bool]:
    """Return the stems of verbs of thinking and knowing, and whether a denial stands right before each."""
    found: dict[str, bool] = {}
    for place, word in enumerate(words):
        if word.text in _OPINIONS:
            before = words[place - 1].text if place else ""
            found.setdefault(word.stem, before.endswith("n't") or before in ("not", "never", "cannot"))
    return found


def is_past_only(words: Sequence[Word], place: int) -> bool:
    """Tell whether a word is the `used` of `I used to play`."""
    if words[place].text != "used" or place + 1 >= len(words) or words[place + 1].text != "to":
        return False
    before = words[place - 1].text if place else ""
    return before not in ("get", "got", "getting", "be", "am", "is", "are", "was", "were", "been", "i'm", "it's")


def wished_places(words: Sequence[Word]) -> set[int]:
    """Return the places of the words that are only wished for, or would be."""
    return {behind for place, word in enumerate(words) if word.text in WISHES for behind in _behind(words, place + 1)}


def _given_up(words: Sequence[Word], place: int) -> set[int]:
    following = [word.text for word in words[place + 1 : place + 3]]
    if following[:1] == ["up"]:
        return set(_behind(words, place + 2))
    if following[:2] in (["it", "up"], ["that", "up"], ["them", "up"], ["this", "up"]):
        return set(range(place))
    return set()


def _behind(words: Sequence[Word], first: int) -> range:
    end = first
    while end < len(words) and end - first < _REACH and words[end].clause == words[first].clause:
        end += 1
    return range(first, end)
