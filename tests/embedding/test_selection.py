"""The embedder that a name selects (ruling D8)."""

import pytest

from embedding import folders_made as made
from groundwire.embedding import EmbeddingError, StaticEmbedder, embedder_named, local_embedder

NAME = "text-embedding-3-small"


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """Return a local model, in an environment without keys."""
    made.install(monkeypatch, "model2vec", StaticModel=made.StaticModel)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "QUANTITATIVE_EMBEDDER_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QUANTITATIVE_EMBEDDER_FOLDER", str(made.static_folder(tmp_path / "small")))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "small"


def test_without_a_key_the_local_embedder_is_used(folder):
    """Its name shows it."""
    for found in (embedder_named(NAME), embedder_named("local"), local_embedder(), embedder_named(NAME, folder=folder)):
        assert isinstance(found, StaticEmbedder)
        assert found.name.startswith("small@")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("OPENAI_API_KEY", "key"),
        ("QUANTITATIVE_EMBEDDER_API_KEY", "key"),
        ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"),
        ("QUANTITATIVE_EMBEDDER_BASE_URL", "http://127.0.0.1:9/v1"),
    ],
)
def test_with_a_key_or_an_address_the_server_is_used(monkeypatch, variable, value):
    """A self-hosted server needs no key; "local" and a folder select a local model in any case."""
    pytest.importorskip("openai", reason="no openai: pip install 'groundwire[judge]'")
    from groundwire.embedding import ServerEmbedder

    monkeypatch.setenv(variable, value)
    with embedder_named(NAME) as found:
        assert isinstance(found, ServerEmbedder)
        assert found.name == NAME
    assert isinstance(embedder_named("local"), StaticEmbedder)


def test_openais_address_without_a_key_is_no_server(monkeypatch):
    """The server would refuse every request."""
    monkeypatch.setenv("OPENAI_BASE_URL", "https://api.openai.com/v1")
    assert isinstance(embedder_named(NAME), StaticEmbedder)


def test_a_package_with_a_model(monkeypatch, tmp_path):
    """It is found without running its code."""
    package = tmp_path / "packages" / "some_model"
    made.static_folder(package / "weights")
    (package / "__init__.py").write_text("raise RuntimeError", encoding="utf-8")
    monkeypatch.syspath_prepend(package.parent)
    assert StaticEmbedder.from_package("some_model").name.startswith("some_model@")


@pytest.mark.parametrize("package", ["no_such_package_here", "json"])
def test_a_package_without_one(package):
    """The error names the missing file."""
    with pytest.raises(EmbeddingError, match=f"no package {package} with a model"):
        StaticEmbedder.from_package(package)


def test_no_local_embedder(monkeypatch):
    """Neither a folder nor a package."""
    monkeypatch.delenv("QUANTITATIVE_EMBEDDER_FOLDER")
    monkeypatch.setattr("groundwire.embedding.selection.LOCAL_PACKAGE", "no_such_package_here")
    with pytest.raises(EmbeddingError, match="not_there"):
        embedder_named(NAME)


def test_names_are_not_empty():
    """An empty name selects nothing."""
    with pytest.raises(ValueError, match="must not be empty"):
        embedder_named("")
