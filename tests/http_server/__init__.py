"""Tests of the parts that every HTTP server here needs."""
