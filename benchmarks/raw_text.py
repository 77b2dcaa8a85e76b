"""
Accuracy from raw text: LISA labels the documents of EWT dev from their text, and is scored by
characters, from end to end. The other rows start from the gold sentences, and from the gold
sentences and tokens.

    python -m benchmarks.raw_text --archive MODEL --corpus DIR --ud CHECKOUT [--json FILE]

The text is rebuilt as for the CoNLL 2018 shared task, from the file of dev in a checkout of
UD_English-EWT: an empty line between paragraphs, and lines of 80 characters. Sentences that the
corpus lacks are left out. Words, sentences, tags (XPOS), UPOS, lemmas, UAS and LAS are F1 scores of
the CoNLL 2018 scorer. Predicates and arguments count if they start and end at the right characters.
"""

import io
import sys
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Sequence, Tuple

import conllu

import lisa_allennlp
from benchmarks.common import Report, make_parser
from experiments.english.ud_text import document_text, read_ud
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.formats.columns import read_lines
from lisa_allennlp.formats.conllu import parse_conllu_rows, write_conllu_document
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.scoring import Conll05Evaluation, Conll18Evaluation, Counts
from lisa_allennlp.scoring.propositions import Proposition, PropositionCounts, count_matched
from lisa_allennlp.sentence.document import Document
from lisa_allennlp.sentence.roles import joined_spans
from lisa_allennlp.sentence.sentence import Sentence

CONLL18 = {
    "words": "Words",
    "sentences": "Sentences",
    "pos": "XPOS",
    "upos": "UPOS",
    "lemmas": "Lemmas",
    "uas": "UAS",
    "las": "LAS",
}


CharacterSpan = Tuple[int, int]


class CharacterSpanEvaluation(Conll05Evaluation):
    """
    Counts propositions as srl-eval.pl does, except that predicates and the pieces of arguments are
    the same if they start and end at the same characters of the text. If the tokens are those of
    gold, the scores are those of `Conll05Evaluation`.

    The documents have the same texts in the same order, and all sentences frames and offsets.
    """

    def __init__(
        self, predicted: Sequence[Document], gold: Sequence[Document], strict: bool = False
    ) -> None:
        super().__init__([], [], strict)
        self._set_counts([_count(*pair) for pair in zip(predicted, gold, strict=True)])

    def predicates(self) -> Counts:
        correct = self.counts.propositions - self.counts.unpredicted
        return Counts(correct, self.counts.not_in_gold, self.counts.unpredicted)


def _count(predicted: Document, gold: Document) -> PropositionCounts:
    counts = count_matched(_propositions(predicted), _propositions(gold))
    counts.sentences = len(gold.sentences)
    return counts


def _propositions(document: Document) -> Dict[CharacterSpan, Proposition]:
    propositions: Dict[CharacterSpan, Proposition] = {}
    for sentence in document.sentences:
        offsets = sentence.offsets or []
        for frame in sentence.frames or []:
            start, end = offsets[frame.predicate]
            roles = {
                tuple((offsets[first][0], offsets[last][1]) for first, last in pieces): role
                for role, pieces in joined_spans(frame.tags)
            }
            propositions[offsets[frame.predicate]] = Proposition(frame.lemma, roles)
    return propositions


class GoldDocument(NamedTuple):
    # The text, with words, offsets and frames.
    document: Document
    # The sentences as UD has them.
    conllu: str


def read_gold(corpus: Path, ud: Path) -> List[GoldDocument]:
    """Returns the documents of EWT dev, with the sentences of the corpus."""
    trees, roles = corpus / "ewt-dev.conllu", corpus / "ewt-dev.gold_conll"
    ids = [str(rows.comment("sent_id")) for rows in parse_conllu_rows(read_lines(trees), trees)]
    frames = dict(zip(ids, Conll12SrlReader().read_sentences(roles), strict=True))
    documents = read_ud(ud / "en_ewt-ud-dev.conllu", frames)
    return [_gold_document(sentences, frames) for sentences in documents]


def _gold_document(
    sentences: Sequence[conllu.TokenList], annotated: Dict[str, Sentence]
) -> GoldDocument:
    text, found = document_text(sentences)
    gold = []
    for tokens, offsets in zip(sentences, found, strict=True):
        words = [text[a:b] for a, b in offsets]
        own = annotated[tokens.metadata["sent_id"]]
        gold.append(replace(own, words=words, offsets=offsets, text=text))
    return GoldDocument(Document(text, gold), "".join(t.serialize() for t in sentences))


def from_text(labeller: Labeller, gold: Sequence[Document]) -> List[Document]:
    return list(labeller.documents([document.text for document in gold]))


def from_sentences(
    labeller: Labeller, gold: Sequence[Document], with_words: bool = False
) -> List[Document]:
    """Returns them labelled from the raw text, or from the gold words, of each gold sentence."""
    given = [(document, sentence) for document in gold for sentence in document.sentences]
    labelled = labeller.pipe([s.words if with_words else d.text_of(s) for d, s in given])
    found = []
    for sentence, (document, own) in zip(labelled, given, strict=True):
        offsets = own.offsets or []
        if not with_words:
            start = offsets[0][0]
            offsets = [(start + a, start + b) for a, b in sentence.offsets or []]
        found.append(replace(sentence, offsets=offsets, text=document.text))
    rest = iter(found)
    return [replace(d, sentences=[next(rest) for _ in d.sentences]) for d in gold]


SETTINGS: Dict[str, Callable[[Labeller, Sequence[Document]], List[Document]]] = {
    "raw text": from_text,
    "gold sentences": from_sentences,
    "gold sentences and tokens": partial(from_sentences, with_words=True),
}


def conll18_scores(predicted: Sequence[Document], gold: Sequence[GoldDocument]) -> Dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder) / "predicted.conllu", Path(folder) / "gold.conllu"
        written = io.StringIO()
        for document in predicted:
            write_conllu_document(document, written)
        paths[0].write_text(written.getvalue(), encoding="utf-8")
        paths[1].write_text("".join(item.conllu for item in gold), encoding="utf-8")
        conll18 = Conll18Evaluation(*paths).to_dict()
    return {name: conll18[theirs]["f1"] for name, theirs in CONLL18.items()}


def scores(predicted: Sequence[Document], gold: Sequence[GoldDocument]) -> Dict[str, float]:
    documents = [item.document for item in gold]
    roles = CharacterSpanEvaluation(predicted, documents)
    overall = roles.counts.overall()
    return {
        **conll18_scores(predicted, gold),
        "predicate_f1": roles.predicates().f1,
        "srl_precision": overall.precision,
        "srl_recall": overall.recall,
        "srl_f1": overall.f1,
        "srl_f1_strict": roles.counts.overall(strict=True).f1,
    }


def main() -> int:
    parser = make_parser(__doc__, needs_corpus=True)
    parser.add_argument("--archive", type=Path, required=True, help="the trained LISA or SA")
    text = "a checkout of UD_English-EWT"
    parser.add_argument("--ud", type=Path, required=True, help=text)
    args = parser.parse_args()
    gold = read_gold(args.corpus, args.ud)
    documents = [item.document for item in gold]
    number = sum(len(document.sentences) for document in documents)
    report = Report("raw_text", args, data=f"{len(gold)} documents, {number} sentences of EWT dev")
    labeller = lisa_allennlp.load(args.archive)
    for name, label in SETTINGS.items():
        row = scores(label(labeller, documents), gold)
        report.table(["from", *row], [[name, *row.values()]])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
