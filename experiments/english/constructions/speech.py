"""What somebody says: quotations, insertions and questions about it."""

import random
from typing import Optional, Tuple

from experiments.english.constructions.questions import interrogative
from experiments.english.constructions.statements import (
    DO,
    PERSONS,
    SHORT,
    SUBJECTS,
    Piece,
    Statement,
    attached,
    filling,
    new_frame,
    new_subject,
    pieces_of,
    sentence_of,
)
from lisa_allennlp.data.english import lemma_of
from lisa_allennlp.data.sentence import Sentence

SAYING = (("said", "VBD"), ("said", "VBD"), ("says", "VBZ"), ("added", "VBD"), ("explained", "VBD"))
"""Forms of verbs of saying, and their tags."""

LONG_SPEAKER = 5
"""The number of tokens from which the description of a speaker stands after the verb."""

THINKING = ("say", "think", "believe", "claim")
"""Verbs whose clauses are asked about."""


def is_long_speaker(statement: Statement) -> bool:
    """Whether the subject is a person's description, with a clause or a phrase after its noun."""
    head, subject = statement.subject_head, statement.subject
    is_person = head.word.lower() in PERSONS and head.pos[:2] == "NN"
    return is_person and LONG_SPEAKER <= len(subject) <= SHORT


def is_speaker(statement: Statement) -> bool:
    """Whether the subject of a statement is short and can speak."""
    head, subject = statement.subject_head, statement.subject
    can_speak = head.word.lower() in PERSONS or head.pos == "NNP"
    return can_speak and len(subject) < LONG_SPEAKER and statement.roles_of(subject) is not None


def _saying(speaker: Statement, generator: random.Random) -> Tuple[str, str]:
    """A verb of saying that agrees with the speaker, and its tag."""
    form, tag = generator.choice(SAYING)
    return ("say", "VBP") if form == "says" and speaker.takes_plain_verb else (form, tag)


def reported(content: Sentence, speaker: Statement, generator: random.Random) -> Sentence:
    """`"The firm closed two plants," Smith said.`, so with questions and requests."""
    *said, end = pieces_of(content)
    root = next(piece.source for piece in said if piece.head_tag == "root")
    is_statement = any(p.head == root and p.head_tag in SUBJECTS for p in said) and end.word == "."
    form, tag = ("asked", "VBD") if end.word == "?" else _saying(speaker, generator)
    said = filling(attached(said, root, -1, "ccomp"), {-1: "ARG1"})
    verb = Piece(-1, form, tag, -1, "root", {-1: "B-V"})
    subject = new_subject(speaker, len(content.words))
    opening = Piece(-2, '"', "``", root, "punct", {})
    comma = Piece(-3, ",", ",", root, "punct", {})
    closing = Piece(-4, '"', "''", root, "punct", {})
    frames = [*(content.frames or []), new_frame(f"{lemma_of(form, tag)}.01")]
    is_long = len(speaker.subject) >= LONG_SPEAKER
    if not is_long and generator.random() < 0.25:
        end = end._replace(head=-1) if end.word == "." else end
        return sentence_of([*subject, verb, comma, opening, *said, end, closing], frames)
    is_inverted = is_long or (speaker.subject_head.pos[:2] == "NN" and generator.random() < 0.3)
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
            *new_subject(speaker, len(statement.pieces)),
            verb,
            *filling([after, *rest], {-1: "C-ARG1-DSP"}),
        ],
        [*statement.frames, new_frame(f"{lemma_of(form, tag)}.01")],
    )


def question_about(
    statement: Statement, speaker: Statement, of_subject: bool, generator: random.Random
) -> Optional[Sentence]:
    """`What did Smith say the firm closed?`, or `Who did Smith say closed two plants?`"""
    asked = statement.asked(of_subject)
    if asked is None:
        return None
    rest = attached(statement.without(asked.tokens), statement.root, -1, "ccomp")
    lemma = generator.choice(THINKING)
    tag = generator.choice(["VBD", "VBP" if speaker.takes_plain_verb else "VBZ"])
    helper = Piece(-3, DO[tag], tag, -1, "aux", {-3: "B-V"})
    return sentence_of(
        [
            *interrogative(statement, asked),
            helper,
            *new_subject(speaker, len(statement.pieces)),
            Piece(-1, lemma, "VB", -1, "root", {-1: "B-V"}),
            *filling(rest, {-1: "ARG1"}),
            Piece(-4, "?", ".", -1, "punct", {}),
        ],
        [*statement.frames, new_frame(f"{lemma}.01"), new_frame("do.01", -3)],
    )
