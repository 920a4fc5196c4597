"""Generate labelled claims and quotes about ponds, enough to fit a score."""

NAMES = ("Aldo", "Berit", "Cato", "Dina", "Egil", "Frida", "Gorm", "Hilde")


def rows(documents=60, *, document=None):
    """Return one supported and one unsupported claim about each of *documents* ponds, as the lines of a file."""
    made = []
    for number in range(documents):
        name, depth = NAMES[number % len(NAMES)], 2 + number
        pond = f"{name} dug pond {number} in spring. It is {depth} metres deep, and carp live under the lilies."
        right = (f"The pond is {depth} metres deep.", f"{name} keeps fish there, it is told.")[number % 2]
        wrong = (f"{name} dug the pond for ducks.", f"The pond is {depth + 3} metres deep.")[number % 3 == 0]
        more = {} if document is None else {"document": document(number)}
        made += [
            {"claim": right, "supported": True, "context": pond, **more},
            {"claim": wrong, "supported": False, "context": [pond, "Nothing else is known."], **more},
        ]
    return made


def quote_rows(documents=60):
    """Return lines with one true and one false quote of each of *documents* ponds."""
    made = []
    for number in range(documents):
        name, depth = NAMES[number % len(NAMES)], 2 + number
        pond = f"{name} dug pond {number} in spring. It is {depth} metres deep, and carp live under the lilies."
        right = (f"It is {depth} metres deep", f"it is {depth} metre deep, and carp live", "carp … the lilies")[
            number % 3
        ]
        wrong = (f"It is {depth + 3} metres deep", "Nobody has fished here for years.")[number % 2]
        made += [{"quote": quote, "label": quote == right, "source": pond} for quote in (right, wrong)]
    return made
