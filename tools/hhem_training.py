"""Train the very small HHEM."""

import math
import sys
import time

import numpy as np
import torch
from groundwire.faithfulness.hhem.published import Dimensions
from tokenizers import Tokenizer
from transformers import T5Config, T5ForTokenClassification

from groundwire.faithfulness.hhem import PROMPT
from hhem_texts import Maker, Pair

SEED = 20_241_122
STEPS = 1_500
BATCH = 64
HELD_OUT_PAIRS = 2_000
RATE = 3e-3
WARM_UP = 200


def train(dimensions: Dimensions, tokenizer: Tokenizer) -> dict[str, np.ndarray]:
    """Return the weights, by the names that transformers has for them."""
    torch.manual_seed(SEED)
    # One thread: sums are in one order, so that the weights are the same every time.
    torch.set_num_threads(1)
    model = untrained(dimensions).train()
    _begin_by_comparing(model)
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, _rate)
    maker = Maker(SEED, is_held_out=False)
    begin = time.monotonic()
    for step in range(STEPS):
        inputs, labels = _batch(tokenizer, maker.pairs(BATCH))
        loss = torch.nn.functional.cross_entropy(model(**inputs).logits[:, 0], labels)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if step % 200 == 0:
            print(f"step {step}: loss {loss.item():.3f}, {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    right = _share_right(model.eval(), tokenizer, Maker(SEED + 1, is_held_out=True).pairs(HELD_OUT_PAIRS))
    print(f"{right:.1%} of {HELD_OUT_PAIRS} held-out pairs are right after {time.monotonic() - begin:.0f} s")
    tied = "transformer.encoder.embed_tokens.weight"
    return {name: tensor.numpy() for name, tensor in model.state_dict().items() if name != tied}


def untrained(dimensions: Dimensions) -> T5ForTokenClassification:
    """Return transformers' own model of these sizes."""
    config = T5Config(
        vocab_size=dimensions.tokens,
        d_model=dimensions.width,
        d_kv=dimensions.inner // dimensions.heads,
        d_ff=dimensions.hidden,
        num_layers=dimensions.blocks,
        num_heads=dimensions.heads,
        relative_attention_num_buckets=dimensions.buckets,
        feed_forward_proj="gated-gelu",
        num_labels=2,
        dropout_rate=0.0,
        classifier_dropout=0.0,
        is_encoder_decoder=False,
        use_cache=False,
    )
    return T5ForTokenClassification(config)


def _begin_by_comparing(model: T5ForTokenClassification) -> None:
    """
    Initialise attention so that tokens look for equal tokens, and remember the ones before them.

    Everything else builds on whether the context has the claim's words, and next to which names.
    Training takes most of its time to find that by chance, so the blocks start with it.
    """
    blocks = [block.layer[0].SelfAttention for block in model.transformer.encoder.block]
    width = blocks[0].key_value_proj_dim
    with torch.no_grad():
        for attention in blocks[:2]:
            for matrix in (attention.q, attention.k):
                matrix.weight.copy_(0.6 * torch.eye(*matrix.weight.shape))
        # The last head of the first block does not compare.
        for matrix in (blocks[0].q, blocks[0].k):
            matrix.weight[-width:] = 0.0
        bias = blocks[0].relative_attention_bias.weight
        bias.zero_()
        # No token is compared with itself; buckets from 1 on are the tokens before.
        bias[0] = -6.0
        bias[1:8, -1] = 4.0


def _rate(step: int) -> float:
    """The share of the learning rate: rising, then along a cosine."""
    return min(1.0, (step + 1) / WARM_UP) * 0.5 * (1.0 + math.cos(math.pi * step / STEPS))


def _batch(tokenizer: Tokenizer, pairs: list[Pair]) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    tokenizer.enable_padding()
    encodings = tokenizer.encode_batch([PROMPT.format(text1=context, text2=claim) for context, claim, _ in pairs])
    inputs = {
        "input_ids": torch.tensor([encoding.ids for encoding in encodings]),
        "attention_mask": torch.tensor([encoding.attention_mask for encoding in encodings]),
    }
    return inputs, torch.tensor([follows for _, _, follows in pairs])


def _share_right(model: T5ForTokenClassification, tokenizer: Tokenizer, pairs: list[Pair]) -> float:
    right = 0
    with torch.no_grad():
        for start in range(0, len(pairs), BATCH):
            inputs, labels = _batch(tokenizer, pairs[start : start + BATCH])
            right += int((model(**inputs).logits[:, 0].argmax(-1) == labels).sum())
    return right / len(pairs)
