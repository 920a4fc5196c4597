#!/usr/bin/env python3
"""
Write the section `[units.cldr]` of every lexicon in python/groundwire/language/lexicons: the names and symbols of units
and currencies by Unicode's CLDR, as the package babel carries it.

    pip install babel==2.18.0
    python tools/cldr_units.py

The same release of babel always gives the same bytes. A unit that the lexicon lists itself gets the names that it
lacks. A currency is listed by its noun alone (`krone`, not `Danish krone`), and by its ISO 4217 code if the noun
belongs to one current currency only.
"""

import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from babel import Locale
from babel.core import get_global

ROOT = Path(__file__).resolve().parents[1]
LEXICONS = ROOT / "python/groundwire/language/lexicons"
LANGUAGES = ("ar", "de", "en", "es", "fr", "ja", "ru", "zh")
AMBIGUOUS = frozenset(["AFN", "BAM", "BOB", "BRL", "CRC", "NIO", "PAB", "PEN", "SLE", "UZS", "VES"])
"""Currencies that are called like a people, a person, an animal, the sun, or like nothing but real."""

NOUN_LAST = frozenset({"en", "de", "ru"})
"""Where the noun of a currency's name is the last word: Danish krone, but couronne danoise."""


UNITS = [
    "angle-degree",
    "area-square-kilometer",
    "area-hectare",
    "area-square-meter",
    "area-square-centimeter",
    "area-square-mile",
    "area-acre",
    "area-square-yard",
    "area-square-foot",
    "area-square-inch",
    "concentr-karat",
    "concentr-percent",
    "concentr-permille",
    "concentr-permillion",
    "digital-petabyte",
    "digital-terabyte",
    "digital-terabit",
    "digital-gigabyte",
    "digital-gigabit",
    "digital-megabyte",
    "digital-megabit",
    "digital-kilobyte",
    "digital-kilobit",
    "digital-byte",
    "duration-century",
    "duration-decade",
    "duration-year",
    "duration-month",
    "duration-week",
    "duration-day",
    "duration-hour",
    "duration-minute",
    "duration-second",
    "duration-millisecond",
    "duration-microsecond",
    "duration-nanosecond",
    "electric-ampere",
    "electric-milliampere",
    "electric-ohm",
    "electric-volt",
    "energy-kilocalorie",
    "energy-calorie",
    "energy-kilojoule",
    "energy-joule",
    "energy-kilowatt-hour",
    "energy-electronvolt",
    "energy-british-thermal-unit",
    "force-newton",
    "frequency-gigahertz",
    "frequency-megahertz",
    "frequency-kilohertz",
    "frequency-hertz",
    "graphics-pixel",
    "graphics-megapixel",
    "length-kilometer",
    "length-meter",
    "length-decimeter",
    "length-centimeter",
    "length-millimeter",
    "length-micrometer",
    "length-nanometer",
    "length-mile",
    "length-yard",
    "length-foot",
    "length-inch",
    "length-parsec",
    "length-light-year",
    "length-furlong",
    "length-fathom",
    "length-nautical-mile",
    "light-lux",
    "light-candela",
    "light-lumen",
    "mass-tonne",
    "mass-kilogram",
    "mass-gram",
    "mass-milligram",
    "mass-microgram",
    "mass-ounce",
    "mass-carat",
    "power-gigawatt",
    "power-megawatt",
    "power-kilowatt",
    "power-watt",
    "power-milliwatt",
    "power-horsepower",
    "pressure-millimeter-ofhg",
    "pressure-pound-force-per-square-inch",
    "pressure-bar",
    "pressure-millibar",
    "pressure-pascal",
    "pressure-hectopascal",
    "pressure-kilopascal",
    "pressure-megapascal",
    "speed-kilometer-per-hour",
    "speed-meter-per-second",
    "speed-mile-per-hour",
    "speed-knot",
    "temperature-celsius",
    "temperature-fahrenheit",
    "temperature-kelvin",
    "volume-cubic-kilometer",
    "volume-cubic-meter",
    "volume-cubic-centimeter",
    "volume-cubic-foot",
    "volume-hectoliter",
    "volume-liter",
    "volume-deciliter",
    "volume-centiliter",
    "volume-milliliter",
    "volume-bushel",
    "volume-gallon",
    "volume-quart",
    "volume-pint",
    "volume-fluid-ounce",
    "volume-tablespoon",
    "volume-teaspoon",
    "volume-barrel",
]
"""Units whose names are no other words. A pound is a currency, too, and is listed by the lexicons themselves."""

SYMBOLS = {
    "area-hectare": "ha",
    "area-square-centimeter": "cm2",
    "area-square-kilometer": "km2",
    "area-square-meter": "m2",
    "concentr-percent": "%",
    "concentr-permille": "‰",
    "concentr-permillion": "ppm",
    "digital-byte": "b",
    "digital-gigabyte": "gb",
    "digital-kilobyte": "kb",
    "digital-megabyte": "mb",
    "digital-terabyte": "tb",
    "duration-microsecond": "µs",
    "duration-nanosecond": "ns",
    "electric-ampere": "a",
    "electric-volt": "v",
    "energy-british-thermal-unit": "btu",
    "energy-calorie": "cal",
    "energy-electronvolt": "ev",
    "energy-joule": "j",
    "energy-kilocalorie": "kcal",
    "energy-kilojoule": "kj",
    "energy-kilowatt-hour": "kwh",
    "frequency-gigahertz": "ghz",
    "frequency-hertz": "hz",
    "frequency-kilohertz": "khz",
    "frequency-megahertz": "mhz",
    "length-centimeter": "cm",
    "length-decimeter": "dm",
    "length-foot": "ft",
    "length-inch": "in",
    "length-kilometer": "km",
    "length-meter": "m",
    "length-micrometer": "µm",
    "length-mile": "mi",
    "length-millimeter": "mm",
    "length-nanometer": "nm",
    "length-nautical-mile": "nmi",
    "length-yard": "yd",
    "light-lux": "lx",
    "mass-gram": "g",
    "mass-kilogram": "kg",
    "mass-microgram": "µg",
    "mass-milligram": "mg",
    "mass-ounce": "oz",
    "mass-tonne": "t",
    "power-gigawatt": "gw",
    "power-horsepower": "hp",
    "power-kilowatt": "kw",
    "power-megawatt": "mw",
    "power-watt": "w",
    "pressure-hectopascal": "hpa",
    "pressure-kilopascal": "kpa",
    "pressure-megapascal": "mpa",
    "pressure-millibar": "mbar",
    "pressure-millimeter-ofhg": "mmhg",
    "pressure-pascal": "pa",
    "pressure-pound-force-per-square-inch": "psi",
    "speed-kilometer-per-hour": "km/h",
    "speed-meter-per-second": "m/s",
    "speed-mile-per-hour": "mi/h",
    "temperature-celsius": "°c",
    "temperature-fahrenheit": "°f",
    "temperature-kelvin": "k",
    "volume-centiliter": "cl",
    "volume-cubic-centimeter": "cm3",
    "volume-cubic-kilometer": "km3",
    "volume-cubic-meter": "m3",
    "volume-deciliter": "dl",
    "volume-gallon": "gal",
    "volume-hectoliter": "hl",
    "volume-liter": "l",
    "volume-milliliter": "ml",
    "volume-tablespoon": "tbsp",
    "volume-teaspoon": "tsp",
}
"""Symbols that are units in every language. The others are known by a name here."""

_PLACEHOLDER = re.compile(r"\{0\}")
_LETTERS = re.compile(r"[^\W\d_]")


def main() -> int:
    for language in LANGUAGES:
        path = LEXICONS / f"{language}.toml"
        text = path.read_text(encoding="utf-8")
        lexicon = tomllib.loads(text)
        own = [group.split() for group in lexicon["units"]["groups"]]
        taken = _others(lexicon, {word for group in own for word in group})
        groups = [*_units(language, own, taken), *_currencies(language, own, taken)]
        path.write_text(_with_section(text, groups), encoding="utf-8")
        print(f"{language}: {len(groups)} groups", file=sys.stderr)
    return 0


def _others(lexicon: dict[str, object], units: set[str]) -> set[str]:
    """Return the words that the lexicon lists elsewhere than among units: they stay what they are."""
    found: set[str] = set()

    def gather(value: object) -> None:
        if isinstance(value, str):
            found.update(value.split())
        elif isinstance(value, list):
            for each in value:
                gather(each)
        elif isinstance(value, dict):
            for name, each in value.items():
                found.add(name)
                gather(each)

    for name, section in lexicon.items():
        if name not in {"units", "forms", "synonyms", "opposites", "contractions"}:
            gather(section)
    return found - units


def _units(language: str, own: list[list[str]], taken: set[str]) -> Iterator[list[str]]:
    patterns = Locale(language)._data["unit_patterns"]
    for unit in UNITS:
        forms = dict.fromkeys(
            _word(_PLACEHOLDER.sub("", pattern))
            for count, pattern in patterns.get(unit, {}).get("long", {}).items()
            if isinstance(pattern, str)
            and count in {"zero", "one", "two", "few", "many", "other"}
            # Japanese puts the number inside: 時速 5 キロメートル.
            and pattern.startswith("{0}")
        )
        known = next((group for group in own if not forms.keys().isdisjoint(group)), [])
        symbol = known[0] if known else SYMBOLS.get(unit, unit.partition("-")[2])
        # A letter or two stand for too much.
        shortest = 2 if language in {"zh", "ja"} else 3
        missing = [
            form for form in forms if len(form) >= shortest and form not in {symbol, *known} and form not in taken
        ]
        if missing:
            yield [symbol, *missing]


def _currencies(language: str, own: list[list[str]], taken: set[str]) -> Iterator[list[str]]:
    locale = Locale(language)
    listed = {word for group in own for word in group}
    codes: dict[str, set[str]] = defaultdict(set)
    lines = (LEXICONS / "en/words.txt").read_text(encoding="utf-8").splitlines()
    english_words = {line.partition("\t")[0] for line in lines}
    nouns: dict[str, dict[str, None]] = defaultdict(dict)
    for code in sorted(_current_codes()):
        names = locale._data["currency_names_plural"].get(code, {})
        forms = [form for form in names.values() if isinstance(form, str)] or [locale.currencies.get(code, "")]
        found = [_noun(form, language) for form in forms]
        first = _noun(locale.currencies.get(code, ""), language) or next(iter(found), "")
        for form in filter(None, (first, *found)):
            nouns[first][form] = None
        if first:
            codes[first].add(code.lower())
    for first, forms in nouns.items():
        known = next((group for group in own if first in group), None)
        symbol = known[0] if known else first
        names = [*forms, *(codes[first] - english_words if len(codes[first]) == 1 else ())]
        missing = [form for form in names if form not in listed and form not in taken and form != symbol]
        if (missing or not known) and symbol not in taken:
            yield [symbol, *missing]


def _current_codes() -> set[str]:
    """Return the codes of currencies that are legal tender somewhere."""
    found = set()
    for tenders in get_global("territory_currencies").values():
        found.update(code for code, _, end, is_tender in tenders if is_tender and end is None and code not in AMBIGUOUS)
    return found


def _noun(name: str, language: str) -> str:
    words = _word(name).split("_")
    if len(words) > 3 or any("(" in word or "." in word for word in words):
        return ""
    if language in {"zh", "ja"}:
        return ""
    noun = words[-1].rpartition("-")[2] if language in NOUN_LAST else words[0]
    return noun if len(noun) > 2 and _LETTERS.search(noun) else ""


def _word(text: str) -> str:
    """Write a name as the lexicons do: lower case, `_` for the spaces inside."""
    return "_".join(text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ").lower().split())


def _with_section(text: str, groups: list[list[str]]) -> str:
    lines = [f'  "{" ".join(group)}",' for group in groups]
    section = "\n".join(
        [
            "# Names of more units, and of currencies by their nouns: CLDR 47, written by tools/cldr_units.py.",
            "cldr = [",
            *lines,
            "]",
        ]
    )
    bare = re.sub(r"\n# Names of more units[^\n]*\ncldr = \[\n(?:  [^\n]*\n)*\]", "", text)
    head, mark, rest = bare.partition("\n[units]\n")
    end = re.search(r"\n\n(?:#[^\n]*\n)?\[", rest)
    cut = end.start() if end else len(rest)
    return f"{head}{mark}{rest[:cut].rstrip()}\n{section}{rest[cut:]}"


if __name__ == "__main__":
    sys.exit(main())
