"""Token classifiers: words of an answer that the context lacks."""

import pytest

from groundwire.errors import ModelError
from groundwire.onnx_models import HallucinatedSpan, OnnxSpanScorer
from onnx_models import made

CONTEXT = "Ann works as a nurse in Berlin. She rides a red bike."


@pytest.fixture(scope="module")
def scorer(tmp_path_factory):
    """Return an opened model in LettuceDetect's layout."""
    return OnnxSpanScorer(
        made.span_folder(tmp_path_factory.mktemp("spans") / "m", config={"max_position_embeddings": 514})
    )


def texts(spans):
    """Return the words of spans."""
    return [span.text for span in spans]


def test_spans_are_words_of_the_answer(scorer):
    """Adjacent words are one span, with the offsets of the original characters."""
    answer = "  Ann works in Berlin, \n and she sells warm  soup."
    found = scorer.spans(context=CONTEXT, answer=answer)
    assert texts(found) == [", \n and", "sells warm  soup"]
    assert [answer[each.start : each.end] for each in found] == texts(found)
    assert "sells" not in repr(found)
    assert all(isinstance(each, HallucinatedSpan) for each in found)
    assert [each.confidence for each in found] == pytest.approx([0.9933, 0.9933], abs=1e-3)


def test_the_question_and_passages_are_context(scorer):
    """The prompt is that of the layout; passages are numbered."""
    found = scorer.spans(context=[CONTEXT, "Ben sells soup."], question="Who drinks tea?", answer="Ben drinks water.")
    assert texts(found) == ["water"]
    assert texts(scorer.spans(context=CONTEXT, answer="Ben works.")) == ["Ben"]


def test_no_window_supports_what_is_hallucinated(tmp_path):
    """The model reads 64 tokens; a word is supported if any window has it."""
    small = OnnxSpanScorer(made.span_folder(tmp_path / "m"))
    context = "Lena eats fish. " + "The old dog sleeps under the tree. " * 30 + "Paul makes soup."
    assert texts(small.spans(context=context, answer="Lena eats soup with Ben")) == ["with Ben"]


def test_odd_characters_keep_their_places(scorer):
    """A lone surrogate is one character, and spans are cut from the original answer."""
    (found,) = scorer.spans(context="Ann \ud800 works", question="Who \udfff?", answer="Ann \ud800 works daily")
    assert (found.text, found.start) == ("daily", 12)


def test_a_blank_answer_has_no_spans(scorer):
    """This holds with any context."""
    assert scorer.spans(context=CONTEXT, answer=" \n") == []
    assert scorer.spans(context=CONTEXT, answer=CONTEXT) == []
    assert texts(scorer.spans(context="", answer="Ann works")) == ["Ann works"]


def test_a_threshold_is_a_probability(tmp_path):
    """A token at or above it is hallucinated."""
    folder = made.span_folder(tmp_path / "m")
    assert OnnxSpanScorer(folder, threshold=0.999).spans(context=CONTEXT, answer="Ben sleeps") == []
    with pytest.raises(ValueError, match="threshold"):
        OnnxSpanScorer(folder, threshold=-0.1)


@pytest.mark.parametrize(
    ("labels", "label"),
    [
        ({"0": "SUPPORTED", "1": "Hallucinated"}, "Hallucinated"),
        ({"0": "LABEL_0", "1": "LABEL_1"}, "LABEL_1"),
    ],
)
def test_the_label_is_found_by_its_name(tmp_path, labels, label):
    """Without names, label 1 is hallucinated, as in the layout."""
    scorer = OnnxSpanScorer(made.span_folder(tmp_path / "m", labels=labels))
    assert scorer.label == label
    assert texts(scorer.spans(context=CONTEXT, answer="Ben works.")) == ["Ben"]


@pytest.mark.parametrize(
    "labels",
    [
        {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"},
        {"0": "B-PER", "1": "O"},
        {"0": "hallucinated", "1": "hallucination"},
    ],
)
def test_labels_that_do_not_say_so_are_refused(tmp_path, labels):
    """The error shows the labels of the configuration."""
    with pytest.raises(ModelError, match=r"label means? that a token is hallucinated; it has .*: name one of them"):
        OnnxSpanScorer(made.span_folder(tmp_path / "m", labels=labels))


def test_a_classifier_of_pairs_marks_no_tokens(tmp_path):
    """Its output has no row for each token."""
    scorer = OnnxSpanScorer(made.folder(tmp_path / "m", labels=made.SPANS, supported=1))
    with pytest.raises(ModelError, match=r"has the shape \(1, 2\), expected \(1, \d+, 2\)"):
        scorer.spans(context=CONTEXT, answer="Ann works.")


def test_arguments_are_checked(scorer):
    """The types are checked, and the room for a context."""
    with pytest.raises(TypeError, match="answer must be a str, got int"):
        scorer.spans(context=CONTEXT, answer=1)
    with pytest.raises(TypeError, match="context must be a str, got NoneType"):
        scorer.spans(context=[None], answer="Ann.")
    with pytest.raises(ValueError, match="leaves no room"):
        scorer.spans(context=CONTEXT, answer="Ann works. " * 400)
