"""
A T5 encoder with HHEM's classifier as an ONNX graph, made of its tensors.

Everything that the tensors do not show follows flan-t5: gelu by tanh, distances of up to 128 tokens, the
epsilon below. Scores of attention are not scaled, and layers are normalised by their root
mean square, without a mean. Only the first token decides, so the last block computes no
other, and distances become biases here and not whenever the model runs.

Source: Raffel et al. 2020, "Exploring the limits of transfer learning"; Shazeer 2020, "GLU
variants improve transformer"; the model card of HHEM-2.1-Open.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from convert_hhem.published import Dimensions, Weights
from groundwire.faithfulness.hhem import OUTPUT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnx import ModelProto, NodeProto, TensorProto

__all__ = ["MAX_DISTANCE", "bucket_of", "build_graph"]

MAX_DISTANCE = 128
"""Tokens further apart than this are as far apart as any."""

_EPSILON = 1e-6
_OPSET = 20
_IR_VERSION = 10

# Added to scores of padding; as little as a float may be, but for what is added to it.
_NOT_THERE = -1e9


def bucket_of(distance: int, buckets: int) -> int:
    """
    Return the bucket of a distance, from the asking token to the one that is looked at.

    Half of the buckets are for either direction; of each, the first half are exact distances,
    and the others grow wider up to `MAX_DISTANCE`.
    """
    half = buckets // 2
    side, far = (half if distance > 0 else 0), abs(distance)
    exact = half // 2
    if far < exact:
        return side + far
    # In exact arithmetic; a float may fall short of a bucket's beginning.
    wider = 0
    while wider < half - exact - 1 and far ** (half - exact) >= (
        exact ** (half - exact - wider - 1) * MAX_DISTANCE ** (wider + 1)
    ):
        wider += 1
    return side + exact + wider


def build_graph(weights: Weights, dimensions: Dimensions) -> "ModelProto":
    """
    Return the model: tokens and their mask, int64 of shape (batch, tokens), to consistencies, float32 of (batch,).
    """
    return _Graph(weights, dimensions).model()


class _Graph:
    """A graph under construction."""

    def __init__(self, weights: Weights, dimensions: Dimensions) -> None:
        self._weights = weights
        self._sizes = dimensions
        self._nodes: list[NodeProto] = []
        self._tensors: list[TensorProto] = []
        self._named: set[str] = set()

    def model(self) -> "ModelProto":
        from onnx import TensorProto, checker, helper

        self._compute()
        sizes = ["batch", "tokens"]
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, sizes) for name in ("input_ids", "attention_mask")
        ]
        outputs = [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, sizes[:1])]
        graph = helper.make_graph(self._nodes, "hhem", inputs, outputs, self._tensors)
        versions = [helper.make_opsetid("", _OPSET)]
        model = helper.make_model(graph, opset_imports=versions, ir_version=_IR_VERSION, producer_name="groundwire")
        # The quantiser recommends preparation, but this graph has no shapes to infer and nothing to fold.
        model.metadata_props.add(key="onnx.quant.pre_process", value="onnxruntime.quant")
        checker.check_model(model)
        return model

    def _compute(self) -> None:
        """Add the nodes from tokens to a consistency."""
        shared = self._tensor("shared", self._weights["transformer.shared.weight"])
        states = self._node("Gather", [shared, "input_ids"], "embedded")
        bias = self._bias()
        for block in range(self._sizes.blocks):
            states = self._block(block, states, bias, is_last=block == self._sizes.blocks - 1)
        first = self._node("Squeeze", [states, self._integers("place_axis", [1])], "first")
        first = self._normalised(first, "transformer.encoder.final_layer_norm", "final")
        logits = self._linear(first, "classifier", "classified")
        bias = self._tensor("classifier_bias", self._weights["classifier.bias"])
        logits = self._node("Add", [logits, bias], "logits")
        shares = self._node("Softmax", [logits], "shares", axis=-1)
        self._node("Gather", [shares, self._integers("consistent", 1)], OUTPUT, axis=1)

    def _block(self, block: int, states: str, bias: str, *, is_last: bool) -> str:
        """Attention and the feed-forward layer, each added to what it was given; of the last block one place."""
        name = f"transformer.encoder.block.{block}.layer"
        normed = self._normalised(states, f"{name}.0.layer_norm", f"b{block}_attention_norm")
        asking = normed
        if is_last:
            states, asking, bias = (
                self._first(each, axis, f"b{block}_{what}")
                for each, axis, what in ((states, 1, "states"), (normed, 1, "asking"), (bias, 2, "bias"))
            )
        attended = self._attention(f"{name}.0.SelfAttention", asking, normed, bias, f"b{block}")
        states = self._node("Add", [states, attended], f"b{block}_attended")
        normed = self._normalised(states, f"{name}.1.layer_norm", f"b{block}_forward_norm")
        return self._node("Add", [states, self._forward(f"{name}.1.DenseReluDense", normed, block)], f"b{block}_out")

    def _attention(self, name: str, asking: str, asked: str, bias: str, label: str) -> str:
        heads = self._integers("heads_shape", [0, 0, self._sizes.heads, self._sizes.inner // self._sizes.heads])
        by_head = [0, 2, 1, 3]
        parts = []
        # Keys are turned at once into the form that they are multiplied in.
        for letter, source, order in (("q", asking, by_head), ("k", asked, [0, 2, 3, 1]), ("v", asked, by_head)):
            part = self._linear(source, f"{name}.{letter}", f"{label}_{letter}")
            part = self._node("Reshape", [part, heads], f"{label}_{letter}_heads")
            parts.append(self._node("Transpose", [part], f"{label}_{letter}_turned", perm=order))
        scores = self._node("MatMul", parts[:2], f"{label}_products")
        scores = self._node("Add", [scores, bias], f"{label}_scores")
        shares = self._node("Softmax", [scores], f"{label}_shares", axis=-1)
        mixed = self._node("MatMul", [shares, parts[2]], f"{label}_mixed")
        mixed = self._node("Transpose", [mixed], f"{label}_mixed_turned", perm=by_head)
        joined = self._integers("joined_shape", [0, 0, self._sizes.inner])
        return self._linear(self._node("Reshape", [mixed, joined], f"{label}_joined"), f"{name}.o", f"{label}_o")

    def _forward(self, name: str, states: str, block: int) -> str:
        gate = self._linear(states, f"{name}.wi_0", f"b{block}_gate")
        gate = self._node("Gelu", [gate], f"b{block}_gelu", approximate="tanh")
        hidden = self._linear(states, f"{name}.wi_1", f"b{block}_hidden")
        return self._linear(self._node("Mul", [gate, hidden], f"b{block}_gated"), f"{name}.wo", f"b{block}_wo")

    def _normalised(self, states: str, name: str, label: str) -> str:
        squares = self._node("Pow", [states, self._floats("two", 2.0)], f"{label}_squares")
        mean = self._node("ReduceMean", [squares, self._integers("value_axis", [-1])], f"{label}_mean", keepdims=1)
        mean = self._node("Add", [mean, self._floats("epsilon", _EPSILON)], f"{label}_above_zero")
        root = self._node("Sqrt", [mean], f"{label}_root")
        scaled = self._node("Div", [states, root], f"{label}_scaled")
        return self._node("Mul", [scaled, self._tensor(name, self._weights[f"{name}.weight"])], label)

    def _bias(self) -> str:
        """What is added to the scores of attention: by distance, and for padding; (batch, heads, tokens, tokens)."""
        import numpy as np

        heads = self._weights["transformer.encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
        distances = range(-MAX_DISTANCE, MAX_DISTANCE + 1)
        by_distance = heads[[bucket_of(distance, self._sizes.buckets) for distance in distances]].T
        size = self._node("Shape", ["input_ids"], "size", start=1)
        count = self._node("Squeeze", [size], "count")
        zero, one = self._integers("zero", 0), self._integers("one", 1)
        places = self._node("Range", [zero, count, one], "places")
        rows = self._node("Unsqueeze", [places, self._integers("column_axis", [1])], "rows")
        away = self._node("Sub", [places, rows], "away")
        limits = [self._integers("nearest", -MAX_DISTANCE), self._integers("farthest", MAX_DISTANCE)]
        away = self._node("Clip", [away, *limits], "away_limited")
        index = self._node("Add", [away, limits[1]], "bias_index")
        table = self._tensor("bias_by_distance", np.ascontiguousarray(by_distance))
        near = self._node("Gather", [table, index], "near", axis=1)
        # 1 for what is there and 0 for padding becomes 0 and hardly anything.
        there = self._node("Cast", ["attention_mask"], "there", to=1)
        absent = self._node("Sub", [there, self._floats("whole", 1.0)], "absent")
        absent = self._node("Mul", [absent, self._floats("much", -_NOT_THERE)], "absent_scores")
        absent = self._node("Unsqueeze", [absent, self._integers("mask_axes", [1, 2])], "absent_turned")
        return self._node("Add", [near, absent], "bias")

    def _first(self, name: str, axis: int, label: str) -> str:
        """The first place of *axis*, which stays."""
        return self._node("Gather", [name, self._integers("first_place", [0])], f"{label}_first", axis=axis)

    def _linear(self, states: str, name: str, label: str) -> str:
        import numpy as np

        turned = np.ascontiguousarray(self._weights[f"{name}.weight"].T)
        return self._node("MatMul", [states, self._tensor(name, turned)], label)

    def _node(self, kind: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        from onnx import helper

        self._nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def _tensor(self, name: str, values: "NDArray[np.float32 | np.int64]") -> str:
        from onnx import numpy_helper

        if name not in self._named:
            self._named.add(name)
            self._tensors.append(numpy_helper.from_array(values, name))
        return name

    def _integers(self, name: str, values: int | list[int]) -> str:
        import numpy as np

        return self._tensor(name, np.array(values, dtype=np.int64))

    def _floats(self, name: str, values: float) -> str:
        import numpy as np

        return self._tensor(name, np.array(values, dtype=np.float32))
