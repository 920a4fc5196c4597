"""
What the research says: texts, tables, JSON and transcripts as units that have a place.

Names are imported when they are first touched (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import SourceDataError
    from groundwire.faithfulness.sources.columns import ColumnSummary
    from groundwire.faithfulness.sources.reading import SourceData
    from groundwire.faithfulness.sources.units import Field, Locator, Unit

__all__ = ["ColumnSummary", "Field", "Locator", "SourceData", "SourceDataError", "Unit"]

_HOMES = {
    "ColumnSummary": "groundwire.faithfulness.sources.columns",
    "Field": "groundwire.faithfulness.sources.units",
    "Locator": "groundwire.faithfulness.sources.units",
    "SourceData": "groundwire.faithfulness.sources.reading",
    "SourceDataError": "groundwire.errors",
    "Unit": "groundwire.faithfulness.sources.units",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)
