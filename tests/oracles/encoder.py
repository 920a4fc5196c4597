"""A T5 encoder with HHEM's classifier, read off the papers: one prompt, head by head, token by token."""

import math

import numpy as np


def bucket(distance, buckets, max_distance=128):
    """The bucket of a distance to another token: half for those ahead, and of each half one half exact."""
    half = buckets // 2
    exact = half // 2
    far = abs(distance)
    if far >= exact:
        # The base of the logarithm makes it exact at the powers of two.
        far = exact + int(math.log2(far / exact) / math.log2(max_distance / exact) * (half - exact))
    return (half if distance > 0 else 0) + min(far, half - 1)


def normalised(states, weight):
    """Divided by the root of the mean square."""
    return weight * states / np.sqrt((states**2).mean(axis=-1, keepdims=True) + 1e-6)


def softmax(scores):
    """Shares that add up to 1."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def gelu(values):
    """Its approximation by tanh."""
    return 0.5 * values * (1 + np.tanh(math.sqrt(2 / math.pi) * (values + 0.044715 * values**3)))


def attended(states, weights, name, bias):
    """What each token takes from the others; scores are not scaled."""
    query, key, value = (states @ weights[f"{name}.{letter}.weight"].T for letter in "qkv")
    width = query.shape[1] // len(bias)
    heads = []
    for head, added in enumerate(bias):
        part = slice(head * width, (head + 1) * width)
        heads.append(softmax(query[:, part] @ key[:, part].T + added) @ value[:, part])
    return np.concatenate(heads, axis=1) @ weights[f"{name}.o.weight"].T


def consistency(weights, tokens):
    """What a prompt's first token says, in double precision."""
    weights = {name: tensor.astype(np.float64) for name, tensor in weights.items()}
    encoder = "transformer.encoder"
    table = weights[f"{encoder}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
    places = range(len(tokens))
    bias = np.array([[table[bucket(key - query, len(table))] for key in places] for query in places]).transpose(2, 0, 1)
    states = weights["transformer.shared.weight"][tokens]
    blocks = sum(name.endswith("SelfAttention.q.weight") for name in weights)
    for block in range(blocks):
        attention, forward = (f"{encoder}.block.{block}.layer.{layer}" for layer in (0, 1))
        normed = normalised(states, weights[f"{attention}.layer_norm.weight"])
        states = states + attended(normed, weights, f"{attention}.SelfAttention", bias)
        normed = normalised(states, weights[f"{forward}.layer_norm.weight"])
        dense = f"{forward}.DenseReluDense"
        gated = gelu(normed @ weights[f"{dense}.wi_0.weight"].T) * (normed @ weights[f"{dense}.wi_1.weight"].T)
        states = states + gated @ weights[f"{dense}.wo.weight"].T
    first = normalised(states[0], weights[f"{encoder}.final_layer_norm.weight"])
    return softmax(first @ weights["classifier.weight"].T + weights["classifier.bias"])[1]
