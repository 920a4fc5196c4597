"""Compute the contrast of text and background by WCAG 2."""

import re

from groundwire.report.rendering import asset


def themes():
    """Return the colours of the style sheet, light and dark, by name."""
    rules = re.findall(r":root \{(.*?)\}", asset("report.css"), re.S)
    light, dark = (dict(re.findall(r"--([\w-]+): (#\w{6})", rule)) for rule in rules)
    return {"light": light, "dark": dark}


def luminance(colour):
    """Return the relative luminance of *colour*, as WCAG 2 defines it."""
    channels = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(theme, ink, paper):
    """Return the contrast of two named colours in a theme, from 1 to 21."""
    bright, dim = sorted((luminance(themes()[theme][name]) for name in (ink, paper)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)
