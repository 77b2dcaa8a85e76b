"""The import paths that the documentation of the release before shows."""

import importlib

import pytest

MOVED = {
    "analysis": ("apps.analyze", "analyze"),
    "analysis.report": ("apps.analyze.report", "write_report"),
    "data.annotated_files": ("formats.annotated_files", "read_annotated"),
    "search": ("apps.find", "Corpus"),
    "spacy_component": ("apps.spacy", "DocFrame"),
    "spacy_component.factory": ("apps.spacy.factory", "make_lisa"),
    "visualisation.figures": ("apps.show.figures", "Pictured"),
    "visualisation.page": ("apps.show.page", "html_page"),
    "visualisation.svg": ("apps.show.svg", "sentence_svg"),
}


@pytest.mark.parametrize("old", MOVED)
def test_old_paths_have_the_names_of_the_new_ones(old: str) -> None:
    new, name = MOVED[old]
    module = importlib.import_module(f"lisa_allennlp.{old}")
    with pytest.warns(DeprecationWarning, match=f"is now lisa_allennlp.{new}$"):
        importlib.reload(module)
    assert getattr(module, name) is getattr(importlib.import_module(f"lisa_allennlp.{new}"), name)
    assert not hasattr(module, "no_such_name")
