"""Create folders with small models, and replace libraries with fakes that read them."""

import json
import sys
from types import ModuleType, SimpleNamespace

import numpy as np

WORDS = ("[PAD]", "[UNK]", "cat", "dog", "house", "tree")
TABLE = np.arange(len(WORDS) * 3, dtype=np.float32).reshape(len(WORDS), 3) / 10


def static_folder(folder):
    """Create a folder that looks like a static model."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"normalize": true}', encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"weights")
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    return folder


def sentence_folder(folder):
    """Create a folder that looks like a model of sentence-transformers."""
    static_folder(folder)
    (folder / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    (folder / "modules.json").write_text("[]", encoding="utf-8")
    return folder


def onnx_folder(folder, *, pooling=None, max_tokens=None, inside=""):
    """Create a folder that looks like a model in ONNX."""
    (folder / inside).mkdir(parents=True)
    (folder / inside / "model.onnx").write_bytes(b"graph")
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    if pooling is not None:
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling), encoding="utf-8")
    if max_tokens is not None:
        content = json.dumps({"max_seq_length": max_tokens})
        (folder / "sentence_bert_config.json").write_text(content, encoding="utf-8")
    return folder


def vector_of(text):
    """Return the vector that the fakes return for a text; they reject surrogates, as the libraries do."""
    text.encode()
    return [float(len(text)), float(text.count("a")), 1.0]


def broken(*_, **__):
    """Raise an error with the text that was read."""
    raise RuntimeError("SECRET")


def install(monkeypatch, name, **contents):
    """Make `import name` return a module with these contents."""
    module = ModuleType(name)
    vars(module).update(contents)
    monkeypatch.setitem(sys.modules, name, module)


class StaticModel:
    """Replaces the class of model2vec."""

    @classmethod
    def from_pretrained(cls, path):
        """Load a folder without a download."""
        assert path.is_dir()
        return cls()

    def encode(self, texts, *, use_multiprocessing):
        """Return vectors as float64, as some versions do."""
        assert not use_multiprocessing
        return np.array([vector_of(text) for text in texts])


class SentenceTransformer:
    """Replaces the class of sentence-transformers."""

    made = ()

    def __init__(self, path, **options):
        SentenceTransformer.made = (path, options)

    def encode(self, texts, **_):
        """Return one row for each text."""
        return np.array([vector_of(text) for text in texts])


class Tokenizer:
    """Replaces the class of tokenizers: a word's id is its position in `WORDS`."""

    limit = None

    @classmethod
    def from_buffer(cls, _):
        """Return a tokenizer."""
        return cls()

    def get_added_tokens_decoder(self):
        """Return no special tokens."""
        return {}

    def no_truncation(self):
        """Keep whole texts."""
        self.limit = None

    def enable_truncation(self, limit):
        """Cut longer texts."""
        self.limit = limit

    def no_padding(self):
        """Do not pad."""

    def encode_batch(self, texts):
        """Return the ids, all of which count; surrogates are rejected, as by the library."""
        "".join(texts).encode()
        rows = [[WORDS.index(word) if word in WORDS else 1 for word in text.split()][: self.limit] for text in texts]
        return [SimpleNamespace(ids=ids, attention_mask=[1] * len(ids), type_ids=[0] * len(ids)) for ids in rows]


class InferenceSession:
    """Replaces the class of onnxruntime: looks ids up in `TABLE`, and records the shapes."""

    inputs = ("input_ids", "attention_mask")
    outputs = "tokens"
    shapes = ()

    def __init__(self, _path, options, *, providers):
        assert providers == ["CPUExecutionProvider"]
        self.threads = options.intra_op_num_threads
        InferenceSession.shapes = []

    def get_inputs(self):
        """Return the inputs, with the usual types and shapes."""
        return [SimpleNamespace(name=name, type="tensor(int64)", shape=["batch", "tokens"]) for name in self.inputs]

    def get_outputs(self):
        """Return the only output."""
        return [SimpleNamespace(name="output")]

    def run(self, _, given):
        """Return vectors of tokens, vectors of texts, or neither."""
        assert set(given) == set(self.inputs)
        ids = given["input_ids"]
        self.shapes.append(ids.shape)
        if self.outputs == "neither":
            return [np.zeros(len(ids), dtype=np.float32)]
        return [TABLE[ids]] if self.outputs == "tokens" else [TABLE[ids], TABLE[ids].sum(axis=1)]


def pretend_onnx(monkeypatch, **changes):
    """Install both fakes; *changes* are attributes of the session."""
    for name, value in changes.items():
        monkeypatch.setattr(InferenceSession, name, value)
    options = type("SessionOptions", (), {"intra_op_num_threads": 0, "log_severity_level": 2})
    install(
        monkeypatch,
        "onnxruntime",
        InferenceSession=InferenceSession,
        SessionOptions=options,
        disable_telemetry_events=lambda: None,
    )
    install(monkeypatch, "tokenizers", Tokenizer=Tokenizer)
