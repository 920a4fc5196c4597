"""
Splits research into units with a location.

`reading` detects the format of files and objects. `prose` reads texts and transcripts, `tables` reads tables, and
`json_units` reads JSON. `units` defines units, their locations and the summary of a column.
"""
