"""
Implements the specification in pure Python, as the oracle and rival of the engine.

It is slow and simple on purpose. Tests compare the engine with it, benchmarks measure both, and it documents the rules
behind a verdict. It uses nothing of the native module. It needs the extra `reference`: rapidfuzz for the fuzzy mode,
and pyahocorasick for many patterns.

The patterns are those of the specification, and some take quadratic time on hostile text. For untrusted text, use the
functions of the package instead.

It departs from the specification's code where the rulings do: a blank quote is never grounded (ruling A6), an unknown
mode is an error (ruling A7), lone surrogates are hashed instead of raising an error (ruling A15), and lists of ids are
sorted (ruling B7).
"""

import logging
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from typing import Any

from groundwire.evidence.schema import EvidenceGroundingStats

__all__ = [
    "detect_hallucination",
    "determine_tier",
    "find_all",
    "find_patterns",
    "ground",
    "normalize_for_quote_match",
    "partial_ratio",
    "validate_evidence_grounding",
]

_logger = logging.getLogger(__name__)

_PLAIN = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " "})
_ZERO_WIDTH = str.maketrans(dict.fromkeys("\u200b\u200c\u200d\ufeff"))
_TAG = re.compile(r"<[^>]+>")
_WHITE_SPACE = re.compile(r"\s+")


def normalize_for_quote_match(text: str) -> str:
    """
    Return *text* in the form in which quotes and transcripts are compared.

    The steps follow ruling A4. NFKC must come first, because it turns full-width
    angle brackets into `<` and `>`, which form tags.

    Many `<` without `>` take quadratic time.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_PLAIN).translate(_ZERO_WIDTH)
    return _WHITE_SPACE.sub(" ", _TAG.sub(" ", plain)).strip().lower()


def partial_ratio(s1: object, s2: object, *, score_cutoff: float | None = None) -> float:
    """
    Return rapidfuzz's partial_ratio, 0 to 100: 0 below *score_cutoff*.

    Raises:
        ImportError: rapidfuzz is not installed.
    """
    score: float = _extra("rapidfuzz.fuzz").partial_ratio(s1, s2, score_cutoff=score_cutoff)
    return score


def find_all(quote: str, text: str) -> list[tuple[int, int]]:
    """
    Return (start, end) of every occurrence of *quote*, including overlapping ones.

    Occurrences are in order, as offsets in code points. The texts are not normalised.
    An empty quote occurs nowhere.
    """
    spans: list[tuple[int, int]] = []
    start = text.find(quote) if quote else -1
    while start >= 0:
        spans.append((start, start + len(quote)))
        start = text.find(quote, start + 1)
    return spans


def ground(quotes: Sequence[str], text: str, *, mode: str = "substring", threshold: float = 0.85) -> list[bool]:
    """
    Return for each quote whether it is grounded in *text*, after normalising both.

    Args:
        quotes: Any number of quotes.
        text: The transcript.
        mode: "substring" or "fuzzy".
        threshold: Minimum partial_ratio / 100 of a grounded quote in fuzzy mode, 0.0 to 1.0.

    Raises:
        ValueError: The *mode* is unknown (ruling A7).
        ImportError: Fuzzy mode needs rapidfuzz, which is not installed.
    """
    if mode not in ("substring", "fuzzy"):
        raise ValueError('mode must be "substring" or "fuzzy"')
    normalized = normalize_for_quote_match(text)
    return [_is_grounded(normalize_for_quote_match(quote), normalized, mode, threshold) for quote in quotes]


def _is_grounded(quote: str, text: str, mode: str, threshold: float) -> bool:
    if not quote:
        return False
    if quote in text:
        return True
    return mode == "fuzzy" and partial_ratio(quote, text) / 100.0 >= threshold


def validate_evidence_grounding(
    evidence: Mapping[str, Sequence[str]],
    transcript_text: str,
    *,
    mode: str = "substring",
    fuzzy_threshold: float = 0.85,
    log_rejections: bool = True,
) -> tuple[dict[str, list[str]], EvidenceGroundingStats]:
    """
    Keep the quotes of each domain that are grounded, and count.

    Emits the two events of the specification on the logger `groundwire.reference`,
    with their fields in `extra`.

    Raises:
        ValueError: The *mode* is unknown (ruling A7).
        ImportError: Fuzzy mode needs rapidfuzz, which is not installed.
    """
    extracted = [(domain, quote) for domain, quotes in evidence.items() for quote in quotes]
    verdicts = ground([quote for _, quote in extracted], transcript_text, mode=mode, threshold=fuzzy_threshold)
    validated: dict[str, list[str]] = {domain: [] for domain in evidence}
    rejected: list[tuple[str, str]] = []
    for (domain, quote), is_grounded in zip(extracted, verdicts, strict=True):
        if is_grounded:
            validated[domain].append(quote)
        else:
            rejected.append((domain, quote))
    stats = EvidenceGroundingStats(
        extracted_count=len(extracted),
        validated_count=len(extracted) - len(rejected),
        rejected_count=len(rejected),
        rejected_by_domain={domain: len(quotes) - len(validated[domain]) for domain, quotes in evidence.items()},
    )
    if rejected and log_rejections:
        _log(rejected, stats, transcript_text, mode)
    return validated, stats


def _log(rejected: list[tuple[str, str]], stats: EvidenceGroundingStats, transcript_text: str, mode: str) -> None:
    transcript_hash = _hash(transcript_text)
    for domain, quote in rejected:
        fields = {
            "domain": domain,
            "quote_hash": _hash(quote),
            "quote_len": len(quote),
            "transcript_hash": transcript_hash,
            "transcript_len": len(transcript_text),
            "mode": mode,
        }
        _logger.warning("evidence_quote_rejected", extra=fields)
    counts = {
        "extracted_count": stats.extracted_count,
        "validated_count": stats.validated_count,
        "rejected_count": stats.rejected_count,
        "rejected_by_domain": stats.rejected_by_domain,
        "transcript_hash": transcript_hash,
    }
    _logger.info("evidence_grounding_complete", extra=counts)


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def find_patterns(patterns: Sequence[str], text: str) -> list[tuple[int, int, int]]:
    """
    Return (pattern_index, start, end) of every occurrence of every pattern.

    The result includes overlapping occurrences, sorted by start and pattern index; a
    repeated pattern is reported under both indexes. Offsets are in code points.

    Raises:
        ValueError: A pattern is empty.
        ImportError: pyahocorasick is not installed.
    """
    indexes_of: dict[str, list[int]] = {}
    for index, pattern in enumerate(patterns):
        if not pattern:
            raise ValueError(f"pattern {index} is empty; every pattern needs at least one character")
        indexes_of.setdefault(pattern, []).append(index)
    if not indexes_of:
        return []
    automaton = _extra("ahocorasick").Automaton()
    for pattern, indexes in indexes_of.items():
        automaton.add_word(pattern, (len(pattern), indexes))
    automaton.make_automaton()
    found = [
        (index, last + 1 - length, last + 1) for last, (length, indexes) in automaton.iter(text) for index in indexes
    ]
    return sorted(found, key=lambda match: (match[1], match[0]))


def detect_hallucination(answer: str, results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """
    Return the risk of *answer* by the specification's rules on citations.

    Many `[` without `]` take quadratic time.
    """
    if not answer or len(answer.strip()) == 0:
        return _no_risk("Answer is empty, cannot detect hallucinations")
    citation_ids = set(re.findall(r"\[([^\]]+)\]", answer))
    result_ids = {result.get(key, "") for result in results for key in ("id", "parent_id")}
    valid_citations = citation_ids.intersection(result_ids)
    sentences = re.split(r"[.!?]+", answer)
    uncited_sentences = [
        sentence.strip()[:100]
        for sentence in sentences
        if len(sentence.strip()) > 50 and not re.search(r"\[[^\]]+\]", sentence)
    ]
    total_claims = len([sentence for sentence in sentences if len(sentence.strip()) > 20])
    if total_claims == 0:
        return _no_risk("No valid claims found, cannot detect hallucinations")
    citation_ratio = len(valid_citations) / max(total_claims, 1)
    hallucination_risk = 1.0 - min(citation_ratio, 1.0)
    return {
        "has_hallucination_risk": hallucination_risk > 0.3,
        "hallucination_risk_score": hallucination_risk,
        "valid_citations": sorted(valid_citations),
        "invalid_citations": sorted(citation_ids - result_ids),
        "uncited_sentences": uncited_sentences[:3],
        "citation_ratio": citation_ratio,
    }


def _no_risk(note: str) -> dict[str, Any]:
    return {"has_hallucination_risk": False, "hallucination_risk_score": 0.0, "note": note}


def determine_tier(
    hedge_result: str,
    is_duplicate: bool,
    dedup_failed: bool,
    has_verified_citation: bool,
    source: str,
    memory_type: str,
) -> tuple[str, str]:
    """Return the tier of a claim and the reason, by the specification's decision tree and values."""
    # Tier 3: personal speculation, then duplicates
    if hedge_result == "block":
        return "tier_3", "Contains personal speculation"
    if is_duplicate:
        return "tier_3", "Duplicate of existing memory"
    # Tier 2: technical hedges, then a dedup check that failed (fail-closed)
    if hedge_result == "review":
        return "tier_2", "Contains technical hedges - needs verification"
    if dedup_failed:
        return "tier_2", "Dedup check failed - cannot verify uniqueness"
    # Tier 1: a verified citation, a trusted source, decisions and preferences stated by the user
    if has_verified_citation:
        return "tier_1", "Has verified citation"
    if source in {"user", "documentation", "adr", "commit", "manual"}:
        return "tier_1", f"From trusted source: {source}"
    if memory_type == "decision" and source == "conversation":
        return "tier_1", "Decision stated in conversation"
    if memory_type == "preference" and source in ("conversation", "chat"):
        return "tier_1", "Preference stated by user"
    # Tier 2: everything else
    return "tier_2", "Ungrounded assertion needs verification"


@cache
def _extra(module: str) -> Any:
    """Import a module of the extra, or raise an error that says how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        name = "pyahocorasick" if module == "ahocorasick" else "rapidfuzz"
        raise ImportError(
            f"groundwire.reference needs {name}: pip install 'groundwire[reference]'", name=module
        ) from error
