"""Compute the contrast of text and background by WCAG 2."""

import re

from groundwire.report.rendering import asset


def themes():
    """Return the colours of the style sheet, light and dark, by name."""
    colours = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", asset("report.css"))
    return {
        "light": {name: light for name, light, _ in colours},
        "dark": {name: dark for name, _, dark in colours},
    }


def luminance(colour):
    """Return the relative luminance of *colour*, as WCAG 2 defines it."""
    channels = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(theme, ink, paper):
    """Return the contrast of two named colours in a theme, from 1 to 21."""
    bright, dim = sorted((luminance(themes()[theme][name]) for name in (ink, paper)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)
