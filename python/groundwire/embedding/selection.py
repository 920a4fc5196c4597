"""
Chooses the embedder for a name (ruling D8).

A name is a model of a server if there is a key or a server address, else the local model.
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
"""The name of the local embedder, whichever that is."""

LOCAL_PACKAGE = "static_model"
"""The package with the default local model: `pip install tokenlearn-static-model`."""


def embedder_named(name: str, *, folder: str | os.PathLike[str] | None = None) -> "Embedder":
    """
    Return the embedder for *name*.

    With a *folder*, it is the model in the folder. "local" is the local embedder (`local_embedder`). Any other name is
    a model of a server if the environment has a key or an address for it (`groundwire.settings.EmbedderSettings`,
    `OPENAI_API_KEY`, `OPENAI_BASE_URL`), else the local embedder. The `name` of the result says which it is.

    Raises:
        ImportError: A required package is not installed.
        EmbeddingError: No embedder is available.
        ValueError: *name* is empty, or the server's address is invalid.
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

    It is the model in the folder `QUANTITATIVE_EMBEDDER_FOLDER`, else the model of the package
    `tokenlearn-static-model`.

    Raises:
        ImportError: A required package is not installed.
        EmbeddingError: No model is available.
    """
    from groundwire.embedding.local import StaticEmbedder
    from groundwire.settings import EmbedderSettings

    folder = EmbedderSettings().embedder_folder
    return embedder_in(folder) if folder is not None else StaticEmbedder.from_package(LOCAL_PACKAGE)


def embedder_in(folder: str | os.PathLike[str]) -> "Embedder":
    """
    Return the embedder for the model in *folder*, by its files.

    Raises:
        ImportError: A required package is not installed.
        EmbeddingError: The folder has no model of a known kind.
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
    """Return whether a server is configured: an address, or a key for OpenAI's."""
    address = settings.embedder_base_url or os.environ.get("OPENAI_BASE_URL")
    has_key = settings.embedder_api_key is not None or bool(os.environ.get("OPENAI_API_KEY"))
    return has_key or (bool(address) and urlsplit(str(address)).hostname != "api.openai.com")
