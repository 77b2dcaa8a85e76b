"""The broken files of `fixtures`: each is refused with an error that names its line."""

from pathlib import Path
from typing import Any, Callable, Dict, Optional, Tuple

import pytest

from lisa_allennlp.data.formats.ccg.auto import parse_auto
from lisa_allennlp.data.formats.ccg.columns import parse_columns
from lisa_allennlp.data.formats.ccg.pipes import parse_pipes
from lisa_allennlp.data.formats.columns import check_verbs, read_lines
from lisa_allennlp.data.formats.conll05 import parse_conll05
from lisa_allennlp.data.formats.conll12 import parse_conll12
from lisa_allennlp.data.formats.conllu import parse_conllu
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.treebanks import parse_treebank
from tests import FIXTURES

READERS: Dict[str, Callable[..., Any]] = {
    ".conll": lambda lines, path: (check_verbs(path, s) for s in parse_conll05(lines, path)),
    ".bio": parse_conll05,
    ".conll09": lambda lines, path: parse_treebank(lines, path, use_predicted_pos=True),
    ".gold_conll": lambda lines, path: (check_verbs(path, s) for s in parse_conll12(lines, path)),
    ".conllu": parse_conllu,
    ".auto": parse_auto,
    ".pipe": parse_pipes,
    ".tsv": parse_columns,
}
NOTHING = "no sentences; expected at least one sentence"
ERRORS: Dict[str, Tuple[Optional[int], str]] = {
    "too_few_columns.conll": (1, "4 columns; expected at least 6 (word, POS, parse bit, NE"),
    "ragged.conll": (3, "6 columns; expected 7, as in line 1, the first of the sentence"),
    "column_without_predicate.conll": (1, "2 role columns; expected 1, one per predicate"),
    "predicate_without_column.conll": (3, "of the sentence (in line 4)"),
    "unbalanced.conll": (2, "'(V*)' inside the bracket of A0"),
    "never_closed.conll": (2, "'(AM-TMP*' that is never closed in column 7"),
    "swapped_columns.conll": (3, "the V of predicate 1 at token 2; expected it at token 0"),
    "mixed_variants.conll": (3, "a line in the .combined.bio columns; expected the official"),
    "not_bio.combined.bio": (2, "'(V*)' in column 15; expected a BIO label"),
    "head_out_of_range.combined.bio": (1, "head '2'; expected 0 for a root, or the position"),
    "too_few_columns.combined.bio": (1, "8 columns; expected at least 14 (domain, sentence"),
    "latin1.conll": (2, "text encoded in UTF-8"),
    "empty.conll": (None, NOTHING),
    "too_few_columns.gold_conll": (2, "11 columns; expected at least 12 (document, part"),
    "ragged.gold_conll": (3, "12 columns; expected 13, as in line 2"),
    "predicate_without_column.gold_conll": (2, "0 role columns; expected 1"),
    "unbalanced.gold_conll": (3, "'(V*))' in column 12; expected one of '*', '(ROLE*'"),
    "swapped_columns.gold_conll": (3, "the V of predicate 1 at token 1; expected it at token 0"),
    "outside_document.gold_conll": (1, "a line outside any document; expected '#begin"),
    "begin_inside_document.gold_conll": (4, "for the document that begins in line 1"),
    "end_without_begin.gold_conll": (5, "'#end document'; expected '#begin document"),
    "document_without_end.gold_conll": (2, "the end of the file inside the document that"),
    "unknown_marker.gold_conll": (2, "'# a comment'; expected '#end document"),
    "no_sentences.gold_conll": (None, NOTHING),
    "nine_columns.conllu": (2, "9 columns; expected 10 separated by tabs (id, form"),
    "spaces_for_tabs.conllu": (1, "1 column; expected 10 separated by tabs"),
    "head_no_number.conllu": (1, "head 'two'; expected 0 for a root, or the position"),
    "head_negative.conllu": (1, "head '-1'"),
    "head_out_of_range.conllu": (3, "head '4'"),
    "own_head.conllu": (2, "'2', its own head"),
    "no_root.conllu": (3, "a sentence without a root; expected at least one token with head 0"),
    "not_parsed.conllu": (1, "no head ('_'); expected a parsed sentence"),
    "no_blank_line.conllu": (2, "token id '1'; expected 2, or a blank line before the next"),
    "skipped_id.conllu": (2, "token id '3'"),
    "only_empty_nodes.conllu": (1, "a sentence without words; expected a token with id 1"),
    "empty.conllu": (None, NOTHING),
    "twelve_columns.conll09": (2, "12 columns; expected at least 14 (ID, FORM"),
    "ragged.conll09": (5, "15 columns; expected 16, as in line 4"),
    "head_out_of_range.conll09": (2, "head '3'"),
    "no_head.conll09": (2, "no head ('_')"),
    "no_root.conll09": (1, "a sentence without a root"),
    "skipped_id.conll09": (2, "token id '3'"),
    "no_blank_line.conll09": (3, "token id '1'"),
    "no_ppos.conll09": (2, "no PPOS ('_'); expected a predicted part of speech"),
    "no_id.auto": (1, "expected a line 'ID=...' before each derivation"),
    "id_twice.auto": (2, "expected the derivation that line 1 announces"),
    "id_at_the_end.auto": (3, "the end of the file after this line; expected a derivation"),
    "no_parse.auto": (1, "NUMPARSE=0'; expected 'ID=... PARSER=GOLD NUMPARSE=1'"),
    "four_values.auto": (2, "found '(<L N NN cat N>)"),
    "never_closed.auto": (2, "found 1 nodes with 0 ends"),
    "closed_twice.auto": (2, "found 1 nodes with 2 ends"),
    "not_a_derivation.auto": (2, "found 'the cat'; expected (<L category"),
    "bad_category.auto": (2, "of the category '(N/N'"),
    "empty.auto": (None, NOTHING),
    "two_values.pipe": (1, "found 'board|N'; expected word|POS|category"),
    "no_word.pipe": (1, "found '|DT|N'; expected word|POS|category"),
    "bad_category.pipe": (2, "found '[' at character 2 of the category 'N[nb'"),
    "empty.pipe": (None, NOTHING),
    "three_columns.tsv": (2, "found '2 board N', 3 columns; expected 4 separated by tabs"),
    "skipped_number.tsv": (2, "found token number '3'; expected 2, or a blank line"),
    "spaces_for_tabs.tsv": (1, "1 column; expected 4 separated by tabs"),
    "bad_category.tsv": (1, "found ')' at character 3 of the category 'NP)'"),
}
PATHS = sorted(FIXTURES.rglob("broken/*"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_errors_name_the_line(path: Path) -> None:
    line, message = ERRORS[path.name]
    with pytest.raises(CorpusFormatError) as error:
        list(READERS[path.suffix](read_lines(path), path))
    place = f"{path}" if line is None else f"{path}:{line}"
    assert str(error.value).startswith(f"{place}: found ") and message in str(error.value)
