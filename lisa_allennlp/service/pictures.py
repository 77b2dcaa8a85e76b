"""
Draws and converts answers that clients send back.

    >>> picture = draw(DrawInput(answer={"words": ["Go", "!"], "pos": ["VB", "."]}))
    >>> picture[:4], 'aria-label="2 words. Go !."' in picture
    ('<svg', True)
    >>> print(convert(ConvertInput(answers={"words": ["Go"], "pos": ["VB"]}), "json"), end="")
    {"words": ["Go"], "pos": ["VB"]}
"""

from lisa_allennlp.labelling.writing import format_answer
from lisa_allennlp.service.schemas import ConvertInput, DrawInput, SentenceAnswer
from lisa_allennlp.visualisation.comparison import differences
from lisa_allennlp.visualisation.figures import Pictured, figures_svg, make_figure
from lisa_allennlp.visualisation.heat_map import describe_attention, heat_map
from lisa_allennlp.visualisation.layout import lay_out
from lisa_allennlp.visualisation.svg import draw as draw_sentence
from lisa_allennlp.visualisation.svg import svg
from lisa_allennlp.visualisation.texts import describe


def draw(asked: DrawInput) -> str:
    """Draws an answer, or two to compare, as an element `svg` that is also a file of its own."""
    sentence = asked.answer.sentence
    other = None if asked.other is None else asked.other.sentence
    if asked.attention:
        drawing = heat_map(sentence, other, asked.width)
        return svg(drawing, describe_attention(sentence), asked.theme)
    if asked.overlay:
        before = other or sentence
        layout = lay_out(before, width=asked.width)
        drawing = draw_sentence(sentence, layout, differences(sentence, before), before)
        return svg(drawing, describe(sentence), asked.theme)
    pictured = Pictured(sentence, other, asked.names or ("first", "second"))
    return figures_svg([make_figure(pictured, asked.width)], asked.theme)


def convert(asked: ConvertInput, output_format: str) -> str:
    """Writes answers in a format of `lisa predict`."""
    answers = (a.sentence if isinstance(a, SentenceAnswer) else a.document for a in asked.answers)
    return "".join(format_answer(answer, output_format) for answer in answers)
