"""What several statements are as one, and what has to stay by itself."""

import pytest

from groundwire.memory.postgres_writes import as_few

A, B, CHANGE_A = "INSERT INTO a (x) VALUES (%s)", "INSERT INTO b (x) VALUES (%s)", "UPDATE a SET x = %s"
READS = "DELETE FROM a WHERE x = %s AND NOT EXISTS (SELECT 1 FROM b)"
ADDS_WHAT_IT_READS = "INSERT INTO a SELECT x FROM b WHERE x = %s"


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ([], []),
        ([A], [A]),
        ([A, B], [f"WITH part_0 AS ({A}) {B}"]),
        ([A, A, B], [f"WITH part_0 AS ({A}), part_1 AS ({A}) {B}"]),
        ([CHANGE_A, A, B], [f"WITH part_0 AS ({CHANGE_A}), part_1 AS ({A}) {B}"]),
        ([A, CHANGE_A], [A, CHANGE_A]),
        ([CHANGE_A, B, CHANGE_A], [f"WITH part_0 AS ({CHANGE_A}) {B}", CHANGE_A]),
        ([A, READS, B], [A, READS, B]),
        ([A, ADDS_WHAT_IT_READS, B], [A, ADDS_WHAT_IT_READS, B]),
        (["BEGIN", A, "SAVEPOINT x", A, B], ["BEGIN", A, "SAVEPOINT x", f"WITH part_0 AS ({A}) {B}"]),
    ],
)
def test_what_becomes_one(statements, expected):
    """No part sees what another one does; the values stay in their order."""
    told = list(as_few((statement, [number]) for number, statement in enumerate(statements)))
    assert [statement for statement, _ in told] == expected
    assert [value for _, values in told for value in values] == list(range(len(statements)))


def test_one_statement_has_an_end():
    """However much is written."""
    told = list(as_few((A, [number]) for number in range(40)))
    assert [len(values) for _, values in told] == [16, 16, 8]
