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
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Sequence, Tuple

import conllu

import lisa_allennlp
from benchmarks.common import Report, clock, make_parser
from experiments.english.ud_text import document_text, read_ud
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.document import Document
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conllu import parse_conllu_rows, write_conllu_document
from lisa_allennlp.data.formats.roles import joined_spans
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.scoring import Conll05Evaluation, Conll18Evaluation, Counts
from lisa_allennlp.scoring.propositions import Proposition, PropositionCounts, count_matched

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
        """Returns the counts of predicates."""
        correct = self.counts.propositions - self.counts.unpredicted
        return Counts(correct, self.counts.not_in_gold, self.counts.unpredicted)


def _count(predicted: Document, gold: Document) -> PropositionCounts:
    counts = count_matched(_propositions(predicted), _propositions(gold))
    counts.sentences = len(gold.sentences)
    return counts


def _propositions(document: Document) -> Dict[CharacterSpan, Proposition]:
    """Returns the propositions of a document by the start and the end of their predicates."""
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
    frames = frames_by_id(corpus / "ewt-dev.gold_conll", corpus / "ewt-dev.conllu")
    documents = read_ud(ud / "en_ewt-ud-dev.conllu", frames)
    return [_gold_document(sentences, frames) for sentences in documents]


def frames_by_id(roles: Path, trees: Path) -> Dict[str, Sentence]:
    """Returns the sentences of the corpus by UD's `sent_id`."""
    ids = [str(rows.comment("sent_id")) for rows in parse_conllu_rows(read_lines(trees), trees)]
    return dict(zip(ids, Conll12SrlReader().read_sentences(roles), strict=True))


def _gold_document(
    sentences: Sequence[conllu.TokenList], annotated: Dict[str, Sentence]
) -> GoldDocument:
    text, found = document_text(sentences)
    gold = [
        replace(
            annotated[tokens.metadata["sent_id"]],
            words=[text[a:b] for a, b in offsets],
            offsets=offsets,
            text=text,
        )
        for tokens, offsets in zip(sentences, found, strict=True)
    ]
    return GoldDocument(Document(text, gold), "".join(t.serialize() for t in sentences))


def from_text(labeller: Labeller, gold: Sequence[Document]) -> List[Document]:
    """Returns the documents labelled from their raw text."""
    return list(labeller.documents([document.text for document in gold]))


def from_sentences(labeller: Labeller, gold: Sequence[Document]) -> List[Document]:
    """Returns the documents labelled from the raw text of each gold sentence."""
    sentences = [(d, s.offsets[0][0]) for d in gold for s in d.sentences if s.offsets]
    texts = [d.text_of(s) for d in gold for s in d.sentences]
    labelled = [
        replace(s, offsets=[(start + a, start + b) for a, b in s.offsets or []], text=d.text)
        for s, (d, start) in zip(labeller.pipe(texts), sentences, strict=True)
    ]
    return _in_documents(labelled, gold)


def from_words(labeller: Labeller, gold: Sequence[Document]) -> List[Document]:
    """Returns the documents labelled from the gold words of each gold sentence."""
    given = [(d, s) for d in gold for s in d.sentences]
    labelled = [
        replace(sentence, offsets=own.offsets, text=document.text)
        for sentence, (document, own) in zip(
            labeller.pipe([s.words for _, s in given]), given, strict=True
        )
    ]
    return _in_documents(labelled, gold)


def _in_documents(sentences: Sequence[Sentence], gold: Sequence[Document]) -> List[Document]:
    rest = iter(sentences)
    return [replace(d, sentences=[next(rest) for _ in d.sentences]) for d in gold]


SETTINGS: Dict[str, Callable[[Labeller, Sequence[Document]], List[Document]]] = {
    "raw text": from_text,
    "gold sentences": from_sentences,
    "gold sentences and tokens": from_words,
}


def conll18_scores(predicted: Sequence[Document], gold: Sequence[GoldDocument]) -> Dict[str, float]:
    """Returns F1 scores of the CoNLL 2018 scorer."""
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
    """Returns the figures of a row, in percent."""
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


def words_per_second(labeller: Labeller, gold: Sequence[Document], runs: int) -> float:
    """Of tokenising and splitting the texts alone."""
    number = sum(len(sentence.words) for document in gold for sentence in document.sentences)
    start = clock()
    for _ in range(runs):
        for document in gold:
            labeller.read_document(document.text)
    return number * runs / (clock() - start)


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--archive", type=Path, required=True, help="the trained LISA or SA")
    text = "a checkout of UD_English-EWT"
    parser.add_argument("--ud", type=Path, required=True, help=text)
    args = parser.parse_args()
    if args.corpus is None:
        parser.error("--corpus: found nothing; expected the folder of the English Web Treebank")
    gold = read_gold(args.corpus, args.ud)
    documents = [item.document for item in gold]
    number = sum(len(document.sentences) for document in documents)
    report = Report("raw_text", args, data=f"{len(gold)} documents, {number} sentences of EWT dev")
    labeller = lisa_allennlp.load(args.archive)
    rows = {name: scores(label(labeller, documents), gold) for name, label in SETTINGS.items()}
    header = ["from", *next(iter(rows.values()))]
    report.table(header, [[name, *row.values()] for name, row in rows.items()])
    speed = words_per_second(labeller, documents, args.runs)
    report.table(["tokenising and splitting", "words_per_second"], [["raw text alone", speed]])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
