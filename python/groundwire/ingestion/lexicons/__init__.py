"""What hedges look like: one TOML file for each language, read by `groundwire.ingestion.hedges.lexicon`."""
