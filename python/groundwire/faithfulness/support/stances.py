"""
What somebody likes and what they do not: `prefers email to calls`, `I hate checking emails`.

English verbs of liking with what follows them. A stance on something narrower is none on the
whole: who hates long emails, or emails at night, may prefer email.
"""

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from groundwire.faithfulness.fields import singular
from groundwire.faithfulness.support.words import Word, denials_in, is_content, read_words

__all__ = ["NARROWING", "STANCE_WORDS", "Stance", "is_opposed", "is_shared", "stance_of_field", "stances_in"]

_LIKING = """
prefer prefers preferred preferring like likes liked love loves loved loving enjoy enjoys enjoyed enjoying adore adores
favor favors favour favours appreciate appreciates appreciated fan fond keen embrace embraces welcomes value values
"""
_DISLIKING = """
hate hates hated hating dislike dislikes disliked disliking avoid avoids avoided avoiding detest detests loathe loathes
despise despises dread dreads dreaded resent resents distrust distrusts mistrust mistrusts tired sick stand bear
allergic averse afraid
"""
_SIGNS = dict.fromkeys(_LIKING.split(), True) | dict.fromkeys(_DISLIKING.split(), False)
STANCE_WORDS = frozenset(_SIGNS)
"""The words by which a stance is told, in small letters."""

# Dislikes behind `cannot` alone.
_BEARING = frozenset({"stand", "bear"})
_ADJECTIVES = frozenset({"fan", "fond", "keen", "tired", "sick", "allergic", "averse", "afraid"})
_JOINING = frozenset({"of", "on", "to"})

_SUBJECTS = """
i we person people participant participants respondent respondents interviewee interviewees user users customer
customers she he they
"""
_PERSONS = frozenset(_SUBJECTS.split())
# What stands between a subject and its verb.
_BETWEEN = """
really also always still just absolutely truly definitely generally usually often mostly much actually honestly strongly
personally simply totally completely do does did would will to have has had am is are was were i'm we're she's he's
they're i'd i'll and or who so very quite not never no don't doesn't didn't can't cannot couldn't wouldn't isn't aren't
pretty rather a big huge great that try tries tend tends want wants
"""
_NO_SUBJECTS = frozenset(_BETWEEN.split())
# Elsewhere `like` compares: tools like Slack.
_BEFORE_LIKE = "i we they you really do don't does doesn't did didn't also always to who would not never i'd we'd"
_LIKE_AFTER = frozenset(_BEFORE_LIKE.split())
_COMPARING = frozenset({"over", "than", "instead", "rather"})
_PREPOSITIONS = """
when if unless in at on during after before while for with without from by about of until where whenever
"""
NARROWING = frozenset(_PREPOSITIONS.split())
"""What stands behind one of these is a part, a time or a place of what stands before."""

_AND = frozenset({"and", "or"})
# What says nothing beside the thing that it is done with: checking emails, using Slack.
_LIGHT = """
checking reading writing answering getting receiving using having doing making taking sending attending joining handling
dealing being going use check read write answer get receive have attend all kind kinds sort any communication contact
communications
"""
_HANDLING = frozenset(_LIGHT.split())


class Stance(NamedTuple):
    """
    What is liked or not.

    Attributes:
        is_liked: Which of the two.
        things: Stems of its words, in order.
        narrowing: Stems of what it is said of alone: a time, a place, a part.
        start, end: The span from the verb on.
    """

    is_liked: bool
    things: tuple[str, ...]
    narrowing: tuple[str, ...]
    start: int
    end: int


def stances_in(text: str, *, names: Set[str] = frozenset(), is_first_person: bool = False) -> list[Stance]:
    """
    Return the stances of the person in *text*.

    Args:
        text: A sentence.
        names: Stems of the person's names, who may be the subject.
        is_first_person: Whether only `I` and `we` are the person, as in an interview.
    """
    words = read_words(text)
    verbs = [place for place in range(len(words)) if _is_verb(words, place)]
    denials = denials_in(words) if verbs else {}
    found: list[Stance] = []
    for place in verbs:
        if _is_persons(words, place, names, is_first_person=is_first_person):
            following = next((verb for verb in verbs if verb > place), len(words))
            is_denied = any(place in reach for reach in denials.values())
            found += _stances(words[place:following], is_denied=is_denied)
    return found


def stance_of_field(cue: str, value: str) -> list[Stance]:
    """
    Return the stance that a field has by its name: `preferred channel`, `dislikes`.

    None where it has none, or its value begins with one: `preferences: prefers email`, `preferences: avoids calls`.
    """
    signs = {_SIGNS[word] for word in _words_of_field(cue) if word in _SIGNS}
    words = read_words(value)
    if len(signs) != 1 or not words:
        return []
    (is_liked,) = signs
    if _begins_with_stance(words, is_liked=is_liked):
        return []
    return [_stance(is_liked, part, 0, len(value)) for part in _parts(words)]


def is_opposed(claimed: Stance, said: Stance) -> bool:
    """
    Tell whether one likes what the other does not.

    They speak of the same if what is said is no narrower than the claim: `hates emails`
    against `prefers email communication`, and not `hates long emails`.
    """
    if claimed.is_liked == said.is_liked or not claimed.things or not said.things:
        return False
    if said.narrowing or claimed.narrowing:
        return (claimed.things, claimed.narrowing) == (said.things, said.narrowing)
    if not set(said.things) <= set(claimed.things):
        return False
    # `short meetings` are some meetings; `email` is what `email communication` is by.
    return claimed.things[-1] != said.things[-1] or len(said.things) == len(claimed.things)


def is_shared(claimed: Stance, said: Stance) -> bool:
    """Tell whether both like the same, or dislike it; what is said of a part alone is said of that part."""
    is_same = claimed.is_liked == said.is_liked and bool(claimed.things)
    return is_same and set(claimed.things) == set(said.things) and set(claimed.narrowing) <= set(said.narrowing)


def _begins_with_stance(words: Sequence[Word], *, is_liked: bool) -> bool:
    """Whether a value tells a stance itself. What a field of dislikes names as `avoiding calls` is what is disliked."""
    first = next((place for place, word in enumerate(words) if word.text not in _NO_SUBJECTS | _PERSONS), len(words))
    return first < len(words) and _is_verb(words, first) and (is_liked or not words[first].text.endswith("ing"))


def _words_of_field(cue: str) -> Iterator[str]:
    for word in cue.lower().split():
        yield from (word, singular(word))
        if word.startswith(("prefer", "favorite", "favourite")):
            yield "prefer"


def _is_verb(words: Sequence[Word], place: int) -> bool:
    word = words[place].text
    before = words[place - 1].text if place else ""
    if word == "like":
        return not before or before in _LIKE_AFTER
    if word in _BEARING:
        return before in ("can't", "cannot", "couldn't", "cant")
    if word in _ADJECTIVES:
        return place + 1 < len(words) and words[place + 1].text in _JOINING
    if word in ("value", "values"):
        return before in _LIKE_AFTER or before in _PERSONS
    return word in _SIGNS


def _is_persons(words: Sequence[Word], place: int, names: Set[str], *, is_first_person: bool) -> bool:
    """Whether nobody else is the subject of the verb, as far as the words before it say."""
    clause = words[place].clause
    before = [word for word in words[:place] if word.clause == clause]
    # `He cycles to work and avoids buses`: one subject, at the beginning.
    before = before[:1] if before and before[-1].text in _AND else before
    for word in reversed(before):
        if word.stem in names or word.text in ("i", "i'm", "i'd", "i'll", "we", "we're"):
            return True
        if word.text in _NO_SUBJECTS:
            continue
        return word.text in _PERSONS and not is_first_person
    return True


def _stances(words: Sequence[Word], *, is_denied: bool) -> Iterator[Stance]:
    """The stances of a verb, the first of *words*: on what follows in its clause, and on what that is compared with."""
    verb, *behind = (word for word in words if word.clause == words[0].clause)
    is_liked = _SIGNS[verb.text]
    # What cannot be borne is disliked already.
    if is_denied and verb.text not in _BEARING:
        is_liked = not is_liked
    if behind and behind[0].text in _JOINING:
        behind = behind[1:]
    compared = next(
        (place for place, word in enumerate(behind) if word.text in _COMPARING or _is_to(verb, behind, place)), None
    )
    for part in _parts(behind[:compared]):
        yield _stance(is_liked, part, verb.start, part[-1].end)
    if compared is not None and not is_denied:
        for part in _parts(behind[compared + 1 :]):
            yield _stance(not is_liked, part, verb.start, part[-1].end)


def _is_to(verb: Word, behind: Sequence[Word], place: int) -> bool:
    return place > 0 and behind[place].text == "to" and verb.text.startswith("prefer")


def _parts(words: Sequence[Word]) -> Iterator[list[Word]]:
    """What `and` and `or` join, each by itself."""
    part: list[Word] = []
    for word in words:
        if word.text not in _AND:
            part.append(word)
        elif part:
            yield part
            part = []
    if part:
        yield part


def _stance(is_liked: bool, words: Sequence[Word], start: int, end: int) -> Stance:
    cut = next((place for place, word in enumerate(words) if place and word.text in NARROWING), len(words))
    things = [word.stem for word in words[:cut] if is_content(word) and word.text not in _HANDLING]
    narrowing = [word.stem for word in words[cut:] if is_content(word)]
    return Stance(is_liked, tuple(things), tuple(narrowing), start, end)
