"""
Annotation beside a text, for tools in which people annotate: brat's standoff, and UIMA's CAS in
JSON. Both have a line of text per sentence.

    >>> import sys
    >>> from lisa_allennlp.sentence.sentence import Frame
    >>> frame = Frame(1, ["B-ARG0", "B-V"], lemma="sing", sense="sing.01")
    >>> sentence = Sentence(["She", "sang"], frames=[frame])
    >>> write_brat([sentence], sys.stdout)  # doctest: +NORMALIZE_WHITESPACE
    T1	ARG0 0 3	She
    T2	V 4 8	sang
    R1	ARG0 Arg1:T2 Arg2:T1
    #1	AnnotatorNotes T2	sing.01
"""

from typing import Any, Dict, Iterable, List, TextIO, Tuple

from lisa_allennlp.common.user_errors import check_installed
from lisa_allennlp.formats.columns import check_value
from lisa_allennlp.sentence.roles import UNKNOWN, VERB, LabelledSpan, bio_to_spans
from lisa_allennlp.sentence.sentence import Frame, Offsets, Sentence

_CORE = "de.tudarmstadt.ukp.dkpro.core.api"
TOKEN = f"{_CORE}.segmentation.type.Token"
SENTENCE = f"{_CORE}.segmentation.type.Sentence"
LEMMA = f"{_CORE}.segmentation.type.Lemma"
POS = f"{_CORE}.lexmorph.type.pos.POS"
DEPENDENCY = f"{_CORE}.syntax.type.dependency.Dependency"
PREDICATE = f"{_CORE}.semantics.type.SemPred"
ARGUMENT = f"{_CORE}.semantics.type.SemArg"
LINK = f"{_CORE}.semantics.type.SemArgLink"


def placed(sentences: Iterable[Sentence]) -> Tuple[str, List[Offsets]]:
    """Returns sentences as lines, raw or tokenized, and the offsets of words, in code points."""
    lines: List[str] = []
    places: List[Offsets] = []
    start = 0
    for sentence in sentences:
        offsets, text = sentence.offsets, sentence.text
        if text is None or not offsets:
            text, offsets, end = " ".join(sentence.words), [], 0
            for word in sentence.words:
                offsets.append((end, end + len(word)))
                end += len(word) + 1
        begin = offsets[0][0] if offsets else 0
        line = text[begin : offsets[-1][1] if offsets else 0]
        # Each character stays one.
        lines.append("".join(" " if c.isspace() else c for c in line) + "\n")
        places.append([(start + first - begin, start + end - begin) for first, end in offsets])
        start += len(lines[-1])
    return "".join(lines), places


def _spans(frame: Frame) -> List[LabelledSpan]:
    own = LabelledSpan(VERB, frame.predicate, frame.predicate)
    spans = bio_to_spans(frame.tags)
    return spans if any(span.role == VERB for span in spans) else [own, *spans]


def write_brat(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes the lines of an `.ann` file for the text of `placed`: each span of a frame, a relation
    from its V to each other span, and the roleset as a note on the V.
    """
    sentences = list(sentences)
    text, places = placed(sentences)
    spans = relations = notes = 0
    for sentence, offsets in zip(sentences, places, strict=True):
        for frame in sentence.frames or []:
            others, verb = [], 0
            for role, first, last in _spans(frame):
                spans += 1
                start, end = offsets[first][0], offsets[last][1]
                file.write(f"T{spans}\t{check_value(role)} {start} {end}\t{text[start:end]}\n")
                if role == VERB and not verb:
                    verb = spans
                else:
                    others.append((role, spans))
            for role, other in others:
                relations += 1
                file.write(f"R{relations}\t{role} Arg1:T{verb} Arg2:T{other}\n")
            if frame.sense != UNKNOWN:
                notes += 1
                file.write(f"#{notes}\tAnnotatorNotes T{verb}\t{check_value(frame.sense)}\n")


def write_cas(sentences: Iterable[Sentence], file: TextIO) -> None:
    """Writes DKPro Core's types, which INCEpTION has. In its trees, a root depends on itself."""
    check_installed("cassis")
    import cassis

    sentences = list(sentences)
    text, places = placed(sentences)
    cas = cassis.Cas(cassis.load_dkpro_core_typesystem())
    cas.sofa_string, cas.sofa_mime = text, "text/plain"

    def add(name: str, first: Tuple[int, int], last: Tuple[int, int], **features: Any) -> Any:
        annotation = cas.typesystem.get_type(name)(begin=first[0], end=last[1], **features)
        cas.add(annotation)
        return annotation

    for sentence, offsets in zip(sentences, places, strict=True):
        if not offsets:
            continue
        add(SENTENCE, offsets[0], offsets[-1])
        tokens = [add(TOKEN, place, place) for place in offsets]
        columns: Dict[str, Any] = {"PosValue": sentence.pos, "coarseValue": sentence.upos}
        for number, (token, place) in enumerate(zip(tokens, offsets, strict=True)):
            if known := {name: tags[number] for name, tags in columns.items() if tags}:
                token.pos = add(POS, place, place, **known)
            if sentence.lemmas is not None:
                token.lemma = add(LEMMA, place, place, value=sentence.lemmas[number])
            if sentence.parse is not None:
                head, tag = sentence.parse.head_indices[number], sentence.parse.head_tags[number]
                ends = {"Governor": tokens[head], "Dependent": token, "DependencyType": tag}
                add(DEPENDENCY, place, place, flavor="basic", **ends)
        for frame in sentence.frames or []:
            links = [
                cas.typesystem.get_type(LINK)(
                    role=role, target=add(ARGUMENT, offsets[first], offsets[last])
                )
                for role, first, last in bio_to_spans(frame.tags)
                if role != VERB
            ]
            category = None if frame.sense == UNKNOWN else frame.sense
            own = offsets[frame.predicate]
            array = cas.typesystem.get_type("uima.cas.FSArray")
            arguments = array(elements=links) if links else None
            add(PREDICATE, own, own, category=category, arguments=arguments)
    file.write(cas.to_json(pretty_print=False) + "\n")
