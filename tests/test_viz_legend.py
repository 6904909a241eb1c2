"""The colours, shapes and words of the legend: readable in both themes, and apart for whoever sees no colours."""

from itertools import combinations, product

import pytest

from viz.drawing import legend


def rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def blend(colour, opacity, paper):
    return "#" + "".join(
        f"{round(opacity * a + (1 - opacity) * b):02X}" for a, b in zip(rgb(colour), rgb(paper), strict=True)
    )


def contrast(one, other):
    """The contrast ratio of WCAG 2, from 1 to 21."""

    def luminance(colour):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb(colour))]
        return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


JUPYTERLAB = {  # its own colours for text, and secondary text, on its paper
    "light": {"ink": blend("#000000", 0.87, "#FFFFFF"), "muted": blend("#000000", 0.54, "#FFFFFF"), "paper": "#FFFFFF"},
    "dark": {"ink": "#FFFFFF", "muted": blend("#FFFFFF", 0.7, "#111111"), "paper": "#111111"},
}


@pytest.mark.parametrize("theme", [legend.LIGHT, legend.DARK, *JUPYTERLAB.values()])
def test_contrast_on_paper(theme):
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    for words in ("ink", "muted"):
        assert contrast(theme[words], theme["paper"]) >= 4.5
    for stroke in (legend.PURPLE, legend.VERMILION):
        assert contrast(stroke, theme["paper"]) >= 3


def test_contrast_on_colours():
    for look in legend.LOOKS.values():
        if look.fill:
            assert contrast(legend.BLACK, look.fill) >= 4.5


def linear(colour):
    """Red, green and blue as parts of the light, from 0 to 1."""
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb(colour))]


def lab(light):
    """Where linear light stands in CIE Lab: lightness from 0 to 100, and two axes of colour."""
    to_xyz = [(0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)]
    white = (0.9505, 1.0, 1.089)
    x, y, z = (
        max(sum(weight * c for weight, c in zip(row, light, strict=True)), 0) / reference
        for row, reference in zip(to_xyz, white, strict=True)
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def without_green(colour):
    """What a deuteranope sees, after Machado, Oliveira and Fernandes (2009)."""
    rows = [(0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)]
    return [sum(weight * c for weight, c in zip(row, linear(colour), strict=True)) for row in rows]


def apart(one, other):
    """How different two colours look to a deuteranope, and in grey (only lightness counts)."""
    seen = [lab(without_green(colour)) for colour in (one, other)]
    grey = abs(lab(linear(one))[0] - lab(linear(other))[0])
    return sum((a - b) ** 2 for a, b in zip(*seen, strict=True)) ** 0.5, grey


def test_the_simulation_confuses_red_and_green():
    assert apart("#D55E00", "#7C7C00")[0] < 20 < apart("#0072B2", "#D55E00")[0]


@pytest.mark.parametrize("theme", [legend.LIGHT, legend.DARK])
def test_fills_stay_apart_for_colour_blind_readers_and_in_grey(theme):
    fills = {look.fill or theme["paper"] for look in legend.LOOKS.values()}
    assert len(fills) >= 4
    for one, other in combinations(sorted(fills), 2):
        to_deuteranope, in_grey = apart(one, other)
        assert to_deuteranope >= 20 and in_grey >= 10, (one, other)


@pytest.mark.parametrize("theme", [legend.LIGHT, legend.DARK])
def test_arrows_stay_apart_for_colour_blind_readers_and_in_grey(theme):
    colours = {theme.get(line.colour, line.colour) for line in legend.LINES.values()}
    for one, other in combinations(sorted(colours), 2):
        to_deuteranope, in_grey = apart(one, other)
        assert to_deuteranope >= 10 and in_grey >= 10, (one, other)


def test_arrows_differ_in_more_than_their_colour():
    looks = [(line.head, line.dashes) for line in legend.LINES.values()]
    assert len(set(looks)) == len(looks)


def test_kinds_differ_in_more_than_their_colour():
    looks = list(legend.LOOKS.values())
    assert len({look.outline for look in looks}) == len(looks)
    for lang, labels in legend.LABELS.items():
        assert len({labels[kind] for kind in legend.LOOKS}) == len(looks), lang


def test_every_word_is_there_in_both_languages():
    for word, lang in product(("saved", "storage", "inside", "operators", "detached", "folded"), legend.LABELS):
        assert legend.LABELS[lang][word]
