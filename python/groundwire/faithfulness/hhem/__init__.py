"""HHEM, a small model that says whether a claim is consistent with a context."""
