"""What is known of the claims of a persona while its sources are gone through."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from groundwire.faithfulness.claims import Claim, ClaimKind
from groundwire.faithfulness.levels import DEFAULT_THRESHOLD
from groundwire.faithfulness.policies import FieldPolicy
from groundwire.faithfulness.prepared import Part
from groundwire.faithfulness.support.evidence import MAX_EVIDENCE, Evidence, Layer, MatchKind, best_of
from groundwire.faithfulness.support.lexical import compare_words
from groundwire.faithfulness.support.stances import compare_stances
from groundwire.faithfulness.support.topic import Topic
from groundwire.language import read_terms

__all__ = ["Found", "Gathered"]

_OTHER_VALUES = frozenset({MatchKind.OTHER_NUMBER, MatchKind.OTHER_DATE, MatchKind.OTHER_FLAG})
_OWN_NAMES = frozenset({"name", "full_name", "first_name", "last_name", "nickname", "surname"})
_LITERAL = frozenset({Layer.VERBATIM, Layer.VALUES})


class Found:
    """
    What the parts that were asked have of one claim.

    Attributes:
        topic: What the claim is about.
        evidence: What the rules found, the best first.
        related: What an embedder found, likewise.
        scored: What a model made of the passages that others found: it takes the place of
            `related` and of the words in `evidence`. None if no model was asked.
    """

    __slots__ = ("_contradictions", "_others", "evidence", "related", "scored", "topic")

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self.evidence: list[Evidence] = []
        self.related: list[Evidence] = []
        self.scored: list[Evidence] | None = None
        self._contradictions: list[Evidence] = []
        self._others: dict[object, Evidence] = {}

    def add(self, evidence: Iterable[Evidence], part: Part) -> None:
        """Add what the rules found in *part*, and what contradicts the claim there."""
        lexical = compare_words(self.topic, list(evidence), part.index, part.words)
        stances = compare_stances(self.topic, part.index)
        self.evidence = best_of([*self.evidence, *map(_with_question, lexical.evidence)])
        self._contradictions += map(_with_question, [*stances, *lexical.contradictions])
        if len(self._others) < 2 and not (self.evidence and self.evidence[0].score >= DEFAULT_THRESHOLD):
            for value, other in part.others.of(self.topic.claim).items():
                self._others.setdefault(value, other)

    def ranked(self) -> list[Evidence]:
        """Return what supports the claim, the best first; of equals what the rules found."""
        found = [*self.evidence, *self.related] if self.scored is None else [*self.literal(), *self.scored]
        return best_of(sorted(found, key=lambda each: -each.score))

    def literal(self) -> list[Evidence]:
        """Return where the claim's words or values stand, the best first: no model changes that."""
        return [each for each in self.evidence if each.layer in _LITERAL]

    def contradictions(self, threshold: float) -> tuple[Evidence, ...]:
        """
        Return what contradicts the claim, beside what supports it.

        Another number, date or flag is that of another person where some place has the
        claimed one, and where there are several of them. Only rules tell that it has: near
        in meaning are both.
        """
        is_told = bool(self.evidence) and self.evidence[0].score >= min(threshold, DEFAULT_THRESHOLD)
        others = list(self._others.values()) if len(self._others) == 1 and not is_told else []
        told = [each for each in self._contradictions if not (is_told and each.kind in _OTHER_VALUES)]
        return tuple([*told, *others][:MAX_EVIDENCE])


def _with_question(evidence: Evidence) -> Evidence:
    """Evidence in an answer with its question is both of them (ruling D12)."""
    unit = evidence.unit
    return replace(evidence, start=0, end=len(unit.text)) if unit.answer_start else evidence


class Gathered:
    """
    The claims of one persona, and what was found of each that counts.

    Attributes:
        found: The claims that count.
        synthetic: Those that do not.
    """

    __slots__ = ("found", "synthetic")

    def __init__(self, claims: Sequence[Claim]) -> None:
        names = frozenset(name for claim in claims for name in _own_names(claim))
        self.synthetic = tuple(claim for claim in claims if claim.policy is FieldPolicy.SYNTHETIC)
        self.found = [Found(Topic(claim, names)) for claim in claims if claim.policy is FieldPolicy.CHECK]

    def ask(self, part: Part) -> None:
        """Ask every rule of *part*."""
        verbatim = part.verbatim.evidence([found.topic.claim for found in self.found])
        for found, words in zip(self.found, verbatim, strict=True):
            found.add([*words, *part.values.evidence(found.topic.claim)], part)


def _own_names(claim: Claim) -> Iterator[str]:
    """The person's names in small letters, where a claim has them."""
    if claim.kind is ClaimKind.NAME and claim.path.rpartition(".")[2] in _OWN_NAMES:
        for term in read_terms(claim.value):
            yield term.form
