"""The embedder that `--dedup-method vector` asks for."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from groundwire.cli.problems import CommandError, setting_problems

if TYPE_CHECKING:
    from groundwire.embedding.openai import ServerEmbedder
    from groundwire.ingestion.duplicates.index import DedupMethod

__all__ = ["embedding"]


@contextmanager
def embedding(method: "DedupMethod") -> Iterator["ServerEmbedder | None"]:
    """
    Give the embedder of the environment, and close it in the end; None where words are compared.

    Raises:
        CommandError: It cannot be made: the extra is not installed, no model is named, or a
            setting is wrong.
    """
    if method != "vector":
        yield None
        return
    from groundwire.embedding import ServerEmbedder
    from groundwire.settings import EmbedderSettings

    try:
        settings = EmbedderSettings()
        if settings.embedder_model is None:
            raise CommandError("--dedup-method vector needs a model", hint="set QUANTITATIVE_EMBEDDER_MODEL")
        embedder = ServerEmbedder.from_settings(settings)
    except ImportError as error:
        raise CommandError(str(error)) from None
    except (OSError, ValueError) as error:
        # What pydantic and the embedder say of a setting names it and the rule, never the value.
        raise CommandError(f"no embedder can be made: {setting_problems(error)}") from None
    with embedder:
        yield embedder
