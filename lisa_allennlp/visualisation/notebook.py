"""
Pictures in notebooks, for cells that end with a sentence or a document. `import lisa_allennlp`
registers them with IPython.

    >>> sentence_html(Sentence(["Go", "!"])).startswith("<div")
    True
"""

from typing import Any

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.visualisation.svg import sentence_svg


def register(shell: Any) -> None:
    """
    # Parameters

    shell : `Any`
        What `IPython.get_ipython()` returns: `None` outside of IPython.
    """
    if shell is not None:
        html = shell.display_formatter.formatters["text/html"]
        html.for_type(Sentence, sentence_html)
        html.for_type(Document, document_html)


def sentence_html(sentence: Sentence) -> str:
    """The tree above the words, the roles below them."""
    return f'<div style="overflow-x:auto">{sentence_svg(sentence, width=1000)}</div>'


def document_html(document: Document) -> str:
    """The pictures of the sentences."""
    return "".join(map(sentence_html, document))
