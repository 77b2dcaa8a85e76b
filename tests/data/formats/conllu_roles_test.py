import io

import conllu
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.conllu import write_conllu
from lisa_allennlp.data.formats.conllu_roles import parse_conllu_roles, write_conllu_roles
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.rolesets import join_roleset
from lisa_allennlp.data.sentence import Frame, Parse, Sentence
from tests.data.sentences import SAMPLE, parses, role_labels, values

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
known_names = names.filter(lambda name: name != "-")


def written(sentences, write=write_conllu_roles):
    file = io.StringIO(newline="")
    write(sentences, file)
    return file.getvalue()


def parse(text):
    # In a file, only line feeds end lines.
    return [sentence for sentence, _ in parse_conllu_roles(io.StringIO(text, newline="\n"), "text")]


def misc_of(sentence):
    return [line.split("\t")[-1] for line in written([sentence]).splitlines()]


@st.composite
def sentences_with_roles(draw):
    length = draw(st.integers(1, 6))
    predicates = draw(st.lists(st.integers(0, length - 1), unique=True, max_size=length))
    words = draw(st.lists(values, min_size=length, max_size=length))
    lemmas = draw(st.lists(known_names, min_size=length, max_size=length))
    frames = [
        Frame(p, draw(role_labels(length, p)), lemma, join_roleset(lemma, draw(names)))
        for p, lemma in zip(sorted(predicates), lemmas, strict=False)
    ]
    parse = draw(st.none() | parses(length))
    if parse is not None and any("_" == tag for tag in parse.head_tags):
        parse = None
    return Sentence(words, frames=draw(st.sampled_from([frames, frames, None])), parse=parse)


class TestRoundTrip:
    @given(st.lists(sentences_with_roles(), min_size=1, max_size=3))
    def test_is_read_back(self, sentences):
        assert parse(written(sentences)) == sentences

    def test_the_sample(self):
        assert parse(written(SAMPLE)) == SAMPLE

    @pytest.mark.parametrize(
        "tags",
        [
            # A verb of two tokens, one continued elsewhere, and a role of two adjacent spans.
            "O B-V I-V O",
            "O B-V O B-C-V",
            "B-A1 B-V B-A2 B-A2",
            # A role that includes the predicate, which leaves no room for a V.
            "B-A1 I-A1 O O",
        ],
    )
    def test_unusual_frames(self, tags):
        sentence = Sentence("She gave it up".split(), frames=[Frame(1, tags.split())])
        assert parse(written([sentence])) == [sentence]

    def test_unknown_and_missing_are_different(self):
        sentences = [Sentence(["Hm"]), Sentence(["Hm"], frames=[])]
        assert parse(written(sentences)) == sentences


class TestWriteConlluRoles:
    def test_keys_are_universal_propbanks(self):
        frames = [Frame(3, "B-A1 O B-A0 B-V O B-C-A1 O".split(), "say", "say.01")]
        sentence = Sentence("Prices , he said , fell .".split(), frames=frames)
        assert misc_of(sentence)[3] == "UP:PRED=say.01|UP:ARGSPANS=A1:1-1,A0:3-3,C-A1:6-6"

    def test_predictions_have_neither_lemma_nor_sense(self):
        assert misc_of(Sentence(["Go", "!"], frames=[Frame(0, ["B-V", "O"])])) == [
            "UP:PRED=_._",
            "_",
            "",
        ]

    def test_names_with_separators(self):
        frame = Frame(0, ["B-V", "B-A,|:1"], "_", "_.a.b")
        assert misc_of(Sentence(["a", "b"], frames=[frame]))[0] == (
            "UP:PRED=%5F.a%2Eb|UP:ARGSPANS=A%2C%7C:1:2-2"
        )

    def test_without_roles_it_is_write_conllu(self):
        trees = [Sentence(s.words, s.pos, parse=s.parse) for s in SAMPLE]
        assert written(trees) == written(trees, write_conllu)

    def test_the_conllu_library_reads_it(self):
        first, second, _ = conllu.parse(written(SAMPLE))
        assert first[3]["misc"] == {
            "UP:PRED": "cut.01",
            "UP:ARGSPANS": "A0:1-2,R-A0:3-3,A1:5-5",
        }
        assert second.metadata == {"predicates": "0"}


def lines(*misc):
    return "".join(f"{i}\tw\t_\t_\t_\t_\t_\t_\t_\t{m}\n" for i, m in enumerate(misc, 1))


class TestParseConlluRoles:
    def test_other_keys_and_trees_stay_as_they_are(self):
        text = "# text = w w\n# predicates = 3\n" + lines("SpaceAfter=No", "Gloss=x|Typo=Yes")
        assert parse(text) == [Sentence(["w", "w"])]

    @pytest.mark.parametrize(
        "roleset, lemma, sense",
        [
            ("have.03", "have", "have.03"),
            ("U.S..01", "U.S.", "U.S..01"),
            ("have", "have", "-"),
            ("_", "-", "-"),
            ("_.03", "-", "03"),
        ],
    )
    def test_rolesets_of_others(self, roleset, lemma, sense):
        ((frame,),) = [s.frames for s in parse(lines(f"SpaceAfter=No|UP:PRED={roleset}"))]
        assert (frame.lemma, frame.sense, frame.tags) == (lemma, sense, ["B-V"])

    @pytest.mark.parametrize(
        "misc, found",
        [
            ("UP:ARGSPANS=A1:1-1", "UP:ARGSPANS without UP:PRED"),
            ("UP:PRED", "UP:PRED without a value"),
            ("UP:PRED=|UP:ARGSPANS=A1:1-1", "UP:PRED without a value"),
            ("UP:PRED=a.01|UP:ARGSPANS=A1", "'A1' in UP:ARGSPANS"),
            ("UP:PRED=a.01|UP:ARGSPANS=A1:0-1", "'A1:0-1' in UP:ARGSPANS"),
            ("UP:PRED=a.01|UP:ARGSPANS=A1:1-3", "'A1:1-3' in UP:ARGSPANS"),
            ("UP:PRED=a.01|UP:ARGSPANS=A1:2-1", "'A1:2-1' in UP:ARGSPANS"),
            ("UP:PRED=a.01|UP:ARGSPANS=A1:1-" + "9" * 20, f"'A1:1-{'9' * 20}' in UP:ARGSPANS"),
            ("UP:PRED=a.01|UP:ARGSPANS=A1:1-1,A2:1-2", "'A1:1-1,A2:1-2' in UP:ARGSPANS"),
        ],
    )
    def test_errors_name_the_line(self, misc, found):
        with pytest.raises(CorpusFormatError) as error:
            parse(lines("_", misc))
        assert (error.value.line, error.value.found) == (2, found)

    def test_a_tree_is_read_too(self):
        sentence = Sentence(["Go"], ["VB"], [Frame(0, ["B-V"])], Parse([0], ["root"]))
        assert parse(written([sentence])) == [sentence]
