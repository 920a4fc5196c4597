"""Classifiers in local folders."""
