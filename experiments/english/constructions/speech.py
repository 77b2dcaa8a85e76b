"""What somebody says: quotations, insertions and questions about it."""

import random
from typing import List, Optional, Tuple

from experiments.english.constructions.questions import interrogative
from experiments.english.constructions.statements import (
    DO,
    PERSONS,
    SUBJECTS,
    Piece,
    Statement,
    filling,
    moved,
    pieces_of,
    sentence_of,
    uncapitalised,
)
from lisa_allennlp.data.english import lemma_of
from lisa_allennlp.data.sentence import Frame, Sentence

SAYING = (("said", "VBD"), ("said", "VBD"), ("says", "VBZ"), ("added", "VBD"), ("explained", "VBD"))
"""Forms of verbs of saying, and their tags."""

THINKING = ("say", "think", "believe", "claim")
"""Verbs whose clauses are asked about."""


def is_speaker(statement: Statement) -> bool:
    """Whether the subject of a statement is short and can speak."""
    head, subject = statement.subject_head, statement.subject
    can_speak = head.word.lower() in PERSONS or head.pos == "NNP"
    return can_speak and len(subject) < 5 and statement.roles_of(subject) is not None


def _speaker(statement: Statement, shift: int) -> List[Piece]:
    """The subject of a statement as that of a verb of saying."""
    head, subject = statement.subject_head.source, []
    for token in statement.subject:
        piece = statement.pieces[token]._replace(roles={})
        subject.append(moved(piece, shift, head, -1, "nsubj", {}))
    subject[0] = uncapitalised(subject[0])
    return filling(subject, {-1: "ARG0"})


def _saying(speaker: Statement, generator: random.Random) -> Tuple[str, str]:
    form, tag = generator.choice(SAYING)
    return ("say", "VBP") if form == "says" and speaker.is_plural else (form, tag)


def _frame(lemma: str) -> Frame:
    return Frame(-1, [], lemma, f"{lemma}.01")


def reported(content: Sentence, speaker: Statement, generator: random.Random) -> Sentence:
    """`"The firm closed two plants," Smith said.`, so with questions and requests."""
    *said, end = pieces_of(content)
    root = next(piece.source for piece in said if piece.head_tag == "root")
    is_statement = any(p.head == root and p.head_tag in SUBJECTS for p in said) and end.word == "."
    form, tag = ("asked", "VBD") if end.word == "?" else _saying(speaker, generator)
    said = [p._replace(head=-1, head_tag="ccomp") if p.source == root else p for p in said]
    said = filling(said, {-1: "ARG1"})
    verb = Piece(-1, form, tag, -1, "root", {-1: "B-V"})
    subject = _speaker(speaker, len(content.words))
    opening = Piece(-2, '"', "``", root, "punct", {})
    comma = Piece(-3, ",", ",", root, "punct", {})
    closing = Piece(-4, '"', "''", root, "punct", {})
    frames = [*(content.frames or []), _frame(lemma_of(form, tag))]
    if generator.random() < 0.25:
        end = end._replace(head=-1) if end.word == "." else end
        return sentence_of([*subject, verb, comma, opening, *said, end, closing], frames)
    is_inverted = speaker.subject_head.pos[:2] == "NN" and generator.random() < 0.3
    quoted = [*said, comma if end.word == "." else end]
    if not is_statement or generator.random() < 0.7:
        quoted = [opening, *quoted, closing]
    clause = [verb, *subject] if is_inverted else [*subject, verb]
    return sentence_of([*quoted, *clause, Piece(-5, ".", ".", -1, "punct", {})], frames)


def inserted(statement: Statement, speaker: Statement, generator: random.Random) -> Sentence:
    """`The firm, Smith said, closed two plants.`"""
    form, tag = _saying(speaker, generator)
    verb = Piece(-1, form, tag, statement.root, "parataxis", {-1: "B-V"})
    before, after = (Piece(source, ",", ",", -1, "punct", {}) for source in (-2, -3))
    subject = statement.pieces[: len(statement.subject)]
    rest = statement.pieces[len(subject) :]
    return sentence_of(
        [
            *filling([*subject, before], {-1: "ARG1-DSP"}),
            *_speaker(speaker, len(statement.pieces)),
            verb,
            *filling([after, *rest], {-1: "C-ARG1-DSP"}),
        ],
        [*statement.frames, _frame(lemma_of(form, tag))],
    )


def question_about(
    statement: Statement, speaker: Statement, of_subject: bool, generator: random.Random
) -> Optional[Sentence]:
    """`What did Smith say the firm closed?`, or `Who did Smith say closed two plants?`"""
    asked = statement.subject if of_subject else statement.phrase(("obj",))
    roles = None if asked is None else statement.roles_of(asked)
    if asked is None or roles is None:
        return None
    head = next(p for p in (statement.pieces[t] for t in asked) if p.head == statement.root)
    word = interrogative(head)
    what = filling([Piece(-2, word, "WP", statement.root, head.head_tag, {})], roles)
    rest = [piece for piece in statement.pieces[:-1] if piece.source not in asked]
    rest[0] = uncapitalised(rest[0])
    rest = [
        p._replace(head=-1, head_tag="ccomp") if p.source == statement.root else p for p in rest
    ]
    lemma = generator.choice(THINKING)
    tag = generator.choice(["VBD", "VBP" if speaker.is_plural else "VBZ"])
    helper = Piece(-3, DO[tag], tag, -1, "aux", {-3: "B-V"})
    return sentence_of(
        [
            *what,
            helper,
            *_speaker(speaker, len(statement.pieces)),
            Piece(-1, lemma, "VB", -1, "root", {-1: "B-V"}),
            *filling(rest, {-1: "ARG1"}),
            Piece(-4, "?", ".", -1, "punct", {}),
        ],
        [*statement.frames, _frame(lemma), Frame(-3, [], "do", "do.01")],
    )
