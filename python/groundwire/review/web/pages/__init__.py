"""The HTML pages of the review page."""
