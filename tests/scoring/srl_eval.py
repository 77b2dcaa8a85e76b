"""The official Perl script of CoNLL-2005 as an oracle, and propositions to score."""

import importlib.util
import re
import subprocess
import tempfile
from pathlib import Path

from lisa_allennlp.sentence.roles import bio_to_brackets
from lisa_allennlp.sentence.sentence import Frame, Sentence

ROLES = "A0 A1 C-A0 C-A1 R-A0 R-A1 C-R-A0 C-C-A1 V C-V R-V".split()
LABELS = ["O", "O"] + [f"{prefix}-{role}" for role in ROLES for prefix in "BI"]


def script():
    # Not imported: that would load all of allennlp-models.
    (package,) = importlib.util.find_spec("allennlp_models").submodule_search_locations
    return Path(package) / "structured_prediction" / "tools" / "srl-eval.pl"


def props(sentences, lemmas=True):
    """The file that the script reads: lemmas (or `x`), then one column for each frame."""
    lines = []
    for sentence in sentences:
        frames = sorted(sentence.frames, key=lambda frame: frame.predicate)
        first = ["-"] * len(sentence.words)
        for frame in frames:
            first[frame.predicate] = frame.lemma if lemmas and frame.lemma != "-" else "x"
        columns = [first, *(bio_to_brackets(frame.tags) for frame in frames)]
        lines += [" ".join(row) for row in zip(*columns, strict=True)] + [""]
    return "\n".join(lines) + "\n"


def run_srl_eval(predicted, gold, *options, lemmas=True):
    """All that the official script prints."""
    with tempfile.TemporaryDirectory() as folder:
        gold_file, predicted_file = Path(folder, "gold"), Path(folder, "predicted")
        gold_file.write_text(props(gold, lemmas))
        predicted_file.write_text(props(predicted, lemmas))
        command = ["perl", script(), "-noW", *options, gold_file, predicted_file]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stderr == ""
    return run.stdout


def table_row(printed, name):
    """The counts and scores in a row of the script's table; zeros for V without any spans."""
    rows = re.findall(rf"^ *{name}" + r" +(\S+)" * 6 + "$", printed, re.MULTILINE)
    return rows[0] if rows else ("0", "0", "0", "0.00", "0.00", "0.00")


def sentence_of(length, *frames):
    return Sentence([f"w{i}" for i in range(length)], frames=list(frames))


def with_empty_propositions(pairs):
    """
    The gold sentences of pairs, with an empty proposition for each that is only predicted. The
    script then counts the arguments of these propositions as excess.
    """
    padded = []
    for found, wanted in pairs:
        known = {frame.predicate for frame in wanted.frames}
        empty = ["O"] * len(wanted.words)
        more = [Frame(f.predicate, empty) for f in found.frames if f.predicate not in known]
        padded.append(sentence_of(len(wanted.words), *wanted.frames, *more))
    return padded


def random_frames(rng, length, predicates):
    frames = []
    for predicate in predicates:
        tags = []
        while len(tags) < length:
            role, span = rng.choice(ROLES + [None] * 6), rng.randint(1, 4)
            tags += ["O"] * span if role is None else [f"B-{role}"] + [f"I-{role}"] * (span - 1)
        frames.append(Frame(predicate, tags[:length]))
    return frames


def random_pair(rng):
    length = rng.randint(1, 25)
    gold = random_frames(rng, length, rng.sample(range(length), min(length, rng.randint(0, 4))))
    predicted = []
    for frame in gold:
        roles = list(frame.tags)
        for _ in range(rng.choice([0, 1, 1, 2, 3])):
            roles[rng.randrange(length)] = rng.choice(LABELS)
        if rng.random() < 0.9:
            predicted.append(Frame(frame.predicate, roles))
    free = set(range(length)) - {frame.predicate for frame in gold}
    predicted += random_frames(rng, length, [p for p in free if rng.random() < 0.05])
    return sentence_of(length, *predicted), sentence_of(length, *gold)
