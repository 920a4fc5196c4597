"""
What `groundwire.faithfulness` says of texts that its rules were not written with.

    python benches/quality/unseen.py [--embedder NAME] [--show]

Prints how many claims that a source tells are supported and contradicted, and how many edits of each kind pass.
With --show also which: from then on these texts are no longer unseen.
"""

import argparse
import warnings
from collections import Counter
from collections.abc import Sequence

from unseen_texts import SOURCES, UnseenSource

from groundwire.faithfulness import ClaimResult, FaithfulnessValidator

KINDS = ("number", "negation", "entity", "preference", "invented")


def results(validator: FaithfulnessValidator, source: UnseenSource, claims: Sequence[str]) -> list[ClaimResult]:
    """The results of *claims*, in their order; each has to be one claim."""
    result = validator.validate(
        persona={"nickname": source.person, "facts": list(claims)}, source_data=[(source.name, source.text)]
    )
    found = {each.details.path: each for each in result.claim_details}
    return [found[f"facts[{place}]"] for place in range(len(claims))]


def show(heading: str, result: ClaimResult) -> None:
    """Print a claim, and the place that decided."""
    places = (*result.contradictions, *result.evidence, *result.near_misses)[:1]
    words = [f"{each.kind}: {each.unit.text[each.start : each.end]!r}" for each in places]
    print(f"  {heading}, {result.confidence:.2f}: {result.details.value} {' '.join(words)}")


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", metavar="NAME", help="an embedder beside the rules")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", RuntimeWarning)
    validator = FaithfulnessValidator(options.embedder, policies={"nickname": "synthetic"})
    told: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    edits = Counter(kind for source in SOURCES for kind, _ in source.edits)
    print("| source | claims | supported | contradicted | edits | passed |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for source in SOURCES:
        claims = results(validator, source, source.told)
        supported = sum(each.status == "SUPPORTED" for each in claims)
        contradicted = sum(each.contradicted for each in claims)
        told.update(claims=len(claims), supported=supported, contradicted=contradicted)
        changed = zip(source.edits, results(validator, source, [claim for _, claim in source.edits]), strict=True)
        wrong = [(kind, each) for (kind, _), each in changed if each.status == "SUPPORTED"]
        passed.update(kind for kind, _ in wrong)
        figures = (len(claims), supported, contradicted, len(source.edits), len(wrong))
        print(f"| {source.name} | {' | '.join(map(str, figures))} |")
        if options.show:
            for each in claims:
                if each.status != "SUPPORTED":
                    show("told, not supported", each)
            for kind, each in wrong:
                show(f"{kind}, passed", each)
    figures = (*(told[name] for name in ("claims", "supported", "contradicted")), edits.total(), passed.total())
    print(f"| all | {' | '.join(map(str, figures))} |")
    print("passed: " + ", ".join(f"{kind} {passed[kind]} of {edits[kind]}" for kind in KINDS))


if __name__ == "__main__":
    main()
