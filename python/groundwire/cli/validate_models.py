"""The models that the options of `groundwire validate` ask for."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from groundwire.cli.problems import choose
from groundwire.cli.readers import reader_in

if TYPE_CHECKING:
    from groundwire.faithfulness import JudgedStatements, JudgeScorer
    from groundwire.pair_scorer import PairScorer

__all__ = ["AskedModels", "ModelOptions", "models"]

Task: TypeAlias = Literal["support", "statements", "both"]
_HHEM: tuple[Literal["auto", "require"], ...] = ("auto", "require")


class ModelOptions(NamedTuple):
    """What the command line says of models; None where it says nothing."""

    hhem: str | None
    reader: str | None
    embedder: str | None
    judge: str | None
    model: str | None
    base_url: str | None


class AskedModels(NamedTuple):
    """What `FaithfulnessValidator` takes under these names; None where nothing was asked for."""

    embedding_model: str | None = None
    hhem: bool | Literal["require"] | None = None
    reader: "PairScorer | None" = None
    judge: "JudgeScorer | None" = None
    statements: "JudgedStatements | None" = None

    def arguments(self) -> dict[str, Any]:
        """Return what was asked for."""
        return {name: value for name, value in self._asdict().items() if value is not None}


@contextmanager
def models(options: ModelOptions) -> Iterator[AskedModels]:
    """
    Give the models that *options* ask for, and close them in the end. Nothing is loaded that nobody asked for.

    Raises:
        CommandError: There is no such choice, the reader cannot be opened, or no judge can be made.
    """
    hhem = None if options.hhem is None else choose("--hhem", options.hhem, _HHEM)
    asked = AskedModels(
        options.embedder,
        None if hhem is None else "require" if hhem == "require" else True,
        reader_in(options.reader),
    )
    is_named = options.model is not None or options.base_url is not None
    task = "both" if options.judge is None and is_named else options.judge
    if task is None:
        yield asked
        return
    chosen = choose("--judge", task, get_args(Task))
    from groundwire.cli.judging import make_judge
    from groundwire.faithfulness import JudgedStatements, JudgeScorer

    with make_judge(chosen, options.model, options.base_url)[0] as judge:
        yield asked._replace(
            judge=None if chosen == "statements" else JudgeScorer(judge),
            statements=None if chosen == "support" else JudgedStatements(judge),
        )
