"""
What HHEM takes, and how much of it is not ONNX Runtime.

    python benches/hhem.py [ROUNDS]

The model has as many weights as HHEM-2.1-Open, and random ones: time does not depend on what
they are. It is made once, in target/hhem. First the consistencies of some pairs, by
`score_many` and by bare calls on the same windows, one by one and in the same batches, in
turn, and answers are compared. Then one window of some lengths, the least of all rounds. All
of it in one thread, CPU time of that thread.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import numpy as np

from groundwire.benchmarks.runner import refuse_debug_build
from groundwire.faithfulness import HHEMClassifier
from groundwire.faithfulness.hhem import OnnxModel
from groundwire.onnx_models.runtime import batches, import_onnxruntime

onnxruntime = import_onnxruntime()

ROOT = Path(__file__).resolve().parents[1]
MADE = ROOT / "target" / "hhem"
sys.path.append(str(ROOT / "tools"))

SENTENCES = [
    "Ann lives in Berlin and works as a nurse.",
    "She has a team of 34 people and likes meetings.",
    "Carla hates email, and Ben does not like calls.",
    "Then they left for lunch, and it rained all day.",
]
PAIRS = [(" ".join((SENTENCES * 4)[: 1 + place]), "Ann likes email.") for place in range(12)]
LENGTHS = (64, 128, 512)

Prompts = Sequence[Sequence[int]]


def folders() -> dict[str, Path]:
    """The model in both precisions, made unless it is there."""
    source = MADE / "published"
    if not source.exists():
        MADE.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [sys.executable, str(ROOT / "tools" / "make_hhem.py"), "random", str(source), "--base"], check=True
        )
    from convert_hhem.conversion import convert

    found = {precision: MADE / precision for precision in ("fp32", "int8")}
    for precision, folder in found.items():
        if not folder.exists():
            convert(source, folder, int8=precision == "int8")
    return found


def bare(session: onnxruntime.InferenceSession, prompts: Prompts) -> list[float]:
    """One call, without anything of ours."""
    longest = max(map(len, prompts))
    tokens = np.array([[*prompt, *[0] * (longest - len(prompt))] for prompt in prompts])
    mask = np.array([[1] * len(prompt) + [0] * (longest - len(prompt)) for prompt in prompts])
    return session.run(None, {"input_ids": tokens, "attention_mask": mask})[0].tolist()


def compare(folder: Path, rounds: int) -> None:
    """Print medians of CPU time, and ratios."""
    model = OnnxModel(folder, threads=1)
    classifier = HHEMClassifier(folder, threads=1)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(folder / "model.onnx", options, providers=["CPUExecutionProvider"])
    prompts = [model.tokens(context, claim) for context, claim in PAIRS]
    groups = list(batches([len(prompt) for prompt in prompts], model.batch_tokens))
    ways: dict[str, Callable[[], list[float]]] = {
        "score_many": lambda: classifier.score_many(PAIRS),
        "bare, one by one": lambda: [score for prompt in prompts for score in bare(session, [prompt])],
        "bare, in the same batches": lambda: in_batches(session, prompts, groups),
    }
    expected = ways["bare, one by one"]()
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            begin = time.thread_time()
            found = way()
            times[name].append(time.thread_time() - begin)
            assert np.allclose(found, expected, atol=1e-4), name
    medians = {name: median(each) for name, each in times.items()}
    for name, seconds in medians.items():
        ratio = medians["score_many"] / seconds
        print(f"{folder.name}: {len(PAIRS)} pairs, {name}: {seconds * 1000:.0f} ms; score_many takes {ratio:.3f} of it")


def in_batches(session: onnxruntime.InferenceSession, prompts: Prompts, groups: Sequence[list[int]]) -> list[float]:
    """Bare calls on what is computed together."""
    scores = [0.0] * len(prompts)
    for places in groups:
        for place, score in zip(places, bare(session, [prompts[place] for place in places]), strict=True):
            scores[place] = score
    return scores


def latencies(folder: Path, rounds: int) -> None:
    """Print the time of one window of each length."""
    model = OnnxModel(folder, threads=1)
    for length in LENGTHS:
        prompt = [0, *(3 + place % 400 for place in range(length - 2)), 1]
        times = []
        for _ in range(rounds):
            begin = time.thread_time()
            model.consistencies([prompt])
            times.append(time.thread_time() - begin)
        print(f"{folder.name}: a window of {len(prompt)} tokens: {min(times) * 1000:.0f} ms")


def main() -> None:
    """Make, measure, print."""
    refuse_debug_build()
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for folder in folders().values():
        compare(folder, rounds)
        latencies(folder, rounds)


if __name__ == "__main__":
    main()
