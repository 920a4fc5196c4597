"""The classifier with any backend: rulings D5 and D6."""

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithfulness.hhem_files import Recording
from groundwire.errors import HHEMError, HHEMMissingError, ModelError
from groundwire.faithfulness import FaithfulnessValidator, HHEMClassifier, Layer
from groundwire.onnx_models.windows import estimated_tokens, windows_of

CLAIM = "User prefers email communication"
CONTEXT = "Interview transcript: 'I hate checking emails'"
SECRET = "a-word-that-must-not-leak"


def test_the_documents_example():
    """A low consistency is a hallucination; the backend gets context and claim unchanged."""
    backend = Recording({"hate": 0.03})
    classifier = HHEMClassifier(backend=backend)
    assert classifier.classify(claim=CLAIM, context=CONTEXT) is True
    assert classifier.score(claim=CLAIM, context=CONTEXT) == 0.03
    assert backend.calls == [[(CONTEXT, CLAIM)]] * 2
    assert classifier.name == "recording"


@pytest.mark.parametrize(("score", "expected"), [(0.0, True), (0.4999, True), (0.5, False), (1.0, False)])
def test_a_claim_is_hallucinated_below_one_half(score, expected):
    """Ruling D5, at the limit."""
    assert HHEMClassifier(backend=lambda pairs: [score] * len(pairs)).classify(claim="a", context="b") is expected


@pytest.mark.parametrize("method", ["score", "classify"])
def test_arguments_are_named(method):
    """Ruling D5: claim and context cannot be swapped by mistake."""
    with pytest.raises(TypeError):
        getattr(HHEMClassifier(backend=Recording()), method)("a", "b")


def test_a_long_context_is_cut_and_the_best_window_counts():
    """Ruling D5: this holds wherever the passage is."""
    for place in (0, 40, 399):
        sentences = [f"This is sentence {number} of a very long talk." for number in range(400)]
        sentences[place] = "The needle stands here."
        backend = Recording({"The needle stands here.": 0.9})
        assert HHEMClassifier(backend=backend).score(claim="a", context=" ".join(sentences)) == 0.9
        (windows,) = backend.calls
        assert len(windows) > 8


def test_many_pairs_keep_their_order():
    """Each has its own best window, over more windows than fit into one batch."""
    long = "Some words that fill a window. " * 400
    backend = Recording({"zebra": 0.9, "yak": 0.7})
    pairs = [(f"{long} zebra", "a"), ("yak", "b"), ("", "c"), (" \n", "d"), ("nothing", "e"), (long, "f")] * 20
    expected = [0.9, 0.7, 0.0, 0.0, 0.1, 0.1] * 20
    assert HHEMClassifier(backend=backend).score_many(pairs) == expected
    assert HHEMClassifier(backend=backend).consistencies(iter(pairs)) == expected
    assert max(map(len, backend.calls)) == 256
    assert HHEMClassifier(backend=backend).score_many([]) == []


def test_a_blank_context_supports_nothing():
    """Nothing can be read, and no backend is called."""
    backend = Recording(otherwise=0.9)
    assert HHEMClassifier(backend=backend).score(claim="a", context=" ") == 0.0
    assert backend.calls == []


def test_threads_share_a_classifier():
    """Each caller gets its own results."""
    classifier = HHEMClassifier(backend=lambda pairs: [int(context) / 100 for context, _ in pairs])
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: classifier.score(claim="a", context=str(number)), range(100)))
    assert found == [number / 100 for number in range(100)]


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        pytest.param([math.nan], "from 0 to 1, got nan", id="nan"),
        pytest.param([math.inf], "from 0 to 1, got inf", id="infinite"),
        pytest.param([10**400], "from 0 to 1, got nan", id="larger-than-a-float"),
        pytest.param([1.01], "from 0 to 1, got 1.01", id="above-1"),
        pytest.param([-0.01], "from 0 to 1, got -0.01", id="below-0"),
        pytest.param([None], "from 0 to 1, got NoneType", id="nothing"),
        pytest.param([SECRET], "from 0 to 1, got str", id="words"),
        pytest.param([[0.5]], "from 0 to 1, got list", id="a-row"),
        pytest.param([], "0 consistencies for 1 pairs", id="too-few"),
        pytest.param([0.5, 0.5], "2 consistencies for 1 pairs", id="too-many"),
        pytest.param(0.5, "the backend returned float instead of a sequence", id="no-sequence"),
    ],
)
def test_invalid_scores_are_an_error(returned, reason):
    """The error describes the value and contains nothing of the texts."""
    with pytest.raises(HHEMError, match=reason) as caught:
        HHEMClassifier(backend=lambda _: returned).score(claim=SECRET, context=SECRET)
    assert SECRET not in str(caught.value)


def test_rounding_errors_are_accepted():
    """Softmax in single precision may slightly exceed 1."""
    assert HHEMClassifier(backend=lambda _: [1.0000001]).score(claim="a", context="b") == 1.0


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        pytest.param({"claim": "", "context": "a"}, ValueError, id="no-claim"),
        pytest.param({"claim": " \n", "context": "a"}, ValueError, id="blank-claim"),
        pytest.param({"claim": None, "context": "a"}, TypeError, id="claim-is-none"),
        pytest.param({"claim": "a", "context": ["a"]}, TypeError, id="context-is-a-list"),
    ],
)
def test_an_invalid_claim_or_context_is_an_error(arguments, error):
    """The message has the type and no text."""
    with pytest.raises(error, match=r"claim is blank|must be a str, got"):
        HHEMClassifier(backend=Recording()).score(**arguments)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        pytest.param({"backend": Recording(), "model": "folder"}, TypeError, id="two-models"),
        pytest.param({"backend": Recording(), "threads": 1}, TypeError, id="threads-of-a-backend"),
        pytest.param({"backend": 5}, TypeError, id="no-backend"),
        pytest.param({"model": 5}, TypeError, id="no-folder"),
        pytest.param({"model": "folder", "threads": 0}, ValueError, id="no-threads"),
    ],
)
def test_wrong_arguments(arguments, error):
    """The error comes before anything is opened."""
    with pytest.raises(error, match=r"backend|model|threads"):
        HHEMClassifier(**arguments)


def test_an_interrupt_passes_between_batches():
    """Ctrl-C ends the work, and later batches are not computed."""
    calls = []

    def interrupted(pairs):
        calls.append(len(pairs))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        HHEMClassifier(backend=interrupted).score_many([("a", "b")] * 600)
    assert calls == [256]


@pytest.mark.usefixtures("bare_environment")
class TestNoModel:
    """Ruling D6, and the steps to get one."""

    def test_the_error_says_how_to_get_one(self):
        """It lists the packages, the files and the command."""
        with pytest.raises(HHEMMissingError) as caught:
            HHEMClassifier()
        steps = ("pip install 'groundwire[hhem]'", "huggingface.co/", "python tools/convert_hhem SRC DST")
        for step in steps:
            assert step in str(caught.value)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)

    @pytest.mark.parametrize("where", ["argument", "environment", "setting", "file"])
    def test_a_missing_folder_is_an_error(self, where, monkeypatch, tmp_path):
        """The message names the searched folder; the environment takes precedence over the settings."""
        argument, words = None, {"environment": "GROUNDWIRE_HHEM", "argument": "the given folder"}
        if where == "argument":
            argument = tmp_path / "missing"
        elif where == "environment":
            monkeypatch.setenv("GROUNDWIRE_HHEM", str(tmp_path / "missing"))
            monkeypatch.setenv("QUANTITATIVE_HHEM_FOLDER", str(tmp_path / "other"))
        elif where == "setting":
            monkeypatch.setenv("QUANTITATIVE_HHEM_FOLDER", str(tmp_path / "missing"))
        else:
            (tmp_path / ".env").write_text(f"QUANTITATIVE_HHEM_FOLDER={tmp_path / 'missing'}\n", encoding="utf-8")
        with pytest.raises(HHEMMissingError, match="missing`, does not exist") as caught:
            HHEMClassifier(argument)
        assert words.get(where, "QUANTITATIVE_HHEM_FOLDER") in str(caught.value)

    def test_a_folder_without_a_model(self, tmp_path):
        """It may be one that was downloaded and not converted."""
        with pytest.raises(HHEMMissingError, match=r"has no manifest\.json"):
            HHEMClassifier(tmp_path)

    def test_a_requested_but_missing_model_is_a_warning(self):
        """The result has the warning as well; the rules decide alone."""
        with pytest.warns(RuntimeWarning, match="hhem was requested"):
            result = FaithfulnessValidator(hhem=True).validate(persona={"age": 34}, source_data="I am 34.")
        assert result.backend == "lexical"
        assert "python tools/convert_hhem" in result.warnings[0]

    def test_a_required_but_missing_model_is_an_error(self):
        """Nothing is decided without it."""
        with pytest.raises(ModelError, match="hhem: no model is given"):
            FaithfulnessValidator(hhem="require")


def test_the_validator_takes_it_as_a_scorer():
    """Its score replaces that of the words, and the result names it."""
    source = "Ann: I answer every email within the hour, I like the quiet of it.\n"
    for score, status in ((0.97, "SUPPORTED"), (0.02, "UNSUPPORTED")):
        classifier = HHEMClassifier(backend=Recording(otherwise=score))
        result = FaithfulnessValidator(hhem=classifier).validate(
            persona={"bio": "She answers email quickly, every hour."}, source_data=source
        )
        (claim,) = result.claim_details
        assert (result.backend, claim.status, claim.confidence) == ("lexical+hhem:recording", status, score)
        assert claim.layer is Layer.HHEM


def test_a_failing_backend_is_reported():
    """The result has the reason; partial scores decide nothing."""
    classifier = HHEMClassifier(backend=lambda pairs: [math.nan] * len(pairs))
    validator = FaithfulnessValidator(hhem=classifier)
    with pytest.warns(RuntimeWarning, match="got nan"):
        result = validator.validate(persona={"bio": "She likes quiet."}, source_data="Ann: I liked the quiet there.")
    assert result.backend == "lexical"


WORDS = ["word", "a", "another.", "Yes!", "(so)", "x" * 40, "\n\n", "日本語。", "é"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=80)


@given(TEXTS, st.integers(min_value=1, max_value=40))
def test_windows_have_all_of_a_text(words, limit):
    """Every token is in a window, none exceeds the limit, and windows advance at both ends."""
    text = " ".join(words)
    tokens = estimated_tokens(text)
    windows = windows_of(text, tokens, limit)
    if len(tokens) <= limit:
        assert windows == [(0, len(text))]
        return
    inside = [
        [place for place, token in enumerate(tokens) if begin <= token[0] and token[1] <= end] for begin, end in windows
    ]
    assert {place for places in inside for place in places} == {*range(len(tokens))}
    assert all(0 < len(places) <= limit for places in inside)
    assert all(one[0] < other[0] and one[1] < other[1] for one, other in pairwise(windows))


def cut(text, limit):
    """Return the texts of the windows."""
    return [text[begin:end] for begin, end in windows_of(text, estimated_tokens(text), limit)]


def test_windows_end_with_sentences_and_overlap():
    """A sentence stays whole if possible, and windows overlap."""
    text = " ".join(f"Here is sentence number {number}." for number in range(60))
    windows = cut(text, 40)
    assert all(window.startswith("Here is") and window.endswith(".") for window in windows)
    for one, other in pairwise(windows):
        assert one.rsplit("Here", 1)[1].strip(" .") in other
    assert len(windows) < 30


def test_one_long_sentence_is_cut_between_words():
    """There is no better place to cut."""
    text = "word " * 500
    for window in cut(text, 50):
        assert {*window.split()} == {"word"}
    text = "x" * 2_000
    assert {*map(len, cut(text, 50))} <= {200, *range(1, 200)}
