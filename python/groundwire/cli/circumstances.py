"""What is known of an answer beside its words: which round it is from, and which limits of risk hold for it."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from groundwire.cli.json_text import type_name
from groundwire.cli.problems import CommandError, choose, setting_problems
from groundwire.files import MAX_SETTINGS_BYTES, read_file

if TYPE_CHECKING:
    from groundwire.report.cite.model import QuestionType, SourceQuality
    from groundwire.settings import RiskSettings

__all__ = ["Circumstances", "check_rounds", "circumstances_of", "of_line", "risk_settings"]

_SETTINGS_PREFIX = "QUANTITATIVE_CITATION_RISK_"


class Circumstances(NamedTuple):
    """
    What `groundwire.report.cite.Case` has under the same names.

    Attributes:
        iteration: Which round of searching and answering the answer is from, from 1.
        max_iterations: After which round there is no other.
        question_type: "factual" or "open".
        source_quality: "poor", "ordinary" or "good".
    """

    iteration: int | None = None
    max_iterations: int | None = None
    question_type: "QuestionType" = "factual"
    source_quality: "SourceQuality" = "ordinary"


def circumstances_of(
    iteration: int | None, max_iterations: int | None, question_type: str | None, source_quality: str | None
) -> Circumstances:
    """
    Return what the options say; None is what they do not say.

    Raises:
        CommandError: There is no such type of question or quality of sources.
    """
    from groundwire.report.cite.model import QUESTION_TYPES, SOURCE_QUALITIES

    return Circumstances(
        iteration,
        max_iterations,
        choose("--question-type", question_type or "factual", QUESTION_TYPES),
        choose("--source-quality", source_quality or "ordinary", SOURCE_QUALITIES),
    )


def of_line(line: Mapping[str, object], otherwise: Circumstances, where: str) -> Circumstances:
    """
    Return what a line of a batch says, and for what it leaves out what *otherwise* says.

    Raises:
        CommandError: A value is of another type or unknown, or a round lacks its limit.
    """
    from groundwire.report.cite.model import QUESTION_TYPES, SOURCE_QUALITIES

    said = {name: line[name] for name in Circumstances._fields if line.get(name) is not None}
    for name in ("iteration", "max_iterations"):
        value = said.get(name)
        if not isinstance(value, int | None) or isinstance(value, bool):
            raise CommandError(f'{where}: "{name}" must be an int, got {type_name(value)}')
    allowed: dict[str, tuple[str, ...]] = {"question_type": QUESTION_TYPES, "source_quality": SOURCE_QUALITIES}
    for name, values in allowed.items():
        if name in said and said[name] not in values:
            raise CommandError(f'{where}: "{name}" must be one of {", ".join(values)}')
    circumstances = Circumstances(**{**otherwise._asdict(), **said})
    check_rounds(circumstances, where)
    return circumstances


def check_rounds(circumstances: Circumstances, where: str | None = None) -> None:
    """
    Check that a round has its limit, and that neither is negative.

    Raises:
        CommandError: Says what is missing or wrong, and where.
    """
    from groundwire.citations.risk import check_iterations

    try:
        check_iterations(circumstances.iteration, circumstances.max_iterations)
    except ValueError as error:
        raise CommandError(str(error) if where is None else f"{where}: {error}") from None


def risk_settings() -> "RiskSettings | None":
    """
    Return the limits that the environment and `.env` set; None if neither names one.

    Most have set none, and do not wait for what reads settings.

    Raises:
        CommandError: One is out of its range. Names it and the rule, never the value.
    """
    if not any(name.upper().startswith(_SETTINGS_PREFIX) for name in os.environ) and not _is_in_dotenv():
        return None
    from groundwire.settings import RiskSettings

    try:
        return RiskSettings()
    except (OSError, ValueError) as error:
        raise CommandError(f"the limits of risk cannot be read: {setting_problems(error)}") from None


def _is_in_dotenv() -> bool:
    try:
        return _SETTINGS_PREFIX.encode() in read_file(".env", MAX_SETTINGS_BYTES).upper()
    except (FileNotFoundError, IsADirectoryError):
        return False
    except OSError:
        # Whoever reads the settings says what is wrong with the file.
        return True
