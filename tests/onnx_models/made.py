"""
Folders with small classifiers, in the layouts that exporters write.

They are exact: a claim follows from a passage as far as the passage has its words, and a token of an answer is
hallucinated if the context lacks it.
"""

import json

from onnx import TensorProto, helper, numpy_helper, parser
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = [
    "a",
    "after",
    "also",
    "and",
    "ann",
    "are",
    "as",
    "at",
    "back",
    "ben",
    "berlin",
    "bicycle",
    "bike",
    "boils",
    "by",
    "cat",
    "clinic",
    "cold",
    "cooks",
    "daily",
    "day",
    "dog",
    "drinks",
    "eats",
    "employs",
    "every",
    "fish",
    "five",
    "follow",
    "for",
    "friend",
    "from",
    "garden",
    "goes",
    "green",
    "has",
    "he",
    "her",
    "home",
    "hospital",
    "house",
    "in",
    "is",
    "it",
    "lena",
    "lives",
    "long",
    "makes",
    "morning",
    "near",
    "new",
    "night",
    "nurse",
    "of",
    "old",
    "on",
    "our",
    "paul",
    "people",
    "rain",
    "red",
    "rides",
    "runs",
    "says",
    "sells",
    "she",
    "shop",
    "sleeps",
    "soup",
    "staff",
    "still",
    "sun",
    "tea",
    "the",
    "their",
    "they",
    "tired",
    "train",
    "tree",
    "twelve",
    "two",
    "under",
    "walks",
    "warm",
    "was",
    "water",
    "we",
    "when",
    "with",
    "work",
    "works",
    "year",
    "years",
    "you",
    ".",
    ",",
    ":",
    "?",
    "!",
    "not",
    "no",
    "summarize",
    "following",
    "text",
    "output",
    "briefly",
    "answer",
    "question",
    "passage",
    "passages",
    "1",
    "2",
    "3",
    "bear",
    "mind",
    "that",
    "your",
    "response",
    "should",
    "be",
    "strictly",
    "based",
    "case",
    "do",
    "contain",
    "necessary",
    "information",
    "to",
    "please",
    "reply",
    "unable",
    "given",
    '"',
]

NLI = {"0": "contradiction", "1": "neutral", "2": "entailment"}
TWO = {"0": "unsupported", "1": "supported"}
SPANS = {"0": "supported", "1": "hallucinated"}

# The search for a token of the second text among those of the first; 3 is [SEP], words begin after 4.
_SHARES = """
    axis = Constant<value = int64[1] {1}>()
    last = Constant<value = int64[1] {2}>()
    sep = Constant<value = int64 {3}>()
    mask_id = Constant<value = int64 {4}>()
    one = Constant<value = float {1.0}>()
    is_sep = Equal(input_ids, sep)
    seps = Cast<to = 7>(is_sep)
    along = Constant<value = int64 {1}>()
    segment = CumSum<exclusive = 1>(seps, along)
    zero = Constant<value = int64 {0}>()
    is_word = Greater(input_ids, mask_id)
    is_first = Equal(segment, zero)
    is_second = Equal(segment, along)
    first = And(is_word, is_first)
    second = And(is_word, is_second)
    rows = Unsqueeze(input_ids, last)
    columns = Unsqueeze(input_ids, axis)
    equal = Equal(rows, columns)
    firsts = Unsqueeze(first, axis)
    hits = And(equal, firsts)
    hit = Cast<to = 1>(hits)
    present = ReduceMax<keepdims = 0>(hit, last)
    counted = Cast<to = 1>(second)
"""
_PAIR = """
    found = Mul(present, counted)
    had = ReduceSum(found, axis)
    all = ReduceSum(counted, axis)
    total = Max(all, one)
    share = Div(had, total)
    slope = Constant<value = float {SLOPE}>()
    shift = Constant<value = float {15.0}>()
    steep = Mul(share, slope)
    logit = Sub(steep, shift)
    none = Sub(logit, logit)
"""
_SPAN = """
    absent = Sub(one, present)
    slope = Constant<value = float {10.0}>()
    shift = Constant<value = float {5.0}>()
    steep = Mul(absent, slope)
    low = Sub(steep, shift)
    logit = Unsqueeze(low, last)
    none = Sub(logit, logit)
"""


def graph(labels, supported, *, tokens=False, types=False, width='"T"', slope="20.0", kind="int64"):
    """Return a graph whose label at *supported* has the logit, and all others 0."""
    width = "T" if width == '"T"' else width
    inputs = ["input_ids", "attention_mask", *(["token_type_ids"] if types else [])]
    given = ", ".join(f"{kind}[B,{width}] {name}" for name in inputs)
    shares = _SHARES.replace("input_ids", "ids") if kind != "int64" else _SHARES
    casts = "    ids = Cast<to = 7>(input_ids)\n" if kind != "int64" else ""
    names = ", ".join("logit" if place == supported else "none" for place in range(labels))
    shape = f"B,{width},{labels}" if tokens else f"B,{labels}"
    body = _SPAN if tokens else _PAIR.replace("SLOPE", slope)
    text = (
        f'<ir_version: 10, opset_import: ["" : 18]>\nmade ({given}) => (float[{shape}] logits) {{\n{casts}'
        f"{shares}{body}    logits = Concat<axis = -1>({names})\n}}"
    )
    model = parser.parse_model(text)
    for value in [*model.graph.input, *model.graph.output]:
        for dimension in value.type.tensor_type.shape.dim:
            if not dimension.dim_value and not dimension.dim_param:
                dimension.dim_param = "B"
    return model.SerializeToString()


def tokenizer(words=WORDS):
    """Return a tokenizer of whole words, which joins pairs as BERT does."""
    vocabulary = {word: place for place, word in enumerate([*SPECIAL, *dict.fromkeys(words)])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.add_special_tokens(list(SPECIAL))
    return made


def folder(path, *, labels=NLI, supported=2, config=None, inside="", **options):
    """Create a folder in the layout of exporters."""
    (path / inside).mkdir(parents=True)
    (path / inside / "model.onnx").write_bytes(graph(len(labels), supported, **options))
    made = tokenizer()
    made.save(str(path / "tokenizer.json"))
    settings = {
        "id2label": labels,
        "max_position_embeddings": 66,
        "vocab_size": made.get_vocab_size(),
        **(config or {}),
    }
    (path / "config.json").write_text(json.dumps({key: each for key, each in settings.items() if each is not None}))
    return path


def span_folder(path, *, labels=SPANS, **options):
    """Create a token classifier in LettuceDetect's layout."""
    return folder(path, labels=labels, supported=1, tokens=True, **options)


def other_graph(name="pixels", kind=TensorProto.INT64, shape=("B", "T")):
    """Return a valid graph with other inputs than tokens."""
    given = helper.make_tensor_value_info(name, kind, list(shape))
    out = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["B", 3])
    value = numpy_helper.from_array(__import__("numpy").zeros((1, 3), dtype="float32"), "zeros")
    nodes = [helper.make_node("Identity", ["zeros"], ["logits"])]
    made = helper.make_graph(nodes, "other", [given], [out], [value])
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=10).SerializeToString()
