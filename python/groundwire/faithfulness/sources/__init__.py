"""What the research says: texts, tables, JSON and transcripts as units that have a place."""
