"""Deprecated names warn at the caller's line, and say what to use instead and until when they work."""

import asyncio
import inspect
import sys
import warnings
from types import ModuleType

import pytest

from groundwire.deprecation import deprecated, warn_deprecated_name


@deprecated(replacement="find", removal="0.4.0")
def search(text: str) -> str:
    """Return the text in capitals."""
    return text.upper()


@deprecated(replacement="asearch", removal="0.4.0")
async def old_search(text: str) -> str:
    """Return the text in capitals, later."""
    return text.upper()


@deprecated(replacement="Sources", removal="1.0.0")
class Texts:
    """Holds texts."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    @deprecated(replacement="Sources.find", removal="0.5.0")
    def look(self) -> int:
        """Return the number of texts."""
        return len(self.texts)


def line() -> int:
    """Return the line of the caller."""
    return inspect.stack()[1].lineno


def test_a_function_warns_at_the_line_of_its_caller():
    """The message has the name, the replacement and the version of the removal; the result is the same."""
    with pytest.warns(DeprecationWarning, match="deprecated") as caught:
        result, here = search("a"), line()
    assert result == "A"
    assert [str(each.message) for each in caught] == [
        "`search` is deprecated and will be removed in groundwire 0.4.0; use `find`"
    ]
    assert [(each.filename, each.lineno) for each in caught] == [(__file__, here)]


def test_a_line_warns_once():
    """With Python's usual filter, a loop does not repeat the warning, and another line has its own."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            search("a")
        search("b")
    assert len(caught) == 2


def test_a_class_and_its_methods_warn():
    """Creating an object is one warning, calling a deprecated method another; names say which class it is."""
    with pytest.warns(DeprecationWarning, match="^`Texts` is deprecated .* 1.0.0; use `Sources`$") as caught:
        texts = Texts("a", "b")
    assert [each.filename for each in caught] == [__file__]
    with pytest.warns(DeprecationWarning, match="^`Texts.look` is deprecated .* 0.5.0; use `Sources.find`$"):
        assert texts.look() == 2
    assert (isinstance(texts, Texts), texts.texts) == (True, ("a", "b"))
    assert Texts.__deprecated__.endswith("use `Sources`")


def test_a_coroutine_function_warns_when_it_is_called():
    """Before anybody awaits it, at the line of the call."""
    with pytest.warns(DeprecationWarning, match="use `asearch`") as caught:
        coroutine, here = old_search("a"), line()
    assert [(each.filename, each.lineno) for each in caught] == [(__file__, here)]
    assert asyncio.run(coroutine) == "A"


def test_tools_find_the_message_and_the_function():
    """`__deprecated__` has the message (PEP 702); signature and docstring are those of the function."""
    assert search.__deprecated__.endswith("use `find`")
    assert (search.__name__, search.__doc__) == ("search", "Return the text in capitals.")
    assert list(inspect.signature(search).parameters) == ["text"]


@pytest.fixture
def module(monkeypatch):
    """A module in which `Old` is a deprecated name of `New`."""
    made = ModuleType("a_module_with_a_deprecated_name")

    def get(name: str) -> object:
        if name != "Old":
            raise AttributeError(name)
        warn_deprecated_name("Old", replacement="New", removal="0.4.0")
        return int

    made.__getattr__ = get
    monkeypatch.setitem(sys.modules, made.__name__, made)
    return made


def test_a_deprecated_name_of_a_module_warns_where_it_is_used(module):
    """As an attribute, and in an import, whose line counts and not Python's import machinery."""
    with pytest.warns(DeprecationWarning, match="^`Old` is deprecated .* 0.4.0; use `New`$") as caught:
        found, here = module.Old, line()
    assert found is int
    assert [(each.filename, each.lineno) for each in caught] == [(__file__, here)]
    with pytest.warns(DeprecationWarning, match="use `New`") as caught:
        from a_module_with_a_deprecated_name import Old
    assert Old is int
    assert {each.filename for each in caught} == {__file__}
