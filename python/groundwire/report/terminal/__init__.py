"""The reports on a rich console."""
