"""Scripted models."""

import math


class Topics:
    """An embedder with a direction for each group of words; texts without any of them have no direction."""

    name = "topics"

    def __init__(self, *groups):
        self.groups = [set(group.split()) for group in groups]
        self.calls = []

    def encode(self, texts):
        """Count the words of each group in each text."""
        self.calls.append(list(texts))
        words = [[word.strip(".,;:!?'") for word in text.lower().split()] for text in texts]
        return [[float(sum(word in group for word in each)) for group in self.groups] for each in words]


class Scores:
    """A scorer that knows the scores of some claims; others have *otherwise*."""

    name = "scores"

    def __init__(self, known=None, otherwise=0.1):
        self.known = known or {}
        self.otherwise = otherwise
        self.pairs = []

    def consistencies(self, pairs):
        """Return one score for each pair."""
        self.pairs += pairs
        return [self.known.get(claim, self.otherwise) for _, claim in pairs]


class Returns:
    """An embedder and a scorer that always returns the same value; an exception is raised."""

    name = "returns"

    def __init__(self, returned):
        self.returned = returned

    def encode(self, _):
        """Return the value."""
        return self._result()

    consistencies = encode

    def _result(self):
        if isinstance(self.returned, Exception):
            raise self.returned
        return self.returned


NAN = math.nan
