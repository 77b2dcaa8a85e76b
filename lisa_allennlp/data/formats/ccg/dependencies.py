"""
Supertags derived from dependency trees, for corpora without CCG categories. Like a category, such a
label tells what a word combines with, and on which side.

    >>> dependency_supertags(Parse([1, 1, 1], ["nsubj", "root", "punct"]))
    ['nsubj/R', 'root+LR', 'punct/L']
"""

from typing import Iterable, Iterator, List

from lisa_allennlp.data.formats.columns import PathName
from lisa_allennlp.data.formats.conllu import parse_conllu
from lisa_allennlp.data.sentence import Parse, Sentence


def parse_dependency_supertags(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    """
    Reads CoNLL-U or CoNLL-X lazily and adds `dependency_supertags` to each sentence. Parameters and
    errors are as in `conllu.parse_conllu`.
    """
    for sentence, _ in parse_conllu(lines, path):
        assert sentence.parse is not None
        yield Sentence(sentence.words, sentence.pos, supertags=dependency_supertags(sentence.parse))


def dependency_supertags(parse: Parse) -> List[str]:
    """
    # Returns

    `List[str]`
        For each token its arc label, then `/` and the side of its head (roots have none), then `+`
        and the sides of its dependents, if any: `nsubj/R+L`, `punct/L`, `root+LR`.
    """
    length = len(parse.head_indices)
    has_left, has_right = [False] * length, [False] * length
    for token, head in enumerate(parse.head_indices):
        if token < head:
            has_left[head] = True
        elif token > head:
            has_right[head] = True
    supertags = []
    for token, (head, relation) in enumerate(zip(parse.head_indices, parse.head_tags, strict=True)):
        direction = "" if head == token else "/R" if head > token else "/L"
        sides = "L" * has_left[token] + "R" * has_right[token]
        supertags.append(relation + direction + (f"+{sides}" if sides else ""))
    return supertags
