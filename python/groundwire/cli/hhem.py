"""`groundwire hhem`: the model that says whether claims are consistent with their contexts."""

from pathlib import Path
from typing import Annotated

import typer

from groundwire.cli.output import write_stdout
from groundwire.cli.problems import CommandError

hhem = typer.Typer(help="HHEM, a model that says whether claims are consistent with their contexts.")


@hhem.callback()
def _hhem() -> None:
    """HHEM, a model that says whether claims are consistent with their contexts."""


@hhem.command("convert")
def _convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SRC",
            help="A folder with config.json and model.safetensors of huggingface.co/vectara/"
            "hallucination_evaluation_model, and tokenizer.json of huggingface.co/google/flan-t5-base.",
        ),
    ],
    target: Annotated[str, typer.Argument(metavar="DST", help="The folder to write; new, or empty.")],
    *,
    int8: Annotated[
        bool, typer.Option("--int8", help="Matrices as integers of 8 bits: less than half the size, and less exact.")
    ] = False,
) -> None:
    """Write the published model as a folder that GROUNDWIRE_HHEM may name. No code of the source runs."""
    from groundwire.faithfulness.hhem.conversion import convert

    if not Path(source).is_dir():
        raise CommandError(f"no folder `{source}`")
    try:
        done = convert(source, target, int8=int8)
    except OSError as error:
        raise CommandError(f"the model cannot be converted: {error.strerror or type(error).__name__}") from None
    lines = [f"{target}: {done.name}, {done.parameters:,} parameters, {done.size_bytes / 1e6:,.1f} MB"]
    if done.int8_difference is not None:
        lines.append(f"int8 differs from fp32 by at most {done.int8_difference:.3f} on the pairs it was tried with")
    write_stdout("".join(f"{line}\n" for line in lines))
