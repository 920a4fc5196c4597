"""
HHEM, a small model that says whether a claim is consistent with a context.

Names are imported when they are first touched (PEP 562), and what runs the model when
one is opened.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import HHEMError, HHEMMissingError
    from groundwire.faithfulness.hhem.classifier import HHEMClassifier
    from groundwire.faithfulness.hhem.conversion import convert

__all__ = ["HHEMClassifier", "HHEMError", "HHEMMissingError", "convert"]

_HOMES = {
    "HHEMClassifier": "groundwire.faithfulness.hhem.classifier",
    "HHEMError": "groundwire.errors",
    "HHEMMissingError": "groundwire.errors",
    "convert": "groundwire.faithfulness.hhem.conversion",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
