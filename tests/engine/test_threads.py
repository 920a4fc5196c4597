"""Threads, workers, forks and Ctrl-C: results stay the same, and the interpreter stays usable."""

import hashlib
import os
import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from groundwire import Patterns, Source, normalize, partial_ratio, partial_ratio_many
from waits import PATIENCE_S, interrupt_long_work, scale_work

WORDS = ["the", "patient", "says", "that", "Sleep", "is", "bad \u2019", "and", "never", "rested", "<laughs>", "morning"]


def prose(seed: int, words: int) -> str:
    """Return words in random order."""
    return " ".join(random.Random(seed).choices(WORDS, k=words))


TEXT = prose(1, 2_000)
QUOTES = (
    [TEXT[start : start + 60] for start in range(0, 6_000, 200)] + [prose(seed, 9) for seed in range(30)] + ["", "#"]
)

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
needs_sigint = pytest.mark.skipif(sys.platform == "win32", reason="this system has no SIGINT")


def in_threads(work, count: int = 8) -> list:
    """Return the results of *work* in threads that start together."""
    barrier = threading.Barrier(count)

    def start(_):
        barrier.wait()
        return work()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(start, range(count)))


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(lambda source: [source.find(quote) for quote in QUOTES], id="find"),
        pytest.param(lambda source: [source.find_all(quote) for quote in QUOTES], id="find-all"),
        pytest.param(lambda source: source.ground(QUOTES, mode="fuzzy"), id="ground"),
        pytest.param(lambda source: source.ground(QUOTES, mode="fuzzy", workers=2), id="ground-with-workers"),
        pytest.param(lambda source: source.scores(QUOTES, score_cutoff=60).tolist(), id="scores"),
        pytest.param(lambda source: source.normalized, id="normalized"),
    ],
)
def test_threads_share_a_source(work):
    """Eight threads get the same results from one source, also while the index is being built."""
    expected = work(Source(TEXT))
    source = Source(TEXT)
    assert all(result == expected for result in in_threads(lambda: work(source)))


def test_threads_share_patterns():
    """One object, eight threads."""
    patterns = Patterns(["sleep", "Sleep is", "is", "bad"])
    expected = patterns.find_all(TEXT)
    assert expected
    assert all(result == expected for result in in_threads(lambda: patterns.find_all(TEXT)))


def test_threads_may_normalise_at_once():
    """The tables that are created on first use are created once."""
    text = "".join(map(chr, range(0x2000, 0x3400)))
    script = (
        "import threading; from groundwire import normalize; from concurrent.futures import ThreadPoolExecutor\n"
        f"text = {text!a}\n"
        "barrier = threading.Barrier(8)\n"
        "def start(_): barrier.wait(); return normalize(text)\n"
        "with ThreadPoolExecutor(8) as pool: results = set(pool.map(start, range(8)))\n"
        "print(ascii(results.pop()), len(results))\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    assert run.stdout.strip() == f"{normalize(text)!a} 0"


@pytest.mark.parametrize("workers", [2, 8, 10**6])
@pytest.mark.parametrize("mode", ["substring", "fuzzy"])
def test_workers_change_no_answer_of_ground(workers, mode):
    """The matches and their order do not depend on the number of threads."""
    source = Source(TEXT)
    assert source.ground(QUOTES, mode=mode, workers=workers) == source.ground(QUOTES, mode=mode, workers=1)


@pytest.mark.parametrize("workers", [2, 8])
def test_workers_change_no_score(workers):
    """Arrays of one and of several workers are equal to the last bit."""
    source = Source(TEXT)
    assert source.scores(QUOTES, workers=workers).tolist() == source.scores(QUOTES).tolist()
    many = [*QUOTES, None, float("nan")]
    assert partial_ratio_many(many, TEXT, workers=workers).tolist() == partial_ratio_many(many, TEXT).tolist()


@pytest.mark.parametrize("count", [0, 1, 2])
def test_workers_may_outnumber_the_quotes(count):
    """Without quotes the call returns at once."""
    source = Source(TEXT)
    assert source.ground(QUOTES[:count], workers=8) == source.ground(QUOTES[:count])
    assert source.scores(QUOTES[:count], workers=8).shape == (count,)


@pytest.mark.parametrize("workers", [0, -1])
@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda workers: Source("x").ground(["x"], workers=workers), id="ground"),
        pytest.param(lambda workers: Source("x").scores(["x"], workers=workers), id="scores"),
        pytest.param(lambda workers: partial_ratio_many(["x"], "x", workers=workers), id="partial-ratio-many"),
    ],
)
def test_at_least_one_worker_is_needed(call, workers):
    """Zero does not mean all."""
    with pytest.raises(ValueError, match=f"workers must be at least 1, got {workers}"):
        call(workers)


def test_an_exception_in_one_thread_leaves_the_source_usable():
    """A refused call does not affect other threads."""
    source = Source(TEXT)
    with pytest.raises(TypeError):
        source.ground([*QUOTES, 3], workers=2)
    assert source.ground(["Sleep is"], workers=2)[0].text == "Sleep is"


FORKING = """
import os, sys
from groundwire import Source
source = Source("the patient says that sleep is bad " * 500)
quotes = [f"sleep is bad {number}" for number in range(50)]
expected = source.ground(quotes, mode="fuzzy", workers=2)
child = os.fork()
if child == 0:
    answers = source.ground(quotes, mode="fuzzy", workers=2)
    os._exit(0 if answers == expected else 1)
_, status = os.waitpid(child, 0)
assert source.ground(quotes, mode="fuzzy", workers=2) == expected
sys.exit(os.waitstatus_to_exitcode(status))
"""


@needs_fork
def test_a_forked_child_has_workers_of_its_own():
    """A process that has used the pool forks; both processes continue to use it."""
    # Newer Pythons warn of every fork of a process with threads, which this test needs.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKING]
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (run.returncode, run.stderr) == (0, "")


QUOTE_CHARS = 5_000
TEXT_CHARS = 2_000


def letters(alphabet: str, count: int) -> str:
    """Return random letters, always the same for the same arguments."""
    table = bytes(ord(alphabet[byte % len(alphabet)]) for byte in range(256))
    return random.Random(count).randbytes(count).translate(table).decode("ascii")


@needs_sigint
@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda source, quote: partial_ratio(quote, source.text), id="partial-ratio"),
        pytest.param(lambda source, quote: source.find(quote, mode="fuzzy", threshold=0), id="find"),
        pytest.param(
            lambda source, quote: source.ground([quote] * 4, mode="fuzzy", threshold=0, workers=2),
            id="ground-with-workers",
        ),
        pytest.param(
            lambda source, quote: source.align_quotes([quote] * 4, threshold=0, workers=2),
            id="align-quotes-with-workers",
        ),
        pytest.param(lambda source, quote: source.align(quote, 0, len(source.text)), id="align"),
        pytest.param(
            lambda source, quote: partial_ratio_many([quote] * 4, source.text, workers=2),
            id="partial-ratio-many-with-workers",
        ),
        # Each of these searches is short, and does not check for signals.
        pytest.param(
            lambda source, quote: partial_ratio_many([quote[:60]] * len(source.text), source.text[:900]),
            id="many-short-quotes",
        ),
    ],
)
def test_ctrl_c_ends_a_long_call(call):
    """Only a small share of the work runs after the signal, and the source stays usable."""
    quote = letters("abcdefgh", QUOTE_CHARS)
    sources = []

    def prepare(size):
        sources.append(Source(letters("stuvwxyzabcdefgh", TEXT_CHARS * size)))
        return partial(call, sources[-1], quote)

    assert interrupt_long_work(prepare) < 0.5
    assert sources[-1].find(sources[-1].text[1000:1100]).start == 1000


def test_work_that_ignores_ctrl_c_is_noticed():
    """The measure of the tests above is about 1 for a call that ignores the signal."""

    def prepare(size):
        return partial(hashlib.pbkdf2_hmac, "sha256", b"word", b"salt", 1_000 * size)

    # A machine under other load makes the work seem short, but hardly each time.
    assert any(interrupt_long_work(prepare, times=10, tries=1) > 0.5 for _ in range(6))


def test_other_threads_run_during_a_long_call():
    """The engine releases the interpreter while it works."""
    quote = letters("abcdefgh", QUOTE_CHARS)
    assert scale_work(lambda size: partial(partial_ratio, quote, letters("abcdefgh", TEXT_CHARS * size)))
