"""
Which embedder a name stands for (ruling D8).

A server's model where there is a key or an address of one's own; otherwise the local one.
"""

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from groundwire.embedding.local import existing_folder, kind_of
from groundwire.embedding.protocol import NOT_THERE, EmbeddingError

if TYPE_CHECKING:
    from groundwire.embedding.protocol import Embedder
    from groundwire.settings import EmbedderSettings

__all__ = ["LOCAL", "LOCAL_PACKAGE", "embedder_in", "embedder_named", "local_embedder"]

LOCAL = "local"
"""The name that stands for the local embedder, whichever that is."""

LOCAL_PACKAGE = "static_model"
"""A package with a model: `pip install tokenlearn-static-model`."""


def embedder_named(name: str, *, folder: str | os.PathLike[str] | None = None) -> "Embedder":
    """
    Return the embedder that *name* stands for.

    With a *folder* it is the model there. "local" is the local one (`local_embedder`); any
    other name is a model of a server, if the environment has a key for it or an address
    (`groundwire.settings.EmbedderSettings`, `OPENAI_API_KEY`, `OPENAI_BASE_URL`), and
    the local one if not. The result's `name` says which it is.

    Raises:
        ImportError: The package that it needs is not installed.
        EmbeddingError: There is none.
        ValueError: *name* is empty, or the server's address is none.
    """
    from groundwire.settings import EmbedderSettings

    if not name:
        raise ValueError("the name of an embedder must not be empty")
    if folder is not None:
        return embedder_in(folder)
    settings = EmbedderSettings()
    if name != LOCAL and _has_server(settings):
        from groundwire.embedding.openai import ServerEmbedder

        return ServerEmbedder.from_settings(settings.model_copy(update={"embedder_model": name}))
    return local_embedder()


def local_embedder() -> "Embedder":
    """
    Return the embedder that needs no network.

    It is the model in the folder that `QUANTITATIVE_EMBEDDER_FOLDER` names, else that of
    the package `tokenlearn-static-model`.

    Raises:
        ImportError: The package that it needs is not installed.
        EmbeddingError: There is none.
    """
    from groundwire.embedding.local import StaticEmbedder
    from groundwire.settings import EmbedderSettings

    folder = EmbedderSettings().embedder_folder
    return embedder_in(folder) if folder is not None else StaticEmbedder.from_package(LOCAL_PACKAGE)


def embedder_in(folder: str | os.PathLike[str]) -> "Embedder":
    """
    Return the embedder of the model in *folder*, by what is in there.

    Raises:
        ImportError: The package that it needs is not installed.
        EmbeddingError: There is none.
    """
    path = existing_folder(folder)
    kind = kind_of(path)
    if kind == "onnx":
        from groundwire.embedding.local import OnnxEmbedder

        return OnnxEmbedder(path)
    if kind == "static":
        from groundwire.embedding.local import StaticEmbedder

        return StaticEmbedder(path)
    if kind == "sentence-transformers":
        from groundwire.embedding.local import SentenceTransformerEmbedder

        return SentenceTransformerEmbedder(path)
    raise EmbeddingError(NOT_THERE, "the folder has no model of a known kind")


def _has_server(settings: "EmbedderSettings") -> bool:
    """Whether a server would answer: it has an address of one's own, or OpenAI's has a key."""
    address = settings.embedder_base_url or os.environ.get("OPENAI_BASE_URL")
    has_key = settings.embedder_api_key is not None or bool(os.environ.get("OPENAI_API_KEY"))
    return has_key or (bool(address) and urlsplit(str(address)).hostname != "api.openai.com")
