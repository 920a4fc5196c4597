"""Read the fields that an event adds to a log record."""

import logging

_OF_EVERY_RECORD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


def fields_of(record: logging.LogRecord) -> dict[str, object]:
    """Return the fields that came in by `extra`."""
    return {name: value for name, value in vars(record).items() if name not in _OF_EVERY_RECORD}
