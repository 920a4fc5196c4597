"""
Finds evidence for and against claims in units of source data, layer by layer.

`verbatim` finds the words of a claim, `values` its number, date or name, and `lexical` sentences with its terms.
`similarity` finds passages close in meaning, and `contradictions` other values and opposite stances. `source_index`
indexes the statements of units, `cues` recognises the field of a claim, and `evidence` defines what the layers return.
"""
