"""
Print labelled claims of a made-up task, for `groundwire calibrate --fit`.

    python3 examples/support_labels.py > labels.jsonl
    groundwire calibrate --fit labels.jsonl --save score.json

Each report of an inspection has one claim that it supports, in its own words or in others, and two that it does not
support, which keep most of its words.
"""

import json
from itertools import product

PLACES = ("Halden", "Brekke", "Tromma", "Lunde", "Vassby", "Eikland")
PARTS = (("pump", "runs quietly"), ("valve", "closes tightly"), ("fan", "turns freely"), ("belt", "moves evenly"))
MONTHS = ("March", "June", "October")

for number, (place, (part, finding), month) in enumerate(product(PLACES, PARTS, MONTHS), start=1):
    hours = 100 + 7 * number
    report = (
        f"Inspection of the {part} at {place} in {month}. After {hours} hours of work the {part} {finding}. "
        f"The crew at {place} ordered a spare {part} and a filter."
    )
    supported = (
        f"After {hours} hours of work the {part} {finding}.",
        f"In {month} somebody looked at the {part} in {place} and found no fault.",
        f"A filter was bought for {place}.",
    )
    unsupported = (
        f"After {hours + 30} hours of work the {part} {finding}.",
        f"The crew at {place} ordered a filter from the factory in Oslo.",
        f"The crew sold the spare {part} at {place} in {month}.",
        f"The {part} at {place} was replaced after the inspection in {month}.",
        f"Rust was found on the {part} during the inspection at {place}.",
    )
    claims = [(supported[number % 3], True), *((unsupported[(number + each) % 5], False) for each in (0, 2))]
    for claim, is_supported in claims:
        print(json.dumps({"claim": claim, "supported": is_supported, "context": report}))
