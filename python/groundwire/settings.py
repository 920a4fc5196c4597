"""
Defines the settings of groundwire that the environment can change.

A field's environment variable is `QUANTITATIVE_` and the field's name in
capitals (ruling A12). Values come from the arguments, the environment, the file
`.env` of the working directory, or the defaults below, in this order of precedence.

Importing this module loads pydantic (extra `pydantic`), which takes a quarter of a
second, so other modules import it only when needed.
"""

from pathlib import Path
from typing import Literal

try:
    from pydantic import Field, SecretStr, model_validator
    from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict
except ImportError as error:
    raise ImportError(f"settings need {error.name}: pip install 'groundwire[pydantic]'", name=error.name) from error

from groundwire.thresholds import (
    EMBEDDER_TIMEOUT_S,
    FUZZY_THRESHOLD,
    HIGH_RISK_ABOVE,
    JUDGE_CONCURRENCY,
    JUDGE_TIMEOUT_S,
    MAX_RETRIES,
    MIN_JUDGE_CONFIDENCE,
    MODERATE_RISK_ABOVE,
)

__all__ = ["EmbedderSettings", "EvidenceSettings", "HHEMSettings", "JudgeSettings", "RiskSettings"]


class _Settings(BaseSettings):
    """The base class of all settings."""

    model_config = SettingsConfigDict(
        env_prefix="QUANTITATIVE_",
        env_file=".env",
        env_file_encoding="utf-8",
        # Other programs may have their own QUANTITATIVE_ names in the same file.
        extra="ignore",
        frozen=True,
        # An error message with the input would show the key.
        hide_input_in_errors=True,
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Refuse unknown arguments, because `extra="ignore"` would silently drop a misspelt name."""
        if isinstance(init_settings, InitSettingsSource):
            unknown = sorted(set(init_settings.init_kwargs) - set(cls.model_fields))
            if unknown:
                raise TypeError(f"{settings_cls.__name__} has no setting {', '.join(unknown)}")
        return init_settings, env_settings, dotenv_settings, file_secret_settings


class EvidenceSettings(_Settings):
    """
    Settings for checking extracted quotes against the transcript.

    Raises:
        pydantic.ValidationError: A value is out of range or has the wrong type. The
            message names the field and the rule, never the value.
        TypeError: An argument is not a setting.
    """

    evidence_quote_validation_enabled: bool = Field(
        default=True,
        description="Check extracted quotes against the transcript. If false, nothing is checked and stats is None.",
    )
    evidence_quote_validation_mode: Literal["substring", "fuzzy"] = Field(
        default="substring",
        description=(
            "Mode of the search. 'substring': the normalised transcript contains the normalised quote; "
            "'fuzzy': a partial_ratio of at least evidence_quote_fuzzy_threshold also suffices."
        ),
    )
    evidence_quote_fuzzy_threshold: float = Field(
        default=FUZZY_THRESHOLD,
        ge=0.5,
        le=1.0,
        description=(
            "Minimum partial_ratio / 100 of a grounded quote, 0.5 to 1.0 (ruling A11). "
            "Only used when evidence_quote_validation_mode='fuzzy'."
        ),
    )
    evidence_quote_guard: Literal["meaning"] | None = Field(
        default=None,
        description=(
            "'meaning': keep only quotes of whole words in which no negation, number, unit, date, name or modal word "
            "differs from the passage (rulings A8, A9, A10). Unset: the literal rule."
        ),
    )
    evidence_quote_fail_on_all_rejected: bool = Field(
        default=False,
        description=(
            "If true, raise EvidenceGroundingError if quotes were extracted and none is grounded. If false, "
            "continue with empty evidence. A failure event is recorded either way (ruling A14)."
        ),
    )
    evidence_quote_log_rejections: bool = Field(
        default=True,
        description="Log hashes and lengths of each rejected quote, and the counts; never text.",
    )
    evidence_quote_hash_key: SecretStr | None = Field(
        default=None,
        min_length=1,
        description=(
            "Key of HMAC-SHA-256 for the hashes in log events, at least 1 character; 32 "
            "random bytes in hexadecimal are "
            "recommended. Unset: plain SHA-256, which does not protect short quotes from guessing (ruling A15)."
        ),
    )
    evidence_quote_unsafe_debug_path: Path | None = Field(
        default=None,
        description=(
            "UNSAFE: a file to which the text of rejected quotes is appended as JSON lines, mode 0600, "
            "with a warning each time (ruling A16). Unset: no text is written anywhere."
        ),
    )


class RiskSettings(_Settings):
    """
    Limits of citation risk for each type of question and quality of sources.

    All defaults are the limits of the specification, which only states that they may
    differ ("風險閾值調整"). `groundwire.citations.RiskThresholds.of` selects the limits for
    one question.

    Raises:
        pydantic.ValidationError: A value is out of range or has the wrong type.
        TypeError: An argument is not a setting.
    """

    citation_risk_factual_moderate_above: float = Field(
        default=MODERATE_RISK_ABOVE,
        ge=0.0,
        le=1.0,
        description="A score above this is a moderate risk for factual questions.",
    )
    citation_risk_factual_high_above: float = Field(
        default=HIGH_RISK_ABOVE, ge=0.0, le=1.0, description="A score above this is a high risk for factual questions."
    )
    citation_risk_open_moderate_above: float = Field(
        default=MODERATE_RISK_ABOVE,
        ge=0.0,
        le=1.0,
        description="A score above this is a moderate risk for open questions.",
    )
    citation_risk_open_high_above: float = Field(
        default=HIGH_RISK_ABOVE, ge=0.0, le=1.0, description="A score above this is a high risk for open questions."
    )
    citation_risk_poor_sources_shift: float = Field(
        default=0.0, ge=-1.0, le=0.0, description="Added to both limits for poor sources, -1 to 0."
    )
    citation_risk_good_sources_shift: float = Field(
        default=0.0, ge=0.0, le=1.0, description="Added to both limits for good sources, 0 to 1."
    )
    citation_risk_confidence_from: float = Field(
        default=MIN_JUDGE_CONFIDENCE,
        ge=0.0,
        le=1.0,
        description="Minimum confidence of a judge whose low risk counts (ruling B11).",
    )
    citation_risk_forced_accept_within: int = Field(
        default=0,
        ge=0,
        description=(
            "With at most this many iterations left, an answer is accepted whatever its risk; 0 means only in the last "
            'iteration. The policy "spec" uses 3, as specified (ruling B13).'
        ),
    )

    @model_validator(mode="after")
    def _check_bands(self) -> "RiskSettings":
        for question in ("factual", "open"):
            less, more = (f"citation_risk_{question}_{band}_above" for band in ("moderate", "high"))
            if getattr(self, less) > getattr(self, more):
                raise ValueError(f"{less} must be at most {more}")
        return self


class JudgeSettings(_Settings):
    """
    Settings of the language model that judges answers.

    Unset values are those of `groundwire.judge.LLMJudge`: server and key come from
    `OPENAI_BASE_URL` and `OPENAI_API_KEY`.

    Raises:
        pydantic.ValidationError: A value is out of range or has the wrong type. The
            message names the field and the rule, never the value.
        TypeError: An argument is not a setting.
    """

    judge_model: str | None = Field(default=None, min_length=1, description="The model that judges.")
    judge_formatter_model: str | None = Field(
        default=None,
        min_length=1,
        description="The model that formats the notes of the first step. Unset: the judging model.",
    )
    judge_base_url: str | None = Field(
        default=None,
        description="Address of the server up to /chat/completions. Unset: OPENAI_BASE_URL, else OpenAI's.",
    )
    judge_api_key: SecretStr | None = Field(
        default=None, min_length=1, description="Key for the server. Unset: OPENAI_API_KEY, else none."
    )
    judge_two_step: bool = Field(
        default=True, description="Write a free critique first, then format it; if false, answer in the format at once."
    )
    judge_timeout_s: float = Field(
        default=JUDGE_TIMEOUT_S,
        gt=0,
        le=3600,
        description="Seconds for one judgement including retries, up to 3600.",
    )
    judge_max_retries: int = Field(
        default=MAX_RETRIES,
        ge=0,
        le=20,
        description="Number of retries after 429, 5xx or a broken connection.",
    )
    judge_concurrency: int = Field(
        default=JUDGE_CONCURRENCY, ge=1, le=256, description="Maximum number of concurrent judgements, 1 to 256."
    )
    judge_cache: Path | None = Field(
        default=None,
        description="A folder for caching judgements. Its files contain private text, mode 0600. Unset: no cache.",
    )
    judge_prompts: Path | None = Field(
        default=None,
        description="A folder of prompt templates that replace those of the same name. Unset: the shipped ones.",
    )


class EmbedderSettings(_Settings):
    """
    Settings of the embedder, which finds duplicates by meaning and claims similar to their sources.

    Unset values are those of `groundwire.embedding.ServerEmbedder`.

    Raises:
        pydantic.ValidationError: A value is out of range or has the wrong type. The
            message names the field and the rule, never the value.
        TypeError: An argument is not a setting.
    """

    embedder_model: str | None = Field(default=None, min_length=1, description="The model that embeds.")
    embedder_base_url: str | None = Field(
        default=None, description="Address of the server up to /embeddings. Unset: OPENAI_BASE_URL, else OpenAI's."
    )
    embedder_api_key: SecretStr | None = Field(
        default=None, min_length=1, description="Key for the server. Unset: OPENAI_API_KEY, else none."
    )
    embedder_folder: Path | None = Field(
        default=None,
        description="A folder with a local model, used without a server. Unset: the model of an installed package.",
    )
    embedder_timeout_s: float = Field(
        default=EMBEDDER_TIMEOUT_S,
        gt=0,
        le=3600,
        description="Seconds for one call including retries, up to 3600.",
    )
    embedder_max_retries: int = Field(
        default=MAX_RETRIES,
        ge=0,
        le=20,
        description="Number of retries after 429, 5xx or a broken connection.",
    )


class HHEMSettings(_Settings):
    """
    Location of the model that scores the consistency of claims with their contexts.

    Raises:
        pydantic.ValidationError: A value has the wrong type.
        TypeError: An argument is not a setting.
    """

    hhem_folder: Path | None = Field(
        default=None,
        description="A folder written by `tools/convert_hhem`. GROUNDWIRE_HHEM takes precedence.",
    )
