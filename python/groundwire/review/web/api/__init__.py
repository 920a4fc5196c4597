"""The JSON API of the review page."""
