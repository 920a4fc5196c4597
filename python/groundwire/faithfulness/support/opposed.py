"""What a sentence denies or turns round: denials, opinions, opposites. English."""

from collections.abc import Iterator, Sequence

from groundwire.faithfulness.support.equivalents import equivalents_of
from groundwire.faithfulness.support.evidence import Evidence, MatchKind
from groundwire.faithfulness.support.lexical import Topic
from groundwire.faithfulness.support.opposites import opposites_of
from groundwire.faithfulness.support.polarity import denied_places, is_past_only, opinions_in
from groundwire.faithfulness.support.read_sentences import ReadSentence
from groundwire.faithfulness.support.stances import NARROWING
from groundwire.faithfulness.support.words import LIGHT_STEMS, Word, denials_in, is_content, is_said_of_person

__all__ = ["SAME_MATTER", "denials", "denied_in", "opinions", "opposites"]

SAME_MATTER = 0.75
"""The share of the claim's words of content that a denial has to have in its clause."""

_BESIDE = 2
"""An opposite that is no word of content, such as `against`, stands at most so many words from the same ones."""


def denials(topic: Topic, read: ReadSentence) -> Iterator[Evidence]:
    """
    Yield the claim's words behind a denial, where the claim has none; or without one, where it has.

    Clauses with most of the claim are compared; none of them must say what the claim says.
    """
    matter = topic.stems - LIGHT_STEMS or topic.stems
    # Most sentences have too little of the claim, in whatever clause.
    if len(matter & read.stems) < max(1.0, SAME_MATTER * len(matter)):
        return
    # What used to be so is not denied by what is not so now.
    if any(is_past_only(topic.words, place) for place in range(len(topic.words))):
        return
    ours = {topic.words[place].stem for place in denied_in(topic.words, topic.stems, with_past=False)}
    is_ours = bool(ours)
    if is_ours and not _has_denied_word(topic, read):
        return
    theirs = denied_in(read.words, topic.stems)
    if not ours.isdisjoint(read.words[place].stem for place in theirs):
        return
    found = None
    clauses: dict[int, list[int]] = {}
    for place, word in enumerate(read.words):
        if word.stem in topic.stems:
            clauses.setdefault(word.clause, []).append(place)
    for shared in clauses.values():
        if len({read.words[place].stem for place in shared} & matter) < max(1.0, SAME_MATTER * len(matter)):
            continue
        denied = next((place for place in shared if place in theirs), None)
        if is_ours == (denied is not None):
            return
        found = found or (shared, denied)
    if found is None:
        return
    shared, denied = found
    first, last = shared[0] if denied is None else denied, shared[-1]
    # One word alone is about the same only in a sentence that speaks of the field.
    if len(topic.stems) == 1 and not _is_placed(topic, read, first):
        return
    denial = first if denied is None else theirs[denied]
    # Who never drinks coffee at night may drink it; who drinks it at night does not never drink it.
    # What was given up after a year was not given up for that year.
    is_of_a_part = denied is not None and denial != denied and _is_narrowed(read.words, last)
    if not is_of_a_part:
        yield read.evidence(read.words[min(denial, first)].start, read.words[last].end, MatchKind.NEGATION)


def opinions(topic: Topic, read: ReadSentence) -> Iterator[Evidence]:
    """Yield what is thought or known on one side alone: `I don't know why` against `he knows why`."""
    ours = opinions_in(topic.words)
    theirs = opinions_in(read.words) if ours else {}
    for stem, is_denied in ours.items():
        rest = topic.stems - {stem}
        if theirs.get(stem, is_denied) != is_denied and rest and len(rest & read.stems) >= SAME_MATTER * len(rest):
            word = next(word for word in read.words if word.stem == stem)
            yield read.evidence(word.start, word.end, MatchKind.NEGATION)


def opposites(topic: Topic, read: ReadSentence) -> Iterator[Evidence]:
    """Yield the opposite of a word, with all other words of the claim beside it, and no denial at all."""
    known = opposites_of("en").words
    if not any(word.text in known for word in topic.words) or denied_places(topic.words):
        return
    denied = denials_in(read.words)
    said = {word.text: place for place, word in reversed(list(enumerate(read.words)))}
    for at, word in enumerate(topic.words):
        others = known.get(word.text, frozenset())
        place = next((said[each] for each in sorted(others) if each in said), None)
        rest = topic.stems - {word.stem}
        if place is None or word.text in said or not rest or not rest <= read.stems:
            continue
        # To fail is a denial, and the opposite of to pass.
        if denied.keys() - {place}:
            continue
        if is_content(word):
            is_there = read.stems.isdisjoint(equivalents_of(word.text))
        else:
            is_there = _has_same_neighbours(topic.words, at, read.words, place)
        if is_there:
            yield read.evidence(read.words[place].start, read.words[place].end, MatchKind.OPPOSITE)


def _has_same_neighbours(words: Sequence[Word], at: int, others: Sequence[Word], place: int) -> bool:
    """Whether a word of content stands near both, on the same side: `voted for`, `voted against`."""
    return any(
        not _near(words, at, side).isdisjoint(_near(others, place, side))
        for side in (slice(-_BESIDE, 0), slice(1, 1 + _BESIDE))
    )


def _near(words: Sequence[Word], place: int, side: slice) -> set[str]:
    first, last = max(0, place + side.start), max(0, place + side.stop)
    return {word.stem for word in words[first:last] if is_content(word)}


def _is_placed(topic: Topic, read: ReadSentence, place: int) -> bool:
    """Whether the sentence speaks of the field there, or the word is what the person does: `He swims twice a week`."""
    is_persons = is_said_of_person(read.words, place, topic.own_names)
    return is_persons or topic.is_near(read.sentence, read.words[place])


def _has_denied_word(topic: Topic, read: ReadSentence) -> bool:
    """Whether the sentence has the word that the claim denies: who does not like an idea has not said it is none."""
    for reach in denials_in(topic.words).values():
        word = next((topic.words[place] for place in reach if not topic.words[place].text.endswith("ly")), None)
        if word is not None and len(word.text) > 3 and read.stems.isdisjoint(equivalents_of(word.text)):
            return False
    return True


def denied_in(words: Sequence[Word], stems: frozenset[str], *, with_past: bool = True) -> dict[int, int]:
    """
    Return the places of those words that are denied or no longer so, and of what denies them.

    Itself where that is afar.

    Args:
        words: A sentence.
        stems: Those that are asked for.
        with_past: Whether `used to` denies.
    """
    reached = {place: denial for denial, reach in denials_in(words).items() for place in reach}
    denied = sorted(denied_places(words, with_past=with_past))
    return {place: reached.get(place, place) for place in denied if words[place].stem in stems}


def _is_narrowed(words: Sequence[Word], last: int) -> bool:
    """Whether behind the last of the words in common there follows a part, a time or a place: `at night`."""
    behind = [word for word in words[last + 1 :] if word.clause == words[last].clause]
    narrowing = next((place for place, word in enumerate(behind) if word.text in NARROWING), len(behind))
    return any(map(is_content, behind[narrowing:]))
