"""Colours, by the contrast that WCAG 2 demands."""

import pytest

from lisa_allennlp.apps.show.theme import DARK, LIGHT, PALETTES, Palette, role_class


def luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", PALETTES.values())
def test_text_can_be_read(palette: Palette) -> None:
    on_background = [
        (c, palette.background) for c in (palette.text, palette.muted, palette.different)
    ]
    for one, other in [*on_background, (palette.text, palette.panel), *palette.roles.values()]:
        assert contrast(one, other) >= 4.5
    # Lines need less.
    assert contrast(palette.line, palette.background) >= 3


def test_roles_have_classes() -> None:
    roles = ["C-V", "A0", "R-ARG0", "C-A2", "ARG5", "ARGA", "ARGM-TMP", "AM-LOC", "Agent"]
    assert list(map(role_class, roles)) == ["v", "a0", "a0", "a2", "a3", "a3", "am", "am", "am"]
    assert {*map(role_class, roles), "a1"} == {*LIGHT.roles} == {*DARK.roles}
