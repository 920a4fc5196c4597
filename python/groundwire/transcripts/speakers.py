"""
Which beginnings of lines are speakers, and when two names are one speaker.

`Name:` begins a turn, `Note:` and `There is one thing:` do not, and no single
line tells which. So a text is looked at as a whole: names come back, and in a
transcript they begin most of the lines.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from groundwire.transcripts.labels import CONNECTIVES, INTERVIEWERS, LABELS, PROFILE_LABELS, SHORT_INTERVIEWERS
from groundwire.unicode_forms import nfkc

__all__ = ["choose_speakers", "is_interviewer", "is_profile_label", "speaker_key"]

NAME_MAX_CHARS = 60
_NAME_MAX_WORDS = 8
# Scripts without white space between words: a name is that short, a clause is longer.
_UNSPACED_MAX_CHARS = 8

_NOT_IN_NAMES = re.compile(r"[?!;\"“”„«»‹›…<>{}=|\\#。，、；？！「」『』\x00-\x1f\ufffe\uffff]|\.\.|://")
_WORD = re.compile(r"[^\W\d_]+")


def speaker_key(name: str) -> str:
    """
    Return what two spellings of one speaker have in common.

    NFKC, case folded, each run of white space one space, none at the ends, and no
    `.` or `:` there either: `DR. LEE:` and `Dr. Lee` are one, `The Chair` and
    `The Chair (Mrs. Hughes)` are two.
    """
    folded = nfkc(nfkc(name).casefold())
    # A folded character may end in white space of its own, so strip until nothing more comes off.
    return " ".join(folded.split()).rstrip(".: ")


@lru_cache(maxsize=1024)
def is_interviewer(speaker: str) -> bool:
    """
    Tell whether a speaker's name says that they ask the questions (ruling D12).

    `Interviewer`, `Moderator 2`, `Dr. Lee (Researcher)`, `Q`, `I2`, `主持人`; not `Participant 1`.
    """
    words = _WORD.findall(speaker_key(speaker))
    return not INTERVIEWERS.isdisjoint(words) or (len(words) == 1 and words[0] in SHORT_INTERVIEWERS)


def is_profile_label(name: str) -> bool:
    """Tell whether *name* names a field of a profile and no speaker: `Role`, `Company Size`."""
    words = _WORD.findall(speaker_key(name))
    return bool(words) and words[-1] in PROFILE_LABELS


def choose_speakers(heads: Mapping[str, Counter[str]], line_count: int) -> dict[str, frozenset[str]]:
    """
    Choose the names that are speakers.

    Args:
        heads: For each style that a line can begin in, how often each name does.
        line_count: Number of lines that say something.

    Returns:
        For each style the names as written. Where at least half of the lines begin
        with a name, all that are written like names, or come back; elsewhere those
        written like names that come back, or that have more than one word, and only
        if at least two come back. A style much rarer than another one has none.
    """
    names = {
        style: Counter({name: count for name, count in each.items() if _may_be_name(name)})
        for style, each in heads.items()
    }
    most = max((each.total() for each in names.values()), default=0)
    # Questions may be in bold type and answers not. A label in bold among plain names is no speaker.
    usual = {style: each if each.total() * 5 >= most else Counter[str]() for style, each in names.items()}
    accepted = _accepted(usual.values(), line_count)
    return {style: frozenset(each.keys() & accepted) for style, each in usual.items()}


def _accepted(styles: Iterable[Counter[str]], line_count: int) -> set[str]:
    counts = sum(styles, Counter[str]())
    keys = {name: speaker_key(name) for name in counts}
    by_key = Counter[str]()
    for name, count in counts.items():
        by_key[keys[name]] += count
    repeated = {name for name in counts if by_key[keys[name]] > 1}
    name_like = {name for name in counts if _is_name_like(name)}
    if sum(counts[name] for name in repeated | name_like) * 2 >= line_count:
        return repeated | name_like
    regular = repeated & name_like
    # One label that comes back, such as the word for article in a law, is no conversation.
    if len({keys[name] for name in regular}) < 2 or sum(counts[name] for name in regular) * 50 < line_count:
        return set()
    return regular | {name for name in name_like if " " in name}


def _may_be_name(name: str) -> bool:
    """Whether *name* is short, has a letter, nothing that ends or quotes a sentence, and is no known label."""
    bare = _without_role(name).strip()
    return (
        0 < len(bare) <= NAME_MAX_CHARS
        and len(bare.split()) <= _NAME_MAX_WORDS
        and (bare[0].isalnum() or bare[0] == "_")
        and any(map(str.isalpha, bare))
        and _NOT_IN_NAMES.search(bare) is None
        and speaker_key(bare) not in LABELS
    )


def _without_role(name: str) -> str:
    """*name* without the brackets at its end, as in `Ann (nurse)`; they hold no colon and no line end."""
    opening = name.find("(", max(map(name.rfind, ":：\r\n")) + 1)
    return name[:opening].rstrip(" \t") if opening >= 0 and name.endswith(")") else name


def _is_name_like(name: str) -> bool:
    """Whether each word of *name* begins as a name's does: no small letter, small words such as `von` apart."""
    words = _without_role(name).split()
    if words[0][0].islower():
        return False
    if any(word[0].islower() and word.rstrip(".,") not in CONNECTIVES for word in words):
        return False
    has_case = any(character.isupper() for character in name)
    return has_case or len(words) > 1 or len(words[0].rstrip("0123456789０１２３４５６７８９")) <= _UNSPACED_MAX_CHARS
