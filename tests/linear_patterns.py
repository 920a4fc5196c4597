"""
Proof that a regular expression takes linear time in the backtracking matcher of `re`.

The proof reads the parsed pattern as an automaton of character positions. Time is worse than
linear only if the matcher can share one text between two loops in many ways and then fail:
there are loop positions p and q and a word w such that w leads from p to p, from p to q and from
q to q (Weber and Seidl 1991, "On the degree of ambiguity of finite automata"). A search that
starts at every position counts as one more loop, which takes any character. A loop through a place
from which nothing fails is harmless, as the matcher never comes back behind that place.

The proof errs on one side: a pattern that passes is linear; a pattern that fails may be.
A repetition of at most `BOUNDED_MAX` counts as a constant.
"""

import re
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import product
from typing import Any

__all__ = ["BOUNDED_MAX", "Proof", "prove"]

BOUNDED_MAX = 256

# One of each kind of character that a category tells apart; the ends of all ranges of a pattern come beside them.
_KINDS = (
    "".join(map(chr, range(128)))
    + "\x85\xa0\xadàÉßſİıΣ٣²Ⅷ你かｱ—“”„…\u200b\u2028\u2029\u3000\u0301\ufeff😀\ud800\x9f・，"
)
_COPIES = 4


@dataclass(frozen=True)
class Step:
    """A move without a character, after one of *before* and ahead of one of *ahead*: masks, with a bit for the end."""

    to: int
    before: int
    ahead: int
    may_fail: bool = False
    bounded: bool = False


@dataclass(frozen=True)
class Edge:
    """A move from one position, after its character, to another position and its character."""

    to: int
    before: int
    ahead: int
    may_fail: bool
    bounded: bool


@dataclass
class Proof:
    """
    What the proof says of one pattern.

    Attributes:
        is_linear: Whether it is proven linear.
        reason: The loops that share a text, as an example of a character; empty if linear.
    """

    is_linear: bool
    reason: str = ""


@cache
def prove(pattern: str | bytes, flags: int = 0, mode: str = "search") -> Proof:
    """
    Prove that *pattern* is linear when it is used in *mode*: "search", "match" or "fullmatch".

    Raises:
        NotImplementedError: The pattern holds a construct that the proof does not know.
    """
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    if isinstance(pattern, bytes):
        flags |= re.ASCII
    return _Automaton(text, flags & ~re.UNICODE if isinstance(pattern, bytes) else flags, mode).proof()


@dataclass
class _Automaton:
    text: str
    flags: int
    mode: str
    sets: list[int] = field(default_factory=list)
    steps: list[list[Step]] = field(default_factory=list)

    def __post_init__(self) -> None:
        parsed = parser.parse(self.text, self.flags)
        self.flags = parsed.state.flags
        self.alphabet = sorted({*_KINDS, *_ends(parsed)})
        self.characters = (1 << len(self.alphabet)) - 1
        self.end = 1 << len(self.alphabet)
        self.all = self.characters | self.end
        self.enter: list[int] = []
        self.leave: list[int] = []
        start = self._node()
        self.accept = self._build(parsed, start, self.flags)
        if self.mode == "fullmatch":
            end = self._node()
            self._step(self.accept, end, ahead=self.end)
            self.accept = end
        self.first = start
        self.prefix: int | None = None
        if self.mode == "search":
            position = self._position(self.characters)
            self.prefix = position
            self._step(self.leave[position], self.enter[position])
            self._step(self.leave[position], start)

    # How the automaton is built.

    def _node(self) -> int:
        self.steps.append([])
        return len(self.steps) - 1

    def _step(self, start: int, to: int, **limits: Any) -> None:
        self.steps[start].append(Step(to, limits.pop("before", self.all), limits.pop("ahead", self.all), **limits))

    def _position(self, characters: int) -> int:
        self.sets.append(characters)
        self.enter.append(self._node())
        self.leave.append(self._node())
        return len(self.sets) - 1

    def _mask(self, accepts: Callable[[str], bool], flags: int) -> int:
        mask = 0
        for index, character in enumerate(self.alphabet):
            forms = {character, character.lower(), character.upper()} if flags & re.IGNORECASE else {character}
            if any(len(form) == 1 and accepts(form) for form in forms):
                mask |= 1 << index
        return mask

    def _category(self, category: Any, flags: int) -> int:
        source = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[str(category).rpartition("_")[2]]
        found = re.compile(source, flags & re.ASCII)
        mask = self._mask(lambda character: found.match(character) is not None, 0)
        return self.characters ^ mask if "_NOT_" in str(category) else mask

    def _in(self, items: Iterable[tuple[Any, Any]], flags: int) -> int:
        mask, is_negated = 0, False
        for code, value in items:
            if code is codes.NEGATE:
                is_negated = True
            elif code is codes.CATEGORY:
                mask |= self._category(value, flags)
            else:
                low, high = (value, value) if code is codes.LITERAL else value
                mask |= self._mask(lambda each, low=low, high=high: low <= ord(each) <= high, flags)
        return self.characters ^ mask if is_negated else mask

    def _single(self, parsed: Any, flags: int) -> int | None:
        """The characters of what is exactly one character; None if it is anything else."""
        items = list(parsed)
        if len(items) != 1:
            return None
        code, value = items[0]
        if code is codes.LITERAL:
            return self._mask(lambda each: ord(each) == value, flags)
        if code is codes.NOT_LITERAL:
            return self.characters ^ self._mask(lambda each: ord(each) == value, flags)
        if code is codes.ANY:
            return self.characters if flags & re.DOTALL else self._mask(lambda each: each != "\n", 0)
        if code is codes.IN:
            return self._in(value, flags)
        if code is codes.SUBPATTERN:
            return self._single(value[3], (flags | value[1]) & ~value[2])
        if code is codes.BRANCH:
            masks = [self._single(branch, flags) for branch in value[1]]
            return None if None in masks else _union(mask for mask in masks if mask is not None)
        return None

    def _build(self, parsed: Any, node: int, flags: int) -> int:
        for code, value in parsed:
            node = self._item(code, value, node, flags)
        return node

    def _item(self, code: Any, value: Any, node: int, flags: int) -> int:
        characters = self._single([(code, value)], flags)
        if characters is not None:
            position = self._position(characters)
            self._step(node, self.enter[position])
            return self.leave[position]
        if code is codes.SUBPATTERN:
            return self._build(value[3], node, (flags | value[1]) & ~value[2])
        if code is codes.BRANCH:
            end = self._node()
            for branch in value[1]:
                self._step(self._build(branch, node, flags), end)
            return end
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            return self._repeat(value, node, flags, is_possessive=code is codes.POSSESSIVE_REPEAT)
        if code is codes.ATOMIC_GROUP:
            items = list(value)
            if len(items) == 1 and items[0][0] is codes.MAX_REPEAT:
                return self._repeat(items[0][1], node, flags, is_possessive=True)
            return self._build(value, node, flags)
        if code in (codes.ASSERT, codes.ASSERT_NOT):
            return self._assertion(value, node, flags, is_negative=code is codes.ASSERT_NOT)
        if code is codes.AT:
            return self._place(value, node, flags)
        if code is codes.GROUPREF:
            position = self._position(self.characters)
            end = self._node()
            self._step(node, end, may_fail=True)
            self._step(node, self.enter[position])
            self._step(self.leave[position], self.enter[position], bounded=True)
            self._step(self.leave[position], end, may_fail=True)
            return end
        raise NotImplementedError(f"the proof does not know {code}")

    def _repeat(self, value: Any, node: int, flags: int, *, is_possessive: bool) -> int:
        low, high, body = value
        # The required copies come first, so that only moves that may fail count as failing.
        copies = max(min(low, _COPIES) - 1, 0)
        for _ in range(copies):
            node = self._build(body, node, flags)
        low, high = low - copies, int(high) - copies
        loop, end = self._node(), self._node()
        characters = self._single(body, flags)
        ahead = self.all ^ characters if is_possessive and characters is not None and high > BOUNDED_MAX else self.all
        inner = self._node()
        self._step(node, inner)
        self._step(self._build(body, inner, flags), loop)
        if high > 1:
            self._step(loop, inner, bounded=int(high) <= BOUNDED_MAX)
        self._step(loop, end, ahead=ahead, may_fail=low > 1)
        if low == 0:
            self._step(node, end, ahead=ahead)
        return end

    def _assertion(self, value: Any, node: int, flags: int, *, is_negative: bool) -> int:
        direction, body = value
        end = self._node()
        characters = self._single(body, flags)
        if characters is None:
            if direction > 0:
                self._build(body, node, flags)
            if list(body) or not is_negative:
                self._step(node, end, may_fail=True)
            return end
        allowed = self.all ^ characters if is_negative else characters
        key = "ahead" if direction > 0 else "before"
        self._step(node, end, **{key: allowed})
        return end

    def _place(self, place: Any, node: int, flags: int) -> int:
        end = self._node()
        newline = self._mask(lambda each: each == "\n", 0)
        word = self._category(codes.CATEGORY_WORD, flags)
        if place in (codes.AT_BEGINNING, codes.AT_BEGINNING_STRING):
            is_line = place is codes.AT_BEGINNING and flags & re.MULTILINE
            self._step(node, end, before=newline if is_line else 0)
        elif place in (codes.AT_END, codes.AT_END_STRING):
            self._step(node, end, ahead=self.end)
            if place is codes.AT_END:
                self._step(node, end, ahead=newline, may_fail=not flags & re.MULTILINE)
        else:
            other = self.all ^ word
            sides = [(word, other), (other, word)] if place is codes.AT_BOUNDARY else [(word, word), (other, other)]
            for before, ahead in sides:
                self._step(node, end, before=before, ahead=ahead)
        return end

    # What the automaton shows.

    def _paths(self, node: int) -> list[tuple[int, Step]]:
        """All ways from *node* without a character, as one step to each node on the way. Ways of equal limits twice."""
        found: list[tuple[int, Step]] = []
        counts: dict[tuple[int, Step], int] = {}
        todo = [(node, Step(node, self.all, self.all), frozenset((node,)))]
        while todo:
            at, way, seen = todo.pop()
            key = (at, way)
            if counts.get(key, 0) >= 2:
                continue
            counts[key] = counts.get(key, 0) + 1
            found.append((at, way))
            for step in self.steps[at]:
                before, ahead = way.before & step.before, way.ahead & step.ahead
                if step.to not in seen:
                    joined = Step(
                        node,
                        before,
                        ahead,
                        way.may_fail or step.may_fail,
                        way.bounded or step.bounded,
                    )
                    todo.append((step.to, joined, seen | {step.to}))
        return found

    @cached_property
    def _closures(self) -> list[list[tuple[int, Step]]]:
        return [self._paths(node) for node in self.leave]

    @cached_property
    def edges(self) -> list[list[Edge]]:
        entered = {node: position for position, node in enumerate(self.enter)}
        return [
            [
                Edge(entered[at], way.before, way.ahead, way.may_fail, way.bounded)
                for at, way in closure
                if at in entered and way.ahead and way.before
            ]
            for closure in self._closures
        ]

    @cached_property
    def accepting(self) -> list[int]:
        """For each position, ahead of which characters the whole expression matches there, whatever comes later."""
        masks = [0] * len(self.sets)
        for position, closure in enumerate(self._closures):
            for at, way in closure:
                # A search that found something empty goes on one character further.
                if (
                    position != self.prefix
                    and at == self.accept
                    and not way.may_fail
                    and not self.sets[position] & ~way.before
                ):
                    masks[position] |= way.ahead
        return masks

    @cached_property
    def safe(self) -> set[int]:
        """The positions from which no text fails."""
        safe = set(range(len(self.sets))) - {self.prefix}
        while True:
            kept = {position for position in safe if self._covered(position, safe) == self.all}
            if kept == safe:
                return safe
            safe = kept

    def _covered(self, position: int, safe: set[int]) -> int:
        """The next characters with which the expression matches at *position* or goes on to one of *safe*."""
        covered = self.accepting[position]
        for edge in self.edges[position]:
            if edge.to in safe and not edge.may_fail and not self.sets[position] & ~edge.before:
                covered |= edge.ahead & self.sets[edge.to]
        return covered

    @cached_property
    def loops(self) -> dict[int, frozenset[int]]:
        """Each position of a loop, with all positions that it can reach and that can reach it."""
        reach = [self._reach(position, may_return=False) for position in range(len(self.sets))]
        return {
            position: frozenset(each for each in reach[position] if position in reach[each])
            for position in range(len(self.sets))
            if position in reach[position]
        }

    def _reach(self, position: int, *, may_return: bool) -> set[int]:
        """The positions behind *position*; if not *may_return*, by moves that repeat without a bound and may fail."""
        if not may_return and position in self.safe:
            return set()
        seen: set[int] = set()
        todo = [position]
        while todo:
            at = todo.pop()
            for edge in self.edges[at]:
                if edge.to not in seen and (may_return or self._may_fail(at, edge)):
                    seen.add(edge.to)
                    todo.append(edge.to)
        return seen

    def _may_fail(self, position: int, edge: Edge) -> bool:
        """Whether *edge* repeats without a bound, from a place that may fail to another."""
        open_ = edge.ahead & self.sets[edge.to] & ~self.accepting[position]
        return bool(open_) and not edge.bounded and edge.to not in self.safe

    @cached_property
    def atoms(self) -> list[int]:
        """One character, as a mask, for each kind that the pattern tells apart."""
        return self._kinds([1 << index for index in range(len(self.alphabet))], set(range(len(self.sets))))

    def _kinds(self, atoms: list[int], within: set[int] | frozenset[int]) -> list[int]:
        """One of *atoms* for each kind that the moves among the positions *within* tell apart."""
        masks = {mask for position in within for mask in (self.sets[position], self.accepting[position])}
        for position in within:
            for edge in self.edges[position]:
                if edge.to in within:
                    masks |= {edge.before, edge.ahead}
        kinds: dict[tuple[bool, ...], int] = {}
        for atom in atoms:
            kinds.setdefault(tuple(bool(mask & atom) for mask in masks), atom)
        return list(kinds.values())

    @cached_property
    def moves(self) -> list[dict[int, dict[int, list[int]]]]:
        """For each position: its character, the next character, and the positions that this leads to in each way."""
        moves: list[dict[int, dict[int, list[int]]]] = []
        for position, edges in enumerate(self.edges):
            table: dict[int, dict[int, list[int]]] = {}
            for last in self.atoms:
                if last & self.sets[position]:
                    row = table.setdefault(last, {})
                    for edge in edges:
                        allowed = edge.ahead & self.sets[edge.to] if edge.before & last else 0
                        for atom in self.atoms if allowed else ():
                            if atom & allowed:
                                row.setdefault(atom, []).append(edge.to)
            moves.append(table)
        return moves

    def proof(self) -> Proof:
        """Look for two loops that share a text, then for one loop that reads a text in two ways."""
        for p, p_loop in self.loops.items():
            if p != self.prefix and (atom := self._doubled(p, p_loop)):
                return Proof(False, f"one loop reads {self._name(atom)} in two ways")
            for q, q_loop in self.loops.items():
                if q != p and q in self._reach_all[p] and self.sets[p] & self.sets[q]:
                    atom = self._shared(p, p_loop, q, q_loop)
                    if atom:
                        start = "a search" if p == self.prefix else "a loop"
                        return Proof(False, f"{start} and a loop behind it share {self._name(atom)}")
        return Proof(True)

    def _name(self, atom: int) -> str:
        return ascii(self.alphabet[atom.bit_length() - 1])

    def _shared(self, p: int, p_loop: frozenset[int], q: int, q_loop: frozenset[int]) -> int:
        """The last character of a word from p to p, p to q and q to q; 0 if there is none."""
        between = {each for each in self._reach_all[p] | {p} if each == q or q in self._reach_all[each]}
        kinds = set(self._kinds(self.atoms, between | p_loop | q_loop))
        for first in kinds:
            if not first & self.sets[p] & self.sets[q]:
                continue
            seen = {(p, p, q, first)}
            todo = [(p, p, q, first)]
            while todo:
                a, b, c, last = todo.pop()
                a_row, b_row, c_row = self.moves[a][last], self.moves[b][last], self.moves[c][last]
                for atom in kinds & a_row.keys() & b_row.keys() & c_row.keys():
                    if atom & (self.accepting[a] | self.accepting[c]):
                        continue
                    ways = (q_loop.intersection(c_row[atom]), p_loop.intersection(a_row[atom]))
                    for c_to, a_to, b_to in product(*ways, between.intersection(b_row[atom])):
                        state = (a_to, b_to, c_to, atom)
                        if state == (p, q, q, first):
                            return atom
                        if state not in seen:
                            seen.add(state)
                            todo.append(state)
        return 0

    @cached_property
    def _reach_all(self) -> list[set[int]]:
        return [self._reach(position, may_return=True) for position in range(len(self.sets))]

    def _doubled(self, p: int, loop: frozenset[int]) -> int:
        """The last character of a word that leads from p to p in two ways; 0 if there is none."""
        kinds = set(self._kinds(self.atoms, loop))
        for first in kinds:
            if not first & self.sets[p]:
                continue
            seen = {(p, p, first, False)}
            todo = [(p, p, first, False)]
            while todo:
                a, b, last, differ = todo.pop()
                a_row, b_row = self.moves[a][last], self.moves[b][last]
                for atom in kinds & a_row.keys() & b_row.keys():
                    if atom & (self.accepting[a] | self.accepting[b]):
                        continue
                    for a_to, b_to in product(loop.intersection(a_row[atom]), loop.intersection(b_row[atom])):
                        is_double = a == b and a_to == b_to and a_row[atom].count(a_to) > 1
                        state = (a_to, b_to, atom, differ or a_to != b_to or is_double)
                        if state == (p, p, first, True):
                            return atom
                        if state not in seen:
                            seen.add(state)
                            todo.append(state)
        return 0


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _ends(parsed: Any) -> Iterator[str]:
    """The characters that *parsed* names, and their neighbours."""
    if isinstance(parsed, int):
        return
    for item in parsed:
        if isinstance(item, tuple) and len(item) == 2 and item[0] in (codes.LITERAL, codes.NOT_LITERAL, codes.RANGE):
            for value in item[1] if isinstance(item[1], tuple) else (item[1],):
                yield from (chr(each) for each in (value - 1, value, value + 1) if 0 <= each < 0x110000)
        elif isinstance(item, (tuple, list, parser.SubPattern)):
            yield from _ends(item)
