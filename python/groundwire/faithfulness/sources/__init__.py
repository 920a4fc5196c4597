"""Splits research into units with a location: texts, tables, JSON and transcripts."""
