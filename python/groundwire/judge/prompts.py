"""
Renders the prompts: Jinja templates in a sandbox, with a version.

A folder can replace any template with one of the same name. Templates get texts that are already delimited
(`groundwire.judge.delimiting`), so that no template can let a source escape its tags, and no source becomes a template.
"""

import errno
import hashlib
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from groundwire.errors import LLMError, LLMFailureCode
from groundwire.files import MAX_SETTINGS_BYTES, list_folder, read_limited
from groundwire.judge.delimiting import delimit, delimiter_key, to_data
from groundwire.judge.schemas import LIMITS
from groundwire.labels import is_label, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

__all__ = ["Message", "PromptTemplates"]

Message = dict[str, str]

_SUFFIX = ".jinja"
_VERSION_HEX_DIGITS = 12
_CONVERSATIONS = {
    "one_step": ("question", "expert_advice", "candidate_answer"),
    "critique": ("question", "expert_advice", "candidate_answer"),
    "format": ("notes",),
    "statements": ("items",),
    "consistency": ("items",),
}


class PromptTemplates:
    """
    A set of templates, read once.

    Args:
        folder: Templates that replace the built-in ones of the same name; None for the built-in ones.

    Attributes:
        version: The name of the set and a hash of its templates: the same for the same words.

    Raises:
        OSError: The folder, or a file in it, cannot be read.
        ValueError: It has a template without a built-in one of that name, or one that is broken or uses an unknown
            name.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self._sources = _read_own()
        name = "builtin"
        if folder is not None:
            path = Path(folder)
            name = path.name if is_label(path.name) else "custom"
            self._sources |= _read_folder(path, self._sources)
        digest = hashlib.sha256()
        for key, source in sorted(self._sources.items()):
            digest.update(f"{key}\0{len(source)}\0{source}".encode())
        self.version = f"{name}-{digest.hexdigest()[:_VERSION_HEX_DIGITS]}"
        self._try_out()

    def messages(self, conversation: str, data: Mapping[str, str]) -> list[Message]:
        """
        Return the two messages of a conversation.

        Args:
            conversation: "one_step", "critique", "format", "statements" or "consistency".
            data: Its data by name, as `to_data` writes it.

        Raises:
            LLMError: BAD_PROMPT; a template failed.
        """
        try:
            return self._rendered(conversation, data)
        except Exception:
            # The error of a template may contain words of the data.
            failure = LLMError(LLMFailureCode.BAD_PROMPT)
        raise failure

    def _rendered(self, conversation: str, data: Mapping[str, str]) -> list[Message]:
        key = delimiter_key(*(data[name] for name in _CONVERSATIONS[conversation]))
        delimited = {name: delimit(name.replace("_", "-"), key, data[name]) for name in _CONVERSATIONS[conversation]}
        return [
            {
                "role": role,
                "content": self._environment.get_template(f"{conversation}.{role}{_SUFFIX}")
                .render(limits=LIMITS, **delimited)
                .strip(),
            }
            for role in ("system", "user")
        ]

    @cached_property
    def _environment(self) -> "ImmutableSandboxedEnvironment":
        from jinja2 import DictLoader, StrictUndefined
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        # A prompt is not HTML, and `to_data` has escaped the data.
        return ImmutableSandboxedEnvironment(
            loader=DictLoader(self._sources),
            undefined=StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            keep_trailing_newline=True,
        )

    def _try_out(self) -> None:
        """Render every template once, so that a broken one is reported at the start and not at the first answer."""
        for conversation, names in _CONVERSATIONS.items():
            try:
                self._rendered(conversation, {name: to_data("") for name in names})
            except Exception as error:
                raise ValueError(f"the prompt `{conversation}` is broken: {error}") from None


def _read_own() -> dict[str, str]:
    folder = files("groundwire.judge") / "prompts"
    return {each.name: each.read_text(encoding="utf-8") for each in folder.iterdir() if each.name.endswith(_SUFFIX)}


def _read_folder(path: Path, known: Mapping[str, str]) -> dict[str, str]:
    files, skipped = list_folder(path, recursive=False)
    for name, reason in skipped:
        if name.endswith(_SUFFIX):
            raise OSError(errno.EINVAL, reason, name)
    found = {}
    for each in files:
        if each.suffix == _SUFFIX:
            with each.open() as file:
                found[each.name] = read_limited(file, each.name, MAX_SETTINGS_BYTES).decode("utf-8")
    unknown = sorted(found.keys() - known.keys())
    if unknown:
        raise ValueError(f"unknown prompt {show(unknown[0])}; prompts: {', '.join(sorted(known))}")
    return found
