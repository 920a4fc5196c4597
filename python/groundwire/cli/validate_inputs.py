"""What `groundwire validate` reads: personas, sources, policies; and the errors in people's words."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.inputs import STDIN, check_there, display_name, read_text, reason_of
from groundwire.cli.problems import CommandError, warn_skipped
from groundwire.files import list_folder

if TYPE_CHECKING:
    from groundwire.faithfulness import FieldPolicies
    from groundwire.faithfulness.personas import Persona

__all__ = ["read_persona_file", "read_policy_file", "source_list", "told_reading", "total_bytes"]

_FORMATS = "personas are read from JSON or YAML: one, a list, or a list under `personas`"


def read_persona_file(path: str) -> "list[Persona]":
    """
    Return the personas of a file, or of standard input for `-`.

    Raises:
        CommandError: It cannot be read, or holds no personas; names line and column, never what stands there.
    """
    from groundwire.errors import PersonaError
    from groundwire.faithfulness import read_personas
    from groundwire.faithfulness.personas import parsed_personas

    name = display_name(path)
    text = read_text(path)
    try:
        parsed = parsed_personas(text, Path(path).suffix)
        personas = read_personas(parsed if isinstance(parsed, dict | list) else [parsed])
    except PersonaError as error:
        raise CommandError(f"`{name}`: {error}", hint=_FORMATS) from None
    except ImportError as error:
        what, _, command = str(error).partition(": ")
        raise CommandError(f"`{name}`: {what}", hint=command) from None
    if not personas:
        raise CommandError(f"`{name}` holds no personas")
    return personas


def read_policy_file(path: str | None) -> "FieldPolicies | None":
    """
    Return the policies of a file; None without one.

    Raises:
        CommandError: It cannot be read, or is none.
    """
    from groundwire.faithfulness.fields import parsed_policies

    if path is None:
        return None
    check_there(path)
    try:
        # Read once: it may be a pipe.
        return parsed_policies(read_text(f"./{path}" if path == STDIN else path))
    except (TypeError, ValueError) as error:
        raise CommandError(f"`{path}`: {error}") from None


def source_list(paths: Sequence[str]) -> list[object]:
    """
    Return the sources as `SourceData` takes them; tell what of folders is not read.

    Raises:
        CommandError: One is not there, or two have the same name.
    """
    from groundwire.faithfulness import SourceData

    for path in paths:
        if path != STDIN:
            check_there(path)
    sources: list[object] = [(display_name(path), read_text(path)) if path == STDIN else Path(path) for path in paths]
    try:
        reasons = SourceData(sources).skip_reasons
    except ValueError as error:
        raise CommandError(f"--source: {error}") from None
    warn_skipped(reasons.items())
    return sources


def total_bytes(paths: Sequence[str]) -> int:
    """Return about how much there is to read."""
    total = 0
    for path in map(Path, paths):
        files = [each.path for each in list_folder(path).files] if path.is_dir() else [path]
        total += sum(file.stat().st_size for file in files if file.is_file())
    return total


@contextmanager
def told_reading() -> Iterator[None]:
    """
    Turn what goes wrong while files are read into a message.

    Raises:
        CommandError: A file cannot be read. Names it.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "a source" if error.filename is None else f"`{error.filename}`"
        raise CommandError(f"cannot read {name}: {reason_of(error)}") from None
