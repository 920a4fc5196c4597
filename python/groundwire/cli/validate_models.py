"""The models that the options of `groundwire validate` ask for."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

__all__ = ["AskedModels", "ModelOptions", "models"]


class ModelOptions(NamedTuple):
    """What the command line says of models; None where it says nothing."""

    hhem: str | None
    embedder: str | None
    judge: str | None
    model: str | None
    base_url: str | None


class AskedModels(NamedTuple):
    """What `FaithfulnessValidator` takes under these names; None where nothing was asked for."""

    embedding_model: str | None = None

    def arguments(self) -> dict[str, Any]:
        """Return what was asked for."""
        return {name: value for name, value in self._asdict().items() if value is not None}


@contextmanager
def models(options: ModelOptions) -> Iterator[AskedModels]:
    """Give the models that *options* ask for, and close them in the end."""
    yield AskedModels(embedding_model=options.embedder)
