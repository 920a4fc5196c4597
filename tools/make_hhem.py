"""
Make a model in the files of HHEM-2.1-Open, for tests and benchmarks.

    python tools/make_hhem.py random DST          random weights, a vocabulary of a few hundred tokens
    python tools/make_hhem.py random DST --base   random weights, as many as HHEM has: 439 MB
    python tools/make_hhem.py tiny DST            about 90,000 weights, trained for minutes by torch and transformers

The tiny model is trained on texts that `hhem_texts` makes, from a fixed seed. It says at the
end how it does on combinations of names and values that training never had.
"""

import argparse
import json
import math
import re
from collections import Counter
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from convert_hhem.published import Dimensions
from groundwire.faithfulness.hhem import PROMPT
from hhem_texts import Maker

SPECIAL = ["<pad>", "</s>", "<unk>"]
MOST_WORDS = 400
VOCABULARY = 416
SEED = 20_241_122

TINY = Dimensions(tokens=VOCABULARY, width=48, inner=48, hidden=96, blocks=3, heads=3, buckets=32)
BASE = Dimensions(tokens=32_128, width=768, inner=768, hidden=2_048, blocks=12, heads=12, buckets=32)


def main() -> None:
    """Make what was asked for."""
    parser = argparse.ArgumentParser(description="Make a model in HHEM's files.")
    parser.add_argument("kind", choices=["random", "tiny"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--base", action="store_true", help="as many random weights as HHEM has")
    options = parser.parse_args()
    options.folder.mkdir(parents=True)
    if options.kind == "tiny":
        from hhem_training import train

        write_files(options.folder, train(TINY, make_tokenizer()), make_tokenizer())
    else:
        write_files(options.folder, random_weights(BASE if options.base else TINY), make_tokenizer())


def write_files(folder: Path, weights: dict[str, np.ndarray], tokenizer: Tokenizer) -> None:
    """Write the three files as they are published: every tensor behind its prefix, without the embedding's twin."""
    tensors = {f"t5.{name}": np.ascontiguousarray(tensor) for name, tensor in weights.items()}
    save_file(tensors, folder / "model.safetensors")
    config = {"model_type": "HHEMv2", "foundation": "google/flan-t5-base", "prompt": PROMPT}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    tokenizer.save(str(folder / "tokenizer.json"))


def random_weights(dimensions: Dimensions) -> dict[str, np.ndarray]:
    """Weights of about the size that training begins with."""
    generator = np.random.default_rng(SEED)
    weights = {}
    for name, shape in dimensions.shapes().items():
        spread = 1.0 if "shared" in name or "bias" in name else shape[-1] ** -0.5
        values = spread * generator.standard_normal(shape, dtype=np.float32)
        weights[name] = values + np.float32(1.0) if "norm" in name else values
    return weights


def make_tokenizer() -> Tokenizer:
    """A tokenizer that works as T5's does: the words of the training texts whole, others by character."""
    texts = [PROMPT, *(text for pair in Maker(SEED, is_held_out=False).pairs(8_000) for text in pair[:2])]
    counts = Counter(word for text in texts for word in re.findall(r"\w+", text))
    total = sum(counts.values())
    words = [(f"▁{word}", math.log(count / total)) for word, count in counts.most_common(MOST_WORDS)]
    # Dearer than any word, so that a word is one token.
    characters = [(character, -20.0) for character in ["▁", *map(chr, range(33, 127))]]
    tokenizer = Tokenizer(models.Unigram([*((token, 0.0) for token in SPECIAL), *words, *characters], unk_id=2))
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.normalizer = normalizers.NFKC()
    split = [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(split)
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return tokenizer


if __name__ == "__main__":
    main()
