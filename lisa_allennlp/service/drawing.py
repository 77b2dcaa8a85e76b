"""
Draws answers for `/draw`.

    >>> picture = draw_answer({"answer": {"words": ["Go", "!"], "pos": ["VB", "."]}}, max_words=9)
    >>> picture[:4], 'aria-label="2 words. Go !."' in picture
    ('<svg', True)
"""

from typing import Any, Dict, Optional, Tuple

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.errors import shown
from lisa_allennlp.service.errors import RequestError
from lisa_allennlp.service.returned import returned_sentence
from lisa_allennlp.visualisation.figures import Figure, Pictured, figure_svg, make_figure
from lisa_allennlp.visualisation.heat_map import describe_attention, heat_map
from lisa_allennlp.visualisation.svg import narrowed
from lisa_allennlp.visualisation.theme import THEMES

WIDTHS = (100, 20_000)
"""The smallest and the largest width of a picture, in pixels."""

_KEYS = ("answer", "other", "names", "width", "theme", "attention")


def draw_answer(asked: Any, max_words: int) -> str:
    """
    # Parameters

    asked : `Any`
        The body of a request: `answer`, and optionally `other` (another answer, to compare) with
        the `names` of both, `width` (in pixels), `theme` and `attention` (whether to draw the heat
        map of the attention instead).
    max_words : `int`
        The length of the longest sentence.

    # Returns

    `str`
        An element `svg`, also a file of its own.

    # Raises

    `RequestError`
        If the body is something else.
    """
    if not isinstance(asked, dict) or "answer" not in asked:
        raise RequestError(422, f"found {shown(asked, 80)}; expected an object with `answer`")
    for key in asked:
        if key not in _KEYS:
            raise RequestError(422, f"found the key {shown(key, 80)}; expected {', '.join(_KEYS)}")
    sentence = _sentence(asked["answer"], "answer", max_words)
    other = asked.get("other")
    compared = None if other is None else _sentence(other, "other", max_words)
    theme, width = _theme(asked.get("theme", THEMES[0])), _width(asked.get("width"))
    pictured = Pictured(sentence, compared, _names(asked.get("names")))
    shows_attention = _flag(asked, "attention")
    try:
        if shows_attention:
            return figure_svg(_heat_map(sentence, compared, width), theme)
        return figure_svg(make_figure(pictured, width), theme)
    except ConfigurationError as error:
        raise RequestError(422, error.message) from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"
        raise RequestError(
            422, f"cannot draw the answer ({found}); expected one of /label"
        ) from error


def _sentence(answer: Any, name: str, max_words: int) -> Sentence:
    sentence = returned_sentence(answer, name)
    length = len(sentence.words)
    if length > max_words:
        raise RequestError(422, f"`{name}`: found {length:,} words; expected at most {max_words:,}")
    return sentence


def _heat_map(sentence: Sentence, other: Optional[Sentence], width: Optional[float]) -> Figure:
    drawing = narrowed(heat_map(sentence, other), width)
    return Figure("", "", [drawing], describe_attention(sentence))


def _theme(theme: Any) -> Optional[str]:
    if theme is not None and theme not in THEMES:
        raise RequestError(
            422, f"`theme`: found {shown(theme, 80)}; expected {', '.join(THEMES)}, null"
        )
    return theme


def _width(width: Any) -> Optional[float]:
    least, most = WIDTHS
    if width is None:
        return None
    if isinstance(width, bool) or not isinstance(width, (int, float)) or not least <= width <= most:
        expected = f"a number from {least} to {most}"
        raise RequestError(422, f"`width`: found {shown(width, 80)}; expected {expected}")
    return float(width)


def _names(names: Any) -> Tuple[str, str]:
    if names is None:
        return Pictured._field_defaults["names"]
    if not isinstance(names, list) or len(names) != 2:
        raise RequestError(422, f"`names`: found {shown(names, 80)}; expected two strings")
    first, second = names
    if not isinstance(first, str) or not isinstance(second, str):
        raise RequestError(422, f"`names`: found {shown(names, 80)}; expected two strings")
    return first, second


def _flag(asked: Dict[str, Any], key: str) -> bool:
    value = asked.get(key, False)
    if not isinstance(value, bool):
        raise RequestError(422, f"`{key}`: found {shown(value, 80)}; expected true or false")
    return value
