"""A part as Parquet."""

import base64
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["write_parquet"]

# Rows of a group, at most; a part has fewer, so that its rows are one group with one dictionary.
_GROUP_ROWS = 1 << 26
# A dictionary may be as large as it is: otherwise 600 transcripts would be written out for each row.
_DICTIONARY_BYTES = (1 << 31) - 1
# Where each value is another one, dictionaries cost time and save nothing.
_PLAIN = ("start", "end")
# Texts that take more bytes each are taken for ones that hardly repeat.
_LONG_BYTES = 32


def write_parquet(file: BinaryIO, table: pa.Table, shown: pa.Schema, *, codec: str) -> None:
    """Write *table* as one row group; readers see the types of *shown* where texts are in dictionaries here."""
    # Writing takes the dictionary of the first batch, and writes texts out that are in another one.
    table = table.unify_dictionaries()
    fields = [shown.field(name) if name in shown.names else table.schema.field(name) for name in table.schema.names]
    seen = pa.schema(fields, metadata=table.schema.metadata)
    with pq.ParquetWriter(
        file,
        table.schema,
        compression=codec,
        use_dictionary=[name for name in table.schema.names if name not in _PLAIN and not _is_long(table, name)],
        # The least and the greatest of long texts help nobody, and finding them takes longer than all the rest.
        write_statistics=[name for name in table.schema.names if not _is_dictionary(table, name)],
        dictionary_pagesize_limit=_DICTIONARY_BYTES,
        # Arrow's description of the columns says here what readers shall see.
        store_schema=False,
    ) as writer:
        writer.add_key_value_metadata({"ARROW:schema": base64.b64encode(seen.serialize().to_pybytes())})
        writer.write_table(table, row_group_size=_GROUP_ROWS)


def _is_long(table: pa.Table, name: str) -> bool:
    """Tell whether a column has texts that were no dictionary before: quotes, which hardly repeat."""
    kind = table.schema.field(name).type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return bool(is_text and table.column(name).nbytes > _LONG_BYTES * max(len(table), 1))


def _is_dictionary(table: pa.Table, name: str) -> bool:
    return bool(pa.types.is_dictionary(table.schema.field(name).type))
