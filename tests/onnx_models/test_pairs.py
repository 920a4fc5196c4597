"""Pair classifiers: labels and inputs by name, windows, batches, and inconsistent folders."""

import json
import os
import sys

import numpy as np
import pytest

from groundwire.errors import ModelError
from groundwire.onnx_models import OnnxPairScorer
from groundwire.onnx_models.runtime import OnnxSession
from onnx_models import made

PASSAGE = "Ann works as a nurse in Berlin. She rides a red bike to the hospital every morning."
PAIRS = [
    (PASSAGE, "Ann works in Berlin."),
    (PASSAGE, "Paul sells soup."),
    (PASSAGE, "She rides a green bike."),
    ("The shop employs twelve people.", "The shop sells tea."),
]
SECRET = "a-word-that-must-not-leak"


def expected(context, claim):
    """Return the logit that the graph computes, by sets of words."""
    had, wanted = (made.tokenizer().encode(text, add_special_tokens=False).ids for text in (context, claim))
    words = [word for word in wanted if word > 4]
    share = sum(word in had for word in words) / max(len(words), 1)
    return float(1 / (1 + np.exp(15 - 20 * share)))


LAYOUTS = [
    pytest.param({}, id="nli-three-labels"),
    pytest.param(
        {"labels": {"0": "ENTAILMENT", "1": "neutral", "2": "contradiction"}, "supported": 0}, id="nli-other-order"
    ),
    pytest.param({"labels": made.TWO, "supported": 1}, id="two-labels"),
    pytest.param({"labels": {"0": "consistent", "1": "hallucinated"}, "supported": 0}, id="consistent-first"),
    pytest.param({"labels": {"0": "supported"}, "supported": 0}, id="one-label"),
    pytest.param({"types": True}, id="types-of-tokens"),
    pytest.param({"kind": "int32"}, id="int32"),
    pytest.param({"width": 64}, id="a-fixed-width"),
    pytest.param({"inside": "onnx"}, id="graph-in-a-folder-of-its-own"),
    pytest.param({"config": {"id2label": None, "label2id": {"neutral": 1, "entailment": 2, "no": 0}}}, id="label2id"),
    pytest.param(
        {"labels": made.TWO, "supported": 1, "config": {"problem_type": "multi_label_classification"}}, id="sigmoid"
    ),
]


def scale(options):
    """Convert a logit into a probability: three labels share what two divide, by softmax over the logit and zeros."""
    others = len(options.get("labels", made.NLI)) - 1
    is_sigmoid = others == 0 or (options.get("config") or {}).get("problem_type")
    return lambda share: share if is_sigmoid else share / (share + others * (1 - share))


@pytest.mark.parametrize("options", LAYOUTS)
def test_the_label_is_found_by_its_name(tmp_path, options):
    """This holds for any index, for the inputs of the graph, and for both ways to compute probabilities."""
    scorer = OnnxPairScorer(made.folder(tmp_path / "m", **options))
    wanted = [scale(options)(expected(*pair)) for pair in PAIRS]
    assert scorer.consistencies(PAIRS) == pytest.approx(wanted, abs=1e-5)
    assert len({round(each, 3) for each in wanted}) > 2


def test_a_custom_label_is_passed_by_name(tmp_path):
    """Published configurations without names do not identify the label."""
    folder = made.folder(tmp_path / "m", labels={"0": "LABEL_0", "1": "LABEL_1"}, supported=1)
    with pytest.raises(ModelError, match='no label says that a claim follows; it has "LABEL_0", "LABEL_1": name one'):
        OnnxPairScorer(folder)
    assert OnnxPairScorer(folder, label="LABEL_1").consistencies(PAIRS[:1])[0] > 0.9
    with pytest.raises(ModelError, match="the configuration has no such label"):
        OnnxPairScorer(folder, label="yes")


def test_a_prompt_of_the_configuration_joins_both_texts(tmp_path):
    """As in HHEM and FactCG, there is one sequence. The graph reads it as one text, so nothing is claimed."""
    config = {"prompt": "text : {text1} [SEP] {text2} ."}
    scorer = OnnxPairScorer(made.folder(tmp_path / "m", config=config))
    assert scorer.consistencies(PAIRS[:2])[0] > 0.9
    assert scorer.consistencies(PAIRS[:2])[1] < 0.1
    with pytest.raises(ModelError, match=r"must have \{text1\}, followed by \{text2\}"):
        OnnxPairScorer(made.folder(tmp_path / "n", config={"prompt": "{text2} {text1}"}))


def test_text_that_resembles_a_special_token_is_text(tmp_path):
    """A source that contains [SEP] does not end the passage: the text after it still counts."""
    scorer = OnnxPairScorer(made.folder(tmp_path / "m"))
    assert scorer.consistencies([("Paul eats [SEP] green soup", "Paul eats soup")])[0] > 0.9
    prompted = OnnxPairScorer(made.folder(tmp_path / "n", config={"prompt": "{text1} [SEP] {text2}"}))
    assert prompted.consistencies([("Paul eats [SEP] green soup", "Paul eats soup")])[0] > 0.9


def test_a_long_passage_counts_by_its_best_window(tmp_path):
    """The model reads 64 tokens."""
    scorer = OnnxPairScorer(made.folder(tmp_path / "m"))
    long = " ".join(["The old dog sleeps under the tree."] * 40 + ["Ann works as a nurse."] + ["It is cold."] * 40)
    assert scorer.consistencies([(long, "Ann works as a nurse.")])[0] > 0.9
    assert scorer.consistencies([(long, "Ben works as a nurse in Berlin.")])[0] < 0.5
    with pytest.raises(ValueError, match="leaves no room"):
        scorer.consistencies([("Ann works.", "Ann works. " * 40)])


def test_scores_depend_on_nothing_beside_them(tmp_path):
    """Batches, order and the cache change no score."""
    folder = made.folder(tmp_path / "m")
    pairs = [*PAIRS, ("", "Ann."), *((PASSAGE + " It rains." * number, "Ann works.") for number in range(9))]
    alone = [OnnxPairScorer(folder, max_cached=0).consistencies([pair])[0] for pair in pairs]
    for scorer in (OnnxPairScorer(folder), OnnxPairScorer(folder, max_cached=3), OnnxPairScorer(folder, threads=None)):
        assert scorer.consistencies(pairs) == pytest.approx(alone, abs=1e-6)
        assert scorer.consistencies(pairs[::-1] * 2) == pytest.approx(alone[::-1] * 2, abs=1e-6)
    assert alone[4] == 0.0


def test_a_pair_is_computed_once(tmp_path, monkeypatch):
    """The cache is limited, keeps recent entries, and distinguishes texts that differ only in their border."""
    scorer = OnnxPairScorer(made.folder(tmp_path / "m"), max_cached=2)
    asked, compute = [], OnnxSession.computed

    def computed(session, rows, *types, **options):
        asked.extend(rows)
        return compute(session, rows, *types, **options)

    monkeypatch.setattr(OnnxSession, "computed", computed)
    one, other, third = ("a cat", "eats"), ("a", "cat eats"), ("a dog", "eats")
    scorer.consistencies([one, other, one])
    scorer.consistencies([one])
    assert len(asked) == 2
    scorer.consistencies([third, one])
    scorer.consistencies([other])
    assert len(asked) == 4
    assert asked[1] == asked[3] != asked[0]


@pytest.mark.parametrize(
    "text", ["\ud800 Ann works", "Ann works \udfff", "\0Ann works", "Ann works" + "\u200b" * 9_000]
)
def test_unusual_characters_are_read(tmp_path, text):
    """Lone surrogates, NULs and thousands of invisible characters have a score."""
    scorer = OnnxPairScorer(made.folder(tmp_path / "m"))
    assert 0.0 <= scorer.consistencies([(text, "Ann works.")])[0] <= 1.0
    assert 0.0 <= scorer.consistencies([("Ann works.", text[:40])])[0] <= 1.0


def test_its_name_has_the_hash_of_the_file(tmp_path):
    """Another graph has another version."""
    one = OnnxPairScorer(made.folder(tmp_path / "a" / "nli"))
    other = OnnxPairScorer(made.folder(tmp_path / "b" / "nli", slope="21.0"))
    assert (one.name.partition("@")[0], one.label, one.threshold) == ("nli", "entailment", 0.5)
    assert one.name == f"nli@{one.version[:12]}"
    assert one.version != other.version
    assert len(one.version) == 64


DAMAGE = [
    pytest.param(lambda m: (m / "model.onnx").unlink(), "has no model.onnx", id="no-graph"),
    pytest.param(lambda m: (m / "tokenizer.json").unlink(), "has no tokenizer.json", id="no-tokenizer"),
    pytest.param(lambda m: (m / "config.json").unlink(), "has no config.json", id="no-config"),
    pytest.param(lambda m: cut(m / "model.onnx"), "the model cannot be opened: ", id="truncated-graph"),
    pytest.param(lambda m: (m / "model.onnx").write_bytes(b""), "the model cannot be opened: ", id="empty-graph"),
    pytest.param(lambda m: cut(m / "tokenizer.json"), "the model cannot be opened: ", id="truncated-tokenizer"),
    pytest.param(lambda m: (m / "config.json").write_text("{"), "config.json is not a JSON object", id="broken-config"),
    pytest.param(lambda m: (m / "config.json").write_text("[]"), "config.json is not a JSON object", id="a-list"),
    pytest.param(lambda m: (m / "config.json").write_text("[" * 9999), "config.json is not a JSON object", id="deep"),
    pytest.param(lambda m: (m / "config.json").write_bytes(b"\xff"), "config.json is not a JSON object", id="bytes"),
    pytest.param(lambda m: (m / "config.json").write_text("{}"), "does not name the labels", id="no-labels"),
    pytest.param(lambda m: config(m, id2label={"0": "a", "2": "b"}), "does not name the labels", id="a-gap"),
    pytest.param(lambda m: config(m, id2label={"x": "a"}), "does not name the labels", id="no-number"),
    pytest.param(lambda m: config(m, id2label=["entailment"]), "does not name the labels", id="list-of-labels"),
    pytest.param(lambda m: config(m, label2id={"entailment": 0}), "name different labels", id="two-tables"),
    pytest.param(
        lambda m: config(m, id2label={"0": "supported", "1": "entailment", "2": "no"}), "more than one label", id="two"
    ),
    pytest.param(
        lambda m: config(m, id2label={"0": "not_entailment", "1": "unsupported", "2": "b"}), "no label says", id="none"
    ),
    pytest.param(lambda m: config(m, vocab_size=9), "they belong to different models", id="another-tokenizer"),
    pytest.param(lambda m: link_out(m / "model.onnx"), "model.onnx is a link to a file outside", id="graph-outside"),
    pytest.param(lambda m: link_out(m / "config.json"), "config.json is a link to a file outside", id="config-outside"),
    pytest.param(lambda m: pipe(m / "tokenizer.json"), "tokenizer.json cannot be read", id="a-pipe"),
    pytest.param(lambda m: (m / "config.json").write_bytes(b" " * (2 << 20)), "config.json cannot be read", id="huge"),
    pytest.param(lambda m: graph(m, made.other_graph()), "the graph has the inputs pixels", id="other-inputs"),
    pytest.param(lambda m: graph(m, made.other_graph("input_ids", 1)), "is tensor.float. of rank 2", id="floats"),
    pytest.param(lambda m: graph(m, made.other_graph("input_ids", 7, ("B",))), "of rank 1", id="rank"),
    pytest.param(lambda m: graph(m, made.other_graph("input_ids", 7, (4, "T"))), "exactly 4 rows", id="fixed-batch"),
]


def cut(path):
    """Truncate a file to its half."""
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def config(folder, **changes):
    """Change the configuration."""
    known = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(known | changes))


def graph(folder, content):
    """Replace the graph."""
    (folder / "model.onnx").write_bytes(content)


def link_out(path):
    """Move a file out of the folder, and leave a link."""
    target = path.parent.parent / f"outside-{path.name}"
    path.rename(target)
    path.symlink_to(target)


def pipe(path):
    """Replace a file with a pipe without a writer."""
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(("damage", "reason"), DAMAGE)
def test_an_inconsistent_folder_is_an_error(tmp_path, damage, reason):
    """The error names the file and the problem."""
    folder = made.folder(tmp_path / "m")
    damage(folder)
    with pytest.raises(ModelError, match=reason) as caught:
        OnnxPairScorer(folder)
    assert str(caught.value).startswith("onnx: ")


def test_a_missing_folder_is_an_error(tmp_path):
    """No name is downloaded."""
    with pytest.raises(ModelError, match="is not a folder"):
        OnnxPairScorer(tmp_path / "no")
    with pytest.raises(TypeError, match="folder must be a path, got int"):
        OnnxPairScorer(1)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        pytest.param({"slope": "nan"}, "the model's output is not finite", id="nan"),
        pytest.param({"config": {"id2label": made.TWO}}, r"has the shape \(1, 3\), expected \(1, 2\)", id="labels"),
        pytest.param({"tokens": True}, r"has the shape \(1, \d+, 3\)", id="a-token-classifier"),
    ],
)
def test_an_output_of_another_shape_is_an_error(tmp_path, options, reason):
    """The error names its shape, and nothing of the texts."""
    scorer = OnnxPairScorer(made.folder(tmp_path / "m", **options))
    with pytest.raises(ModelError, match=reason) as caught:
        scorer.consistencies([(SECRET, f"{SECRET} is new.")])
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"threshold": 1.5}, "threshold must be between 0 and 1"),
        ({"threshold": float("nan")}, "threshold must be between 0 and 1"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"max_cached": -1}, "max_cached must be at least 0"),
    ],
)
def test_arguments_are_checked(tmp_path, arguments, reason):
    """The check comes before anything is loaded."""
    with pytest.raises(ValueError, match=reason):
        OnnxPairScorer(made.folder(tmp_path / "m"), **arguments)


@pytest.mark.parametrize(("pair", "error"), [((PASSAGE, " "), ValueError), ((PASSAGE, None), TypeError)])
def test_a_claim_is_a_text(tmp_path, pair, error):
    """It has to contain words."""
    with pytest.raises(error, match="claim"):
        OnnxPairScorer(made.folder(tmp_path / "m")).consistencies([pair])


def test_without_the_extra_the_error_says_so(tmp_path, monkeypatch):
    """The error has the command that installs it."""
    folder = made.folder(tmp_path / "m")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ImportError, match=r"needs onnxruntime: pip install 'groundwire\[onnx\]'"):
        OnnxPairScorer(folder)
