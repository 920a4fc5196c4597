"""Spark in its own processes: the results equal those of `ground_file`, even if an executor dies at work."""

import os
import shutil
import sys
from pathlib import Path

import pytest

if os.environ.get("GROUNDWIRE_SPARK") != "required":
    pytest.importorskip("pyspark", reason="no pyspark: python3 dev.py spark")
    if shutil.which("java") is None:
        pytest.skip("no java: python3 dev.py spark", allow_module_level=True)

from pyspark.sql import SparkSession

import groundwire
from bulk.corpora import read, rows, sources, write_parquet
from groundwire.bulk import BulkError, ground_file
from groundwire.bulk.spark import ground, ground_files

# It warns of each new major version of pandas, which nothing here depends on.
pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

ROWS = rows(600)
TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module", params=["local[2]", "local-cluster[2,1,1024]"])
def spark(request):
    """Return a session; an executor of a cluster is a separate process, and finds the package like this one."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    path = os.pathsep.join([str(Path(groundwire.__file__).parents[1]), str(TESTS)])
    os.environ["PYTHONPATH"] = os.pathsep.join([path, os.environ.get("PYTHONPATH", "")])
    builder = SparkSession.builder.master(request.param).appName("groundwire")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
        "spark.executor.memory": "1g",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "50",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    """Return a file of rows."""
    return write_parquet(tmp_path_factory.mktemp("spark") / "in.parquet", ROWS)


def in_order(frame) -> list[dict]:
    """Return the rows of a DataFrame by number."""
    return sorted((row.asDict(recursive=True) for row in frame.collect()), key=lambda row: row["number"])


@pytest.mark.parametrize(
    "options", [{}, {"mode": "fuzzy", "threshold": 0.8}, {"policy": "guarded"}], ids=["substring", "fuzzy", "guarded"]
)
def test_the_results_are_those_of_ground_file(spark, file, tmp_path, options):
    """They are equal row by row, for any policy."""
    ground_file(file, tmp_path / "out.parquet", **options)
    found = in_order(ground(spark.read.parquet(str(file)).repartition(4), **options))
    assert found == read(tmp_path / "out.parquet")


@pytest.mark.parametrize("joined", [False, True])
def test_sources_by_id(spark, tmp_path, joined):
    """Sources may be sent to every executor or joined; unknown ids are reported."""
    texts = sources()
    given = [{**row, "source": None if row["source"] is None else texts.index(row["source"])} for row in ROWS]
    given[5]["source"] = 99
    table = dict(enumerate(texts))
    ground_file(write_parquet(tmp_path / "in.parquet", given), tmp_path / "out.parquet", sources=table)
    frame = spark.createDataFrame(list(table.items()), "id long, text string")
    found = in_order(ground(spark.read.parquet(str(tmp_path / "in.parquet")), sources=frame, joined=joined))
    assert found == read(tmp_path / "out.parquet")
    assert found[5]["error"] == "no source has this id"


def test_arrays_of_quotes(spark):
    """Lists of quotes have lists of results."""
    frame = spark.createDataFrame(
        [(0, ["sleep", None, "no such"], "I sleep")], "number int, quote array<string>, source string"
    )
    row = in_order(ground(frame))[0]
    assert row["grounded"] == [True, False, False]
    assert row["error"] == [None, "the quote is null", None]


def test_a_wrong_column_is_reported_before_anything_runs(spark):
    """The error has the closest name."""
    frame = spark.createDataFrame([("a", "a")], "qoute string, source string")
    with pytest.raises(BulkError, match='the DataFrame has no column "quote"') as error:
        ground(frame)
    assert error.value.hint == 'did you mean "qoute"?'


def killing_own_executor_once(marker: str):
    """Return a function that ends its executor on the first call."""

    def kill(*_):
        import os
        import signal
        from pathlib import Path

        try:
            Path(marker).touch(exist_ok=False)
        except FileExistsError:
            return
        daemon = os.getppid()
        executor = int(Path(f"/proc/{daemon}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(executor, signal.SIGKILL)

    return kill


def dying(kill):
    """Return a function that calls *kill* after a batch, so that work is lost."""

    def work(batches):
        for number, batch in enumerate(batches):
            if number == 1:
                kill()
            yield batch

    return work


def test_an_executor_that_dies_loses_nothing(spark, file, tmp_path):
    """The executor dies during its work: Spark repeats its tasks, and the result is complete."""
    if not spark.sparkContext.master.startswith("local-cluster"):
        pytest.skip("one process cannot lose another")
    ground_file(file, tmp_path / "out.parquet")
    marker = tmp_path / "killed"
    frame = spark.read.parquet(str(file)).repartition(4)
    found = in_order(ground(frame.mapInArrow(dying(killing_own_executor_once(str(marker))), frame.schema)))
    assert marker.exists()
    assert found == read(tmp_path / "out.parquet")


def test_files_are_grounded_by_tasks(spark, tmp_path):
    """One task per file gives the bytes of `ground_file`; a second call finds everything done."""
    folder = tmp_path / "in"
    (folder / "inner").mkdir(parents=True)
    for place, name in enumerate(["a.parquet", "inner/b.parquet", "inner/c.parquet"]):
        write_parquet(folder / name, ROWS[place * 200 : place * 200 + 200])
    found = ground_files(spark, folder, tmp_path / "out", mode="fuzzy")
    assert [each.counts.rows for each in found] == [200, 200, 200]
    for name in ("a.parquet", "inner/b.parquet", "inner/c.parquet"):
        ground_file(folder / name, tmp_path / "one.parquet", mode="fuzzy", resume=False, workers=1)
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "one.parquet").read_bytes()
    assert ground_files(spark, folder, tmp_path / "out", mode="fuzzy") == found
    with pytest.raises(BulkError, match="must be a folder"):
        ground_files(spark, folder / "a.parquet", tmp_path / "out")


def test_a_file_whose_executor_dies_is_resumed(spark, tmp_path):
    """The executor dies after the first part: another task continues, and the bytes are the usual ones."""
    if not spark.sparkContext.master.startswith("local-cluster"):
        pytest.skip("one process cannot lose another")
    (tmp_path / "in").mkdir()
    for place in range(4):
        write_parquet(tmp_path / "in" / f"{place}.parquet", ROWS[place * 150 : place * 150 + 150])
    marker = tmp_path / "killed"
    kill = killing_own_executor_once(str(marker))
    found = ground_files(spark, tmp_path / "in", tmp_path / "out", partition_rows=50, on_progress=kill)
    assert marker.exists()
    assert [each.counts.rows for each in found] == [150] * 4
    for place in range(4):
        name = f"{place}.parquet"
        ground_file(tmp_path / "in" / name, tmp_path / "one.parquet", partition_rows=50, resume=False, workers=1)
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "one.parquet").read_bytes()


@pytest.mark.parametrize("is_file", [False, True], ids=["sent", "read-by-executors"])
def test_files_with_sources_by_id(spark, tmp_path, is_file):
    """Workers keep sources from file to file, and replace them if others are given."""
    (tmp_path / "in").mkdir()
    for place in range(4):
        write_parquet(tmp_path / "in" / f"{place}.parquet", [{"quote": "I sleep", "source": place % 2}])
    for said, expected in (("I sleep well", [True, False] * 2), ("I walk", [False, False] * 2)):
        given = {0: said, 1: "No."}
        if is_file:
            given = write_parquet(tmp_path / "texts.parquet", [{"id": key, "text": given[key]} for key in given])
        found = ground_files(spark, tmp_path / "in", tmp_path / "out", sources=given, resume=False)
        assert [bool(each.counts.grounded) for each in found] == expected
