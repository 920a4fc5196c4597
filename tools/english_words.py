#!/usr/bin/env python3
"""
Write the tables in python/groundwire/language/lexicons/en/ from Debian's word lists and WordNet 3.0.

    apt-get install wamerican-small wbritish-small wamerican wordnet-base
    python tools/english_words.py

The same packages always give the same bytes. Every table is UTF-8 text without a header, one unique key a
line, sorted by bytes, so that a reader can binary-search it. `README.md` in that folder describes each table.
"""

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "python/groundwire/language/lexicons/en"

_USUAL_SHARE = 0.1
_MOST_NARROWER = 50

SMALL_LISTS = ("american-english-small", "british-english-small")
FULL_LIST = "american-english"
LICENSES = (("wamerican", "SCOWL word lists: words.txt"), ("wordnet-base", "WordNet 3.0: all other tables"))

PARTS_OF_SPEECH = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
# The digit after "%" in a sense key. 5 and "s" are satellite adjectives, which share the numbering of adjectives.
PART_OF_SENSE_KEY = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}

_WORD = re.compile(r"(?=..)[a-z]+(-[a-z]+)*")
_NAME = re.compile(r"[A-Z][a-z]+([A-Z][a-z]+)*")
_ADJECTIVE_POSITION = re.compile(r"\((a|p|ip)\)$")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

# A derived word must share this many first letters with its base.
SHARED_PREFIX_CHARS = 3
VERB_SUFFIXES = ("ify", "ize", "ise")

Term = tuple[str, str]
"""A lower-case word and its part of speech: `("pay", "v")`."""

Member = tuple[str, str]
"""A lower-case word and the id of a synset that it belongs to, which starts with the part of speech."""


@dataclass(frozen=True)
class Pointer:
    """A link between one member of a synset and one member of another synset; members count from 0."""

    symbol: str
    source: int
    target_synset: str
    target: int


@dataclass(frozen=True)
class Synset:
    """
    A set of synonyms.

    Attributes:
        identifier: The part of speech and the offset, such as `v01234567`.
        members: The words as WordNet writes them, with capitals and with "_" for a space.
        pointers: The links that start at one member.
        broader: The ids of the synsets that say the same in a more general way: the hypernyms of a noun or a verb,
            and of an adjective the one that WordNet groups it around.
    """

    identifier: str
    members: tuple[str, ...]
    pointers: tuple[Pointer, ...]
    broader: tuple[str, ...]


@dataclass(frozen=True)
class WordNet:
    """
    The parts of WordNet that the tables need.

    Attributes:
        synsets: Each synset by its id.
        senses: The ids of a term's synsets, the most frequent sense first.
        tag_counts: How often each sense of a term was tagged in text, by sense number from 1.
        exceptions: Irregular forms with the part of speech and the bases that WordNet lists for them.
    """

    synsets: Mapping[str, Synset]
    senses: Mapping[Term, tuple[str, ...]]
    tag_counts: Mapping[Term, Mapping[int, int]]
    exceptions: Sequence[tuple[str, str, tuple[str, ...]]]

    def frequency(self, word: str, parts_of_speech: str = "nvar") -> int:
        """Return how often *word* was tagged in text as any of *parts_of_speech*."""
        return sum(sum(self.tag_counts.get((word, part), {}).values()) for part in parts_of_speech)

    def is_usual(self, term: Term) -> bool:
        """Return whether the word of *term* is no more frequent as another part of speech."""
        word, part = term
        return all(self.frequency(word, part) >= self.frequency(word, other) for other in PARTS_OF_SPEECH)

    def common_senses(self, term: Term) -> tuple[str, ...]:
        """
        Return the ids of the usual senses of *term*.

        A sense is usual if it makes up a tenth of what its word was tagged as, as any part of speech: "buy"
        is to purchase, and hardly ever to bribe. Of a word that was never tagged it is the first sense.
        """
        counts, total = self.tag_counts.get(term, {}), self.frequency(term[0])
        senses = enumerate(self.senses.get(term, ()), start=1)
        if not total:
            return tuple(sense for number, sense in senses if number == 1)
        return tuple(sense for number, sense in senses if counts.get(number, 0) >= _USUAL_SHARE * total)

    def links(self, symbol: str) -> Iterator[tuple[Member, Member]]:
        """Yield the source and target of each pointer with this *symbol* between two single words."""
        for synset in self.synsets.values():
            for pointer in synset.pointers:
                if pointer.symbol == symbol:
                    target = self.synsets[pointer.target_synset]
                    word, other = synset.members[pointer.source].lower(), target.members[pointer.target].lower()
                    if is_word(word) and is_word(other):
                        yield (word, synset.identifier), (other, target.identifier)


def main(argv: Sequence[str] | None = None) -> int:
    """Write the tables and return the exit code: 0, or 2 if a package's data is missing."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").strip(), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dict", type=Path, default=Path("/usr/share/dict"), help="folder of the word lists")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"), help="folder of WordNet's files")
    parser.add_argument("--doc", type=Path, default=Path("/usr/share/doc"), help="folder of the packages' licences")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder to write the tables to")
    options = parser.parse_args(argv)
    try:
        files = make_files(options.dict, options.wordnet, options.doc)
    except FileNotFoundError as error:
        print(f"error: no file `{error.filename}`", file=sys.stderr)
        print("hint: apt-get install wamerican-small wbritish-small wamerican wordnet-base", file=sys.stderr)
        return 2
    options.output.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        content = text.encode()
        (options.output / name).write_bytes(content)
        print(f"{name}: {text.count(chr(10))} lines, {len(content)} bytes", file=sys.stderr)
    return 0


def make_files(dictionaries: Path, wordnet_folder: Path, documentation: Path) -> dict[str, str]:
    """Return the text of each file by its name."""
    small_lists = {line for name in SMALL_LISTS for line in read_entries(dictionaries / name)}
    full_list = set(read_entries(dictionaries / FULL_LIST))
    wordnet = read_wordnet(wordnet_folder)
    forms = make_forms(wordnet)
    return {
        "words.txt": join_lines(make_words(small_lists, full_list)),
        "forms.txt": join_table(forms),
        "opposites.txt": join_table(make_opposites(wordnet)),
        "synonyms.txt": join_table(make_synonyms(wordnet, small_lists, full_list)),
        "broader.txt": join_table(make_broader(wordnet, small_lists, full_list)),
        "derivations.txt": join_table(make_derivations(wordnet, forms)),
        "LICENSES.txt": make_licenses(documentation),
    }


def is_word(text: str) -> bool:
    """Return whether *text* is one word of at least two characters: a-z, with hyphens only inside."""
    return _WORD.fullmatch(text) is not None


def join_lines(lines: Iterable[str]) -> str:
    """Return the *lines*, each with its line ending, sorted by bytes."""
    # All lines are ASCII, and tab and line feed sort before every character of a word, so that
    # sorting keys, lines, characters or bytes gives one and the same order.
    return "".join(f"{line}\n" for line in sorted(lines))


def join_table(table: Mapping[str, str]) -> str:
    """Return a line of key, tab and value for each entry, sorted by bytes."""
    return join_lines(f"{key}\t{value}" for key, value in table.items())


# Reading


def read_wordnet(folder: Path) -> WordNet:
    """Read the indexes, synsets, tag counts and exception lists in *folder*."""
    synsets: dict[str, Synset] = {}
    senses: dict[Term, tuple[str, ...]] = {}
    exceptions: list[tuple[str, str, tuple[str, ...]]] = []
    for part, name in PARTS_OF_SPEECH.items():
        for line in read_entries(folder / f"data.{name}"):
            synset = parse_synset(line)
            synsets[synset.identifier] = synset
        for line in read_entries(folder / f"index.{name}"):
            fields = line.split()
            senses[fields[0], part] = tuple(part + offset for offset in fields[-int(fields[2]) :])
        # adv.exc is left out: its seven lines make "better" and "best" forms of "well".
        if part != "r":
            for line in read_entries(folder / f"{name}.exc"):
                inflected, *bases = line.split()
                exceptions.append((inflected, part, tuple(bases)))
    return WordNet(synsets, senses, read_tag_counts(folder / "cntlist.rev"), exceptions)


def read_entries(path: Path) -> list[str]:
    """Return the lines of *path* without the licence, whose lines start with a space."""
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith(" ")]


def parse_synset(line: str) -> Synset:
    """Parse a line of a data file, as `wndb(5WN)` describes it; other pointers than those of `Synset` are left out."""
    fields = line.partition("|")[0].split()
    part = fields[2].replace("s", "a")
    member_count = int(fields[3], 16)
    members = tuple(_ADJECTIVE_POSITION.sub("", word) for word in fields[4 : 4 + 2 * member_count : 2])
    start = 4 + 2 * member_count
    pointers = []
    broader = []
    for position in range(start + 1, start + 1 + 4 * int(fields[start]), 4):
        symbol, offset, target_part, ends = fields[position : position + 4]
        target_synset = target_part.replace("s", "a") + offset
        # "0000" links the synsets as a whole.
        if ends == "0000":
            if symbol == "@" or (symbol == "&" and fields[2] == "s"):
                broader.append(target_synset)
        else:
            pointers.append(Pointer(symbol, int(ends[:2], 16) - 1, target_synset, int(ends[2:], 16) - 1))
    return Synset(part + fields[0], members, tuple(pointers), tuple(broader))


def read_tag_counts(path: Path) -> dict[Term, dict[int, int]]:
    """Return how often each sense of each term was tagged in text, by sense number from 1."""
    counts: defaultdict[Term, dict[int, int]] = defaultdict(dict)
    for line in read_entries(path):
        key, number, count = line.split()
        word, _, rest = key.partition("%")
        counts[word, PART_OF_SENSE_KEY[rest[0]]][int(number)] = int(count)
    return dict(counts)


# Tables


def make_words(small_lists: Set[str], full_list: Set[str]) -> set[str]:
    """
    Return *small_lists* and the words and names in *full_list* in lower case, without its abbreviations.

    Behind a word that no list has in lower case stand a tab and "name".
    """
    listed = {line for line in full_list if line.islower() or _NAME.fullmatch(line)} | small_lists
    return {word if word in listed else f"{word}\tname" for word in map(str.lower, listed) if is_word(word)}


def make_forms(wordnet: WordNet) -> dict[str, str]:
    """
    Return the base of each irregular form.

    Of several bases the most frequent one wins, counted in the part of speech that the form belongs to; of
    equal ones the first in the alphabet. Bases that WordNet has no entry for are left out.
    """
    candidates: defaultdict[str, set[Term]] = defaultdict(set)
    for inflected, part, bases in wordnet.exceptions:
        # WordNet has "offer" as a form of "off" and "dive" as a plural of "diva".
        is_verb = part != "v" and any(
            wordnet.frequency(inflected, "v") > wordnet.frequency(base, part) for base in bases
        )
        if is_word(inflected) and not is_verb:
            candidates[inflected].update((base, part) for base in bases if (base, part) in wordnet.senses)
    forms = {}
    for inflected, terms in candidates.items():
        base = min(terms, key=lambda term: (-wordnet.frequency(*term), term), default=(inflected, ""))[0]
        if is_word(base) and base != inflected:
            forms[inflected] = base
    return forms


def make_opposites(wordnet: WordNet) -> dict[str, str]:
    """Return the direct antonyms of each word, in alphabetical order with a space between them."""
    opposites: defaultdict[str, set[str]] = defaultdict(set)
    for (word, _), (opposite, _) in wordnet.links("!"):
        if word != opposite:
            opposites[word].add(opposite)
            opposites[opposite].add(word)
    return {word: " ".join(sorted(found)) for word, found in opposites.items()}


def make_synonyms(wordnet: WordNet, small_lists: Set[str], full_list: Set[str]) -> dict[str, str]:
    """
    Return the senses of each word; two words are synonyms if they share one.

    A word counts as a member of a synset if this is one of its usual senses. Two kinds of members do not count:
    words that are in no list and were never tagged, which would more than double the table; and names spelled
    like a word in *small_lists*, such as "US", or "He" for helium. Only synsets with two such members are kept.
    Senses are numbered in base 36 in the order of their
    first use.
    """
    members = usual_members(wordnet, small_lists, full_list)
    senses_of_word: defaultdict[str, list[str]] = defaultdict(list)
    for (word, _), senses in wordnet.senses.items():
        senses_of_word[word] += [sense for sense in senses if len(members[sense]) >= 2 and word in members[sense]]
    numbers: dict[str, str] = {}
    return {
        word: " ".join(numbers.setdefault(sense, base36(len(numbers))) for sense in senses)
        for word, senses in sorted(senses_of_word.items())
        if senses
    }


def usual_members(wordnet: WordNet, small_lists: Set[str], full_list: Set[str]) -> Mapping[str, Set[str]]:
    """Return the words of each synset that `make_synonyms` counts as its members."""
    listed = {word.lower() for word in small_lists | full_list}
    members: defaultdict[str, set[str]] = defaultdict(set)
    for word, part in wordnet.senses:
        if is_word(word) and (word in listed or wordnet.frequency(word) >= 1):
            for sense in wordnet.common_senses((word, part)):
                if word not in small_lists or word in wordnet.synsets[sense].members:
                    members[sense].add(word)
    return members


def make_broader(wordnet: WordNet, small_lists: Set[str], full_list: Set[str]) -> dict[str, str]:
    """
    Return the words that say the same as each word in a more general way, in alphabetical order.

    "eat" leads to "consume", "tiny" to "small". Only members by `make_synonyms` count, on both sides, and words of
    *small_lists*, and of the narrower word the most frequent sense. For nouns, the broader words of broader words
    count as well: a "haddock" is a "fish" and "food".
    A word that is broader than `_MOST_NARROWER` words, such as "change" or "person", is left out: it says too little.
    """
    members = usual_members(wordnet, small_lists, full_list)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for sense, words in members.items():
        senses = {*wordnet.synsets[sense].broader}
        if sense.startswith("n"):
            senses |= {further for each in senses for further in wordnet.synsets[each].broader}
        broader = {word for each in senses for word in members.get(each, ()) if word in small_lists}
        for word in words & small_lists:
            if wordnet.senses[word, sense[0]][0] == sense:
                found[word] |= broader - words
    narrower = Counter(word for broader in found.values() for word in broader)
    kept = {
        word: sorted(each for each in broader if narrower[each] <= _MOST_NARROWER) for word, broader in found.items()
    }
    return {word: " ".join(broader) for word, broader in kept.items() if broader}


def base36(number: int) -> str:
    """Return *number* in base 36, in lower case."""
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits


def make_derivations(wordnet: WordNet, forms: Collection[str]) -> dict[str, str]:
    """
    Return the verb, else the adjective, that each noun or adverb is derived from.

    Only the first sense of a word and senses that were tagged in text count. Four kinds of words are left
    out: nouns that are spelled like their verb ("increase"), words that are more frequent as another part of
    speech ("minimum"), words in *forms*, and words whose base is derived itself. Of several bases of one part
    of speech the most frequent one wins, then the one with the longest shared beginning, then the first in
    the alphabet.
    """
    candidates: defaultdict[str, set[Term]] = defaultdict(set)
    for source, target in [*wordnet.links("+"), *wordnet.links("\\")]:
        for (word, sense), (base, base_sense) in ((source, target), (target, source)):
            term, base_term = (word, sense[0]), (base, base_sense[0])
            is_derivation = term[1] + base_term[1] in ("nv", "na", "ra") and is_base(wordnet, term, base_term)
            if is_derivation and wordnet.is_usual(term) and sense in wordnet.common_senses(term):
                candidates[word].add(base_term)
    bases = {}
    for word, terms in candidates.items():
        verbs = {term for term in terms if term[1] == "v"}
        base, _ = min(verbs or terms, key=lambda term: (-wordnet.frequency(*term), -shared_chars(word, term[0]), term))
        if base != word and word not in forms:
            bases[word] = base
    # Following such chains would lead from "contentment" by "content" to "contain".
    return {word: base for word, base in bases.items() if base not in bases}


def is_base(wordnet: WordNet, term: Term, base: Term) -> bool:
    """
    Return whether *term* is likely to be derived from *base*, which WordNet links without a direction.

    A base is shorter than the word or spelled the same; a verb may have the same length unless its suffix
    makes verbs of other words ("purify" comes from "pure"). Any verb may also be as frequent as the word:
    "apology" leads to "apologize", but "hospital" not to "hospitalize".
    """
    if shared_chars(term[0], base[0]) < SHARED_PREFIX_CHARS:
        return False
    if len(base[0]) < len(term[0]) or base[0] == term[0]:
        return True
    if base[1] != "v":
        return False
    is_as_long = len(base[0]) == len(term[0]) and not base[0].endswith(VERB_SUFFIXES)
    return is_as_long or wordnet.frequency(*base) >= max(1, wordnet.frequency(*term))


def shared_chars(word: str, other: str) -> int:
    """Return how many characters at the start of both words are the same."""
    pairs = enumerate(zip(word, other, strict=False))
    return next((position for position, (char, other_char) in pairs if char != other_char), min(len(word), len(other)))


def make_licenses(documentation: Path) -> str:
    """Return the copyright files of the packages, each under a heading."""
    parts = []
    for package, title in LICENSES:
        text = (documentation / package / "copyright").read_text(encoding="utf-8").strip()
        parts.append(f"{title} (Debian package {package})\n{'=' * 80}\n\n{text}\n")
    return "\n\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
