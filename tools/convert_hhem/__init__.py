"""Converts HHEM-2.1-Open, as it is published, to the folder that `HHEMClassifier` opens."""
