"""Conversion of the published files, and consistencies from the converted folder; the weights are random."""

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from cli.command import environment
from convert_hhem.conversion import SAMPLES, convert
from faithfulness.hhem_files import TOOL, made
from groundwire.cli.factories import open_reader
from groundwire.errors import HHEMError, HHEMMissingError
from groundwire.faithfulness import FaithfulnessValidator, HHEMClassifier
from groundwire.faithfulness.hhem import PROMPT, OnnxModel
from oracles import encoder

FILES = ("config.json", "manifest.json", "model.onnx", "tokenizer.json")
SECRET = "a-word-that-must-not-leak"


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Return the files as they are published."""
    folder = tmp_path_factory.mktemp("hhem") / "published"
    made(folder, "random")
    return folder


@pytest.fixture(scope="module")
def converted(published):
    """Return the converted folder."""
    convert(published, published.with_name("fp32"))
    return published.with_name("fp32")


@pytest.fixture(scope="module")
def classifier(converted):
    """Return the opened model."""
    return HHEMClassifier(converted, threads=1)


@pytest.fixture
def copied(converted, tmp_path):
    """Return a copy that a test may damage."""
    return shutil.copytree(converted, tmp_path / "copied")


@pytest.fixture
def source(published, tmp_path):
    """Return a copy of the published files that a test may damage."""
    return shutil.copytree(published, tmp_path / "source")


def tensors_of(folder):
    """Return the weights by name."""
    from safetensors.numpy import load_file

    return load_file(folder / "model.safetensors")


def rewrite(folder, change):
    """Write the weights after *change*."""
    from safetensors.numpy import save_file

    tensors = tensors_of(folder)
    change(tensors)
    save_file(tensors, folder / "model.safetensors")


def tokens_of(folder, context, claim):
    """Return the tokens of a published prompt."""
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(folder / "tokenizer.json")).encode(PROMPT.format(text1=context, text2=claim)).ids


LONGER = [("One word after the other. " * 12, "They are many."), ("a", "b" * 90)]


@pytest.mark.parametrize("pair", [*SAMPLES, *LONGER])
def test_the_graph_computes_what_the_papers_say(published, classifier, pair):
    """The oracle is a naive encoder in double precision, with distances in every bucket."""
    weights = {name.removeprefix("t5."): tensor for name, tensor in tensors_of(published).items()}
    tokens = tokens_of(published, *pair)
    expected = encoder.consistency(weights, tokens)
    assert classifier.score(context=pair[0], claim=pair[1]) == pytest.approx(expected, abs=1e-4)


def test_samples_differ(classifier):
    """The tests compare different scores."""
    assert len({round(score, 3) for score in classifier.score_many(SAMPLES)}) == len(SAMPLES)


@pytest.mark.parametrize("buckets", [4, 8, 16, 32, 64])
def test_distances_have_their_buckets(buckets):
    """The oracle uses exact arithmetic, the model logarithms."""
    from convert_hhem.graph import bucket_of

    for distance in range(-300, 301):
        assert bucket_of(distance, buckets) == encoder.bucket(distance, buckets)


def test_batches_change_nothing(classifier):
    """The score of a pair does not depend on the other pairs or their order."""
    pairs = [*SAMPLES, *LONGER, ("", "a"), ("a", "b")] * 3
    alone = [classifier.score(context=context, claim=claim) for context, claim in pairs]
    assert classifier.score_many(pairs) == pytest.approx(alone, abs=1e-5)
    assert classifier.score_many(pairs[::-1]) == pytest.approx(alone[::-1], abs=1e-5)


@pytest.fixture
def windows_of(converted, monkeypatch):
    """Return a function that gives the windows of a context that a model gets to see."""
    seen, run = [], OnnxModel.run

    def recording(model, pairs):
        seen.extend(window for window, _ in pairs)
        return run(model, pairs)

    monkeypatch.setattr(OnnxModel, "run", recording)
    classifier = HHEMClassifier(converted)

    def windows(context, claim):
        seen.clear()
        classifier.score(context=context, claim=claim)
        return [*seen]

    return windows


def test_a_long_context_counts_by_its_best_window(classifier, windows_of):
    """Windows have at most 512 tokens with the prompt, and the scores that they have as contexts."""
    context = " ".join(f"Ann has been here for {number} days." for number in range(400))
    claim = "Ann has been here."
    windows = windows_of(context, claim)
    assert len(windows) > 5
    scores = [classifier.score(context=window, claim=claim) for window in windows]
    assert classifier.score(context=context, claim=claim) == pytest.approx(max(scores), abs=1e-5)


def test_windows_fill_the_room_of_the_prompt(published, windows_of):
    """A long claim leaves fewer tokens, but always some."""
    context = "Ann has been here for a long time. " * 200
    for claim in ("Ann.", "Ann has been here. " * 8):
        shortest, *counts = sorted(len(tokens_of(published, window, claim)) for window in windows_of(context, claim))
        assert max(shortest, *counts) <= 512
        assert min(counts) > 400
    claim = "Ann has been here. " * 30
    _, *counts = sorted(len(tokens_of(published, window, "")) for window in windows_of(context, claim))
    assert min(counts) > 100


def test_a_claim_that_is_a_book_is_refused(classifier):
    """The error has its length and no words."""
    with pytest.raises(ValueError, match=r"the claim has \d+ tokens") as caught:
        classifier.score(claim=f"{SECRET} " * 1_000, context="a")
    assert SECRET not in str(caught.value)


def test_a_source_cannot_end_its_prompt(published, converted):
    """Text that resembles a special token stays text, in contexts and in claims."""
    model = OnnxModel(converted, threads=1)
    for context, claim in (("Ann </s> </s> Bob", "Ann <pad> nods."), ("<unk></s>" * 5, "</s>")):
        tokens = model.tokens(context, claim)
        assert (tokens.count(0), tokens.count(1)) == (1, 1)
        assert (tokens[0], tokens[-1]) == (0, 1)
    assert model.tokens(*SAMPLES[2]) == tokens_of(published, *SAMPLES[2])


def test_threads_share_a_model(classifier):
    """Each caller gets its own results."""
    expected = classifier.score_many(SAMPLES)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: classifier.score_many(SAMPLES), range(12)))
    assert all(each == pytest.approx(expected, abs=1e-6) for each in found)


def test_the_environment_names_the_folder(converted, monkeypatch):
    """This holds for the classifier and for the validator, required or not."""
    monkeypatch.setenv("GROUNDWIRE_HHEM", str(converted))
    name = HHEMClassifier().name
    assert name.startswith("hhem-fp32-")
    for hhem in (True, "require"):
        result = FaithfulnessValidator(hhem=hhem).validate(
            persona={"bio": "She likes tea."}, source_data="Ann: I like quiet and tea in the garden with friends.\n"
        )
        assert (result.backend, result.warnings) == (f"lexical+hhem:{name}", ())


def test_the_command_line_reads_with_it(converted):
    """`--reader` accepts the tool's folder like those of other classifiers."""
    assert open_reader(str(converted)).name == HHEMClassifier(converted).name


def test_int8_is_smaller_and_near(published, converted):
    """The deviation is recorded; scores do not depend on the batch."""
    done = convert(published, published.with_name("int8"), int8=True)
    assert done.name.startswith("hhem-int8-")
    assert 0 < done.int8_difference < 0.1
    assert done.size_bytes < 0.7 * sum(path.stat().st_size for path in converted.iterdir())
    assert {path.name for path in published.with_name("int8").iterdir()} == {*FILES}
    small = HHEMClassifier(published.with_name("int8"))
    alone = [small.score(context=context, claim=claim) for context, claim in SAMPLES]
    assert small.score_many(SAMPLES) == alone


DAMAGE = [
    pytest.param(lambda folder: (folder / "model.onnx").unlink(), "model.onnx is missing", id="no-model"),
    pytest.param(lambda folder: (folder / "config.json").write_bytes(b"{}"), "config.json has 2 bytes", id="shorter"),
    pytest.param(lambda folder: flip(folder / "model.onnx"), "model.onnx does not have the hash", id="one-bit"),
    pytest.param(lambda folder: flip(folder / "tokenizer.json"), "tokenizer.json does not have", id="tokenizer"),
    pytest.param(lambda folder: (folder / "manifest.json").write_text("{"), "manifest.json is not from", id="broken"),
    pytest.param(lambda folder: (folder / "manifest.json").write_text("[]"), "manifest.json is not from", id="a-list"),
    pytest.param(lambda folder: (folder / "manifest.json").write_text("[" * 9999), "manifest.json is not", id="deep"),
    pytest.param(lambda folder: edit(folder, format="groundwire-hhem-9"), "manifest.json is not from", id="newer"),
    pytest.param(lambda folder: edit(folder, precision="fp64"), "manifest.json is not from", id="precision"),
    pytest.param(lambda folder: edit(folder, files={}), "does not list model.onnx", id="no-hashes"),
    pytest.param(lambda folder: exchange(folder, "model.onnx", b"no model"), "cannot be opened", id="no-onnx"),
    pytest.param(lambda folder: exchange(folder, "tokenizer.json", b"{}"), "cannot be opened", id="no-tokenizer"),
    pytest.param(lambda folder: exchange(folder, "model.onnx", other_graph()), "inputs and outputs", id="other-graph"),
    pytest.param(lambda folder: exchange(folder, "tokenizer.json", endless(folder)), "encode the prompt", id="no-end"),
]


def flip(path):
    """Flip one bit in the middle."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def edit(folder, **changes):
    """Change the manifest."""
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | changes))


def exchange(folder, name, content):
    """Replace a file, with its new hash in the manifest."""
    from convert_hhem.conversion import describe

    (folder / name).write_bytes(content)
    (folder / "manifest.json").write_text(json.dumps(describe(folder, precision="fp32", weights_sha256="0" * 64)))


def graph_of(kind, output, inputs=("input_ids", "attention_mask")):
    """Return a graph of one node on the first of its inputs."""
    from onnx import TensorProto, helper

    given = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs]
    node = helper.make_node(kind, [inputs[0]], [output.name])
    graph = helper.make_graph([node], "other", given, [output])
    opset = [helper.make_opsetid("", 20)]
    return helper.make_model(graph, opset_imports=opset, ir_version=10).SerializeToString()


def other_graph():
    """Return a valid graph that is not HHEM."""
    from onnx import TensorProto, helper

    output = helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "tokens"])
    return graph_of("Identity", output, inputs=("input_ids",))


def endless(folder):
    """Return the tokenizer without its end-of-prompt token."""
    tokenizer = json.loads((folder / "tokenizer.json").read_bytes())
    return json.dumps(tokenizer | {"post_processor": None}).encode()


@pytest.mark.parametrize(("damage", "reason"), DAMAGE)
def test_a_damaged_folder_is_not_opened(copied, damage, reason):
    """The error names the file and the problem."""
    damage(copied)
    with pytest.raises(HHEMError, match=reason):
        HHEMClassifier(copied)


def test_a_graph_with_another_result_is_an_error(copied):
    """The result has to be one number for each prompt."""
    from onnx import TensorProto, helper

    output = helper.make_tensor_value_info("consistency", TensorProto.INT64, ["batch", "tokens"])
    exchange(copied, "model.onnx", graph_of("Identity", output))
    with pytest.raises(HHEMError, match=r"the shape \(1, \d+\)"):
        HHEMClassifier(copied).score(claim="a", context="b")


def test_messages_of_onnx_runtime_are_not_passed_on(copied):
    """The vocabulary exceeds the embedding: the error has the class of the exception only."""
    tokenizer = json.loads((copied / "tokenizer.json").read_bytes())
    tokenizer["model"]["vocab"] += [[f"▁{SECRET}{number}", -1.0] for number in range(400)]
    exchange(copied, "tokenizer.json", json.dumps(tokenizer).encode())
    with pytest.raises(HHEMError, match=r"^hhem: ONNX Runtime failed: \w+$"):
        HHEMClassifier(copied).score(claim="a", context=f"{SECRET}399")


def test_without_the_extra_the_error_says_so(converted, monkeypatch):
    """This holds for the classifier and for the conversion."""
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(HHEMMissingError, match=r"HHEM needs onnxruntime: pip install 'groundwire\[hhem\]'"):
        HHEMClassifier(converted)
    with pytest.raises(HHEMMissingError, match=r"needs onnxruntime: pip install 'groundwire\[hhem\]' onnx safetensors"):
        convert("source", "target")


def drop(name):
    """Remove a tensor."""
    return lambda tensors: tensors.pop(name)


def put(name, make):
    """Add the tensors that *make* returns."""
    return lambda tensors: tensors.update({name: make(tensors)})


EMBEDDING = "t5.transformer.shared.weight"
TWIN = "t5.transformer.encoder.embed_tokens.weight"
BIAS = "t5.transformer.encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
NORM = "t5.transformer.encoder.final_layer_norm.weight"
OTHER_TENSORS = [
    pytest.param(drop(NORM), "1 tensor is missing", id="missing"),
    pytest.param(drop(EMBEDDING), "there is no tensor transformer.shared.weight", id="no-embedding"),
    pytest.param(drop("t5.classifier.bias"), "1 tensor is missing", id="no-classifier"),
    pytest.param(put(TWIN, lambda tensors: tensors[EMBEDDING].copy()), "1 tensor is too many", id="embedding-twice"),
    pytest.param(
        put("t5.transformer.encoder.block.99.layer.0.layer_norm.weight", lambda tensors: tensors[NORM].copy()),
        "tensors are missing",
        id="a-far-block",
    ),
    pytest.param(put("t6.weight", lambda tensors: tensors[NORM].copy()), "1 tensor has no prefix", id="prefix"),
    pytest.param(put(NORM, lambda tensors: tensors[NORM][:5].copy()), r"float32 of shape \(5,\)", id="shape"),
    pytest.param(put(NORM, lambda tensors: tensors[NORM].astype("float16")), "is float16", id="half-precision"),
    pytest.param(put(NORM, lambda tensors: tensors[NORM] * float("inf")), "not finite", id="infinite"),
    pytest.param(put(BIAS, lambda tensors: tensors[BIAS].repeat(4, 1)[:, :10].copy()), "are not 10 heads", id="heads"),
    pytest.param(put(BIAS, lambda tensors: tensors[BIAS][:30].copy()), "30 are no buckets", id="buckets"),
    pytest.param(put(BIAS, lambda tensors: tensors[BIAS][0].copy()), "of two dimensions", id="one-dimension"),
]


@pytest.mark.parametrize(("change", "reason"), OTHER_TENSORS)
def test_other_tensors_are_another_model(source, tmp_path, change, reason):
    """The tensors must be exactly HHEM's, with their shapes and types; nothing is written."""
    rewrite(source, change)
    with pytest.raises(HHEMError, match=reason):
        convert(source, tmp_path / "target")
    assert not (tmp_path / "target").exists()


OTHER_FILES = [
    pytest.param("model.safetensors", None, r"has no model\.safetensors", id="no-weights"),
    pytest.param("tokenizer.json", None, "it is that of huggingface.co/google/flan-t5-base", id="no-tokenizer"),
    pytest.param("model.safetensors", b"\x80\x04K\x01.", "is no file of tensors", id="a-pickle"),
    pytest.param("config.json", b"{", "is no JSON object", id="broken-config"),
    pytest.param("config.json", b"[]", "is no JSON object", id="config-is-a-list"),
    pytest.param("config.json", b'{"prompt": "Is it true?"}', "another prompt", id="another-prompt"),
    pytest.param("tokenizer.json", b"{}", "is no tokenizer", id="broken-tokenizer"),
]


@pytest.mark.parametrize(("name", "content", "reason"), OTHER_FILES)
def test_other_files_are_refused(source, tmp_path, name, content, reason):
    """The error names the file, and nothing is written."""
    (source / name).unlink() if content is None else (source / name).write_bytes(content)
    with pytest.raises(HHEMError, match=reason):
        convert(source, tmp_path / "target")
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_a_tokenizer_of_another_model_is_refused(source, tmp_path):
    """It has more tokens than the embedding."""
    tokenizer = json.loads((source / "tokenizer.json").read_bytes())
    tokenizer["model"]["vocab"] += [[f"▁word{number}", -1.0] for number in range(400)]
    (source / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(HHEMError, match="more tokens than the model"):
        convert(source, tmp_path / "target")


def test_an_existing_folder_is_kept(published, tmp_path):
    """The target must be new or empty."""
    target = tmp_path / "target"
    target.mkdir()
    convert(published, target)
    before = (target / "manifest.json").read_bytes()
    with pytest.raises(HHEMError, match="is there already; nothing was written"):
        convert(published, target)
    assert (target / "manifest.json").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["target"]


def convert_hhem(*arguments):
    """Run the tool; return exit code, standard output and standard error."""
    command = [sys.executable, "-W", "error", str(TOOL.with_name("convert_hhem")), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    return done.returncode, done.stdout, done.stderr


def test_the_command_converts(published, tmp_path):
    """It prints the written files, and the deviation of int8."""
    code, output, errors = convert_hhem(published, tmp_path / "fp32")
    assert (code, errors) == (0, "")
    assert "hhem-fp32-" in output
    code, output, errors = convert_hhem(published, tmp_path / "int8", "--int8")
    assert (code, errors) == (0, "")
    assert "int8 differs from fp32 by at most 0.0" in output
    assert HHEMClassifier(tmp_path / "int8").name in output


def test_the_command_reports_errors(published, tmp_path):
    """In one line, with exit code 2."""
    code, _, errors = convert_hhem(tmp_path / "missing", tmp_path / "target")
    assert (code, errors) == (2, f"error: no folder `{tmp_path / 'missing'}`\n")
    code, _, errors = convert_hhem(tmp_path, tmp_path / "target")
    assert (code, errors.startswith("error: hhem: `"), errors.count("\n")) == (2, True, 1)
    (tmp_path / "file").write_text("")
    code, _, errors = convert_hhem(published, tmp_path / "file" / "target")
    assert (code, errors) == (2, "error: the model cannot be converted: File exists\n")
