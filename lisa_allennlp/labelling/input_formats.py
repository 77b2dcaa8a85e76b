"""
The names of the formats of inputs to label. The help of `lisa predict` lists them, so importing
this module imports nothing else.

>>> list(INPUT_FORMATS)
['json', 'lines', 'text']
"""

from typing import Dict

JSON, LINES, TEXT = "json", "lines", "text"

INPUT_FORMATS: Dict[str, str] = {
    JSON: "a sentence or document per line",
    LINES: "plain text, a document per line",
    TEXT: "plain text, one document",
}
"""The formats of inputs, and what they mean."""
