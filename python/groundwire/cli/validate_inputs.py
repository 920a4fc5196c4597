"""What `groundwire validate` reads: personas, sources, policies; and the errors in people's words."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.inputs import STDIN, check_there, display_name, read_text
from groundwire.cli.problems import CommandError, warn

if TYPE_CHECKING:
    from groundwire.faithfulness import FieldPolicies
    from groundwire.faithfulness.personas import Persona

__all__ = ["read_persona_file", "read_policy_file", "source_list", "told_reading", "total_bytes"]

_MOST_NAMES = 3


def read_persona_file(path: str) -> "list[Persona]":
    """
    Return the personas of a file, or of standard input for `-`.

    Raises:
        CommandError: It cannot be read, or holds no personas; names line and column, never what stands there.
    """
    from groundwire.errors import PersonaError
    from groundwire.faithfulness import read_personas

    name = display_name(path)
    text = read_text(path)
    try:
        personas = read_personas(text)
    except PersonaError as error:
        raise CommandError(f"`{name}`: {error}") from None
    except ValueError:
        # A text that is no more than the name of a file is taken for a slip of the caller's, which it is not here.
        raise CommandError(f"`{name}`: broken JSON: expecting value (line 1, column 1)") from None
    if not personas:
        raise CommandError(f"`{name}` holds no personas")
    return personas


def read_policy_file(path: str | None) -> "FieldPolicies | None":
    """
    Return the policies of a file; None without one.

    Raises:
        CommandError: It cannot be read, or is none.
    """
    from groundwire.faithfulness import read_policies

    if path is None:
        return None
    check_there(path)
    read_text(path)
    try:
        return read_policies(path)
    except OSError as error:
        raise CommandError(f"cannot read `{path}`: {(error.strerror or type(error).__name__).lower()}") from None
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
        skipped = SourceData(sources).skipped
    except ValueError as error:
        raise CommandError(f"--source: {error}") from None
    if skipped:
        names = ", ".join(skipped[:_MOST_NAMES])
        more = f" and {len(skipped) - _MOST_NAMES:,} more" if len(skipped) > _MOST_NAMES else ""
        warn(f"not read, for nothing is known of files so called: {names}{more}")
    return sources


def total_bytes(paths: Sequence[str]) -> int:
    """Return about how much there is to read."""
    files = (file for path in map(Path, paths) for file in (path.rglob("*") if path.is_dir() else [path]))
    return sum(file.stat().st_size for file in files if file.is_file())


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
        raise CommandError(f"cannot read {name}: {(error.strerror or type(error).__name__).lower()}") from None
