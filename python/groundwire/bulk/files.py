"""Files of rows: grounded part by part, into a file or a folder, so that an end at any moment loses nothing."""

import os
from collections.abc import Callable, Mapping
from typing import Any, Literal

from groundwire.bulk.options import Policy, Rule
from groundwire.errors import BulkError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.bulk.judging import Judges
    from groundwire.bulk.running import Progress
    from groundwire.bulk.summary import BulkSummary

__all__ = ["ground_file"]

# Rows of the guarded policy take a hundred times as long. Each part is a step of the bar, and an end waits for it.
_PART_ROWS: "dict[Policy, int]" = {"literal": 1 << 18, "guarded": 1 << 14}
# With the interpreter, Arrow and what parts take while they are written this stays below a gigabyte.
_MEMORY_BYTES = 3 << 28


def ground_file(
    in_path: str | os.PathLike[str],
    out_path: str | os.PathLike[str],
    *,
    quote: str = "quote",
    source: str = "source",
    sources: str | os.PathLike[str] | Mapping[Any, str] | Any | None = None,
    mode: Literal["substring", "fuzzy"] = "substring",
    threshold: float = 0.85,
    policy: Policy = "literal",
    resume: bool = True,
    work_dir: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    memory_bytes: int = _MEMORY_BYTES,
    part_rows: int | None = None,
    format: str | None = None,  # noqa: A002
    on_progress: "Callable[[Progress], object]" = lambda _: None,
    should_stop: Callable[[], bool] = lambda: False,
    _judges: "Judges | None" = None,
) -> "BulkSummary":
    """
    Say of each row of files whether its quote stands in its source, and write the rows with what was said.

    The output is written in parts, each of which is there as a whole or not at all. Whatever ends
    a run, the same call goes on where it ended: no row is lost, and none is there twice.

    Args:
        in_path: A file, a folder, or a pattern, here or behind a URL that pyarrow knows (`s3://...`):
            Parquet, Arrow, and JSON lines or CSV, plain or packed with gzip or zstd.
        out_path: Where the rows go, here or to `s3://...`. A name that ends as a file's does becomes
            one file, of that format; any other a folder of parts in the format of the input.
        quote: The column with the quotes: strings, or lists of strings.
        source: The column with the sources: their texts, or ids of *sources*.
        sources: The sources by id: a file or table with the columns `id` and `text`, or a mapping.
        mode, threshold: As for `Source.find`; of the guarded policy *threshold* alone.
        policy: "literal", or "guarded" for `groundwire.evidence.assess_quotes`.
        resume: Whether a run that has not come to its end is gone on with, and one that has is
            left as it is. If not, all is done anew, and an older output replaced in the end.
        work_dir: The folder where an output for a URL is made before it is uploaded; None for the current one.
        workers: Threads; None for as many as there are processors.
        memory_bytes: What sources and rows may take together, roughly; interpreter and libraries come on top.
        part_rows: Rows after which a part ends; it may end sooner where rows are large. None for a quarter of a
            million, or 16,384 under the guarded policy, whose rows take longer.
        format: Read the input as this, whatever the names tell: "parquet", "arrow", "jsonl", "csv".
        on_progress: Called with a `Progress` after each part.
        should_stop: Asked between parts; what is begun is finished then.

    Returns:
        What was found. The output has the columns of the input and after them `grounded`, `kind`,
        `score`, `start`, `end` and `error`, as `Grounder.ground` says; the guarded policy adds
        `status` and `reasons`, and its `grounded` is what it accepts.

    Raises:
        BulkError: The input cannot be read or lacks a column, the output cannot be written, another
            run writes it, or what was begun there is not of this input and these options.
        BulkStopped: `should_stop()` said so.
        TypeError, ValueError: An option is of another type, or out of its range.
        ImportError: There is no pyarrow.
    """
    rule = Rule(quote=quote, source=source, mode=mode, threshold=threshold, policy=policy)
    for name, value in (("workers", workers), ("memory_bytes", memory_bytes), ("part_rows", part_rows)):
        _check_at_least_one(name, value)
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError("files of rows need pyarrow: pip install 'groundwire[bulk]'", name="pyarrow") from error
    from groundwire.bulk.formats import format_named
    from groundwire.bulk.inputs import find_inputs
    from groundwire.bulk.job import Job
    from groundwire.bulk.judging import Judges
    from groundwire.bulk.overlaps import check_apart
    from groundwire.bulk.writers import find_output

    for name, path in (("input", in_path), ("output", out_path)):
        if not os.fspath(path):
            raise BulkError(f"the {name} has an empty name")
    inputs = find_inputs(in_path, None if format is None else format_named(format))
    output = find_output(out_path, work_dir)
    # Tasks of Spark, which do one file after the other, keep them; a call alone leaves nothing behind.
    judges = Judges() if _judges is None else _judges
    job = Job(
        rule,
        inputs,
        output.form or inputs[0].form,
        sources,
        _workers(workers),
        memory_bytes,
        part_rows or _PART_ROWS[policy],
        judges,
    )
    check_apart(out_path, job.form.suffix, in_path=in_path, inputs=inputs, sources=sources)
    with output.checkpoint.locked():
        return job.into(output, resume=resume, on_progress=on_progress, should_stop=should_stop)


def _check_at_least_one(name: str, value: object) -> None:
    if value is None and name != "memory_bytes":
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    if value < 1:
        raise ValueError(f"{name} must be at least 1, got {value}")


def _workers(workers: int | None) -> int:
    if workers is not None:
        return workers
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
