"""
Which models a validator was asked for, and which of them are there.

What was asked for and is not there is a warning in the result, unless it was required
(rulings D6 and D8).
"""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from groundwire.embedding.chosen import LOCAL, embedder_named, local_embedder
from groundwire.embedding.failures import EmbeddingError
from groundwire.embedding.protocol import Embedder, name_of
from groundwire.errors import GroundwireError, ModelError
from groundwire.faithfulness.models import AskedScorer, ModelRun, PairScorer
from groundwire.faithfulness.scales import published_scales, read_scales
from groundwire.faithfulness.support.evidence import Layer
from groundwire.faithfulness.support.relatedness import Relatedness
from groundwire.labels import show

if TYPE_CHECKING:
    from groundwire.embedding.server import ServerEmbedder

__all__ = ["NO_EMBEDDINGS", "Models"]

NO_EMBEDDINGS = "embeddings were asked for and are not available: decided without a model"

_CACHE_FILE = "embeddings.sqlite3"


class Models:
    """
    The models of a validator.

    Args:
        relatedness: The layer of an embedder, if there is one.
        local: Makes the one that is taken if that one cannot even embed the claims.
        scorers: Those who score, in the order in which they are asked; what the last of them
            says counts.
        warnings: What was asked for and is not there.
        close: Ends what was begun for a name.
    """

    def __init__(
        self,
        *,
        relatedness: Relatedness | None = None,
        local: Callable[[], Relatedness] | None = None,
        scorers: Sequence[AskedScorer] = (),
        warnings: Sequence[str] = (),
        close: Callable[[], object] = lambda: None,
    ) -> None:
        self.relatedness = relatedness
        self.local = local
        self.scorers = tuple(scorers)
        self.warnings = tuple(warnings)
        self.close = close

    @classmethod
    def chosen(
        cls,
        *,
        embedding_model: str | None = None,
        embedder: Embedder | None = None,
        scales: str | os.PathLike[str] | None = None,
        hhem: PairScorer | bool | Literal["require"] | None = None,
        judge: PairScorer | None = None,
        cache_dir: str | os.PathLike[str] | None = None,
    ) -> "Models":
        """
        Return what `FaithfulnessValidator` was asked for.

        Raises:
            ModelError: HHEM is required and not there.
            ScaleError, OSError: The scales cannot be read, or the cache not be made.
        """
        warnings: list[str] = []
        relatedness = local = None
        begun = None
        if embedder is not None or embedding_model is not None:
            make = _Maker(scales, cache_dir)
            asked = embedder or _named(str(embedding_model), warnings)
            relatedness = None if asked is None else make.relatedness(asked)
            begun = _server(asked) if embedder is None else None
            if begun is not None:
                local = make.local
        scorers = [*_hhem(hhem, warnings)]
        if judge is not None:
            scorers.append(AskedScorer(Layer.JUDGE, judge))
        close = begun.close if begun is not None else lambda: None
        return cls(relatedness=relatedness, local=local, scorers=scorers, warnings=warnings, close=close)

    def run(self) -> "ModelRun":
        """Return what goes through sources with them once."""
        return ModelRun(relatedness=self.relatedness, local=self.local, scorers=self.scorers, warnings=self.warnings)


class _Maker:
    """Makes layers of embedders, with what is known of them."""

    def __init__(self, scales: str | os.PathLike[str] | None, cache_dir: str | os.PathLike[str] | None) -> None:
        self._scales = {**published_scales(), **({} if scales is None else read_scales(scales))}
        self._cache_dir = None if cache_dir is None else Path(cache_dir)
        if self._cache_dir is not None:
            self._cache_dir.mkdir(mode=0o700, parents=True, exist_ok=True)

    def relatedness(self, embedder: Embedder) -> Relatedness:
        """The layer of *embedder*: with a cache, if there is to be one, and with its scale, if there is one."""
        scale = self._scales.get(name_of(embedder))
        if self._cache_dir is not None:
            from groundwire.embedding.cached import CachedEmbedder

            embedder = CachedEmbedder(embedder, self._cache_dir / _CACHE_FILE)
        return Relatedness(embedder, scale=() if scale is None else scale.points)

    def local(self) -> Relatedness:
        """The layer of the local embedder."""
        return self.relatedness(local_embedder())


def _named(name: str, warnings: list[str]) -> Embedder | None:
    try:
        embedder = embedder_named(name)
    except (ImportError, EmbeddingError) as error:
        warnings.append(f"{NO_EMBEDDINGS} ({error})")
        return None
    if name != LOCAL and _server(embedder) is None:
        warnings.append(
            f"{show(name)} was asked for, and there is no server for it: {name_of(embedder)} takes its place"
        )
    return embedder


def _server(embedder: Embedder | None) -> "ServerEmbedder | None":
    """*embedder*, if it asks a server."""
    from groundwire.embedding.server import ServerEmbedder

    return embedder if isinstance(embedder, ServerEmbedder) else None


def _hhem(asked: PairScorer | bool | Literal["require"] | None, warnings: list[str]) -> Iterable[AskedScorer]:
    if asked is None or asked is False:
        return
    if not isinstance(asked, bool | str):
        yield AskedScorer(Layer.HHEM, asked)
        return
    if asked not in (True, "require"):
        raise ValueError("hhem must be a classifier, True, False or 'require'")
    is_required = asked == "require"
    from groundwire.faithfulness.hhem.classifier import HHEMClassifier

    try:
        yield AskedScorer(Layer.HHEM, HHEMClassifier(), is_required=is_required)
    except (ImportError, OSError, GroundwireError) as error:
        reason = error.reason if isinstance(error, ModelError) else str(error)
        if is_required:
            raise ModelError(Layer.HHEM, reason) from None
        warnings.append(f"hhem was asked for and is not available ({reason}): decided without it")
