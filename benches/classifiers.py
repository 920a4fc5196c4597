"""
What a classifier of pairs takes, and how much of it is not ONNX Runtime.

    python benches/classifiers.py [ROUNDS]

The model is a small encoder with random weights, made here. All pairs are scored by `OnnxPairScorer`, without its
cache, and by bare calls of ONNX Runtime on the same tokens in the same batches, in turn; answers are compared before
a time counts. Two threads, wall-clock time, medians.
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from onnx import numpy_helper, parser
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.onnx_models import OnnxPairScorer
from groundwire.onnx_models.pairs import BATCH_TOKENS
from groundwire.onnx_models.runtime import batches, import_onnxruntime

onnxruntime = import_onnxruntime()

LABELS = {"0": "contradiction", "1": "neutral", "2": "entailment"}
WORDS = [f"word{number}" for number in range(2_000)]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WIDTH, INNER, LAYERS = 256, 1_024, 4
PAIRS = 200


def make(folder: Path) -> None:
    """Write a model: an embedding, layers of attention and of two products, and the mean of all tokens."""
    random = np.random.default_rng(7)
    weights = {"table": (len(SPECIAL) + len(WORDS), WIDTH), "head": (WIDTH, len(LABELS))}
    lines = ["tokens = Gather(table, input_ids)"]
    state = "tokens"
    for layer in range(LAYERS):
        weights |= {f"up{layer}": (WIDTH, INNER), f"down{layer}": (INNER, WIDTH)}
        lines += [
            f"turned{layer} = Transpose<perm = [0, 2, 1]>({state})",
            f"near{layer} = MatMul({state}, turned{layer})",
            f"masked{layer} = Add(near{layer}, mask)",
            f"share{layer} = Softmax<axis = -1>(masked{layer})",
            f"seen{layer} = MatMul(share{layer}, {state})",
            f"wide{layer} = MatMul(seen{layer}, up{layer})",
            f"bent{layer} = Tanh(wide{layer})",
            f"state{layer} = MatMul(bent{layer}, down{layer})",
        ]
        state = f"state{layer}"
    text = f"""<ir_version: 10, opset_import: ["" : 18]>
    made (int64[B,T] input_ids, int64[B,T] attention_mask) => (float[B,3] logits) {{
        axis = Constant<value = int64[1] {{1}}>()
        there = Cast<to = 1>(attention_mask)
        one = Constant<value = float {{1.0}}>()
        absent = Sub(there, one)
        far = Constant<value = float {{10000.0}}>()
        low = Mul(absent, far)
        mask = Unsqueeze(low, axis)
        {chr(10).join(lines)}
        last = Constant<value = int64[1] {{2}}>()
        column = Unsqueeze(there, last)
        kept = Mul({state}, column)
        sum = ReduceSum<keepdims = 0>(kept, axis)
        logits = MatMul(sum, head)
    }}"""
    model = parser.parse_model(text)
    for name, shape in weights.items():
        values = random.normal(0, 1 / np.sqrt(shape[0]), shape).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(values, name))
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(SPECIAL + WORDS)}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"id2label": LABELS, "max_position_embeddings": 514}))


def pairs() -> list[tuple[str, str]]:
    """Passages of 20 to 300 words, each with a claim of 8 to 25."""
    random = np.random.default_rng(8)
    lengths = zip(random.integers(20, 300, PAIRS), random.integers(8, 25, PAIRS), strict=True)
    return [
        (" ".join(random.choice(WORDS, passage)), " ".join(random.choice(WORDS, claim))) for passage, claim in lengths
    ]


def bare(session: "onnxruntime.InferenceSession", rows: list[list[int]]) -> list[float]:
    """Calls without anything of ours but the order of the batches."""
    scores = [0.0] * len(rows)
    for places in batches([len(row) for row in rows], BATCH_TOKENS):
        longest = max(len(rows[place]) for place in places)
        tokens = np.array([rows[place] + [0] * (longest - len(rows[place])) for place in places])
        mask = np.array([[1] * len(rows[place]) + [0] * (longest - len(rows[place])) for place in places])
        (logits,) = session.run(None, {"input_ids": tokens, "attention_mask": mask})
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        for place, score in zip(places, (powers / powers.sum(axis=1, keepdims=True))[:, 2].tolist(), strict=True):
            scores[place] = score
    return scores


def main() -> None:
    """Make, measure, print."""
    refuse_debug_build()
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder)
        scorer = OnnxPairScorer(folder, threads=2, max_cached=0)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        given = pairs()
        ways = {
            "OnnxPairScorer": lambda: scorer.consistencies(given),
            "bare ONNX Runtime": lambda: bare(session, [tokenizer.encode(*pair).ids for pair in given]),
        }
        expected = ways["bare ONNX Runtime"]()
        times: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(rounds):
            for way, run in ways.items():
                begin = time.perf_counter()
                found = run()
                times[way].append(time.perf_counter() - begin)
                assert np.allclose(found, expected, atol=1e-5), way
    medians = {way: median(each) for way, each in times.items()}
    for way, seconds in medians.items():
        print(f"{len(given)} pairs, {way}: {seconds * 1000:.0f} ms")
    print(f"ratio {medians['OnnxPairScorer'] / medians['bare ONNX Runtime']:.3f}")


if __name__ == "__main__":
    main()
