"""
HHEM against transformers, and a very small one that has learned its task: the lane `models`.

The small one has HHEM's files and 90,000 weights, and is trained for minutes; nothing else is
asserted of it than that it separates what it was trained to separate.
"""

import pytest

from convert_hhem.conversion import SAMPLES, convert
from faithfulness.hhem_files import NEEDED, TRAINING, made, trained
from groundwire.faithfulness import FaithfulnessValidator, HHEMClassifier
from groundwire.faithfulness.hhem import PROMPT

for package in TRAINING:
    pytest.importorskip(package, reason=f"no {package}: `python3 dev.py models` installs it")

HELD_OUT = 1_000
TWIN = "transformer.encoder.embed_tokens.weight"
LONGER = [("Ann has been here for five years. " * 30, "She is new."), ("a", "b")]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return the trained model, opened in fp32 and in int8."""
    folder = tmp_path_factory.mktemp("trained")
    convert(trained(), folder / "fp32")
    print(convert(trained(), folder / "int8", int8=True))
    return HHEMClassifier(folder / "fp32"), HHEMClassifier(folder / "int8")


def by_transformers(published, untrained, pairs):
    """Return consistencies as the model card computes them from the published files."""
    import torch
    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    weights = {name.removeprefix("t5."): tensor for name, tensor in load_file(published / "model.safetensors").items()}
    missing, unexpected = untrained.load_state_dict(weights, strict=False)
    assert (missing, unexpected) == ([TWIN], [])
    untrained.tie_weights()
    tokenizer = Tokenizer.from_file(str(published / "tokenizer.json"))
    found = []
    for context, claim in pairs:
        tokens = torch.tensor([tokenizer.encode(PROMPT.format(text1=context, text2=claim)).ids])
        with torch.no_grad():
            logits = untrained.eval()(input_ids=tokens, attention_mask=torch.ones_like(tokens)).logits
        found.append(torch.softmax(logits[0, 0], -1)[1].item())
    return found


@pytest.mark.parametrize("size", ["tiny", "base"])
def test_the_graph_computes_what_transformers_computes(tmp_path, size):
    """
    The files are the same; tensors are those of transformers except for the tied one; HHEM's own size is included.
    """
    import hhem_training as training
    import make_hhem as make

    made(tmp_path / "published", "random", *(["--base"] if size == "base" else []), needed=(*NEEDED, *TRAINING))
    done = convert(tmp_path / "published", tmp_path / "converted")
    untrained = training.untrained(make.BASE if size == "base" else make.TINY)
    expected = by_transformers(tmp_path / "published", untrained, [*SAMPLES, *LONGER])
    found = HHEMClassifier(tmp_path / "converted").score_many([*SAMPLES, *LONGER])
    assert found == pytest.approx(expected, abs=1e-4)
    assert size == "tiny" or done.parameters == 109_630_082


def test_buckets_are_those_of_transformers():
    """All possible distances are compared, and some beyond."""
    import torch
    from transformers.models.t5.modeling_t5 import T5Attention

    from convert_hhem.graph import bucket_of

    distances = torch.arange(-1_000, 1_001)
    bucket = T5Attention._relative_position_bucket  # noqa: SLF001 - the library has no public name for it
    expected = bucket(distances, True, 32, 128).tolist()
    assert [bucket_of(distance, 32) for distance in distances.tolist()] == expected


def test_the_trained_model_separates_unseen_pairs(small, record_property):
    """Training never combined these names and values; int8 nearly always agrees."""
    import hhem_texts as texts

    pairs = texts.Maker(7, is_held_out=True).pairs(HELD_OUT)
    verdicts = []
    for classifier in small:
        scores = classifier.score_many([(context, claim) for context, claim, _ in pairs])
        verdicts.append([score >= 0.5 for score in scores])
        right = sum(verdict == bool(follows) for verdict, (_, _, follows) in zip(verdicts[-1], pairs, strict=True))
        record_property(classifier.name, right / HELD_OUT)
        print(f"{classifier.name}: {right / HELD_OUT:.1%} of {HELD_OUT} held-out pairs are right")
        assert right / HELD_OUT > 0.97
    assert sum(one == other for one, other in zip(*verdicts, strict=True)) / HELD_OUT > 0.97


def test_the_trained_model_is_that_of_transformers(small):
    """The trained weights are the ones that run."""
    import hhem_texts as texts
    import hhem_training as training
    import make_hhem as make

    pairs = [(context, claim) for context, claim, _ in texts.Maker(8, is_held_out=True).pairs(100)]
    expected = by_transformers(trained(), training.untrained(make.TINY), pairs)
    assert small[0].score_many(pairs) == pytest.approx(expected, abs=1e-4)


def test_the_validator_with_the_trained_model(small):
    """The result names the model; the document's own example needs the real HHEM."""
    validator = FaithfulnessValidator(hhem=small[0])
    result = validator.validate(persona={"bio": "Ann likes tea."}, source_data="Ann: I enjoy my tea.\n")
    assert result.backend == f"lexical+hhem:{small[0].name}"
    score = small[0].score(
        claim="User prefers email communication", context="Interview transcript: 'I hate checking emails'"
    )
    print(f"the document's example: {score:.3f}")
    assert 0.0 <= score <= 1.0
