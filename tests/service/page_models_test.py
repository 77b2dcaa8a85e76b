"""The page of `lisa serve` with models that predict less than LISA."""

from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest
from allennlp.models.archival import load_archive
from selenium.webdriver import Chrome

from lisa_allennlp.labelling.loading import load_labeller
from tests.archives import write_archive
from tests.service.browser import problems, set_screen
from tests.service.page_driver import Page
from tests.service.services import running
from tests.spacy_component.conftest import models  # noqa: F401

pytestmark = pytest.mark.medium

WORDS = ["She", "sold", "him", "the", "car", "."]
EMBEDDER = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}}
PARSER: Dict[str, Any] = {
    "type": "deep_biaffine_parser",
    "text_field_embedder": EMBEDDER,
    "encoder": {"type": "variational_bidirectional_rnn", "hidden_dim": 4, "num_layers": 1},
}


@contextmanager
def page_of(path: Path, browser: Chrome) -> Iterator[Page]:
    set_screen(browser, 1280)
    problems(browser)
    with running(load_labeller(path)) as served:
        page = Page(browser, f"http://127.0.0.1:{served.port}/")
        page.open_text(" ".join(WORDS))
        yield page
        assert problems(browser) == []


def shown(page: Page, *selectors: str) -> Dict[str, bool]:
    return {selector: page.find(selector).is_displayed() for selector in selectors}


def test_a_model_without_a_syntactic_head(models: Dict[str, Path], browser: Chrome) -> None:  # noqa: F811
    with page_of(models["sa"], browser) as page:
        assert page.all(".drawing .dependency") == []
        page.word(0).click()
        page.word(2).click()
        assert page.find(".chosen").text.startswith("3 him ")
        assert not page.find("[data-field=head]").is_displayed()
        page.find("[data-option=probabilities]").click()
        page.settle()
        was_predicate = page.all(".chips input")[0].is_selected()
        page.tick(0)
        is_now = "is no predicate any more" if was_predicate else "is a predicate now"
        assert page.changes()[0].startswith(f"“She” {is_now}")


def test_a_parser(archives: Dict[str, Path], tmp_path: Path, browser: Chrome) -> None:
    vocab = load_archive(archives["lisa"]).model.vocab
    path = write_archive(tmp_path, PARSER, {"type": "conllu_parses"}, vocab)
    with page_of(path, browser) as page:
        arcs = page.all(".drawing .dependency")
        assert len(arcs) == len(WORDS)
        hidden = shown(page, ".predicates", ".edits", "[data-copy=props]")
        assert not any(hidden.values()), hidden
        assert not page.find("[data-option=probabilities]").is_displayed()
        assert page.find("[data-copy=conllu]").is_displayed()
        page.word(2).click()
        page.word(0).click()
        assert not page.find(".changes").is_displayed()
        assert not page.find(".inspector").is_displayed()


def test_a_supertagger(archives: Dict[str, Path], browser: Chrome) -> None:
    with page_of(archives["ccg_supertagger"], browser) as page:
        assert page.texts(".drawing .own .word") == WORDS
        hidden = shown(page, ".predicates", "[data-copy=conllu]")
        assert not any(hidden.values()), hidden


def test_a_parser_that_reads_tags_says_so(archives: Dict[str, Path], browser: Chrome) -> None:
    with running(load_labeller(archives["deep_biaffine_parser"])) as served:
        page = Page(browser, f"http://127.0.0.1:{served.port}/")
        page.open()
        problem = page.find(".problem")
        page.wait(problem.is_displayed, "an explanation")
        assert "reads tags" in problem.text and not page.find("#text").is_displayed()
