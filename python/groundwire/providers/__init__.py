"""
Checks the citations that a provider of language models puts into its answers.

`responses` reads the answer and its citations from the response of each provider, as plain data or an object of its
SDK; it imports none of them. `citations` looks each citation up in the documents (`read_citations`).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.providers.citations import CitedAnswer, ProviderCitation, ProviderCitationStatus, read_citations
    from groundwire.providers.responses import ResponseError

__all__ = ["CitedAnswer", "ProviderCitation", "ProviderCitationStatus", "ResponseError", "read_citations"]

_HOMES = {
    "CitedAnswer": "groundwire.providers.citations",
    "ProviderCitation": "groundwire.providers.citations",
    "ProviderCitationStatus": "groundwire.providers.citations",
    "ResponseError": "groundwire.providers.responses",
    "read_citations": "groundwire.providers.citations",
}
__getattr__, __dir__ = lazy_names(globals(), _HOMES)
