"""
Every threshold and switch of groundwire that an environment can set.

A field's environment variable is `QUANTITATIVE_` and the field's name in
capitals (ruling A12). Values come from, first to last: the arguments, the
environment, the file `.env` of the working directory, the defaults below.

Loading this module loads pydantic, a quarter of a second: nothing else of
groundwire imports it before it is needed.
"""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

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
    """Where all settings come from."""

    model_config = SettingsConfigDict(
        env_prefix="QUANTITATIVE_",
        env_file=".env",
        env_file_encoding="utf-8",
        # Other programs keep their own QUANTITATIVE_ names in the same file.
        extra="ignore",
        frozen=True,
        # A message with the value in it would show the key.
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
        """Refuse an argument that is no setting: `extra="ignore"` would drop a misspelt switch in silence."""
        if isinstance(init_settings, InitSettingsSource):
            unknown = sorted(set(init_settings.init_kwargs) - set(cls.model_fields))
            if unknown:
                raise TypeError(f"{settings_cls.__name__} has no setting {', '.join(unknown)}")
        return init_settings, env_settings, dotenv_settings, file_secret_settings


class EvidenceSettings(_Settings):
    """
    How the quotes that a model extracted are checked against the transcript.

    Raises:
        pydantic.ValidationError: A value is out of its range or of another
            type. Names the field and the rule, never the value.
        TypeError: An argument is no setting.
    """

    evidence_quote_validation_enabled: bool = Field(
        default=True,
        description="Check extracted quotes against the transcript. When false nothing is checked and stats is None.",
    )
    evidence_quote_validation_mode: Literal["substring", "fuzzy"] = Field(
        default="substring",
        description=(
            "How a quote is looked for. 'substring': its normalised text stands in the normalised transcript; "
            "'fuzzy': or its partial_ratio reaches evidence_quote_fuzzy_threshold."
        ),
    )
    evidence_quote_fuzzy_threshold: float = Field(
        default=FUZZY_THRESHOLD,
        ge=0.5,
        le=1.0,
        description=(
            "The least partial_ratio / 100 that grounds a quote, 0.5 to 1.0 (ruling A11). "
            "Only used when evidence_quote_validation_mode='fuzzy'."
        ),
    )
    evidence_quote_guard: Literal["meaning"] | None = Field(
        default=None,
        description=(
            "'meaning': keep only quotes in which no negation, number, unit, date, name or modal word differs from the "
            "passage, and which stand there in whole words (rulings A8, A9, A10). Unset: the literal rule."
        ),
    )
    evidence_quote_fail_on_all_rejected: bool = Field(
        default=False,
        description=(
            "When true, raise EvidenceGroundingError if quotes were extracted and none is grounded. When false, "
            "go on with empty evidence. A failure event is recorded either way (ruling A14)."
        ),
    )
    evidence_quote_log_rejections: bool = Field(
        default=True,
        description="Log each rejected quote as hashes and lengths, and the counts. Never text.",
    )
    evidence_quote_hash_key: SecretStr | None = Field(
        default=None,
        min_length=1,
        description=(
            "Key of HMAC-SHA-256 for the hashes in log events, at least 1 character, better 32 random bytes in "
            "hexadecimal. Unset: plain SHA-256, from which short quotes can be guessed (ruling A15)."
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
    Where the bands of citation risk begin, for each type of question and quality of sources.

    The printed bands hold for all of them until something else is set; the document only
    says that they may differ ("風險閾值調整"). `groundwire.citations.RiskThresholds.of` takes
    from it what holds for one question.

    Raises:
        pydantic.ValidationError: A value is out of its range or of another type.
        TypeError: An argument is no setting.
    """

    citation_risk_factual_moderate_above: float = Field(
        default=MODERATE_RISK_ABOVE,
        ge=0.0,
        le=1.0,
        description="A score above it is a moderate risk, for factual questions.",
    )
    citation_risk_factual_high_above: float = Field(
        default=HIGH_RISK_ABOVE, ge=0.0, le=1.0, description="A score above it is a high risk, for factual questions."
    )
    citation_risk_open_moderate_above: float = Field(
        default=MODERATE_RISK_ABOVE,
        ge=0.0,
        le=1.0,
        description="A score above it is a moderate risk, for open questions.",
    )
    citation_risk_open_high_above: float = Field(
        default=HIGH_RISK_ABOVE, ge=0.0, le=1.0, description="A score above it is a high risk, for open questions."
    )
    citation_risk_poor_sources_shift: float = Field(
        default=0.0, ge=-1.0, le=0.0, description="Added to both limits where the sources are poor, -1 to 0."
    )
    citation_risk_good_sources_shift: float = Field(
        default=0.0, ge=0.0, le=1.0, description="Added to both limits where the sources are good, 0 to 1."
    )
    citation_risk_confidence_from: float = Field(
        default=MIN_JUDGE_CONFIDENCE,
        ge=0.0,
        le=1.0,
        description="The least confidence of a judge whose low risk is believed (ruling B11).",
    )
    citation_risk_forced_accept_within: int = Field(
        default=0,
        ge=0,
        description=(
            "With so many iterations left, or fewer, an answer is accepted whatever its risk; 0 is the last one "
            'alone. The policy "spec" takes 3, as printed (ruling B13).'
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
    Which language model judges answers, and how it is asked.

    What is not set here is as `groundwire.judge.LLMJudge` has it: the server and the key
    come from `OPENAI_BASE_URL` and `OPENAI_API_KEY` then.

    Raises:
        pydantic.ValidationError: A value is out of its range or of another
            type. Names the field and the rule, never the value.
        TypeError: An argument is no setting.
    """

    judge_model: str | None = Field(default=None, min_length=1, description="The model that judges.")
    judge_formatter_model: str | None = Field(
        default=None,
        min_length=1,
        description="The model that puts its notes into a form, if there are two steps. Unset: the same one.",
    )
    judge_base_url: str | None = Field(
        default=None,
        description="Address of the server up to /chat/completions. Unset: OPENAI_BASE_URL, else OpenAI's.",
    )
    judge_api_key: SecretStr | None = Field(
        default=None, min_length=1, description="Key for the server. Unset: OPENAI_API_KEY, else none."
    )
    judge_two_step: bool = Field(
        default=True, description="A free critique first, then a form; when false the form at once."
    )
    judge_timeout_s: float = Field(
        default=JUDGE_TIMEOUT_S,
        gt=0,
        le=3600,
        description="Seconds for one judgement with all that is sent again, up to 3600.",
    )
    judge_max_retries: int = Field(
        default=MAX_RETRIES,
        ge=0,
        le=20,
        description="How often a request is sent again after 429, 5xx or a broken connection.",
    )
    judge_concurrency: int = Field(
        default=JUDGE_CONCURRENCY, ge=1, le=256, description="Judgements under way at once, 1 to 256."
    )
    judge_cache: Path | None = Field(
        default=None,
        description="A folder to keep judgements in. Its files hold private text, mode 0600. Unset: none is kept.",
    )
    judge_prompts: Path | None = Field(
        default=None, description="A folder of prompt templates that replace those of the same name. Unset: ours."
    )


class EmbedderSettings(_Settings):
    """
    Who turns texts into vectors: for duplicates by meaning, and for claims near their sources.

    What is not set here is as `groundwire.embedding.ServerEmbedder` has it.

    Raises:
        pydantic.ValidationError: A value is out of its range or of another
            type. Names the field and the rule, never the value.
        TypeError: An argument is no setting.
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
        description="A folder with a local model, taken where no server is. Unset: that of an installed package.",
    )
    embedder_timeout_s: float = Field(
        default=EMBEDDER_TIMEOUT_S,
        gt=0,
        le=3600,
        description="Seconds for one call with all that is sent again, up to 3600.",
    )
    embedder_max_retries: int = Field(
        default=MAX_RETRIES,
        ge=0,
        le=20,
        description="How often a request is sent again after 429, 5xx or a broken connection.",
    )


class HHEMSettings(_Settings):
    """
    Where the model is that says whether claims are consistent with their contexts.

    Raises:
        pydantic.ValidationError: A value is of another type.
        TypeError: An argument is no setting.
    """

    hhem_folder: Path | None = Field(
        default=None,
        description="A folder that `tools/convert_hhem` has written. GROUNDWIRE_HHEM comes before it.",
    )
