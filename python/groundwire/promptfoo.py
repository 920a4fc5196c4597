"""
Provides the Python assertion of promptfoo: the quotes and citations in a model's output are grounded.

    # groundwire_assert.py
    from groundwire.promptfoo import get_assert

The test names the file, and gives the sources or the results in its variables or in the assertion's configuration:

    assert:
      - type: python
        value: file://groundwire_assert.py

promptfoo is not imported: it calls `get_assert` with plain data, and takes a mapping in return.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

from groundwire.citations import assess_answer
from groundwire.evidence import QuotePolicy, validate_evidence_schema
from groundwire.evidence.quotations import quotes_in
from groundwire.files import read_file
from groundwire.labels import check_choice, plural, show
from groundwire.language import reader
from groundwire.model_output import extract_json_object
from groundwire.report import QuoteEntry, TranscriptFile, build_guarded_report
from groundwire.report.check.builder import with_distinct_names
from groundwire.report.findings import claim_failure, has_failed, quote_failure
from groundwire.thresholds import FUZZY_THRESHOLD, MIN_QUOTATION_WORDS

__all__ = ["ComponentResult", "GradingResult", "get_assert"]

ComponentResult = TypedDict("ComponentResult", {"pass": bool, "score": float, "reason": str})
"""The result for one quote or claim, with the keys of promptfoo. The score is 0.0 or 1.0."""

GradingResult = TypedDict(
    "GradingResult",
    {
        "pass": bool,
        "score": float,
        "reason": str,
        "namedScores": dict[str, float],
        "componentResults": list[ComponentResult],
    },
)
"""The result of an assertion, with the keys of promptfoo. Scores are 0.0 to 1.0."""

_KEYS = (
    *("sources", "sources_var", "results", "results_var", "quotes", "min_quotation_words", "threshold", "min_score"),
    "allow_empty",
)
_FORMATS = ("auto", "json", "prose")
_FILE = "file://"
_JSON = re.compile(r"\s*(?:[{\[]|```)")
_FENCE = re.compile(r"\s*```[^\n]*\n(.*)```\s*", re.DOTALL)


def get_assert(output: object, context: Mapping[str, Any]) -> GradingResult:
    """
    Check the quotes of *output* against `sources`, and its `[id]` citations against `results`.

    Both are looked for in the assertion's `config`, then in the test's `vars`; at least one is needed. `sources` is a
    text, a list of texts, or a mapping of names to texts. `results` is a mapping of ids to texts, or a list of texts
    or of search results, or either of them as JSON. In `config`, a source may also be `file://` with the path of a
    text or a document.

    Args:
        output: The output of the model: prose, whose quotations are checked; or JSON, whose strings are quotes: a
            mapping of domains to lists of quotes, a list of quotes, or a list of mappings with `quote`.
        context: The context of promptfoo, of which `vars` and `config` are read. `config` may have `sources_var` and
            `results_var` (other names of the variables), `quotes` ("auto", "json" or "prose"), `min_quotation_words`
            (of prose; 3), `threshold` (of similar quotes; 0.85), `min_score` (the share that must pass; 1.0), and
            `allow_empty` (whether an output without quotes or claims passes; false).

    Returns:
        Whether it passes, the share of quotes and claims that pass, the reason, and a result for each of them.

    Raises:
        ValueError: Neither sources nor results are given, the configuration is invalid, or the output is not the JSON
            that it should be. The message contains nothing of the output.
        TypeError: A value has the wrong type.
        OSError, DocumentError: A file cannot be read.
    """
    config = _config(context)
    sources, results = _given("sources", config, context), _given("results", config, context)
    if sources is None and results is None:
        named = ", ".join(sorted(str(config.get(f"{name}_var", name)) for name in ("sources", "results")))
        raise ValueError(f"the assertion needs sources or results: vars and config have none of {named}")
    parts = []
    if sources is not None:
        parts.append(_check_quotes(output, sources, config))
    if results is not None:
        parts.append(_check_citations(output, results, config))
    return parts[0] if len(parts) == 1 else _together(parts)


def _config(context: Mapping[str, Any]) -> Mapping[str, Any]:
    config = context.get("config") or {}
    if not isinstance(config, Mapping):
        raise TypeError(f"config must be a mapping, got {type(config).__name__}")
    for key in config:
        if key not in _KEYS:
            raise ValueError(f"config has an unknown key, {show(str(key))}; known keys: {', '.join(_KEYS)}")
    return config


def _given(name: str, config: Mapping[str, Any], context: Mapping[str, Any]) -> object:
    """Return the sources or the results of a test; None without them."""
    variables = context.get("vars") or {}
    wanted = config.get(f"{name}_var")
    if wanted is not None and wanted not in variables:
        raise ValueError(f"config names the variable {show(str(wanted))} as {name}_var, and the test has no such one")
    return _opened(config[name]) if name in config else variables.get(wanted or name)


def _opened(value: object) -> object:
    """Return a value of the configuration with the files that it names."""
    if isinstance(value, Mapping):
        return {key: _opened(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_opened(each) for each in value]
    return Path(value.removeprefix(_FILE)) if isinstance(value, str) and value.startswith(_FILE) else value


def _number(config: Mapping[str, Any], name: str, default: float) -> float:
    value = config.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    return float(value)


def _check_quotes(output: object, sources: object, config: Mapping[str, Any]) -> GradingResult:
    policy = QuotePolicy(threshold=_number(config, "threshold", FUZZY_THRESHOLD))
    quotes = list(_quotes(output, config))
    texts = with_distinct_names([_file(name, text) for name, text in _named(sources)])
    if not texts:
        raise ValueError("sources has no text")
    report = build_guarded_report(texts, [QuoteEntry(quote) for quote in quotes], policy=policy)
    parts = [
        _part(result.accepted, f"#{result.number} {result.status}" if result.accepted else quote_failure(result))
        for result in report.quotes
    ]
    return _graded(parts, "quote", config)


def _check_citations(output: object, results: object, config: Mapping[str, Any]) -> GradingResult:
    if not isinstance(output, str):
        raise TypeError(f"an answer with citations must be a str, got {type(output).__name__}")
    assessment = assess_answer("", output, _results(results))
    parts = [
        _part(not (has_failed(claim) or claim.is_uncited), claim_failure(number, claim))
        for number, claim in enumerate(assessment.report.claims, start=1)
    ]
    graded = _graded(parts, "claim", config)
    if parts and not assessment.accepted:
        graded["reason"] += f"; {assessment.level.value} risk: {', '.join(assessment.reasons)}"
        # If each claim passes, the reason concerns the answer as a whole. Otherwise the share of claims decides.
        graded["pass"] = graded["pass"] and graded["score"] < 1.0
    return graded


def _part(passes: bool, lines: str | Iterator[str]) -> ComponentResult:
    reason = lines if isinstance(lines, str) else "\n".join(lines)
    return {"pass": passes, "score": float(passes), "reason": reason}


def _graded(parts: list[ComponentResult], noun: str, config: Mapping[str, Any]) -> GradingResult:
    least, passed = _number(config, "min_score", 1.0), sum(part["pass"] for part in parts)
    is_allowed = bool(parts or config.get("allow_empty", False))
    score = passed / len(parts) if parts else float(is_allowed)
    return {
        "pass": is_allowed and score >= least,
        "score": score,
        "reason": f"{passed} of {plural(len(parts), noun)} accepted"
        if parts
        else f"the output has no {noun}s to check",
        "namedScores": {f"{noun}s accepted": score},
        "componentResults": parts,
    }


def _together(parts: list[GradingResult]) -> GradingResult:
    return {
        "pass": all(part["pass"] for part in parts),
        "score": min(part["score"] for part in parts),
        "reason": "; ".join(part["reason"] for part in parts),
        "namedScores": {name: score for part in parts for name, score in part["namedScores"].items()},
        "componentResults": [each for part in parts for each in part["componentResults"]],
    }


def _quotes(output: object, config: Mapping[str, Any]) -> Iterator[str]:
    """Yield the quotes of an output."""
    chosen = check_choice("quotes", config.get("quotes", "auto"), _FORMATS)
    if isinstance(output, str) and (chosen == "prose" or (chosen == "auto" and not _JSON.match(output))):
        least = _number(config, "min_quotation_words", MIN_QUOTATION_WORDS)
        yield from (span.text for span in quotes_in(output) if reader().count_words(span.text) >= least)
        return
    value = _json(output) if isinstance(output, str) else output
    if isinstance(value, Mapping):
        yield from (quote for quotes in validate_evidence_schema(value).values() for quote in quotes)
        return
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise TypeError(f"the output must be prose, a mapping or a list of quotes, got {type(value).__name__}")
    for place, each in enumerate(value):
        quote = each.get("quote") if isinstance(each, Mapping) else each
        if not isinstance(quote, str):
            raise TypeError(
                f"output[{place}] must be a str or a mapping with a str as quote, got {type(each).__name__}"
            )
        yield quote


def _json(text: str) -> object:
    """Return the list in *text*, or the one object in it, with prose or a fence around it."""
    fenced = _FENCE.fullmatch(text)
    written = text if fenced is None else fenced[1]
    return _loaded(written, "the output") if written.lstrip()[:1] == "[" else extract_json_object(text).members


def _loaded(text: str, name: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    # Raised outside the handler: the other exception contains the text.
    raise ValueError(f"{name} begins like JSON, and is not valid JSON")


def _named(sources: object) -> Iterator[tuple[str, object]]:
    """Yield the name and the text of each source."""
    if isinstance(sources, Mapping):
        yield from ((str(name), text) for name, text in sources.items())
    elif isinstance(sources, list | tuple):
        yield from ((f"source {number}", text) for number, text in enumerate(sources, start=1))
    else:
        yield "source 1", sources


def _file(name: str, text: object) -> TranscriptFile:
    if isinstance(text, Path):
        from groundwire.documents import read_document
        from groundwire.sources import transcript_of

        document = read_document(text)
        body = document.without_running_heads()
        return TranscriptFile(document.name or name, body, reading=transcript_of(document), document=document)
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, got {type(text).__name__}")
    return TranscriptFile(name, text)


def _results(results: object) -> Sequence[object]:
    """Return search results; texts have their keys or their numbers from 1 as ids."""
    results = _text(results)
    if isinstance(results, str) and results.lstrip()[:1] in ("[", "{"):
        results = _loaded(results, "results")
    if isinstance(results, str):
        results = [results]
    if isinstance(results, Mapping):
        return [{"id": str(key), "text": _text(each)} for key, each in results.items()]
    if not isinstance(results, Sequence):
        raise TypeError(f"results must be a mapping, a list or a text, got {type(results).__name__}")
    return [
        {"id": str(number), "text": _text(each)} if isinstance(each, str | Path) else each
        for number, each in enumerate(results, start=1)
    ]


def _text(value: object) -> object:
    """Return the text of a file; any other value as it is."""
    if not isinstance(value, Path):
        return value
    try:
        return read_file(value).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        offset = error.start
    # Raised outside the handler: the other exception contains the text.
    raise ValueError(f"{value.name} is not UTF-8: invalid byte at offset {offset}")
