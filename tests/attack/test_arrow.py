"""Damaged Arrow files and contradictory structures of Arrow's C interface raise an error and never end the process."""

from attack.arrow_mutants import mutants, run_child, tables, written
from cli.command import run_in_process
from effort import effort

GOOD = {"ok", "refused"}


def test_a_damaged_file_is_refused_or_grounded(attack, tmp_path):
    """Each mutant raises a `BulkError` without text, or gives an output that is well-formed in every column."""
    paths = []
    for name, content in mutants(effort(300, 4_000), seed=11):
        path = tmp_path / f"{name}.arrow"
        path.write_bytes(content)
        paths.append(str(path))
    ends = run_child("files", paths)
    for path in paths:
        with attack.attempt(path.rpartition("/")[2]):
            assert ends[path] in GOOD, ends[path]
    assert set(ends.values()) >= GOOD


def test_the_command_ends_with_its_code(attack, tmp_path):
    """The command prints one line about the error, and returns 2."""
    whole = written(tables()["string"], is_file=True, compression=None)
    place = whole.index(b"quote 0 is said")
    # The text of the first column follows its offsets directly.
    broken = whole[: place - 16] + b"\xff\xff\xff\x7f" * 2 + whole[place - 8 :]
    for name, content in {"cut off": whole[: len(whole) // 2], "offsets": broken}.items():
        (tmp_path / "in.arrow").write_bytes(content)
        with attack.attempt(name):
            done = run_in_process("bulk", "in.arrow", "out.arrow", cwd=tmp_path)
            assert done.code == 2, done
            assert "in.arrow" in done.stderr
            assert "is said" not in done.stderr
            assert "Traceback" not in done.stderr


def test_contradicting_structures_are_refused(attack):
    """A schema and an array that contradict each other raise a ValueError or a TypeError in every function."""
    seeds = [str(seed) for seed in range(effort(1_500, 40_000))]
    ends = run_child("structures", seeds)
    for seed in seeds:
        with attack.attempt(seed):
            assert ends[seed] in GOOD, ends[seed]
    assert set(ends.values()) >= GOOD
