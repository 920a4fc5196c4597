"""Conflicts: corrections of a memory, and differences that only resemble one (rulings C2 and C17)."""

import pytest

from groundwire.ingestion import (
    DuplicateResult,
)
from ingestion.fakes import Memories, check

CORRECTIONS = [
    pytest.param("We use Redis for caching", "We do not use Redis for caching", id="not"),
    pytest.param("The user prefers tabs", "The user does not prefer tabs", id="not-and-an-ending"),
    pytest.param("Users can delete their account", "Users can't delete their account", id="contraction"),
    pytest.param("It works on Windows", "It never works on Windows", id="never"),
    pytest.param("The timeout is 30 seconds", "The timeout is 60 seconds", id="number"),
    pytest.param("The timeout is 30 seconds", "The timeout is 30 minutes", id="unit"),
    pytest.param("We run two workers", "We run three workers", id="number-in-words"),
    pytest.param("The release is in May 2024", "The release is in June 2024", id="date"),
    pytest.param("Deploys happen on Monday", "Deploys happen on Tuesday", id="weekday"),
    pytest.param("We decided to use PostgreSQL", "We decided to use Redis", id="name"),
    pytest.param("Per ADR-003, we use PostgreSQL", "Per ADR-004, we use PostgreSQL", id="identifier"),
    pytest.param("The service starts before the database", "The service starts after the database", id="opposite"),
    pytest.param("Der Dienst nutzt Port 80 im Netz", "Der Dienst nutzt nicht Port 80 im Netz", id="german"),
    pytest.param("Мы используем Redis для кэша", "Мы не используем Redis для кэша", id="russian"),
    pytest.param("我们使用数据库存储记忆", "我们不使用数据库存储记忆", id="chinese"),
]


@pytest.mark.parametrize(("memory", "claim"), CORRECTIONS)
def test_a_correction_is_a_conflict(memory, claim):
    """Ruling C2: this holds in both directions, for texts of any length."""
    for stored, content in ((memory, claim), (claim, memory)):
        result = check(Memories("The cat sat on a mat", stored), content)
        assert (result.conflict, result.existing_memory_id) == (True, "mem-1")


def test_a_long_correction_is_a_conflict_though_it_is_as_similar_as_a_copy():
    """Ruling C2: one more word than twenty has a similarity of 0.95; is_duplicate follows the specification."""
    words = (
        "the service writes every accepted memory into one database file "
        "beside which it keeps an audit trail for all users"
    )
    memory, claim = words, words.replace("keeps", "never keeps")
    result = check(Memories(memory), claim)
    assert (result.is_duplicate, result.conflict, result.similarity) == (True, True, 20 / 21)


@pytest.mark.parametrize(
    ("memory", "claim"),
    [
        pytest.param("We use Redis for caching", "We do not use Redis for sessions", id="another-word-too"),
        pytest.param("The API returns JSON", "The API returns JSON for REST responses", id="more-words"),
        pytest.param("We run two workers", "We run 2 workers", id="the-same-number"),
        pytest.param("The cat sat", "The dog never ran", id="nothing-in-common"),
    ],
)
def test_a_difference_in_other_words_is_no_conflict(memory, claim):
    """Ruling C2: only negations, numbers, dates and names may differ."""
    result = check(Memories(memory), claim)
    assert (result.is_duplicate, result.conflict) == (False, False)


def test_a_copy_of_a_memory_is_no_conflict():
    """A copy of one memory is no conflict with another: storing it would change nothing."""
    result = check(Memories("The timeout is 30 seconds", "The timeout is 60 seconds"), "the timeout is 60 seconds")
    assert result == DuplicateResult(True, 1.0, "mem-1", False)


def test_a_text_too_long_to_be_read_is_a_conflict():
    """Fail closed: a near copy of a text too long to be read goes to review, an identical one is a duplicate."""
    memory = " ".join(f"word{place}" for place in range(2000))
    assert check(Memories(memory), memory) == DuplicateResult(True, 1.0, "mem-0", False)
    assert check(Memories(memory), memory + " not").conflict
    assert check(Memories(memory), memory + " not", method="minhash").conflict


PAIRS = [
    ("Alice reports to Bob", "Bob reports to Alice", "conflict"),
    ("Retry 3 times after 5 seconds", "Retry 5 times after 3 seconds", "conflict"),
    ("The worker calls the service", "The service calls the worker", "conflict"),
    ("Traffic moves from Berlin to Paris", "Traffic moves from Paris to Berlin", "conflict"),
    ("The launch is led by Alice", "The launch is led by Bob", "conflict"),
    ("Alice leads the launch", "Bob leads the launch", "conflict"),
    ("Tom joined the company in 2019", "Tom joined the company in 2021", "conflict"),
    ("Tom joined the company in 2019", "Tom did not join the company in 2019", "conflict"),
    ("The team of Alice has 5 members", "The team of Alice has 7 members", "conflict"),
    ("The launch on 3 May is led by Alice", "The launch on 4 May is led by Bob", "conflict"),
    ("Tokens expire after 15 minutes", "Tokens expire after 30 minutes", "conflict"),
    ("In 2019 Tom joined the company", "In 2020 Tom joined the company", "conflict"),
    ("The API returns XML", "The API returns JSON", "conflict"),
    ("Tom joined the company in 2019", "Lisa joined the company in 2021", "new"),
    ("Tom is 34 years old", "Lisa is 29 years old", "new"),
    ("In 2019 Tom joined the company", "In 2021 Lisa joined the company", "new"),
    ("Dr. Weber works 30 hours a week", "Dr. Klein works 20 hours a week", "new"),
    ("Alice reports to Bob", "Carol reports to David", "new"),
    ("Tom likes tabs", "Lisa does not like tabs", "new"),
    ("Anna lives in Rome", "Peter lives in Oslo", "new"),
    ("Tom's contract ends on 3 May 2026", "Lisa's contract ends on 9 June 2027", "new"),
    ("Maria speaks two languages", "Julia speaks five languages", "new"),
    ("Tom joined the company in 2019", "The gauge at the pier was repaired", "new"),
    ("Anna and Ben share an office", "Ben and Anna share an office", "duplicate"),
    ("We use Redis, Kafka and Postgres", "We use Postgres, Redis and Kafka", "duplicate"),
    ("Tom cooks and Lisa cleans", "Lisa cleans and Tom cooks", "duplicate"),
    ("Per ADR-003, we use Pixeltable", "We use Pixeltable (per ADR-003)", "duplicate"),
    (
        "The service uses Redis Cluster and Apache Kafka for events",
        "The service uses Apache Kafka and Redis Cluster for events",
        "duplicate",
    ),
    ("The queue is durable", "the queue is durable.", "duplicate"),
    ("Tom joined the company in 2019", "In 2019 Tom joined the company", "duplicate"),
    ("Anna und Ben teilen ein Zimmer", "Ben und Anna teilen ein Zimmer", "duplicate"),
    ("Anna leitet Ben", "Ben leitet Anna", "conflict"),
    ("Die Fähre nach Moss fuhr im Mai nicht", "Die Fähre nach Moss fuhr im Mai", "conflict"),
    ("Not everybody who asked was heard", "Everybody who asked was not heard", "conflict"),
    ("The lorry carries 1 kg of salt", "The lorry carries 1000 g of salt", "new"),
    ("The team has members", "The team has 5 members", "new"),
]


@pytest.mark.parametrize(("memory", "content", "expected"), PAIRS)
def test_subject_and_roles_decide_on_a_conflict(memory, content, expected):
    """
    Rulings C2 and C17, in both directions: different people with different facts are no conflict. The same role
    with another name is one, and so are the same words in other roles; items of a list have no roles.
    """
    for stored, offered in ((memory, content), (content, memory)):
        found = check(Memories(stored), offered)
        kind = "conflict" if found.conflict else "duplicate" if found.is_duplicate else "new"
        assert kind == expected
