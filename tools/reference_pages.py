#!/usr/bin/env python3
"""
Write the reference pages that repeat tables of the code: verdicts, codes, commands and settings.

    python tools/reference_pages.py            # write docs/reference/
    python tools/reference_pages.py --check    # exit code 1 if a page is out of date
"""

import argparse
import inspect
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from html import escape
from pathlib import Path

import click

import groundwire
from groundwire import settings
from groundwire.citations import (
    ACTIONS,
    ANOMALIES,
    CLAIM_STATUSES,
    CONDITIONS,
    FINDINGS,
    LEVELS,
    RiskThresholds,
)
from groundwire.citations import REASONS as RISK_REASONS
from groundwire.citations.report import FAULTS
from groundwire.cli.app import GROUNDWIRE, Deferred
from groundwire.errors import LLM_FAILURES
from groundwire.evidence import MEANING, DifferenceKind, QuotePolicy, QuoteStatus
from groundwire.evidence import REASONS as QUOTE_REASONS
from groundwire.evidence import STATUSES as QUOTE_STATUSES
from groundwire.faithfulness import MatchKind, SupportLevel
from groundwire.ingestion import CHECKS, GateOutcome, Tier
from groundwire.ingestion.tiers import RULES
from groundwire.ingestion.verification import REASONS as VERIFICATION_REASONS
from groundwire.memory import StoreFailure
from groundwire.report.labels import anchor
from groundwire.report.labels.check import QUOTE_SIGNS
from groundwire.report.labels.cite import CLAIM_SIGNS, LEVEL_SIGNS
from groundwire.transcripts import TurnFlag

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "docs" / "reference"
NOTE = "<!-- Written by `python tools/reference_pages.py`. Change the code, then run it again. -->"

DIFFERENCES = {
    DifferenceKind.CASE: "the patient, The Patient",
    DifferenceKind.WHITESPACE: "a line break, a space",
    DifferenceKind.PUNCTUATION: "well known, well-known",
    DifferenceKind.SPELLING: "evenning, evening; took, takes; 15, fifteen; 5 km, 5 kilometres",
    DifferenceKind.FILLER: "uh, you know; a repeated word; a, the",
    DifferenceKind.WORD_ADDED: "the house that we saw, the house we saw",
    DifferenceKind.WORD_DROPPED: "the house we saw, the house that we saw",
    DifferenceKind.WORD_REPLACED: "which, that",
    DifferenceKind.WORDING: "love, despise; a mild rash, a rash; in the morning, at night",
    DifferenceKind.NUMBER: "50, 15",
    DifferenceKind.UNIT: "kg, mg; $, €",
    DifferenceKind.DATE: "June, May; last year, this year",
    DifferenceKind.TIME: "5 p.m., 6 p.m.",
    DifferenceKind.NEGATION: "possible, impossible; rose, fell; one `not` more or less",
    DifferenceKind.NAME: "Mr Keller, Mr Miller; Dr Voss, Judge Voss",
    DifferenceKind.MODAL: "may, shall; one `probably` or `usually` more or less",
    DifferenceKind.QUANTIFIER: "all, most; one `only`, `at least` or `about` more or less",
    DifferenceKind.CONDITION: "if, although; one `unless` or `except` more or less",
    DifferenceKind.UNREAD: "texts that differ in more than 600 words",
}
TIERS = {
    Tier.AUTO_APPROVE: ("✓", "approve", "The claim cites a source that says so, or comes from a trusted source."),
    Tier.FLAG_REVIEW: ("≈", "review", "A person has to decide. A check raised a doubt, or nothing supports the claim."),
    Tier.BLOCK: ("✗", "block", "The claim is a guess, a duplicate, or a memory that was recalled and sent back."),
}
PERSONA_VERDICTS = {
    "supported": ("✓", "A source supports the claim, at or above the threshold.", "supported"),
    "weak": ("≈", "A source comes close, below the threshold.", "weak"),
    "unsupported": ("✗", "No source supports the claim.", "hallucinated"),
    "contradicted": ("≠", "A source contradicts the claim, whatever else supports it.", "hallucinated"),
}
LEVELS_OF_SUPPORT = {
    SupportLevel.STRONG: ("above 0.8", "a direct quote or an explicit mention"),
    SupportLevel.MODERATE: ("0.6 to 0.8", "paraphrased or inferred"),
    SupportLevel.WEAK: ("0.4 to below 0.6", "loosely related"),
    SupportLevel.UNSUPPORTED: ("below 0.4", "no evidence"),
}
EVIDENCE = {
    MatchKind.QUOTE: ("a quote is in the source, by the rules for quotes", "1, or 0.9 if its form differs"),
    MatchKind.WORDS: (
        "the words of the value are in the source",
        "1 from three words on; fewer: 0.9 with the field, else 0.5",
    ),
    MatchKind.SPEAKER: ("the speaker has this name", "1; 0.7 for the first name"),
    MatchKind.ALTERED: ("nearly the words of a quote, with a change of meaning", "0"),
    MatchKind.NOT_ACCEPTED: ("the words of a quote, which the rules for quotes do not accept", "0"),
    MatchKind.FIELD: ("a row or an object has the value in a field of this name", "1; 0.7 for a first name"),
    MatchKind.NUMBER: (
        "the number is in a sentence about the field, or in a field of this name",
        "0.9 or 1; without the field 0.45",
    ),
    MatchKind.RANGE: ("one value is a range, and the other lies in it", "0.75"),
    MatchKind.DATE: (
        "the date is in a sentence about the field, or in a field of this name",
        "0.9 or 1; without the field 0.45",
    ),
    MatchKind.MEAN: ("the mean of a column of this name", "0.75"),
    MatchKind.MEDIAN: ("the median of a column of this name", "0.75"),
    MatchKind.SHARE: ("a share of the rows, such as `67% use Slack`", "0.75"),
    MatchKind.COUNT: ("a number of rows, or the most frequent value of a column", "0.75 or 0.7"),
    MatchKind.TERMS: ("one unit has a counterpart for each term, in the same role", "0.8"),
    MatchKind.PASSAGE: ("the sentences around are about the same matter", "up to 0.59"),
    MatchKind.PREFERENCE: ("the source dislikes what the claim likes, or the reverse", "contradicts"),
    MatchKind.NEGATION: ("one side denies what the other says", "contradicts"),
    MatchKind.OPPOSITE: ("the source has the opposite of a word", "contradicts"),
    MatchKind.OTHER_NUMBER: ("the source has another number in its place", "contradicts"),
    MatchKind.OTHER_DATE: ("the source has another date in its place", "contradicts"),
    MatchKind.OTHER_FLAG: ("a field of this name says no where the claim says yes, or the reverse", "contradicts"),
    MatchKind.RELATED: ("an embedder finds a passage of similar meaning", "0.8 at most"),
    MatchKind.CONSISTENT: ("a model that reads both says that the claim follows", "the score of the model"),
}
FLAGS = {
    TurnFlag.EMPTY: "has no words",
    TurnFlag.UNKNOWN_SPEAKER: "names no speaker, and other turns do",
    TurnFlag.UNREADABLE_TIME: "has a time that no clock shows, such as `99:99`, or one below 0",
    TurnFlag.ENDS_BEFORE_START: "ends before it starts",
    TurnFlag.STARTS_BEFORE_PREVIOUS: "starts before the last turn that has a start time",
    TurnFlag.OVERLAPS_PREVIOUS: "starts before the last turn with times has ended",
}
OUTCOMES = {
    GateOutcome.STORED: "the claim is a memory now, with its evidence and sources",
    GateOutcome.QUEUED: "the claim waits in the review queue, as `queue_id`",
    GateOutcome.REJECTED: "the claim is not stored",
    GateOutcome.NEEDS_REVIEW: "a person has to decide, and the claim is stored nowhere: no queue took it",
    GateOutcome.SHADOW_STORED: "shadow mode stored the claim, whatever the decision was",
}
FAILURES = {
    StoreFailure.LOCKED: "another process has been writing for longer than `timeout_s` (5 seconds)",
    StoreFailure.CORRUPT: "the file is damaged, or is no database",
    StoreFailure.READ_ONLY: "the database may be read but not written",
    StoreFailure.FULL: "the disk has no room. Stored memories stay, the new one is not stored",
    StoreFailure.NEWER_SCHEMA: "a newer groundwire wrote this database",
    StoreFailure.FOREIGN: "the file belongs to another program and stays untouched",
    StoreFailure.UNAVAILABLE: "the database cannot be opened or reached. The next call connects again",
    StoreFailure.BROKEN: "a statement was refused, or the connection went through a fork",
}
DECIDED = {QuoteStatus.PARAPHRASED: "if the policy says so", QuoteStatus.FOUND_ELSEWHERE: "if the policy says so"}
SETTINGS = {
    "Quotes": settings.EvidenceSettings,
    "Risk of answers": settings.RiskSettings,
    "Judge": settings.JudgeSettings,
    "Embedder": settings.EmbedderSettings,
    "HHEM": settings.HHEMSettings,
}
VARIABLES = {
    "GROUNDWIRE_ARCH": "`avx2` or `scalar`: use no wider vector instructions than these. Read once, at import.",
    "GROUNDWIRE_DOCS_URL": "The address of this documentation. Statuses of HTML reports link to it.",
    "GROUNDWIRE_HASH_KEY": "The key of a database that was made with a `hash_key`, byte by byte.",
    "GROUNDWIRE_HASH_KEY_FILE": "A file that holds this key.",
    "GROUNDWIRE_HHEM": "The folder with the HHEM model. Takes precedence over `QUANTITATIVE_HHEM_FOLDER`.",
    "GROUNDWIRE_ISSUE_TRACKER_TOKEN": "The token for the issue tracker of `groundwire ingest --network`.",
    "GROUNDWIRE_MAX_FILE_BYTES": "The largest file to read, in bytes. Default: 256 MiB; 1 GiB for a source.",
    "GROUNDWIRE_SERVE_TOKEN": "The token that requests to `groundwire serve` have to send.",
    "GROUNDWIRE_TRACEBACK": "`1` shows the traceback of an unexpected error. It may contain text.",
    "OPENAI_API_KEY": "The key for the judge and the embedder, unless a setting names another one.",
    "OPENAI_BASE_URL": "The server of the judge and the embedder, unless a setting names another one.",
    "NO_COLOR": "Any value: no colour on a terminal.",
}
NATIVE = (
    *("Source", "Match", "QuoteAlignment", "Patterns", "Alignment", "normalize"),
    *("partial_ratio", "partial_ratio_alignment", "partial_ratio_many"),
)
COMMANDS_LEAD = (
    "The same text as `groundwire COMMAND --help`. `-` as a file is standard input. Exit codes of every command: "
    "0 passed, 1 found something, 2 wrong usage or input, 130 interrupted, 141 standard output was closed, "
    "143 terminated."
)
SETTINGS_LEAD = (
    "groundwire reads settings with the extra `pydantic`, in this order: arguments of a function, options of a "
    "command, variables of the environment, the file `.env` in the working directory, defaults. Copy `.env.example` to "
    "begin a `.env`."
)


def main() -> int:
    """Write the pages, or compare them with the files; 1 if a file differs."""
    parser = argparse.ArgumentParser(description="Write the reference pages made from the code.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a page is out of date")
    check = parser.parse_args().check
    stale = [name for name, text in pages().items() if not is_current(REFERENCE / name, text)]
    if not check:
        for name in stale:
            (REFERENCE / name).write_text(pages()[name], encoding="utf-8")
    print(*(f"{'out of date' if check else 'written'}: docs/reference/{name}" for name in stale), sep="\n", end="")
    return 1 if check and stale else 0


def is_current(path: Path, text: str) -> bool:
    """Return whether the file at *path* holds *text*."""
    return path.exists() and path.read_text(encoding="utf-8") == text


def pages() -> dict[str, str]:
    """Return the text of each page by its file name."""
    return {
        "verdicts.md": verdicts(),
        "codes.md": codes(),
        "commands.md": commands(),
        "settings.md": setting_page(),
        "engine.md": engine(),
    }


def page(title: str, *parts: str) -> str:
    """Return a page of *parts* under *title*."""
    return "\n\n".join([f"# {title}", NOTE, *parts]) + "\n"


def table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    """Return a Markdown table of *rows* below the column names in *head*, separated by bars."""
    columns = [name.strip() for name in head.split("|")]
    lines = [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def anchored(subject: str, name: str) -> str:
    """Return *name* as code, with the anchor that reports and other pages link to."""
    return f'<a id="{anchor(subject, name)}"></a>`{name}`'


def meanings(subject: str, head: str, words: Mapping[str, str]) -> str:
    """Return a table of names with their meanings."""
    return table(head, [(anchored(subject, str(name)), text) for name, text in words.items()])


def verdicts() -> str:
    """Return the legend: each status that a report shows, with a stable anchor."""
    return page(
        "Verdicts",
        "Every status that a report can show. Each row has an anchor that does not change, such as "
        "`#quote-altered`, so that you can link to it. [Codes](codes.md) lists the reasons behind the statuses.",
        "## Quotes",
        table(
            "sign | status | the quote | accepted",
            [
                (QUOTE_SIGNS[status.value], anchored("quote", status), words, accepted(status))
                for status, words in QUOTE_STATUSES.items()
            ],
        ),
        'With `--mode fuzzy` a quote can also be <a id="quote-fuzzy"></a>`fuzzy` (≈): the best window reaches the '
        "threshold, and nobody compared the words.",
        "## Claims of an answer",
        table(
            "sign | status | the claim",
            [(CLAIM_SIGNS[status], anchored("claim", status), words) for status, words in CLAIM_STATUSES.items()],
        ),
        "## Risk of an answer",
        table(
            "sign | level | meaning | action",
            [
                (LEVEL_SIGNS[level], anchored("risk", level), words, f"`{ACTIONS[level]}`")
                for level, words in LEVELS.items()
            ],
        ),
        "## Claims for the memory",
        table(
            "sign | tier | shown as | meaning",
            [(sign, anchored("tier", tier.value), shown, words) for tier, (sign, shown, words) in TIERS.items()],
        ),
        "## Claims of a persona",
        table(
            "sign | verdict | meaning | counts as",
            [
                (sign, anchored("persona", name), words, counted)
                for name, (sign, words, counted) in PERSONA_VERDICTS.items()
            ],
        ),
        "## Levels of support",
        table(
            "level | confidence | typical evidence",
            [(anchored("support", level), *words) for level, words in LEVELS_OF_SUPPORT.items()],
        ),
    )


def accepted(status: QuoteStatus) -> str:
    """Return whether policies accept *status*."""
    return "yes" if status in QuotePolicy().accept else DECIDED.get(status, "never")


def codes() -> str:
    """Return the page of all machine-readable codes."""
    limits = asdict(RiskThresholds())
    conditions = {row.reason for row in CONDITIONS}
    return page(
        "Codes",
        "Reports and results carry these codes. They are stable: programs can rely on them.",
        "## Reasons of a quote's verdict",
        meanings("reason", "code | meaning", QUOTE_REASONS),
        "## Kinds of differences",
        "A difference that touches the meaning makes the quote `altered`.",
        table(
            "kind | example: quote, source | touches the meaning",
            [
                (anchored("difference", kind), DIFFERENCES[kind], "yes" if kind in MEANING else "no")
                for kind in DifferenceKind
            ],
        ),
        "## Conditions of risk",
        "`rules` read the answer alone, `support` compares it with the passages, `judge` is a language model.",
        table(
            "level | code | found by | condition",
            [
                (f"`{row.level}`", anchored("risk-reason", row.reason), row.layer.value, row.words.format(**limits))
                for row in CONDITIONS
            ],
        ),
        meanings(
            "risk-reason",
            "other reason | meaning",
            {reason: words for reason, words in RISK_REASONS.items() if reason not in conditions},
        ),
        "## Findings in an answer",
        table(
            "found by | type | meaning",
            [
                (anchored("finding", way), f"`{FAULTS[way]}`" if way in FAULTS else "any", words)
                for way, words in FINDINGS.items()
            ],
        ),
        "## Anomalies of search results",
        meanings("anomaly", "anomaly | the result", ANOMALIES),
        "## Tiers of a claim",
        "The first rule that applies decides.",
        table(
            "code | tier | shown as",
            [(anchored("tier-reason", rule.code), TIERS[rule.tier][1], rule.words) for rule in RULES],
        ),
        "## Checks of a claim",
        table(
            "check | side | listed when",
            [
                (anchored("check", check.name), "passed" if check.passes else "failed", check.meaning)
                for check in CHECKS
            ],
        ),
        "## Outcomes of the gate",
        meanings("outcome", "outcome | meaning", OUTCOMES),
        "## Verification of citations",
        table(
            "code | status | shown as",
            [
                (anchored("verification", code), status.value, words.format(detail="…"))
                for code, (status, words) in VERIFICATION_REASONS.items()
            ],
        ),
        "A verifier of your own can return `custom` with any status and words.",
        "## Evidence for the claims of a persona",
        table("kind | meaning | score", [(anchored("evidence", kind), *words) for kind, words in EVIDENCE.items()]),
        "## Failures of a judge",
        meanings("judge", "code | meaning", LLM_FAILURES),
        "## Failures of a memory store",
        meanings("store", "failure | meaning", FAILURES),
        "## Flags of a turn",
        meanings("turn", "flag | the turn", FLAGS),
    )


def commands() -> str:
    """Return the page of all commands with their arguments and options, as `--help` has them."""
    parts = [COMMANDS_LEAD]
    for name, command in GROUNDWIRE.commands.items():
        parts += command_parts(f"groundwire {name}", loaded(command))
    return page("Commands", *parts)


def loaded(command: click.Command) -> click.Command:
    """Return the command itself in the place of one that is imported on use."""
    return command.load() if isinstance(command, Deferred) else command


def command_parts(path: str, command: click.Command, depth: int = 2) -> list[str]:
    """Return heading, help, arguments and options of *command*, and of the commands inside it."""
    context = click.Context(command, info_name=path, show_default=True, help_option_names=["-h", "--help"])
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    parts = [f"{'#' * depth} {path}", *paragraphs(command.help or ""), f"```text\n{usage}\n```"]
    rows = [shown for each in command.get_params(context) if (shown := parameter(each, context))]
    if rows:
        parts.append(table("argument or option | meaning", rows))
    for name, each in getattr(command, "commands", {}).items():
        parts += command_parts(f"{path} {name}", loaded(each), depth + 1)
    return parts


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of *text*, each on one line."""
    return [" ".join(each.split()) for each in text.split("\n\n") if each.strip()]


def parameter(each: click.Parameter, context: click.Context) -> tuple[str, str] | None:
    """Return the names of a parameter and its help with the default; None for `--help`."""
    record = each.get_help_record(context)
    if record is None or "--help" in record[0]:
        return None
    names, words = record
    # A bar would end the cell, and in a code span GitHub and Python-Markdown disagree on how to escape it.
    return f"<code>{bars(escape(names))}</code>", bars(escape(" ".join(words.split()), quote=False))


def bars(text: str) -> str:
    """Return *text* with its bars as character references."""
    return text.replace("|", "&#124;")


def setting_page() -> str:
    """Return the page of all settings."""
    parts = [SETTINGS_LEAD]
    for title, model in SETTINGS.items():
        rows = [
            (
                f"`QUANTITATIVE_{name.upper()}`",
                "–" if field.default is None else f"`{str(field.default).lower()}`",
                re.sub(r" \(rulings? [^)]*\)", "", field.description or ""),
            )
            for name, field in model.model_fields.items()
        ]
        parts += [f"## {title}", table("variable | default | meaning", rows)]
    parts += [
        "## Other variables",
        table("variable | meaning", [(f"`{name}`", text) for name, text in VARIABLES.items()]),
    ]
    thresholds = [(f"`{each.name}`", f"`{each.default}`") for each in fields(RiskThresholds)]
    parts += [
        "## Thresholds of risk",
        "`RiskThresholds` sets them for one call.",
        table("threshold | default", thresholds),
    ]
    return page("Settings", *parts)


def engine() -> str:
    """Return the page of the native classes and functions, from their docstrings."""
    parts = ["The native part of groundwire, as `help()` shows it. Positions are code points of your text."]
    for name in NATIVE:
        found = getattr(groundwire, name)
        parts += [f"## {name}", described(found, name)]
        for method, value in sorted(vars(found).items()) if inspect.isclass(found) else ():
            if not method.startswith("_") and inspect.getdoc(value):
                parts += [f"### {name}.{method}", described(value, method)]
    return page("Engine", *parts)


def described(found: object, name: str) -> str:
    """Return signature and docstring of a native object as a block."""
    signature = getattr(found, "__text_signature__", None)
    head = [name + signature.replace("$self, ", "").replace("$self", "")] if signature else []
    return "\n".join(["```text", *head, *([""] if head else []), inspect.getdoc(found) or "", "```"])


if __name__ == "__main__":
    sys.exit(main())
